"""Sheets of proof games: several problems with their twins in one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from . import _checks, _native
from ._fairy import FairyGame
from ._run import Progress, Run, progress_event, reporting


@dataclass(frozen=True)
class SheetResult:
    """What is known of a problem or twin of a sheet."""

    title: str | None
    """The title, with the letter of the twin: ``b) A knight``."""
    line: int
    """The line of the diagram or of the twin, or that of an error, from 1."""
    error: str | None
    """Line, column, and what was expected, of a problem that cannot be read."""
    fen: str
    """The placement at the end."""
    start: str | None
    """The FEN of the first position, unless it is the initial one."""
    plies: int
    """The length in half-moves (in moves, for a series)."""
    verdict: Literal["unique", "shorter", "several", "cooked", "none", "partial", "error"]
    """As in :class:`ProofResult`; ``error``: the problem cannot be read."""
    statement: str
    """The verdict as a sentence."""
    correct: bool | None
    """Whether the games are those that the author intends; None while that is not known."""
    complete: bool
    """Whether no game is missing."""
    count: int
    """The number of games that are known."""
    games: tuple[FairyGame, ...]
    """The games that are listed: in short notation, or in Popeye's long notation with effects where there are conditions."""

    def __str__(self) -> str:
        title = f"{self.title}: " if self.title else ""
        return f"{title}{self.error or self.statement}"


def _answer(problems: list[dict[str, Any]]) -> tuple[SheetResult, ...]:
    def game(fields: dict[str, Any]) -> FairyGame:
        return FairyGame(tuple(fields["moves"]), fields["text"], tuple(fields["boards"]))

    def one(fields: dict[str, Any]) -> SheetResult:
        games = tuple(game(each) for each in fields["games"])
        return SheetResult(**{**fields, "count": int(fields["count"]), "games": games})

    return tuple(one(fields) for fields in problems)


def start_sheet(
    text: str,
    *,
    games: int = 10,
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
    seconds_each: float | None = None,
    every: float = 0.5,
) -> Run[Progress, tuple[SheetResult, ...]]:
    """Starts :func:`solve_sheet` and returns at once, with the running work.

    Iterating over it gives a :class:`Progress` every ``every`` seconds and at each verdict.
    """
    _checks.whole("games", games, 1, _checks.COUNT_MAX)
    _checks.workers(threads)
    _checks.memory(memory_mib)
    job = _native.start_sheet(text, games, threads, memory_mib, seconds, seconds_each)
    return Run(job, _answer, progress_event, reporting(every))


def solve_sheet(
    text: str,
    *,
    games: int = 10,
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
    seconds_each: float | None = None,
) -> tuple[SheetResult, ...]:
    """Solves all problems of a sheet, with their twins, conditions and starts.

    Args:
        text: the problems, in the format of the program's sheets (``docs/proof-guide.md``).
        games: how many games of each problem are listed.
        threads: processors to use; 0 for all.
        memory_mib: MiB of the table; 256 by default, and never more than is free.
        seconds: time after which the whole work ends; the verdicts of later problems are ``partial``.
        seconds_each: time for each problem and twin; one that does not end in time is ``partial``, and the next follows.

    A problem that cannot be read has the verdict ``error``; the others are solved.

    Raises:
        ValueError: the text has no problem.

    >>> results = solve_sheet(
    ...     "Title: A knight\\n"
    ...     "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R\\n"
    ...     "PG in 1.5\\n"
    ...     "b) f5->f6\\n"
    ... )
    >>> for result in results:
    ...     print(result, result.games[0])
    a) A knight: C+: exactly one proof game in 1.5 moves 1. f4 f5 2. Nf3
    b) A knight: C+: exactly one proof game in 1.5 moves 1. f4 f6 2. Nf3
    """
    run = start_sheet(
        text,
        games=games,
        threads=threads,
        memory_mib=memory_mib,
        seconds=seconds,
        seconds_each=seconds_each,
    )
    return run.result()

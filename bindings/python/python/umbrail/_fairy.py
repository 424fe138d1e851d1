"""Proof games with fairy conditions, fairy pieces, or a first position of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from . import _checks, _native
from ._boards import Board, fen_of
from ._proof import _plies
from ._run import Progress, Run, progress_event, reporting


@dataclass(frozen=True)
class FairyGame:
    """A game with conditions."""

    moves: tuple[str, ...]
    """Moves with their effects, in Popeye's long notation with English letters: ``e4*d5[+bPd7]``."""
    text: str
    """The numbered game."""
    boards: tuple[str, ...]
    """Placements before the first move and after each move."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class FairyProofResult:
    """What is known of a problem with conditions."""

    verdict: Literal["unique", "shorter", "several", "none", "partial"]
    """As in :class:`ProofResult`; ``several``: more than one game."""
    statement: str
    """The verdict as a sentence."""
    count: int
    """The number of games; at least so many unless ``complete``."""
    lengths: dict[int, int]
    """The number of games of each length in half-moves (in moves, for a series)."""
    games: tuple[FairyGame, ...]
    """The games that are listed, each played again by the rules with their conditions."""
    complete: bool
    """Whether the number is exact."""
    nodes: int
    """Positions searched."""

    def __str__(self) -> str:
        return f"{self.verdict}: {self.count} game{'' if self.count == 1 else 's'}"


def _answer(fields: dict[str, Any]) -> FairyProofResult:
    games = fields["games"]
    return FairyProofResult(
        fields["verdict"],
        fields["statement"],
        int(fields["count"]),
        {plies: int(games) for plies, games in fields["lengths"]},
        tuple(FairyGame(tuple(one["moves"]), one["text"], tuple(one["boards"])) for one in games),
        fields["complete"],
        fields["nodes"],
    )


def _names(conditions: Sequence[str] | str) -> list[str]:
    return [conditions] if isinstance(conditions, str) else list(conditions)


def _letters(pieces: Mapping[str, str]) -> list[tuple[str, str]]:
    for letter in pieces:
        if len(letter) != 1 or not (letter.isascii() and letter.isalpha()):
            raise ValueError(f"the letter of a piece must be one of A to Z, got {letter!r}")
    return list(pieces.items())


def start_fairy_proof(
    fen: Board,
    moves: float | str,
    *,
    conditions: Sequence[str] | str = (),
    pieces: Mapping[str, str] | None = None,
    start: Board | None = None,
    series: bool = False,
    exact: bool = False,
    games: int = 10,
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
    every: float = 0.5,
) -> Run[Progress, FairyProofResult]:
    """Starts :func:`solve_fairy_proof` and returns at once, with the running work.

    Iterating over it gives a :class:`Progress` every ``every`` seconds and at each game that is found.
    """
    _checks.whole("games", games, 1, _checks.COUNT_MAX)
    _checks.workers(threads)
    _checks.memory(memory_mib)
    plies = _plies(moves)
    if series:
        if plies % 2:
            raise ValueError(f"a series has whole moves, got {moves}")
        plies //= 2
    job = _native.start_fairy(
        fen_of(fen),
        plies,
        _names(conditions),
        _letters(pieces or {}),
        None if start is None else fen_of(start),
        series,
        exact,
        games,
        threads,
        memory_mib,
        seconds,
    )
    return Run(job, _answer, progress_event, reporting(every))


def solve_fairy_proof(
    fen: Board,
    moves: float | str,
    *,
    conditions: Sequence[str] | str = (),
    pieces: Mapping[str, str] | None = None,
    start: Board | None = None,
    series: bool = False,
    exact: bool = False,
    games: int = 10,
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
) -> FairyProofResult:
    """Counts all games that lead to a diagram under fairy conditions, with fairy pieces, or from another position.

    Args:
        fen: the diagram: a FEN (its first field is enough), or a ``chess.Board``.
        moves: the length: ``2.5`` is two moves and a half; ``6`` of a series are six moves of one side.
        conditions: names of conditions with their variants, as Popeye has them: ``["Circe RexInclusive", "GridChess"]``.
        pieces: meanings of letters: ``{"G": "grasshopper"}``. Pawns promote to these pieces, too.
        start: the first position with the side to move; the initial position by default.
        series: whether the side to move makes all moves.
        exact: whether shorter games that end with the same side are no solutions.
        games: how many games are listed; all are counted.
        threads: processors to use; 0 for all.
        memory_mib: MiB of the table; 256 by default, and never more than is free.
        seconds: time after which it ends with what it knows.

    Ctrl-C stops it and raises KeyboardInterrupt. Other Python threads continue meanwhile.

    Raises:
        ValueError: the diagram, the length, a condition or a piece is none, or they cannot be combined.

    >>> result = solve_fairy_proof("rnbqkbnr/p1ppppp1/1p6/8/7P/8/PPPPPP1P/RNBQKBNR", 2, conditions="Take&MakeChess")
    >>> result.verdict
    'unique'
    >>> print(result.games[0])
    1.g2-g4 h7-h5 2.g4*h5-h4 b7-b6
    """
    run = start_fairy_proof(
        fen,
        moves,
        conditions=conditions,
        pieces=pieces,
        start=start,
        series=series,
        exact=exact,
        games=games,
        threads=threads,
        memory_mib=memory_mib,
        seconds=seconds,
    )
    return run.result()

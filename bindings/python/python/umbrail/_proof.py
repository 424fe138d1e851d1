"""Shortest proof games."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from . import _native
from . import _checks
from ._boards import Board, Game, fen_of, read_game
from ._run import Progress, Run, progress_event, reporting


@dataclass(frozen=True)
class ProofResult:
    """What is known of a proof-game problem."""

    verdict: Literal["unique", "shorter", "several", "cooked", "none", "partial"]
    """``unique``: exactly one game, of the stated length. ``shorter``: exactly one game, and it is shorter than that.
    ``several``: more than one, each with a strategy of its own. ``cooked``: two games share a strategy, so the order of
    their moves is not forced. ``none``: no game leads there. ``partial``: the work was stopped before that was known."""
    statement: str
    """The verdict as a sentence: the lengths of the games, and what was not searched."""
    games: tuple[Game, ...]
    """The games that were found, each replayed by the rules of chess."""
    complete: bool
    """Whether these are all games. Of a cooked problem only ``games`` games of each strategy are listed."""
    reasons: tuple[str, ...]
    """Why no game can lead there, where the diagram alone says so."""
    strategies: int
    """Strategies (who captures, promotes and castles where) that were looked at."""
    nodes: int
    """Nodes of the search."""

    def __str__(self) -> str:
        return f"{self.verdict}: {len(self.games)} game{'' if len(self.games) == 1 else 's'}"


def _answer(fields: dict[str, Any]) -> ProofResult:
    return ProofResult(
        fields["verdict"],
        fields["statement"],
        tuple(read_game(game) for game in fields["games"]),
        fields["complete"],
        tuple(fields["reasons"]),
        fields["strategies"],
        fields["nodes"],
    )


def _plies(moves: float | str) -> int:
    try:
        plies = Fraction(str(moves)) * 2
    except (ValueError, ZeroDivisionError):
        plies = Fraction(-1)
    if plies < 0 or plies.denominator != 1 or plies > 65_535:
        raise ValueError(f"moves must be whole or half moves, such as 12 or 12.5, got {moves}")
    return int(plies)


def start_proof(
    fen: Board,
    moves: float | str,
    *,
    exact: bool = False,
    games: int = 2,
    stop: Literal["complete", "cooked", "first"] = "complete",
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
    every: float = 0.5,
) -> Run[Progress, ProofResult]:
    """Starts :func:`solve_proof` and returns at once, with the running work.

    Iterating over it gives a :class:`Progress` every ``every`` seconds and at each game that is found.
    """
    _checks.whole("games", games, 1, _checks.COUNT_MAX)
    _checks.workers(threads)
    _checks.memory(memory_mib)
    job = _native.start_proof(
        fen_of(fen), _plies(moves), exact, games, stop, threads, memory_mib, seconds
    )
    return Run(job, _answer, progress_event, reporting(every))


def solve_proof(
    fen: Board,
    moves: float | str,
    *,
    exact: bool = False,
    games: int = 2,
    stop: Literal["complete", "cooked", "first"] = "complete",
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
) -> ProofResult:
    """Finds all games that lead from the start of chess to a diagram in a number of moves, or proves that there are none.

    Args:
        fen: the diagram: a FEN (its first field is enough), or a ``chess.Board``.
        moves: the length: ``2.5`` is two moves and a half, so that White moves last.
        exact: whether shorter games that end with the same side are no solutions.
        games: how many games of each strategy are listed, at least 1.
        stop: ``complete``: when all is known; ``cooked``: as soon as the problem is known to be cooked; ``first``: at
            the first game.
        threads: processors to use; 0 for all.
        memory_mib: MiB of the table of refuted positions; 256 by default, and never more than is free.
        seconds: time after which it ends with what it knows.

    Ctrl-C stops it and raises KeyboardInterrupt. Other Python threads continue meanwhile.

    Raises:
        ValueError: the diagram or the length is none.

    >>> result = solve_proof("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR", 2.5)
    >>> result.verdict
    'unique'
    >>> print(result.games[0])
    1. d4 Nf6 2. Bf4 Nd5 3. Bxc7
    """
    run = start_proof(
        fen,
        moves,
        exact=exact,
        games=games,
        stop=stop,
        threads=threads,
        memory_mib=memory_mib,
        seconds=seconds,
    )
    return run.result()

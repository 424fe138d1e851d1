"""Steno-Chess: a game is given as one character for each half-move, and all games that fit are found.

>>> from umbrail import steno
>>> print(steno.solve("ghLxLR3xo#").games[0])
1. g4 h5 2. Bg2 hxg4 3. Bxb7 Rxh2 4. Nh3 Bxb7 5. O-O Rh1#
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from . import _native
from . import _checks
from ._boards import START, Board, Game, fen_of, is_chess960, read_game
from ._run import Progress, Run, progress_event, reporting

__all__ = ["StenoResult", "Vocabulary", "marks", "solve", "start"]

Vocabulary = Literal["classic", "extended", "pgn", "length"]
"""Which characters are marks: Angelini's, these with Hand's additions, characters of the notation, or its length."""


@dataclass(frozen=True)
class StenoResult:
    """The games that fit a steno."""

    count: int
    """How many there are; when it was stopped, how many are known."""
    games: tuple[Game, ...]
    """Some of them, as many as were asked for."""
    complete: bool
    """Whether everything was searched, so that the count is exact."""
    ended: Literal["complete", "stopped", "enough", "moves", "positions"]
    """Why it ended."""
    dead_turn: int | None
    """The half-move, from 1, that rules out every game, when there is none."""
    nodes: int
    """Moves that were made."""

    def __str__(self) -> str:
        about = "" if self.complete else "at least "
        return f"{about}{self.count} game{'' if self.count == 1 else 's'}"


def _answer(fields: dict[str, Any]) -> StenoResult:
    return StenoResult(
        int(fields["count"]),
        tuple(read_game(game) for game in fields["games"]),
        fields["complete"],
        fields["ended"],
        fields["dead_turn"],
        fields["nodes"],
    )


def start(
    text: str,
    vocabulary: Vocabulary = "classic",
    *,
    board: Board = START,
    strict: bool = False,
    games: int = 10,
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
    every: float = 0.5,
    chess960: bool = False,
) -> Run[Progress, StenoResult]:
    """Starts :func:`solve` and returns at once, with the running work."""
    _checks.whole("games", games, 0, _checks.COUNT_MAX)
    _checks.workers(threads)
    _checks.memory(memory_mib)
    job = _native.start_steno(
        text,
        vocabulary,
        fen_of(board),
        is_chess960(board, chess960),
        strict,
        games,
        threads,
        memory_mib,
        seconds,
    )
    return Run(job, _answer, progress_event, reporting(every))


def solve(
    text: str,
    vocabulary: Vocabulary = "classic",
    *,
    board: Board = START,
    strict: bool = False,
    games: int = 10,
    threads: int = 0,
    memory_mib: int | None = None,
    seconds: float | None = None,
    chess960: bool = False,
) -> StenoResult:
    """Finds all games that fit a steno, and counts them.

    Args:
        text: the steno, such as ``"ghLxLR3xo#"``.
        vocabulary: which characters are marks.
        board: where the games begin.
        strict: whether ``+`` excludes mate in the vocabulary ``pgn``.
        games: how many games are listed at most; all are counted.
        threads: processors to use; 0 for all.
        memory_mib: MiB for positions; 2048 by default, and never more than is free. With less it takes longer.
        seconds: time after which it ends with what it knows.
        chess960: whether ``board`` is a FEN of Chess960 (a ``chess.Board`` knows it itself). Without it, castling rights of
            other squares than those of standard chess are dropped, with a warning.

    Ctrl-C stops it and raises KeyboardInterrupt. Other Python threads continue meanwhile.

    Raises:
        ValueError: the text or the vocabulary cannot be read.
    """
    run = start(
        text,
        vocabulary,
        board=board,
        strict=strict,
        games=games,
        threads=threads,
        memory_mib=memory_mib,
        seconds=seconds,
        chess960=chess960,
    )
    return run.result()


def marks(
    game: str | Game,
    vocabulary: Vocabulary = "classic",
    *,
    board: Board = START,
    strict: bool = False,
    chess960: bool = False,
) -> list[tuple[str, str]]:
    """For each move of a game its notation and all characters that describe it: what a composer chooses from.

    >>> marks("1. e4 e5", "classic")[0]
    ('e4', '~e4P')
    """
    if isinstance(game, Game):
        return _native.marks_of(str(game), vocabulary, game.start, game.chess960, strict)
    chess960 = is_chess960(board, chess960)
    return _native.marks_of(game, vocabulary, fen_of(board), chess960, strict)

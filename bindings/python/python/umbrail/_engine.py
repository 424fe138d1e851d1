"""The chess player."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from . import _checks
from ._boards import START, Board, Game, game_of, numbered, python_chess, svg
from ._review import Review, review
from ._run import Progress, Run

if TYPE_CHECKING:
    import chess


HASH_MIB_MAX = 65_536
"""The largest transposition table in MiB, as the option ``Hash`` has it."""
DEPTH_MAX = 1_000
"""The greatest depth in plies and mate in moves that may be given."""
ELO_MIN, ELO_MAX = 1_000, 3_540
"""The weakest and the strongest rating, as the option ``UCI_Elo`` has them."""
MULTIPV_MAX = 500
"""No position has so many moves."""


@dataclass(frozen=True)
class Line:
    """A principal variation, and what it is worth to the side to move."""

    multipv: int
    """Its rank among the best lines, from 1."""
    depth: int
    """Plies that were searched in full."""
    seldepth: int
    """The deepest ply that was looked at."""
    score: int | None
    """Centipawns for the side to move, on the scale of UCI: at 100 the chance to win is one half. None when there is a
    mate."""
    mate: int | None
    """Moves to mate, negative when the side to move is mated; None when there is none."""
    wdl: tuple[int, int, int]
    """Chances of win, draw and loss for the side to move, in thousandths."""
    bound: Literal["exact", "lower", "upper"]
    """Whether the score is exact, or at least, or at most this."""
    nodes: int
    """Positions searched so far."""
    seconds: float
    """Time since the search began."""
    tbhits: int
    """Positions found in Syzygy tables."""
    start: str
    """FEN of the position."""
    moves: tuple[str, ...]
    """The moves in coordinates."""
    sans: tuple[str, ...]
    """The moves in short notation."""
    chess960: bool = False
    """Whether it is a position of Chess960: castling in coordinates is king takes own rook."""

    def __str__(self) -> str:
        worth = f"#{self.mate}" if self.score is None else f"{self.score / 100:+.2f}"
        return f"depth {self.depth}: {worth}  {numbered(self.start, self.sans)}"

    def _repr_svg_(self) -> str:
        """The position at the end of the line, for notebooks."""
        return svg(self.start, self.moves, chess960=self.chess960)

    def board(self) -> chess.Board:
        """The position at the end of the line as a ``chess.Board``. Needs python-chess."""
        board = python_chess().Board(self.start, chess960=self.chess960)
        for san in self.sans:
            board.push_san(san)
        return board  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Analysis:
    """What a search has found."""

    best: str | None
    """The best move in coordinates; None when the game is over."""
    ponder: str | None
    """The reply that is expected."""
    line: Line | None
    """The best line; None when the search was stopped before its first step was done."""
    lines: tuple[Line, ...]
    """The best lines by rank: as many as ``multipv`` asked for, or as there are moves. Each is the latest that was
    searched in full."""
    complete: bool
    """Whether the search came to its depth, and was not cut short by a stop, the time or the nodes."""

    def move(self) -> chess.Move:
        """The best move as a ``chess.Move``. Needs python-chess."""
        if self.best is None:
            raise ValueError("there is no move: the game is over")
        return python_chess().Move.from_uci(self.best)  # type: ignore[no-any-return]


def _line(fields: dict[str, Any]) -> Line:
    return Line(**{**fields, "moves": tuple(fields["moves"]), "sans": tuple(fields["sans"]), "wdl": tuple(fields["wdl"])})


def _answer(fields: dict[str, Any]) -> Analysis:
    line = fields["line"]
    return Analysis(
        fields["best"],
        fields["ponder"],
        None if line is None else _line(line),
        tuple(_line(one) for one in fields["lines"]),
        fields["complete"],
    )


def _event(event: Any, _progress: Progress) -> Line:
    return _line(event)


class Engine:
    """A chess player, which keeps what it learns from one search to the next. One engine searches one position at a time.

    Args:
        hash_mib: MiB of the transposition table.
        threads: processors to use; 0 for all. With one the same search gives the same result.
        skill: strength, 0 to 20.
        elo: strength as a rating, 1000 to 3540, in place of ``skill``.
        contempt: centipawns by which a draw is worth less than 0, -100 to 100.
        syzygy_path: folders with Syzygy tables.
        book_file: a Polyglot book, from which moves are played.
        eval_file: the file of a network for the evaluation.

    Raises:
        OSError: a file cannot be used.

    >>> engine = Engine()
    >>> engine.analyse("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", depth=4).best
    'a1a8'
    """

    def __init__(
        self,
        *,
        hash_mib: int = 16,
        threads: int = 1,
        skill: int = 20,
        elo: int | None = None,
        contempt: int = 0,
        syzygy_path: str = "",
        book_file: str | os.PathLike[str] = "",
        eval_file: str | os.PathLike[str] = "",
    ) -> None:
        _checks.whole("hash_mib", hash_mib, 1, HASH_MIB_MAX)
        _checks.workers(threads)
        _checks.whole("skill", skill, 0, 20)
        _checks.maybe("elo", elo, ELO_MIN, ELO_MAX)
        _checks.whole("contempt", contempt, -100, 100)
        self._native = _native.Engine(
            hash_mib, threads, skill, elo, contempt, syzygy_path, os.fspath(book_file), os.fspath(eval_file)
        )
        self._shown = f"Engine(hash_mib={hash_mib}, threads={threads}, skill={skill})"

    def __repr__(self) -> str:
        return self._shown

    def start(
        self,
        board: Board = START,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        seconds: float | None = None,
        multipv: int = 1,
        only: Iterable[str] | None = None,
        chess960: bool = False,
    ) -> Run[Line, Analysis]:
        """Starts a search and returns at once, with the running work. Iterating over it gives each :class:`Line` as soon
        as it is known. Without a limit it continues until ``stop()``.

        >>> engine = Engine()
        >>> with engine.start(nodes=20_000) as search:
        ...     depths = [line.depth for line in search]
        >>> depths == sorted(depths)
        True
        """
        _checks.maybe("depth", depth, 1, DEPTH_MAX)
        _checks.maybe("nodes", nodes, 1, _checks.COUNT_MAX)
        _checks.maybe("mate", mate, 1, DEPTH_MAX)
        _checks.whole("multipv", multipv, 1, MULTIPV_MAX)
        fen, moves, chess960 = game_of(board, chess960)
        roots = None if only is None else [str(move) for move in only]
        job = self._native.start(
            fen, moves, chess960, depth, nodes, mate, seconds, multipv, roots
        )
        return Run(job, _answer, _event, None)

    def analyse(
        self,
        board: Board = START,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        seconds: float | None = None,
        multipv: int = 1,
        only: Iterable[str] | None = None,
        chess960: bool = False,
    ) -> Analysis:
        """Finds the best move. The first limit that is reached ends the search, and one is needed.

        Args:
            board: a FEN or a ``chess.Board``, whose earlier positions count for repetitions.
            depth: plies.
            nodes: positions.
            mate: a mate in so many moves is looked for.
            seconds: time.
            multipv: how many best lines are searched.
            only: the moves to look at, in coordinates (or as ``chess.Move``).
            chess960: whether a FEN is a position of Chess960 (a ``chess.Board`` knows it itself). Without it, castling
                rights of other squares than those of standard chess are dropped, with a warning.

        Ctrl-C stops it and raises KeyboardInterrupt. Other Python threads continue meanwhile.

        Raises:
            ValueError: no limit, an illegal position or an illegal move.
            RuntimeError: this engine is searching already.
        """
        if depth is None and nodes is None and mate is None and seconds is None:
            raise ValueError("analyse needs a limit: depth, nodes, mate or seconds")
        search = self.start(
            board,
            depth=depth,
            nodes=nodes,
            mate=mate,
            seconds=seconds,
            multipv=multipv,
            only=only,
            chess960=chess960,
        )
        return search.result()

    def _search(
        self,
        start: str,
        moves: list[str],
        chess960: bool,
        depth: int | None,
        nodes: int | None,
        seconds: float | None,
    ) -> Line | None:
        """The best line after these moves; None when the game is over."""
        job = self._native.start(start, moves, chess960, depth, nodes, None, seconds, 1, None)
        run: Run[Line, Analysis] = Run(job, _answer, _event, None)
        return run.result().line

    def review(
        self,
        game: Board | Game = START,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        chess960: bool = False,
    ) -> Review:
        """Analyses every position of a game and marks the mistakes.

        Args:
            game: a :class:`Game`, or a ``chess.Board`` with the moves in its stack.
            depth: plies for each position.
            nodes: positions for each position.
            seconds: time for each position.
            chess960: as for :meth:`analyse`.

        Ctrl-C stops it and raises KeyboardInterrupt.

        Raises:
            ValueError: no limit, an illegal position or an illegal move.

        >>> start = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
        >>> print(Engine().review(Game(start, ("b8c6", "e2e4"), ("Nc6", "e4")), nodes=5_000))
        2... Nc6?? 3. e4
        """
        return review(self, game, depth=depth, nodes=nodes, seconds=seconds, chess960=chess960)

    def evaluate(self, board: Board = START, *, chess960: bool = False) -> int:
        """The value of a position to the side to move without any search, in centipawns."""
        fen, moves, chess960 = game_of(board, chess960)
        return self._native.evaluate(fen, moves, chess960)

    def clear(self) -> None:
        """Forgets what earlier searches have learned."""
        self._native.clear()

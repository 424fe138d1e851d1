"""Endgame tables."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import total_ordering
from typing import Any, Literal

from . import _native
from . import _checks
from ._boards import Board, fen_of
from ._run import Progress, Run, progress_event, reporting

Metric = Literal["dtm", "dtc", "level", "dtz"]
Stalemate = Literal["draw", "win", "pass"]


@total_ordering
@dataclass(frozen=True)
class Value:
    """What a position is worth to the side to move. Better values are greater: quick wins first, slow losses before quick
    ones."""

    wdl: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: int | None
    """Half-moves to what the metric counts to; 0 for a side that is mated, None for a draw."""

    def __lt__(self, other: Value) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[int, int]:
        return self.wdl, -self.wdl * (self.plies or 0)

    def __str__(self) -> str:
        if self.plies is None:
            return "draw"
        return f"{'win' if self.wdl > 0 else 'loss'} in {self.plies} plies"


@dataclass(frozen=True)
class ValuedMove:
    """A move with its value to the side that makes it."""

    move: str
    """The move in coordinates: ``e2e4``; ``0000`` for a pass, where the rules of the table allow one."""
    value: Value

    def __str__(self) -> str:
        return f"{self.move}: {self.value}"


@dataclass(frozen=True)
class SideStatistics:
    """How often a side wins and loses when it is to move, of all legal positions."""

    legal: int
    """Legal positions with this side to move."""
    won: int
    """Positions that it wins."""
    lost: int
    """Positions that it loses."""
    max_win: int
    """The longest of its wins, in plies of the metric."""
    longest_win: str | None
    """FEN of one with that length."""
    wins: dict[int, int]
    """Numbers of its wins by plies."""
    losses: dict[int, int]
    """Numbers of its losses by plies."""


class Table:
    """The endgame tables of a material, with all that its captures and promotions lead to.

    Making one builds it in memory; :meth:`load` opens saved files, :meth:`start` builds with progress. The first man of
    each side is its royal piece; lower and upper case letters are different pieces (see ``umbrail egt pieces``).

    Args:
        material: White's pieces, a dot, Black's pieces: ``KQ.KR``.
        metric: what lengths are counted to: ``dtm`` mate; ``dtc`` conversion (a capture, a promotion or mate);
            ``dtz`` zeroing under the fifty-move rule; ``level`` EGTgen's count.
        pieces: the text of a piecedef.ini that defines more pieces, none by default.
        stalemate: what a stalemate is: a ``draw``, a ``win`` of the other side, or a ``pass``.
        bare_loses: whether a side with its royal alone has lost.
        cache: a folder in which finished tables are kept and found again.
        threads: processors to use; 0 for all.
        memory_mib: MiB that the tables may take; 4096 by default, and never more than is free.

    Ctrl-C stops the build and raises KeyboardInterrupt.

    Raises:
        ValueError: the material, the metric or the pieces cannot be read.
        MemoryError: the tables need more memory than ``memory_mib`` or the system allows.

    >>> table = Table("KQ.KR", metric="dtm")
    >>> print(table.probe("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1"))
    win in 65 plies
    """

    _handle: _native.Table

    def __init__(
        self,
        material: str,
        metric: Metric = "dtc",
        *,
        pieces: str | None = None,
        stalemate: Stalemate = "draw",
        bare_loses: bool = False,
        cache: str | os.PathLike[str] | None = None,
        threads: int = 0,
        memory_mib: int | None = None,
    ) -> None:
        run = Table.start(
            material,
            metric,
            pieces=pieces,
            stalemate=stalemate,
            bare_loses=bare_loses,
            cache=cache,
            threads=threads,
            memory_mib=memory_mib,
        )
        self._handle = run.result()._handle

    @classmethod
    def _of(cls, native: _native.Table) -> Table:
        table = cls.__new__(cls)
        table._handle = native
        return table

    @classmethod
    def start(
        cls,
        material: str,
        metric: Metric = "dtc",
        *,
        pieces: str | None = None,
        stalemate: Stalemate = "draw",
        bare_loses: bool = False,
        cache: str | os.PathLike[str] | None = None,
        threads: int = 0,
        memory_mib: int | None = None,
        seconds: float | None = None,
        every: float = 0.5,
    ) -> Run[Progress, Table]:
        """Starts a build and returns at once, with the running work, whose ``result()`` is the table. When it is stopped,
        ``result()`` raises :class:`Stopped`; with ``cache`` a later build continues from the finished tables."""
        folder = None if cache is None else os.fspath(cache)
        _checks.workers(threads)
        _checks.memory(memory_mib)
        job = _native.start_table(
            material,
            metric,
            pieces,
            stalemate,
            bare_loses,
            folder,
            threads,
            memory_mib,
            seconds,
        )
        return Run(job, cls._of, progress_event, reporting(every))

    @classmethod
    def load(
        cls,
        material: str,
        folder: str | os.PathLike[str],
        metric: Metric = "dtc",
        *,
        pieces: str | None = None,
        stalemate: Stalemate = "draw",
        bare_loses: bool = False,
        into_memory: bool = False,
        cache_mib: int = 64,
    ) -> Table:
        """Opens the files of a folder, which :meth:`save` or ``umbrail egt save`` wrote.

        Files are mapped and read through a cache of ``cache_mib`` MiB, or loaded as a whole with ``into_memory``.

        Raises:
            OSError: a file is absent, damaged, or of other pieces or rules.
        """
        _checks.whole("cache_mib", cache_mib, 0, _checks.MIB_MAX)
        native = _native.load_table(
            material,
            os.fspath(folder),
            metric,
            pieces,
            stalemate,
            bare_loses,
            into_memory,
            cache_mib,
        )
        return cls._of(native)

    @property
    def material(self) -> str:
        """The material: ``KQ.KR``."""
        return self._handle.material

    @property
    def metric(self) -> str:
        """What lengths are counted to."""
        return self._handle.metric

    @property
    def held_bytes(self) -> int:
        """Bytes of memory that the tables hold."""
        return self._handle.held_bytes

    def probe(self, board: Board) -> Value:
        """The value of a position to the side to move.

        Raises:
            ValueError: the position is illegal, or of another material.
            OSError: a file is damaged.
        """
        return Value(*self._handle.probe(fen_of(board)))

    def probe_many(self, boards: Iterable[Board]) -> tuple[array[int], array[int]]:
        """The values of many positions to the side to move: an array of 1, 0 and -1, and one of half-moves, which is -1 for
        a draw. ``numpy.asarray`` takes both without a copy. It is several times as fast as :meth:`probe` for each.

        Raises:
            ValueError: a position is illegal, or of another material; the message has its number, from 0.
            OSError: a file is damaged.

        >>> table = Table("KQ.K", metric="dtm")
        >>> wdl, plies = table.probe_many(["8/8/8/3k4/8/8/8/KQ6 w - - 0 1", "8/8/8/8/8/8/1k6/Q2K4 b - - 0 1"])
        >>> list(wdl)
        [1, 0]
        """
        wdl, plies = self._handle.probe_many([fen_of(board) for board in boards])
        return array("b", wdl), array("i", plies)

    def moves(self, board: Board) -> list[ValuedMove]:
        """All legal moves with their values, the best first."""
        return [ValuedMove(move, Value(*value)) for move, value in self._handle.moves(fen_of(board))]

    def line(self, board: Board, plies: int = 200) -> list[str]:
        """Best play of both sides in coordinates: until the game ends, neither side can win, or so many plies are made."""
        _checks.whole("plies", plies, 0, _checks.COUNT_MAX)
        return self._handle.line(fen_of(board), plies)

    def hardest(
        self, winner: Literal["white", "black"] = "white", *, to_move: bool = True, limit: int = 10
    ) -> list[str]:
        """FENs of the longest wins of a side that is ``to_move`` (or has just moved). Needs the whole table in memory."""
        if winner not in ("white", "black"):
            raise ValueError(f"winner must be white or black, got {winner}")
        _checks.whole("limit", limit, 0, _checks.COUNT_MAX)
        return self._handle.hardest(winner == "white", to_move, limit)

    def statistics(self) -> dict[str, SideStatistics]:
        """What ``white`` and ``black`` win and lose. Needs the whole table in memory."""
        sides = self._handle.statistics()
        return {color: _side(side) for color, side in zip(("white", "black"), sides)}

    def save(self, folder: str | os.PathLike[str], *, small: bool = False) -> dict[str, int]:
        """Saves the table and all that it needs into a folder; gives the names and bytes of the files. ``small`` files take
        long to write and are slow to probe."""
        return dict(self._handle.save(os.fspath(folder), small))

    def __repr__(self) -> str:
        return f"Table({self.material!r}, metric={self.metric!r})"


def _side(fields: dict[str, Any]) -> SideStatistics:
    return SideStatistics(
        fields["legal"],
        fields["won"],
        fields["lost"],
        fields["max_win"],
        fields["longest_win"],
        fields["wins"],
        fields["losses"],
    )


def _letters(board: Board) -> tuple[str, str]:
    """White's and Black's pieces of a board, in alphabetical order."""
    placement = fen_of(board).split(maxsplit=1)[0]
    white = "".join(sorted(letter for letter in placement if letter.isupper()))
    black = "".join(sorted(letter.upper() for letter in placement if letter.islower()))
    return white, black


class Tables:
    """Several tables as one: a position is looked up in the table of its material, with the colors exchanged where that is
    needed, and otherwise in the tables that contain it after captures and promotions.

    >>> tables = Tables(Table("KQ.K"), Table("KR.K"))
    >>> print(tables.probe("8/8/8/3k4/8/8/8/KR6 w - - 0 1"))
    win in 29 plies
    """

    def __init__(self, *tables: Table) -> None:
        self._tables: dict[tuple[str, str], Table] = {}
        for table in tables:
            self.add(table)

    def add(self, table: Table) -> None:
        """Adds a table. A later table of the same material replaces the earlier one."""
        white, black = ("".join(sorted(side)) for side in table.material.upper().split("."))
        self._tables[white, black] = table

    def __iter__(self) -> Iterator[Table]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)

    def table_of(self, board: Board) -> Table:
        """The table that knows a position.

        Raises:
            KeyError: none of the tables has this material.
            ValueError: the position is illegal.
        """
        white, black = _letters(board)
        for key in ((white, black), (black, white)):
            if key in self._tables:
                return self._tables[key]
        for table in self._tables.values():
            try:
                table.probe(board)
            except ValueError:
                continue
            return table
        names = ", ".join(table.material for table in self._tables.values())
        raise KeyError(f"no table has {white} against {black}, only {names or 'none is there'}")

    def probe(self, board: Board) -> Value:
        """The value of a position to the side to move; see :meth:`table_of` for errors."""
        return self.table_of(board).probe(board)

    def moves(self, board: Board) -> list[ValuedMove]:
        """All legal moves with their values, the best first; see :meth:`table_of` for errors."""
        return self.table_of(board).moves(board)

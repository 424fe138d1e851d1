"""Boards and games between Umbrail and its callers. python-chess is used where it is there, and needed for nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _native

if TYPE_CHECKING:
    import chess


class HasFen(Protocol):
    """Any object with a FEN, such as a ``chess.Board``."""

    def fen(self) -> str: ...


Board = Union[str, HasFen]
"""A position: a FEN, or an object with a method ``fen()``, such as a ``chess.Board`` of python-chess."""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def fen_of(board: Board) -> str:
    """The FEN of a board."""
    if isinstance(board, str):
        return board
    tell = getattr(board, "fen", None)
    if not callable(tell):
        raise TypeError(f"expected a FEN or a board with a method fen(), got {type(board).__name__}")
    return str(tell())


def is_chess960(board: Board, chess960: bool) -> bool:
    """Whether a position is one of Chess960: the caller says so, or the board does."""
    return chess960 or bool(getattr(board, "chess960", False))


def game_of(board: Board, chess960: bool) -> tuple[str, list[str], bool]:
    """The first position of a board's game, the moves from there, and whether the game is one of Chess960."""
    stack = getattr(board, "move_stack", None)
    chess960 = is_chess960(board, chess960)
    if not stack:
        return fen_of(board), [], chess960
    moves = [move.uci() for move in stack]
    if "0000" in moves:
        # A null move is not a move of a game: the moves before it do not count.
        return fen_of(board), [], chess960
    return str(board.root().fen()), moves, chess960  # type: ignore[union-attr]


def python_chess() -> Any:
    """The module ``chess``."""
    try:
        import chess
    except ImportError as error:
        raise ImportError("this needs python-chess: pip install chess") from error
    return chess


def svg(board: Board, moves: Sequence[str] = (), *, chess960: bool = False, flipped: bool = False) -> str:
    """A diagram as the text of an SVG file: the position after ``moves`` (in coordinates), with the last one marked.
    Without moves the position need not be legal, and may have fairy pieces, which are drawn as letters.

    Raises:
        ValueError: the position cannot be read, or a move is illegal.

    >>> svg("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").startswith("<svg")
    True
    """
    return _native.board_svg(fen_of(board), list(moves), is_chess960(board, chess960), flipped)


@dataclass(frozen=True)
class Diagram:
    """A position that notebooks show as a diagram.

    >>> Diagram("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")._repr_svg_().count("<use")
    3
    """

    fen: str
    """The position."""
    flipped: bool = False
    """Whether Black's side is below."""

    def _repr_svg_(self) -> str:
        return svg(self.fen, flipped=self.flipped)


@dataclass(frozen=True)
class Game(Sequence[str]):
    """A game: its first position and its moves. As a sequence it is that of its moves in coordinates."""

    start: str
    """FEN of the first position."""
    moves: tuple[str, ...]
    """The moves in coordinates, as UCI writes them: ``e2e4``, ``e7e8q``, ``e1g1``."""
    sans: tuple[str, ...]
    """The moves in short notation: ``e4``, ``e8=Q``, ``O-O``."""
    chess960: bool = False
    """Whether it is a game of Chess960: castling in coordinates is king takes own rook."""

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, index: Any) -> Any:
        return self.moves[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self.moves)

    def __str__(self) -> str:
        return numbered(self.start, self.sans)

    def _repr_svg_(self) -> str:
        """The last position, for notebooks."""
        return svg(self.start, self.moves, chess960=self.chess960)

    def board(self) -> chess.Board:
        """The last position as a ``chess.Board`` with all moves in its stack. Needs python-chess."""
        board = python_chess().Board(self.start, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board  # type: ignore[no-any-return]


def read_game(fields: dict[str, Any]) -> Game:
    """A game as the solvers give it."""
    return Game(
        fields["start"], tuple(fields["moves"]), tuple(fields["sans"]), fields["chess960"]
    )


def numbered(start: str, sans: Sequence[str]) -> str:
    """Moves with their numbers: ``1. e4 e5 2. Nf3``."""
    fields = start.split()
    black = len(fields) > 1 and fields[1] == "b"
    number = int(fields[5]) if len(fields) > 5 else 1
    words = [f"{number}..."] if black and sans else []
    for san in sans:
        if not black:
            words.append(f"{number}.")
        else:
            number += 1
        words.append(san)
        black = not black
    return " ".join(words)

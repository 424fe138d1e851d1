"""The analysis of a whole game: an evaluation of each position, and the mistakes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from . import _native
from ._boards import START, Board, Game, game_of, read_game

if TYPE_CHECKING:
    from ._engine import Engine, Line

MARKS: tuple[tuple[float, Literal["??", "?", "?!"]], ...] = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))
"""Losses of winning chances, and their marks. The limits are those of lichess.org."""


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a game, and what it cost."""

    ply: int
    """Number of moves before it."""
    san: str
    """The move in short notation."""
    white: bool
    """Whether White made it."""
    chances: float
    """White's winning chances after the move, from -1 (Black wins) to 1, by the formula of lichess.org."""
    loss: float
    """Winning chances that the player lost by it, of a range from -1 to 1; 0 for a move as good as the best."""
    mark: Literal["", "?!", "?", "??"]
    """The mark of the loss: ``?!`` from 0.1, ``?`` from 0.2, ``??`` from 0.3."""
    best: Line | None
    """The best line before the move."""


@dataclass(frozen=True)
class Review:
    """The analysis of a game."""

    game: Game
    """The game."""
    moves: tuple[ReviewedMove, ...]
    """Its moves in order."""

    def __str__(self) -> str:
        sans = [move.san + move.mark for move in self.moves]
        return str(Game(self.game.start, self.game.moves, tuple(sans), self.game.chess960))

    def _repr_svg_(self) -> str:
        """The course of White's chances, for notebooks."""
        width, height = 600, 120
        step = width / max(len(self.moves), 1)
        middle = height / 2
        points = [f"{(at + 1) * step:.1f},{middle * (1 - move.chances):.1f}" for at, move in enumerate(self.moves)]
        marks = [
            f'<circle cx="{(at + 1) * step:.1f}" cy="{middle * (1 - move.chances):.1f}" r="4" fill="#c33">'
            f"<title>{move.san}{move.mark}</title></circle>"
            for at, move in enumerate(self.moves)
            if move.mark
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
            f'aria-label="White\'s chances"><rect width="{width}" height="{height}" fill="#eee"/>'
            f'<path d="M0 {middle}H{width}" stroke="#999"/>'
            f'<polyline fill="none" stroke="#333" stroke-width="2" points="0,{middle} {" ".join(points)}"/>'
            f"{''.join(marks)}</svg>"
        )


def _chances(line: Line | None, mated: bool) -> float:
    """Winning chances of the side to move, from -1 to 1."""
    if line is None:
        return -1.0 if mated else 0.0
    if line.mate is not None:
        return math.copysign(1.0, line.mate) if line.mate else -1.0
    cp = max(-1000, min(1000, line.score or 0))
    return 2.0 / (1.0 + math.exp(-0.00368208 * cp)) - 1.0


def review(
    engine: Engine,
    game: Board | Game = START,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    chess960: bool = False,
) -> Review:
    """Analyses every position of a game, from the last to the first, so that the engine knows what follows. See
    :meth:`Engine.review`."""
    if depth is None and nodes is None and seconds is None:
        raise ValueError("review needs a limit for each position: depth, nodes or seconds")
    if isinstance(game, Game):
        start, moves, chess960 = game.start, list(game.moves), game.chess960
    else:
        start, moves, chess960 = game_of(game, chess960)
    played = read_game(_native.read_moves(start, moves, chess960))
    lines: list[Line | None] = []
    for count in range(len(moves), -1, -1):
        lines.append(engine._search(start, moves[:count], chess960, depth, nodes, seconds))
    lines.reverse()
    fields = start.split()
    white_begins = len(fields) < 2 or fields[1] == "w"
    chances = []
    for at, line in enumerate(lines):
        mated = at > 0 and played.sans[at - 1].endswith("#")
        white_moves = white_begins == (at % 2 == 0)
        chances.append(_chances(line, mated) * (1 if white_moves else -1))
    reviewed = []
    for at, san in enumerate(played.sans):
        white = white_begins == (at % 2 == 0)
        loss = max(0.0, (chances[at] - chances[at + 1]) * (1 if white else -1))
        mark: Literal["", "?!", "?", "??"] = next((mark for limit, mark in MARKS if loss >= limit), "")
        reviewed.append(ReviewedMove(at, san, white, chances[at + 1], loss, mark, lines[at]))
    return Review(played, tuple(reviewed))

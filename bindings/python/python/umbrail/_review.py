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
    """The mark of the loss: ``?!`` from 0.1, ``?`` from 0.2, ``??`` from 0.3; for mates by the rules of lichess.org. The
    engine's own move has none."""
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


@dataclass(frozen=True)
class _Value:
    """What a position is worth to White: a mate, or centipawns."""

    wins: int
    """1 if White mates, -1 if Black mates, 0 without a mate."""
    cp: int

    @classmethod
    def of(cls, line: Line | None, mated: bool, sign: int) -> _Value:
        """The value of a position by its line for the side to move, which is White if the sign is 1."""
        if line is None:
            return cls(-sign if mated else 0, 0)
        if line.mate is not None:
            return cls(sign if line.mate > 0 else -sign, 0)
        return cls(0, sign * (line.score or 0))

    def chances(self) -> float:
        if self.wins:
            return float(self.wins)
        cp = max(-1000, min(1000, self.cp))
        return 2.0 / (1.0 + math.exp(-0.00368208 * cp)) - 1.0


def _mark(before: _Value, after: _Value, sign: int, loss: float) -> Literal["", "?!", "?", "??"]:
    """The mark of a move, by the rules of lichess.org. A move that allows a mate or misses one has a milder mark, the
    clearer the position was or is without the mate."""

    def mild(points: int) -> Literal["?!", "?", "??"]:
        return "?!" if points > 999 else "?" if points > 700 else "??"

    if after.wins == -sign and not before.wins:
        return mild(-before.cp * sign)
    if before.wins == sign and after.wins != sign:
        return "??" if after.wins else mild(after.cp * sign)
    return next((mark for limit, mark in MARKS if loss >= limit), "")


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
    values = []
    for at, line in enumerate(lines):
        mated = at > 0 and played.sans[at - 1].endswith("#")
        values.append(_Value.of(line, mated, 1 if white_begins == (at % 2 == 0) else -1))
    reviewed = []
    for at, san in enumerate(played.sans):
        sign = 1 if white_begins == (at % 2 == 0) else -1
        before, after = values[at], values[at + 1]
        loss = max(0.0, (before.chances() - after.chances()) * sign)
        best = lines[at]
        is_best = best is not None and best.moves[:1] == (played.moves[at],)
        mark = "" if is_best else _mark(before, after, sign, loss)
        reviewed.append(ReviewedMove(at, san, sign == 1, after.chances(), loss, mark, best))
    return Review(played, tuple(reviewed))

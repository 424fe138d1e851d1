"""Umbrail: shortest proof games, endgame tables with fairy pieces, Steno-Chess, and a chess player.

    import umbrail

    umbrail.solve_proof("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR", 2.5).games
    umbrail.solve_sheet(text)
    umbrail.Table("KQ.KR", metric="dtm").probe("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1")
    umbrail.steno.solve("ghLxLR3xo#").count
    umbrail.Engine().analyse("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", depth=8).best

Positions are FENs, or boards of python-chess (``chess.Board``), which is optional. Games that come out have a method
``board()`` that gives a ``chess.Board``.

Whatever takes long exists twice: as a call that waits for the answer (``solve_proof``), and as one that starts the work
and returns a :class:`Run` (``start_proof``), over which one iterates to see its progress and which can be stopped. Both
work on threads of their own without holding the interpreter, and Ctrl-C stops them.
"""

from . import steno
from ._boards import Board, Diagram, Game, svg
from ._engine import Analysis, Engine, Line
from ._fairy import FairyGame, FairyProofResult, solve_fairy_proof, start_fairy_proof
from ._native import Stopped, __version__
from ._proof import ProofResult, solve_proof, start_proof
from ._review import Review, ReviewedMove
from ._run import Progress, Run
from ._sheet import SheetResult, solve_sheet, start_sheet
from ._table import SideStatistics, Table, Tables, Value, ValuedMove

__all__ = [
    "Analysis",
    "Board",
    "Diagram",
    "Engine",
    "FairyGame",
    "FairyProofResult",
    "Game",
    "Line",
    "Progress",
    "ProofResult",
    "Review",
    "ReviewedMove",
    "Run",
    "SheetResult",
    "SideStatistics",
    "Stopped",
    "Table",
    "Tables",
    "Value",
    "ValuedMove",
    "__version__",
    "solve_fairy_proof",
    "solve_proof",
    "solve_sheet",
    "start_fairy_proof",
    "start_proof",
    "start_sheet",
    "steno",
    "svg",
]

for _public in (
    Analysis,
    Diagram,
    Engine,
    FairyGame,
    FairyProofResult,
    Game,
    Line,
    Progress,
    ProofResult,
    Review,
    ReviewedMove,
    Run,
    SheetResult,
    SideStatistics,
    Table,
    Tables,
    Value,
    ValuedMove,
    solve_fairy_proof,
    solve_proof,
    solve_sheet,
    start_fairy_proof,
    start_proof,
    start_sheet,
    svg,
):
    # Shown, and pickled, under the name by which they are used.
    _public.__module__ = __name__
del _public

"""legality: verdicts of `spg legal` on positions of random games, and on positions that their construction makes illegal.

The rules of both are those of python-chess, so that no code is shared with the program.
"""
from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from tools.common import UMBRAIL, Stop, argument, command, last, output, records

try:
    import chess
except ImportError:
    chess = None  # The command says so.

Board = Any
Draw = random.Random
PIECES = "NBRQ"


def value(board: Board, move: Any, dice: Draw) -> float:
    """How much a purposeful player likes a move: captures, castling, promotions, checks, and pieces that come out."""
    liked = 3 * dice.random()
    victim = board.piece_type_at(move.to_square)
    liked += 2 * (victim or 0) + 4 * bool(move.promotion) + 5 * board.is_castling(move) + 3 * board.is_en_passant(move)
    liked += 1.5 * board.gives_check(move)
    back = 0 if board.turn else 7
    return liked + (chess.square_rank(move.from_square) == back) - (chess.square_rank(move.to_square) == back)


def played(dice: Draw, plies: int, purpose: float) -> Board:
    """The end of a random game; a share of the moves is purposeful."""
    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        wise = dice.random() < purpose
        board.push(max(moves, key=lambda move: value(board, move, dice)) if wise else dice.choice(moves))
    return board


def piece(color: bool, letter: str) -> Any:
    return chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), color)


def empty(dice: Draw, board: Board, ranks: range = range(8)) -> int:
    """An empty square on these ranks."""
    return dice.choice([at for at in chess.SQUARES if not board.piece_at(at) and chess.square_rank(at) in ranks])


def fen(board: Board, turn: bool, castling: str = "-", passed: str = "-") -> str:
    return f"{board.board_fen()} {'w' if turn else 'b'} {castling} {passed} 0 1"


def quiet(board: Board) -> bool:
    """True if each side has one king, and neither is in check."""
    kings = [board.king(color) for color in chess.COLORS]
    return None not in kings and not any(board.is_attacked_by(not color, kings[not color]) for color in chess.COLORS)


def with_kings(dice: Draw, board: Board) -> Board:
    """The pieces and two kings, neither of them in check."""
    while True:
        copy = board.copy()
        for color in chess.COLORS:
            copy.set_piece_at(empty(dice, copy), piece(color, "K"))
        if quiet(copy):
            return copy


def advanced(dice: Draw, color: bool) -> Board:
    """The array; pawns of one side have gone ahead, without captures."""
    board = chess.Board()
    for file in range(8):
        steps = dice.randrange(3)
        if steps:
            home = chess.square(file, 1 if color else 6)
            board.remove_piece_at(home)
            board.set_piece_at(home + (8 if color else -8) * steps, piece(color, "P"))
    return board


def few(dice: Draw, board: Board, color: bool, letters: str, ranks: range = range(2, 6)) -> None:
    """Some officers of a side on these ranks."""
    for letter in dice.sample(letters, dice.randrange(len(letters) + 1)):
        board.set_piece_at(empty(dice, board, ranks), piece(color, letter))


def too_many(dice: Draw) -> str:
    """More than 16 pieces, or more promoted pieces than missing pawns."""
    board = played(dice, dice.randrange(10, 30), 0)
    if dice.random() < 0.5:
        while chess.popcount(board.occupied_co[chess.WHITE]) < 17:
            board.set_piece_at(empty(dice, board, range(1, 7)), piece(chess.WHITE, dice.choice(PIECES)))
    else:
        board = advanced(dice, chess.WHITE)
        victims = dice.sample([chess.A1, chess.C1, chess.D1, chess.F1, chess.H1], 2)
        for at in victims:
            board.remove_piece_at(at)
        for _ in range(2):
            board.set_piece_at(empty(dice, board, range(3, 6)), piece(chess.WHITE, "N"))
    return fen(board, chess.WHITE)


def kings(dice: Draw) -> str:
    """A king too few or too many, kings side by side, or a pawn on the first or last rank."""
    board = played(dice, dice.randrange(10, 40), 0.3)
    kind = dice.randrange(4)
    if kind == 0:
        board.remove_piece_at(board.king(dice.random() < 0.5))
    elif kind == 1:
        board.set_piece_at(empty(dice, board), piece(dice.random() < 0.5, "K"))
    elif kind == 2:
        board.remove_piece_at(board.king(chess.BLACK))
        beside = chess.SquareSet(chess.BB_KING_ATTACKS[board.king(chess.WHITE)])
        board.set_piece_at(dice.choice(list(beside)), piece(chess.BLACK, "K"))
    else:
        at = empty(dice, board)
        rank = dice.choice([0, 7])
        at = chess.square(chess.square_file(at), rank)
        if board.piece_type_at(at) == chess.KING:
            at = chess.square((chess.square_file(at) + 4) % 8, rank)
        board.set_piece_at(at, piece(dice.random() < 0.5, "P"))
    return fen(board, board.turn)


def pawn_origins(dice: Draw) -> str:
    """Four pawns on three files, three of them at home."""
    board = chess.Board(None)
    middle = dice.randrange(1, 7)
    for file in range(middle - 1, middle + 2):
        board.set_piece_at(chess.square(file, 1), piece(chess.WHITE, "P"))
    board.set_piece_at(chess.square(middle, 2), piece(chess.WHITE, "P"))
    few(dice, board, chess.BLACK, "RNQB", range(3, 8))
    return fen(with_kings(dice, board), dice.random() < 0.5)


def pawn_captures(dice: Draw) -> str:
    """A doubled pawn, though the other side has all its pieces."""
    while True:
        board = advanced(dice, chess.BLACK)
        file = dice.randrange(8)
        other = dice.choice([one for one in (file - 1, file + 1) if 0 <= one < 8])
        board.remove_piece_at(chess.square(file, 1))
        board.set_piece_at(chess.square(other, 2), piece(chess.WHITE, "P"))
        if quiet(board):
            return fen(board, chess.BLACK)


def pawn_check(dice: Draw) -> str:
    """A pawn on its home square gives check."""
    while True:
        board = chess.Board(None)
        pawn = chess.square(dice.randrange(8), 1)
        board.set_piece_at(pawn, piece(chess.WHITE, "P"))
        king = dice.choice(list(chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.WHITE][pawn])))
        board.set_piece_at(king, piece(chess.BLACK, "K"))
        board.set_piece_at(empty(dice, board), piece(chess.WHITE, "K"))
        few(dice, board, chess.BLACK, "RNQB", range(3, 8))
        board.turn = chess.BLACK
        if board.is_valid() and chess.popcount(board.checkers_mask()) == 1:
            return fen(board, chess.BLACK)


def double_check(dice: Draw) -> str:
    """Two knights, two pawns, or a knight and a pawn give check at once: none of them uncovers the other."""
    while True:
        board = chess.Board(None)
        king = dice.choice(chess.SQUARES)
        board.set_piece_at(king, piece(chess.BLACK, "K"))
        knights, pawns = chess.SquareSet(chess.BB_KNIGHT_ATTACKS[king]), chess.SquareSet(chess.BB_PAWN_ATTACKS[chess.BLACK][king])
        pawns = [at for at in pawns if 0 < chess.square_rank(at) < 7]
        letters = dice.choice(["NN", "PP", "NP"])
        places = {"N": list(knights), "P": pawns}
        chosen = [(dice.choice(places[letter]), letter) for letter in letters if places[letter]]
        for at, letter in chosen:
            board.set_piece_at(at, piece(chess.WHITE, letter))
        if len({at for at, _ in chosen}) < 2:
            continue
        board.set_piece_at(empty(dice, board), piece(chess.WHITE, "K"))
        few(dice, board, chess.BLACK, "RQ")
        if chess.popcount(board.attackers_mask(chess.WHITE, king)) == 2 and not board.is_attacked_by(chess.BLACK, board.king(chess.WHITE)):
            return fen(board, chess.BLACK)


def triple_check(dice: Draw) -> str:
    """Three pieces give check at once."""
    while True:
        board = chess.Board(None)
        board.set_piece_at(dice.choice(chess.SQUARES), piece(chess.BLACK, "K"))
        for letter in "RBN":
            board.set_piece_at(empty(dice, board), piece(chess.WHITE, letter))
        board.set_piece_at(empty(dice, board), piece(chess.WHITE, "K"))
        if chess.popcount(board.attackers_mask(chess.WHITE, board.king(chess.BLACK))) == 3 \
                and not board.is_attacked_by(chess.BLACK, board.king(chess.WHITE)):
            return fen(board, chess.BLACK)


def left_in_check(dice: Draw) -> str:
    """The side that has just moved is in check."""
    while True:
        board = played(dice, dice.randrange(4, 60), 0.3)
        if board.is_check():
            return fen(board, not board.turn)


def no_last_move(dice: Draw) -> str:
    """Retro-stalemate: Black has all its pawns at home, its knights are gone, and king and rooks never moved."""
    while True:
        board = advanced(dice, chess.WHITE)
        for at in (chess.B8, chess.G8, chess.B1, chess.G1):
            board.remove_piece_at(at)
        few(dice, board, chess.WHITE, "NN")
        if quiet(board):
            return fen(board, chess.WHITE, "kq")


def castling(dice: Draw) -> str:
    """A castling right without its rook, without its king, or with the rook of the other side."""
    board = played(dice, dice.randrange(4, 60), 0.3)
    color, letter = dice.choice([(chess.WHITE, "K"), (chess.WHITE, "Q"), (chess.BLACK, "k"), (chess.BLACK, "q")])
    rook = chess.square(7 if letter in "Kk" else 0, 0 if color else 7)
    if board.king(color) != chess.square(4, 0 if color else 7):
        return fen(board, board.turn, letter)
    if board.king(not color) == rook:
        return castling(dice)
    board.remove_piece_at(rook)
    if dice.random() < 0.5 and not board.is_check():
        board.set_piece_at(rook, piece(not color, "R"))
        if board.is_check():
            board.remove_piece_at(rook)
    return fen(board, board.turn, letter)


def en_passant(dice: Draw) -> str:
    """An en passant square without its pawn, on a rank of the wrong side, or behind a pawn whose way was blocked."""
    while True:
        board = played(dice, dice.randrange(4, 60), 0.3)
        rank, ahead = (5, -8) if board.turn else (2, 8)
        if dice.random() < 0.2:
            rank = 7 - rank
        at = chess.square(dice.randrange(8), rank)
        stood, home = board.piece_at(at + ahead), board.piece_at(at - ahead)
        if rank != (5 if board.turn else 2) or stood != piece(not board.turn, "P") or home or board.piece_at(at):
            return fen(board, board.turn, passed=chess.square_name(at))


def parity(dice: Draw) -> str:
    """Only knights and rooks have moved, and the wrong side is to move."""
    while True:
        board = chess.Board()
        for _ in range(dice.randrange(1, 40)):
            fits = [move for move in board.legal_moves if board.piece_type_at(move.from_square) in (chess.KNIGHT, chess.ROOK)
                    and not board.is_capture(move)]
            if not fits:
                break
            board.push(dice.choice(fits))
        if quiet(board):
            return fen(board, not board.turn)


def bishops(dice: Draw) -> str:
    """Two bishops of a side on squares of one color, though no pawn was promoted."""
    while True:
        board = advanced(dice, chess.WHITE)
        light = dice.random() < 0.5
        board.remove_piece_at(chess.C1)
        board.remove_piece_at(chess.F1)
        for _ in range(2):
            squares = [at for at in chess.SQUARES if not board.piece_at(at) and 1 < chess.square_rank(at) < 6
                       and bool(chess.BB_LIGHT_SQUARES >> at & 1) == light]
            board.set_piece_at(dice.choice(squares), piece(chess.WHITE, "B"))
        if quiet(board):
            return fen(board, dice.random() < 0.5)


def caged(dice: Draw) -> str:
    """An officer that is out, though all pawns of its side are at home: a queen, a rook, a bishop or the king."""
    while True:
        board = advanced(dice, chess.BLACK)
        home = dice.choice([chess.A1, chess.C1, chess.D1, chess.E1, chess.F1, chess.H1])
        one = board.remove_piece_at(home)
        board.set_piece_at(empty(dice, board, range(2, 6)), one)
        if quiet(board):
            return fen(board, dice.random() < 0.5)


def corner(dice: Draw) -> str:
    """A bishop in a corner behind a pawn at home."""
    board = chess.Board(None)
    at, pawn = dice.choice([(chess.A1, chess.B2), (chess.H1, chess.G2)])
    board.set_piece_at(at, piece(chess.WHITE, "B"))
    board.set_piece_at(pawn, piece(chess.WHITE, "P"))
    few(dice, board, chess.BLACK, "RNQ")
    return fen(with_kings(dice, board), dice.random() < 0.5)


def ended_line(dice: Draw) -> str:
    """The only last move is a pawn's, and Black has none before it."""
    board = chess.Board()
    for at in (chess.B8, chess.G8, chess.B1, chess.G1):
        board.remove_piece_at(at)
    file = dice.choice([0, 5, 7])
    board.remove_piece_at(chess.square(file, 1))
    board.set_piece_at(chess.square(file, 2), piece(chess.WHITE, "P"))
    return fen(board, chess.BLACK, "KQkq")


KINDS: list[tuple[str, Callable[[Draw], str]]] = [
    ("too many pieces", too_many), ("kings and ranks of pawns", kings), ("origins of pawns", pawn_origins),
    ("captures of pawns", pawn_captures), ("check by a pawn at home", pawn_check), ("double check", double_check),
    ("triple check", triple_check), ("side left in check", left_in_check), ("retro-stalemate", no_last_move),
    ("lines of last moves that end", ended_line), ("castling rights", castling), ("en passant", en_passant),
    ("parity", parity), ("bishops on one color", bishops), ("officers out of a cage", caged),
    ("bishop in a corner", corner),
]


def mirrored(text: str) -> str:
    """The same position with colors and ranks exchanged. It is illegal, too, unless the argument is that White begins."""
    placement, turn, castling, passed, *rest = text.split()
    flip = passed if passed == "-" else passed[0] + str(9 - int(passed[1]))
    rows = "/".join(reversed(placement.swapcase().split("/")))
    return " ".join([rows, "b" if turn == "w" else "w", castling.swapcase(), flip, *rest])


def verdict(program: str, text: str, milliseconds: int) -> str:
    """What the program says of a position; a FEN that it refuses is illegal, too, if the reason is the position."""
    done = output([program, "--json", "spg", "legal", *text.split(), "--to", "0", "--time", str(milliseconds)])
    found = last(records(done.out), "end", "done") or {}
    if found.get("legality"):
        return found["legality"]
    raise Stop(f"no verdict on {text}: {done.text[-300:]}")


@command("legality", UMBRAIL,
         argument("--positions", type=int, default=1000, help="positions of random games (1000)"),
         argument("--illegal", type=int, default=300, help="illegal positions (300)"),
         argument("--time", type=int, default=2000, help="milliseconds for each (2000)"),
         argument("--seed", type=int, default=1, help="seed of the random numbers (1)"))
def legality(ask: argparse.Namespace) -> int:
    """Compares verdicts of `spg legal` with positions known to be legal or illegal.

    Positions of random games of 4 to 60 half-moves keep their castling rights and en passant squares; none may be called
    illegal. Positions of 16 constructions are illegal; none may be called legal. Needs python-chess.
    """
    if chess is None:
        raise Stop("python-chess is missing (pip install chess)")
    dice, wrong = random.Random(ask.seed), 0

    def row(name: str, texts: list[str], never: str) -> None:
        nonlocal wrong
        begun, found = time.monotonic(), Counter()
        for text in texts:
            said = verdict(ask.umbrail, text, ask.time)
            found[said] += 1
            if said == never:
                wrong += 1
                print(f"WRONG: {said}: {text}", flush=True)
            elif said == "undecided" and never == "legal":
                print(f"undecided: {text}", flush=True)
        counts = ", ".join(f"{found[one]} {one}" for one in ("legal", "illegal", "undecided"))
        print(json.dumps({"kind": name, **found}) + f"  {counts}; {time.monotonic() - begun:.0f} s", flush=True)

    for name, purpose in (("random games", 0.0), ("mixed games", 0.5), ("purposeful games", 1.0)):
        ends = [played(dice, dice.randint(4, 60), purpose) for _ in range(ask.positions // 3 + (purpose == 0) * (ask.positions % 3))]
        row(name, [board.fen(en_passant=dice.choice(["legal", "fen"])) for board in ends], "illegal")
    for at, (name, construct) in enumerate(KINDS):
        count = ask.illegal // len(KINDS) + (at < ask.illegal % len(KINDS))
        texts = [construct(dice) for _ in range(count)]
        exchanged = [construct is not parity and dice.random() < 0.5 for _ in texts]
        row(name, [mirrored(text) if other else text for text, other in zip(texts, exchanged)], "legal")
    print("no contradiction" if wrong == 0 else f"{wrong} contradictions")
    return 1 if wrong else 0

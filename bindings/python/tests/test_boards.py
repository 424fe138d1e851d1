"""Boards of python-chess, in and out."""

import pickle
import sys

import pytest

import umbrail

chess = pytest.importorskip("chess")


def test_diagrams_are_drawn():
    import xml.etree.ElementTree as xml

    text = umbrail.svg("8/8/8/3k4/8/8/8/KG6 w - - 0 1")
    assert xml.fromstring(text).tag.endswith("svg") and 'aria-label="White Ka1 Gb1, Black Kd5"' in text
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    moved = umbrail.svg(fen, ["e2e4", "e7e5"])
    assert "Pe4" in moved and moved.count('class="mark last"') == 2
    game = umbrail.solve_proof("rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R", 1.5).games[0]
    assert "Nf3" in game._repr_svg_()
    assert "Nf3" in umbrail.Diagram("8/8/8/8/8/5N2/8/k1K5 w - - 0 1", flipped=True)._repr_svg_()
    with pytest.raises(ValueError, match="cannot reach"):
        umbrail.svg(fen, ["e2e5"])


def test_a_proof_game_from_a_board_and_back():
    board = chess.Board()
    for san in ("d4", "Nf6", "Bf4", "Nd5", "Bxc7"):
        board.push_san(san)
    game = umbrail.solve_proof(board, 2.5).games[0]
    assert game.board() == board
    assert [move.uci() for move in game.board().move_stack] == list(game.moves)


def test_a_table_takes_boards():
    table = umbrail.Table("KR.K", metric="dtm")
    board = chess.Board("8/8/8/8/8/1k6/8/K6R w - - 0 1")
    for move in table.moves(board):
        after = board.copy()
        after.push_uci(move.move)
        assert table.probe(after).wdl == -move.value.wdl


def test_an_analysis_takes_the_game_and_gives_moves():
    engine = umbrail.Engine()
    board = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    analysis = engine.analyse(board, depth=3)
    assert analysis.move() == chess.Move.from_uci("a1a8")
    assert analysis.line.board().is_checkmate()


def test_repetitions_before_the_board_count():
    # White has nothing better than a third repetition; without the game behind it the queen's loss counts.
    board = chess.Board("7k/8/8/8/8/8/1q6/7K w - - 0 1")
    moves = "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1".split()
    for move in moves:
        board.push_uci(move)
    only = ["g8h8"]
    engine = umbrail.Engine()
    repeated = engine.analyse(board, depth=2, only=only).line.score
    alone = engine.analyse(board.fen(), depth=2, only=only).line.score
    assert repeated == 0 and alone > 300


def test_chess960_castling_is_written_as_the_board_writes_it():
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess960=True)
    engine = umbrail.Engine()
    assert engine.analyse(board, depth=1, only=["e1h1"]).best == "e1h1"
    board.chess960 = False
    assert engine.analyse(board, depth=1, only=["e1g1"]).best == "e1g1"


WALKED = "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1"


def test_castling_of_chess960_belongs_to_boards_of_chess960():
    engine = umbrail.Engine()
    board = chess.Board(WALKED, chess960=True)
    analysis = engine.analyse(board, depth=1, only=["f1h1"])
    assert analysis.best == "f1h1" and analysis.line.board().king(chess.WHITE) == chess.G1
    game = umbrail.steno.solve("o", "extended", board=board).games[0]
    assert game.moves == ("f1h1",) and game.chess960
    assert game.board().king(chess.WHITE) == chess.G1
    board.push_uci("f1h1")
    assert isinstance(engine.evaluate(board), int)


def test_a_steno_gives_boards():
    assert umbrail.steno.solve("ghLxLR3xo#").games[0].board().is_checkmate()


def test_values_can_be_pickled():
    game = umbrail.solve_proof("rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR", 2.5).games[0]
    assert pickle.loads(pickle.dumps(game)) == game


def test_without_python_chess_a_sentence_says_what_to_do(monkeypatch):
    game = umbrail.Game("8/8/8/8/8/8/8/8 w - - 0 1", (), ())
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(ImportError, match="pip install chess"):
        game.board()

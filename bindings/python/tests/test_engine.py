"""The player."""

import pytest

import umbrail

MATE = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


def test_all_lines_are_kept():
    analysis = umbrail.Engine().analyse(depth=5, multipv=3)
    assert [line.multipv for line in analysis.lines] == [1, 2, 3]
    assert len({line.moves[0] for line in analysis.lines}) == 3
    assert analysis.lines[0].moves == analysis.line.moves and analysis.line.moves[0] == analysis.best
    # Two moves are all that there are.
    lines = umbrail.Engine().analyse("7k/8/8/8/8/8/1r6/K7 w - - 0 1", depth=3, multipv=9).lines
    assert {line.moves[0] for line in lines} <= {"a1b2", "a1b1"} and lines


def test_a_mate_is_found():
    analysis = umbrail.Engine().analyse(MATE, depth=4)
    assert (analysis.best, analysis.line.mate, analysis.line.score) == ("a1a8", 1, None)
    assert str(analysis.line).endswith("#1  1. Ra8#")


def test_the_same_search_gives_the_same_result():
    first, second = (umbrail.Engine().analyse(depth=6) for _ in range(2))
    assert first.best == second.best and first.line.nodes == second.line.nodes
    assert first.complete


def test_lines_come_while_it_searches():
    lines = list(umbrail.Engine().start(depth=5, multipv=2))
    assert {line.multipv for line in lines} == {1, 2}
    assert lines[-1].depth == 5


def test_a_search_without_limit_is_stopped():
    engine = umbrail.Engine()
    with engine.start() as search:
        for line in search:
            if line.depth >= 3:
                break
        with pytest.raises(RuntimeError, match="is searching"):
            engine.analyse(depth=1)
    analysis = search.result()
    assert analysis.best and not analysis.complete
    engine.clear()
    assert engine.analyse(depth=1).complete


def test_limits():
    engine = umbrail.Engine()
    assert engine.analyse(nodes=2_000).line.nodes <= 2_000
    assert engine.analyse(MATE, mate=1).best == "a1a8"
    assert engine.analyse(seconds=0.05).best
    assert engine.analyse(depth=3, only=["a2a3"]).best == "a2a3"
    with pytest.raises(ValueError, match="needs a limit"):
        engine.analyse()


def test_a_game_that_is_over_has_no_move():
    analysis = umbrail.Engine().analyse("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", depth=3)
    assert analysis.best is None
    with pytest.raises(ValueError, match="game is over"):
        analysis.move()


def test_evaluation_without_search():
    engine = umbrail.Engine()
    queen_up = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"
    assert engine.evaluate(queen_up) > 300
    assert engine.evaluate(queen_up.replace(" w ", " b ")) < -300


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (dict(board="nonsense", depth=1), "8 ranks"),
        (dict(board="8/8/8/8/8/8/8/8 w - - 0 1", depth=1), "no king"),
        (dict(depth=1, only=["e2e5"]), "e2e5"),
        (dict(seconds=-1.0), "seconds"),
    ],
)
def test_bad_input_is_named(arguments, why):
    with pytest.raises(ValueError, match=why):
        umbrail.Engine().analyse(**arguments)


def test_files_that_cannot_be_used_are_named(tmp_path):
    with pytest.raises(OSError, match="none.bin"):
        umbrail.Engine(book_file=tmp_path / "none.bin")
    with pytest.raises(ValueError, match="skill"):
        umbrail.Engine(skill=21)


def test_castling_of_chess960_requires_chess960():
    engine = umbrail.Engine()
    walked = "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1"
    with pytest.warns(UserWarning, match="castling rights of the rooks on a1 and h1 dropped"):
        with pytest.raises(ValueError, match="f1h1"):
            engine.analyse(walked, depth=1, only=["f1h1"])
    analysis = engine.analyse(walked, depth=1, only=["f1h1"], chess960=True)
    assert analysis.best == "f1h1"


def test_numbers_out_of_range_are_named():
    for arguments, why in [
        ({"hash_mib": 10**9}, "^hash_mib must be 1 to 65536, got 1000000000$"),
        ({"threads": 10**6}, "^threads must be 0 to 1024, got 1000000$"),
        ({"skill": 21}, "^skill must be 0 to 20, got 21$"),
    ]:
        with pytest.raises(ValueError, match=why):
            umbrail.Engine(**arguments)
    engine = umbrail.Engine()
    with pytest.raises(ValueError, match="^depth must be 1 to 1000, got -1$"):
        engine.analyse(depth=-1)
    with pytest.raises(ValueError, match="^multipv must be 1 to 500, got 0$"):
        engine.start(depth=1, multipv=0)


def test_engines_and_runs_show_their_state():
    engine = umbrail.Engine(hash_mib=2)
    assert repr(engine) == "Engine(hash_mib=2, threads=1, skill=20)"
    with engine.start(depth=2) as search:
        search.result()
    assert repr(search).startswith("<Run: ended, ")


FOOLS_MATE = umbrail.Game(
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ("f2f3", "e7e5", "g2g4", "d8h4"),
    ("f3", "e5", "g4", "Qh4#"),
)


def test_a_game_is_reviewed_and_its_mistakes_are_marked():
    review = umbrail.Engine().review(FOOLS_MATE, nodes=20_000)
    assert [move.san for move in review.moves] == ["f3", "e5", "g4", "Qh4#"]
    blunder, mate = review.moves[2], review.moves[3]
    assert blunder.white and blunder.mark == "??" and blunder.loss > 0.5
    assert blunder.best is not None and blunder.best.moves[0] != "g2g4"
    assert (mate.mark, mate.chances, mate.best.mate) == ("", -1.0, 1)
    assert str(review).endswith("g4?? Qh4#")
    assert "g4??" in review._repr_svg_()
    with pytest.raises(ValueError, match="needs a limit"):
        umbrail.Engine().review(FOOLS_MATE)
    # Stalemate ends with a draw.
    stalemate = umbrail.Game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", ("f1f7",), ("Qf7",))
    assert umbrail.Engine().review(stalemate, nodes=5_000).moves[0].chances == 0.0


def test_a_board_of_python_chess_is_reviewed():
    chess = pytest.importorskip("chess")
    board = chess.Board()
    for san in FOOLS_MATE.sans:
        board.push_san(san)
    review = umbrail.Engine().review(board, nodes=2_000)
    assert review.game.moves == FOOLS_MATE.moves


def test_chances_and_strength():
    line = umbrail.Engine().analyse(depth=6).line
    assert sum(line.wdl) == 1000 and line.wdl[1] > 300
    mate = umbrail.Engine().analyse(MATE, depth=4).line
    assert mate.wdl == (1000, 0, 0)
    assert umbrail.Engine(elo=1200).analyse(depth=5).best
    with pytest.raises(ValueError, match="elo must be 1000 to 3540"):
        umbrail.Engine(elo=500)
    with pytest.raises(ValueError, match="contempt"):
        umbrail.Engine(contempt=500)

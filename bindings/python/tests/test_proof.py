"""Shortest proof games."""

import threading
import time

import pytest

import umbrail

DIAGRAM = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR"
# A problem that takes far longer than a test.
ENDLESS = ("k5n1/3ppp1p/B1p2p2/pP3P1b/4P1nP/8/1PP1PPrb/RNB1K1NR", 25.5)


def test_a_game_is_found_and_is_the_only_one():
    result = umbrail.solve_proof(DIAGRAM, 2.5)
    assert (result.verdict, result.complete, len(result.games)) == ("unique", True, 1)
    game = result.games[0]
    assert str(game) == "1. d4 Nf6 2. Bf4 Nd5 3. Bxc7"
    assert list(game) == ["d2d4", "g8f6", "c1f4", "f6d5", "f4c7"]
    assert (len(game), game[0], str(result)) == (5, "d2d4", "unique: 1 game")


def test_a_shorter_game_is_not_called_the_solution():
    result = umbrail.solve_proof(DIAGRAM, 3.5)
    assert (result.verdict, result.complete, str(result)) == ("shorter", True, "shorter: 1 game")
    expected = "a game of 2.5 moves exists, so 3.5 is not the shortest length; "
    assert result.statement.startswith(expected) and "C+" not in result.statement
    assert umbrail.solve_proof(DIAGRAM, 3.5, exact=True).verdict == "none"
    assert umbrail.solve_proof(DIAGRAM, 2.5).statement == "C+: exactly one proof game in 2.5 moves"


def test_one_game_of_each_strategy_does_not_make_it_the_only_one():
    # White's knights come out in either order.
    cooked = ("rnbqkb1r/pppppppp/5n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R", 1.5)
    result = umbrail.solve_proof(*cooked, games=1)
    assert (result.verdict, len(result.games)) == ("cooked", 1)


@pytest.mark.parametrize("moves", ["2.5", 2.5])
def test_the_length_is_a_number_or_its_text(moves):
    assert umbrail.solve_proof(DIAGRAM, moves).verdict == "unique"


def test_there_is_no_game():
    assert umbrail.solve_proof(DIAGRAM, 1.5).verdict == "none"


def test_a_diagram_that_refutes_itself_says_why():
    result = umbrail.solve_proof("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR", 4)
    assert (result.verdict, result.games) == ("none", ())
    assert "white has 0 kings, expected one" in result.reasons


@pytest.mark.parametrize(
    ("fen", "moves", "why"),
    [
        ("nonsense", 3, "8 ranks"),
        (DIAGRAM, 2.3, "whole or half moves"),
        (DIAGRAM, "many", "whole or half moves"),
        (DIAGRAM, -1, "whole or half moves"),
        (DIAGRAM, 500, "at most 120 moves"),
    ],
)
def test_bad_input_is_named(fen, moves, why):
    with pytest.raises(ValueError, match=why):
        umbrail.solve_proof(fen, moves)


def test_something_else_than_a_board_is_refused():
    with pytest.raises(TypeError, match="expected a FEN"):
        umbrail.solve_proof(7, 3)


def test_progress_is_reported_and_a_stop_is_heard():
    with umbrail.start_proof(*ENDLESS, threads=2, every=0.05) as run:
        seen = []
        for progress in run:
            seen.append(progress)
            if len(seen) == 3:
                break
        run.stop()
        result = run.result()
    assert not result.complete and result.verdict in ("partial", "cooked")
    assert [p.seconds for p in seen] == sorted(p.seconds for p in seen)
    assert run.ended and run.result() is result


def test_news_of_a_game_is_told():
    run = umbrail.start_proof(DIAGRAM, 2.5)
    news = [p.news for p in run if p.news]
    assert news == ["game: 1. d4 Nf6 2. Bf4 Nd5 3. Bxc7"]


def test_a_time_limit_ends_it_with_what_is_known():
    result = umbrail.solve_proof(*ENDLESS, seconds=0.2)
    assert not result.complete


def test_another_thread_goes_on_meanwhile():
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    umbrail.solve_proof(*ENDLESS, seconds=0.5, threads=1)
    done.set()
    counter.join()
    assert counted > 20


def test_a_run_that_is_forgotten_ends():
    before = threading.active_count()
    for _ in range(20):
        umbrail.start_proof(*ENDLESS, threads=1)
    assert threading.active_count() == before


TAKE_AND_MAKE = ("rnbqkbnr/p1ppppp1/1p6/8/7P/8/PPPPPP1P/RNBQKBNR", 2)


def test_conditions_have_games_with_their_effects_and_boards():
    result = umbrail.solve_fairy_proof(*TAKE_AND_MAKE, conditions=["Take&MakeChess"])
    assert (result.verdict, result.count, result.complete) == ("unique", 1, True)
    assert result.lengths == {4: 1} and "Take&MakeChess" in result.statement
    game = result.games[0]
    assert str(game) == "1.g2-g4 h7-h5 2.g4*h5-h4 b7-b6"
    assert len(game.boards) == 5 and game.boards[-1] == TAKE_AND_MAKE[0]
    assert umbrail.solve_fairy_proof(*TAKE_AND_MAKE).verdict == "none"


def test_starts_pieces_and_series_have_their_games():
    start = "4k3/8/8/8/8/4p3/8/4G2K w - - 0 1"
    end = "4k3/4G3/8/8/8/4p3/8/7K"
    pieces = {"G": "grasshopper"}
    # The grasshopper needs a hurdle, and finds one on e3 only.
    found = umbrail.solve_fairy_proof("4k3/8/8/8/4G3/4p3/8/7K", 0.5, start=start, pieces=pieces)
    assert (found.verdict, str(found.games[0])) == ("unique", "1.Ge1-e4")
    assert umbrail.solve_fairy_proof(end, 0.5, start=start, pieces=pieces).verdict == "none"
    series = umbrail.solve_fairy_proof("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR", 1, series=True)
    assert series.count == 1


def test_wrong_conditions_and_pieces_are_named():
    with pytest.raises(ValueError, match="Cirkus"):
        umbrail.solve_fairy_proof(*TAKE_AND_MAKE, conditions="Cirkus")
    with pytest.raises(ValueError, match="the piece gryphon is not supported"):
        umbrail.solve_fairy_proof(*TAKE_AND_MAKE, pieces={"G": "gryphon"})
    with pytest.raises(ValueError, match="one of A to Z"):
        umbrail.solve_fairy_proof(*TAKE_AND_MAKE, pieces={"G2": "grasshopper"})
    with pytest.raises(ValueError, match="whole moves"):
        umbrail.solve_fairy_proof(TAKE_AND_MAKE[0], 1.5, series=True)

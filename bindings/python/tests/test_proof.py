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

"""Steno-Chess."""

import pytest

import umbrail
from umbrail import steno


def test_a_steno_is_solved():
    result = steno.solve("ghLxLR3xo#")
    assert (result.count, result.complete, str(result)) == (1, True, "1 game")
    assert str(result.games[0]) == "1. g4 h5 2. Bg2 hxg4 3. Bxb7 Rxh2 4. Nh3 Bxb7 5. O-O Rh1#"


def test_a_vocabulary_is_chosen():
    assert steno.solve("36~#", "extended").count >= 1


def test_all_games_are_counted_and_some_listed():
    result = steno.solve("~~~", games=3)
    assert (result.count, len(result.games)) == (8902, 3)


def test_another_start():
    result = steno.solve("#", board="6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    assert [str(game) for game in result.games] == ["1. Ra8#"]


def test_a_game_that_cannot_be_has_a_dead_turn():
    result = steno.solve("#")
    assert (result.count, result.dead_turn) == (0, 1)


@pytest.mark.parametrize(
    ("text", "vocabulary", "why"),
    [("e4!", "classic", "column"), ("e", "morse", "classic, extended, pgn, length")],
)
def test_bad_input_is_named(text, vocabulary, why):
    with pytest.raises(ValueError, match=why):
        steno.solve(text, vocabulary)


def test_progress_and_a_time_limit():
    run = steno.start("~~~~~~", threads=1, every=0.05, seconds=0.5)
    news = [progress.news for progress in run if progress.news]
    assert any(line.startswith("turn 1: ") for line in news)
    run.stop()
    assert run.result().count >= 0


def test_marks_of_a_game():
    game = umbrail.solve_proof("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR", 1.5).games[0]
    marks = dict(steno.marks(game))
    assert set("e2K").issubset(marks["Ke2"])
    assert steno.marks("e4")[0][0] == "e4"
    with pytest.raises(ValueError, match="e9"):
        steno.marks("e9")

"""Sheets of proof games."""

import time

import pytest

import umbrail

SHEET = """Title: A knight
rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R
PG in 1.5
b) f5->f6, Circe
d) f5->f6
c) no cheks

Title: Two ways
rnbqkb1r/pppppppp/5n2/8/4P3/5N2/PPPP1PPP/RNBQKB1R
PG in 1.5
2 solutions

Title: A start
4k3/8/8/8/8/8/4P3/4K2R
a=>b 0.5
Start: 4k3/8/8/8/8/8/4P3/4K1R1 w - -
"""
# A problem that takes far longer than a test.
ENDLESS = "k5n1/3ppp1p/B1p2p2/pP3P1b/4P1nP/8/1PP1PPrb/RNB1K1NR 51\n"


def test_each_problem_and_twin_has_a_verdict():
    results = umbrail.solve_sheet(SHEET)
    titles = ["a) A knight", "b) A knight", "d) A knight", "c) A knight", "Two ways", "A start"]
    assert [result.title for result in results] == titles
    words = ["unique", "unique", "error", "error", "several", "unique"]
    assert [result.verdict for result in results] == words
    assert [result.correct for result in results] == [True, True, None, None, True, True]
    assert results[0].games[0].text == "1. f4 f5 2. Nf3"
    assert results[0].games[0].boards[-1] == results[0].fen
    assert results[1].games[0].text == "1.f2-f4 f7-f6 2.Sg1-f3"
    assert results[2].error == "5:2: expected the twin c), got d)"
    assert results[3].error.startswith("6:4: ") and "no checks?" in str(results[3])
    assert results[4].count == 2 and "as intended" in results[4].statement
    assert results[5].start == "4k3/8/8/8/8/8/4P3/4K1R1 w - - 0 1"


def test_each_problem_has_its_time():
    begun = time.monotonic()
    text = ENDLESS + "\n" + SHEET
    results = umbrail.solve_sheet(text, seconds_each=0.2)
    assert time.monotonic() - begun < 20
    assert (results[0].verdict, results[0].complete) == ("partial", False)
    assert results[0].statement.startswith("not fully tested")
    assert results[1].verdict == "unique"
    # The time of the whole work ends that of later problems.
    assert umbrail.solve_sheet(ENDLESS * 3, seconds=0.2)[2].verdict == "partial"


def test_verdicts_are_reported_while_it_works():
    with umbrail.start_sheet(SHEET) as run:
        news = [progress.news for progress in run if progress.news]
    assert news[0] == "a) A knight: C+: exactly one proof game in 1.5 moves" and len(news) == 6


@pytest.mark.parametrize(
    ("text", "why"), [("", "no problem"), ("# a comment\n", "no problem")]
)
def test_a_text_without_problems_is_refused(text, why):
    with pytest.raises(ValueError, match=why):
        umbrail.solve_sheet(text)
    with pytest.raises(ValueError, match="seconds_each"):
        umbrail.solve_sheet(SHEET, seconds_each=-1)


def test_settings_that_the_module_lacks_are_named():
    result = umbrail.solve_sheet(SHEET + "Retraction: never\n")[-1]
    assert result.error.startswith("17:13: retraction is a setting of the program")

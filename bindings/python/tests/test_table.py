"""Endgame tables."""

import gc
import sys

import pytest

import umbrail

BOARD = "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1"


@pytest.fixture(scope="module")
def table():
    return umbrail.Table("KQ.KR", metric="dtm")


def test_a_position_is_looked_up(table):
    value = table.probe(BOARD)
    best = table.moves(BOARD)[0]
    assert (value.wdl, best.value) == (1, value)
    assert str(value) == f"win in {value.plies} plies"
    assert len(table.line(BOARD)) == value.plies
    assert repr(table) == "Table('KQ.KR', metric='dtm')"


def test_known_figures_of_the_table(table):
    # The longest win of queen against rook has 35 moves; see any list of endings.
    white = table.statistics()["white"]
    assert white.max_win == 69
    assert table.probe(white.longest_win).plies == 69
    hardest = table.hardest("white", limit=3)
    assert [table.probe(fen).plies for fen in hardest] == [69, 69, 69]


def test_values_are_ordered(table):
    value = umbrail.Value
    order = [value(-1, 0), value(-1, 20), value(0, None), value(1, 30), value(1, 1)]
    assert sorted(reversed(order)) == order
    moves = [move.value for move in table.moves(BOARD)]
    assert moves == sorted(moves, reverse=True)


def test_the_colors_may_be_swapped(table):
    swapped = "8/8/8/3K4/3R4/8/8/kq6 b - - 0 1"
    assert table.probe(swapped) == table.probe(BOARD)


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("nonsense", "8 ranks"),
        ("8/8/8/3k4/3b4/8/8/KQ6 w - - 0 1", "not built"),
        ("8/8/8/8/3r4/8/8/KQ6 w - - 0 1", "black"),
    ],
)
def test_other_positions_are_refused(table, fen, why):
    with pytest.raises(ValueError, match=why):
        table.probe(fen)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (dict(material="KQKRR.K.K"), "not of the form KQ.KR"),
        (dict(material="K?.K"), "letter '\\?'"),
        (dict(material="KQ.K", metric="far"), "dtm, dtc, level or dtz"),
        (dict(material="KQ.K", stalemate="so"), "draw, win or pass"),
    ],
)
def test_bad_input_is_named(arguments, why):
    with pytest.raises(ValueError, match=why):
        umbrail.Table(**arguments)


def test_a_bad_definition_names_its_line():
    with pytest.raises(ValueError, match="line 2"):
        umbrail.Table("KA.K", pieces="A = QN\nB = ?\n")


def test_memory_is_limited():
    with pytest.raises(MemoryError, match="needs"):
        umbrail.Table("KQR.KQ", memory_mib=1)


def test_a_folder_is_written_and_opened(tmp_path, table):
    files = table.save(tmp_path)
    assert files and all((tmp_path / name).stat().st_size == size for name, size in files.items())
    for into_memory in (False, True):
        loaded = umbrail.Table.load("KQ.KR", tmp_path, "dtm", into_memory=into_memory)
        assert loaded.probe(BOARD) == table.probe(BOARD)
    mapped = umbrail.Table.load("KQ.KR", tmp_path, "dtm")
    with pytest.raises(ValueError, match="into_memory"):
        mapped.statistics()
    with pytest.raises(OSError, match="there is no folder"):
        umbrail.Table.load("KQ.KR", tmp_path / "none", "dtm")
    with pytest.raises(OSError):
        umbrail.Table.load("KR.KR", tmp_path, "dtm")


def test_progress_is_reported():
    run = umbrail.Table.start("KR.K", metric="dtm")
    news = [progress.news for progress in run if progress.news]
    assert any("KR.K is finished" in line for line in news)
    assert run.result().probe("8/8/8/8/8/1k6/8/K6R b - - 0 1").wdl <= 0


def test_a_build_that_is_stopped_says_so():
    run = umbrail.Table.start("KRB.KN", threads=1)
    run.stop()
    with pytest.raises(umbrail.Stopped, match="stopped"):
        run.result()


def test_a_piece_of_ones_own():
    # An amazon moves as a queen and as a knight; it mates a bare king without help.
    pieces = "A = QN\n"
    table = umbrail.Table("KA.K", metric="dtm", pieces=pieces)
    assert table.probe("7k/8/8/8/8/8/8/KA6 w - - 0 1").wdl == 1


def rss_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads the process's memory from /proc")


@LINUX
def test_ten_thousand_probes_leave_nothing_behind(table, tmp_path):
    table.save(tmp_path)
    mapped = umbrail.Table.load("KQ.KR", tmp_path, "dtm")
    fens = table.hardest("white", limit=50)

    def probes(count):
        for number in range(count):
            fen = fens[number % len(fens)]
            table.probe(fen)
            mapped.probe(fen)
            if number % 100 == 0:
                table.moves(fen)
                with pytest.raises(ValueError):
                    table.probe("nonsense")
        gc.collect()

    probes(2_000)
    objects, before = len(gc.get_objects()), rss_kib()
    probes(10_000)
    grown = rss_kib() - before
    # A leak of one FEN (about 100 bytes) at each probe would show as 2,000 KiB.
    assert grown < 1_000, f"{grown} KiB more after 10,000 probes"
    assert len(gc.get_objects()) - objects < 100


@LINUX
def test_tables_give_their_memory_back():
    def build():
        for _ in range(5):
            umbrail.Table("KQ.KR")
        gc.collect()

    build()
    before = rss_kib()
    for _ in range(10):
        build()
    # One table holds about 3 MiB: fifty that stay would show as 150. The allocator's threads keep up to 24 to themselves.
    assert rss_kib() - before < 60 << 10


def test_many_positions_are_probed_at_once():
    table = umbrail.Table("KR.K", metric="dtm")
    fens = table.hardest(limit=3) + table.hardest(to_move=False, limit=2) + ["8/8/8/8/8/8/1k6/R2K4 b - - 0 1"]
    wdl, plies = table.probe_many(fens)
    for fen, result, distance in zip(fens, wdl, plies):
        value = table.probe(fen)
        assert (result, None if distance < 0 else distance) == (value.wdl, value.plies)
    assert list(wdl) == [1, 1, 1, -1, -1, 0]
    assert [len(part) for part in table.probe_many([])] == [0, 0]
    with pytest.raises(ValueError, match="^position 1: "):
        table.probe_many([fens[0], "8/8/8/8/8/8/1k6/Q2K4 b - - 0 1"])


def test_each_side_has_its_own_wins_and_losses():
    sides = umbrail.Table("KQ.K", metric="dtm").statistics()
    white, black = sides["white"], sides["black"]
    assert (white.lost, white.losses, black.won, black.wins) == (0, {}, 0, {})
    assert sum(white.wins.values()) == white.won > 0
    assert sum(black.losses.values()) == black.lost > 0
    assert max(white.wins) == white.max_win == 19
    assert (min(black.losses), max(black.losses)) == (0, 20)


def test_several_tables_are_one():
    tables = umbrail.Tables(umbrail.Table("KQ.K", metric="dtm"), umbrail.Table("KR.KN", metric="dtm"))
    assert len(tables) == 2 and [table.material for table in tables] == ["KQ.K", "KR.KN"]
    assert tables.probe("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").wdl == 1
    # The colors are exchanged; KR.K is found as what KR.KN leads to.
    assert tables.probe("8/8/8/3K4/8/8/8/kq6 w - - 0 1").wdl == -1
    assert tables.table_of("8/8/8/3k4/8/8/8/KR6 w - - 0 1").material == "KR.KN"
    assert tables.moves("8/8/8/3k4/8/8/8/KR6 w - - 0 1")[0].value.wdl == 1
    with pytest.raises(KeyError, match="no table has BBK against K, only KQ.K, KR.KN"):
        tables.probe("8/8/8/3k4/8/8/8/KBB5 w - - 0 1")


def test_numbers_out_of_range_are_named():
    for arguments, why in [
        ({"threads": -1}, "^threads must be 0 to 1024, got -1$"),
        ({"memory_mib": 0}, "^memory_mib must be 1 to 16777216, got 0$"),
    ]:
        with pytest.raises(ValueError, match=why):
            umbrail.Table("KR.K", **arguments)
    with pytest.raises(TypeError, match="^threads must be a whole number, got 1.5$"):
        umbrail.Table("KR.K", threads=1.5)
    table = umbrail.Table("KR.K")
    with pytest.raises(ValueError, match="^limit must be 0 or more, got -1$"):
        table.hardest(limit=-1)
    with pytest.raises(MemoryError, match=r"\(memory_mib is 1\)"):
        umbrail.Table("KQR.KR", memory_mib=1)

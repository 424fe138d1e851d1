"""kill-test: kills the program at random moments; interrupted work must resume without loss."""
from __future__ import annotations

import argparse
import csv
import http.client
import json
import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tools.common import (P1013138, UMBRAIL, Check, Done, Page, Record, Stop, answer, argument, command, end, kill, kill_after, last,
                          output, records, temporary, timed, until)

STENO, ENDGAME = "~~~~~~#", "KBB.KN"
PLIES, FEN = P1013138.split()
# URL and form of each run of the local page.
RUNS = {
    "proof": ("/proof", {"fen": FEN, "moves": str(int(PLIES) / 2)}),
    "steno": ("/steno", {"text": STENO, "vocabulary": "extended"}),
    "table": ("/tables", {"endgame": ENDGAME, "metric": "dtm"}),
}


def final(done: Done) -> Record:
    """The end record of a run."""
    found = last(records(done.out), "end", "done")
    if not found:
        raise Stop(f"no end record: {done.text[-300:]}")
    return found


def proof(ask: argparse.Namespace, dice: random.Random, check: Check) -> None:
    """Archive and strategy file of a proof game."""
    solve = [ask.umbrail, "--json", "spg", "solve", "--plies", str(ask.plies), "--fen", ask.fen, "--length", ask.length]

    def result(words: list[str]) -> tuple[object, ...]:
        found = answer(records(output(words).out))
        return found["verdict"], found["complete"], found["games"]

    whole, seconds = timed(lambda: result(solve))
    if not whole[1]:
        raise Stop("the problem is not decided within its limits; take another one")
    print(f"one process: {whole[0]}, {seconds:.1f} s")

    with temporary() as folder:
        archive, strategies = folder / "run.spga", folder / "run.strategies"

        resume = [*solve, "--archive", str(archive), "--resume"]
        kills = sum(kill_after(resume, dice.uniform(0.05, 0.8) * seconds) for _ in range(ask.kills))
        check(result(resume) == whole, f"archive, killed {kills} times")

        write = [*solve, "--strategies-out", str(strategies)]
        output(write)
        older, damaged = strategies.read_bytes(), 0
        for _ in range(ask.kills):
            if not kill_after(write, dice.uniform(0.05, 0.8) * seconds):
                older = strategies.read_bytes()
            damaged += strategies.read_bytes() != older
        check(not damaged, "the strategy file of the run before stays whole")
        output(write)
        check(result([*solve, "--strategies-in", str(strategies)])[2] == whole[2], "the strategy file gives the same games")


def table(ask: argparse.Namespace, dice: random.Random, check: Check) -> None:
    """Files of an endgame table."""
    metric = ["--metric", ask.metric]
    ending = f".{ask.metric}.egt"

    def counts(*before: str) -> object:
        return json.loads(output([ask.umbrail, *before, "egt", "stats", ask.endgame, "--json", *metric]).out)

    expected = counts()
    with temporary() as folder:
        kept = ["--set", f"EGT Folder={folder}"]
        words = ["egt", "save", ask.endgame, str(folder)] if ask.save else [*kept, "egt", "build", ask.endgame]
        build = [ask.umbrail, *words, *metric]

        def clear() -> None:
            for path in folder.iterdir():
                path.unlink()

        _, seconds = timed(lambda: output(build))
        clear()
        files = loaded = 0
        for number in range(1, ask.kills + 1):
            killed = kill_after(build, dice.uniform(0.0, 1.1 * seconds / max(1, ask.kills / 4)))
            for path in sorted(folder.glob("*" + ending)):
                load = output([ask.umbrail, "egt", "load", path.name.removesuffix(ending), folder, *metric])
                files, loaded = files + 1, loaded + (load.status == 0)
                # Files of smaller endgames may be missing; any other complaint is a fault.
                if load.status and ("damaged" in load.text or "does not fit" in load.text):
                    check(False, f"kill {number}: {path.name}", load.text)
            if not killed and number < ask.kills:
                clear()
        check(output(build).status == 0, "the table is built after the last kill")
        check(all(path.suffix == ".egt" for path in folder.iterdir()), "only table files stay")
        verify = output([ask.umbrail, *kept, "egt", "verify", ask.endgame, *metric])
        check(verify.status == 0, "values follow from their moves", verify.text)
        check(counts(*kept) == expected, f"counts after {ask.kills} kills; {loaded} of {files} files loaded on the way")


def steno(ask: argparse.Namespace, dice: random.Random, check: Check) -> None:
    """Checkpoints of a steno, and the file of `$`."""
    solve = [ask.umbrail, "steno", "solve", "--vocabulary", ask.vocabulary, "--json"]

    def result(*more: object) -> tuple[tuple[object, ...], str]:
        done = output([*solve, *more])
        ended = final(done)
        found = (one for one in records(done.out) if one.get("t") in ("game", "solution"))
        return (ended.get("status"), ended.get("count"), sorted(str(one.get("san") or one.get("moves")) for one in found)), done.text

    for memory in [], ["--memory", ask.memory]:
        (whole, _), seconds = timed(lambda: result(*memory, "--", ask.steno))
        with temporary() as folder:
            words = [*memory, "--checkpoint", folder / "work", "--", ask.steno]
            # Work is saved every five seconds.
            most = min(max(seconds, 1.0), 12.0)
            kills = sum(kill_after([*solve, *words], dice.uniform(0.0, most)) for _ in range(ask.kills))
            again, text = result(*words)
            check(again == whole, f"{' '.join(memory) or 'all memory'}, killed {kills} times: {again[0]} {again[1]}")
            check("anew" not in text and "damaged" not in text, "the checkpoint was never damaged", text)
            check({path.name for path in folder.iterdir()} <= {"work"}, "no other file stays")

    before, after = ask.steno[: ask.dollar] + "$", "$" + ask.steno[ask.dollar :]
    whole, _ = result("--", ask.steno)
    with temporary() as folder:
        file = folder / "dollar"
        words = ["--checkpoint", file, "--", before]
        _, seconds = timed(lambda: result(*words))
        expected, damaged = file.read_bytes(), 0
        file.unlink()
        for _ in range(ask.kills):
            kill_after([*solve, *words], dice.uniform(0.3, 1.1) * seconds)
            damaged += file.exists() and file.read_bytes() != expected
        check(not damaged, "the file of '$' is whole or absent")
        result(*words)
        check(result("--checkpoint", file, "--", after)[0][1] == whole[1], "the steno continues from '$'")
        check([path.name for path in folder.iterdir()] == ["dollar"], "no other file stays")


class RunPage(Page):
    """A local page with one run in its folder."""

    def run(self) -> Record:
        """State of the run."""
        found: list[Record] = json.loads(self.request("GET", "/api/runs")[1])
        return found[0]

    def is_at_work(self) -> bool:
        """Whether the run still works."""
        return bool(self.run()["state"] == "at work")

    def follow(self, run: str) -> None:
        """Reads the events of a run until the process ends."""
        try:
            connection = http.client.HTTPConnection(self.host)
            connection.request("GET", "/api/events/" + run)
            events = connection.getresponse()
            while events.read1(65536):
                pass
        except (OSError, http.client.HTTPException):
            pass


def kept_claims(run: Path) -> int:
    """Finished claims in the archive of a run."""
    try:
        lines = (run / "archive.spga").read_bytes().splitlines(keepends=True)
    except OSError:
        return 0
    return sum(line.startswith(b"claim ") and line.endswith(b"\n") for line in lines)


def is_right(ask: argparse.Namespace, folder: Path, ended: Record) -> bool:
    """Compares the answer of a finished run with that of the same work in the shell."""
    if ask.run == "proof":
        return bool(ended.get("verdict") == "unique")
    if ask.run == "steno":
        shell = final(output([ask.umbrail, "steno", "solve", "--json", "--vocabulary", "extended", "--", STENO]))
        return bool(shell["count"] == ended.get("count"))
    tables = f"EGT Folder={folder / 'tables' / 'usual'}"
    return output([ask.umbrail, "--set", tables, "egt", "verify", ENDGAME, "--metric", "dtm", "--stride", "97"]).status == 0


def page(ask: argparse.Namespace, dice: random.Random, check: Check) -> None:
    """A run of the local page, with followers."""
    with temporary() as folder:
        server = RunPage(ask.umbrail, folder)
        name = server.request("POST", *RUNS[ask.run])[0].rsplit("/", 1)[1]
        run = folder / "runs" / name

        def logged(test: Callable[[Record], object]) -> object:
            """What a test finds in the log of the run, as soon as it finds something or the run ends."""
            while True:
                ended = not server.is_at_work()
                found = next(filter(None, map(test, records((run / "log").read_text()))), None)
                if found or ended:
                    return found
                time.sleep(0.05)

        for number in range(1, ask.kills + 1):
            for _ in range(ask.pages):
                threading.Thread(target=server.follow, args=(name,), daemon=True).start()
            known = kept_claims(run)
            time.sleep(ask.pause * dice.uniform(0.5, 1.5))
            until("further claim", lambda: kept_claims(run) >= known + ask.after_claims or not server.is_at_work(), 86400)
            if ask.run == "steno":
                until("checkpoint", lambda: (run / "steno.checkpoint").exists() or not server.is_at_work(), 86400)
            if server.run()["state"] == "done":
                print(f"the run was finished before kill {number}")
                break
            kill(server.process)
            claims = kept_claims(run)
            server = RunPage(ask.umbrail, folder)
            check(server.run()["state"] in ("interrupted", "done"), f"kill {number}: the run is listed")
            server.request("POST", f"/runs/{name}/resume")
            if ask.run == "steno":
                continues = logged(lambda one: "holds unfinished work" in one.get("text", ""))
                check(continues, "the steno continues from its checkpoint")
            if ask.run == "proof" and claims:
                resumed = logged(lambda one: one["claims"] if one.get("t") == "resumed" else None)
                enough = claims >= number * ask.after_claims
                check(resumed == claims and enough, f"the run continues with all {claims} kept claims", f"it has {resumed}")
        until("end of the run", lambda: not server.is_at_work(), 86400)
        done = server.run()
        good = done["state"] == "done" and is_right(ask, folder, done["end"] or {})
        check(good, "the answer is that of the shell", str(done))
        end(server.process)
        check(server.process.returncode == 0, "SIGTERM ends the page with status 0")


def match(ask: argparse.Namespace, dice: random.Random, check: Check) -> None:
    """A match of the laboratory."""
    words = [ask.umbrail, "lab", "sprt", "--xp", "3", "--control", "nodes=1000", "--games", 8 * ask.kills, "--elo0", "-500",
             "--elo1", "500", "--fastchess", ask.fastchess, "--book", ask.book, "--out"]

    def result(folder: Path) -> list[str]:
        table = folder / "lab.csv"
        rows = list(csv.DictReader(table.open())) if table.exists() else []
        return [row[column] for row in rows for column in ("games", "wins", "losses", "draws", "pairs")]

    with temporary() as folder:
        killed, whole = folder / "killed", folder / "whole"
        kills = sum(kill_after([*words, killed], dice.uniform(0.1, 3.0)) for _ in range(ask.kills))
        output([*words, killed])
        output([*words, whole])
        # At fixed nodes every game is the same.
        check(result(whole) and result(killed) == result(whole), f"{kills} kills: the same result")


KINDS = {"proof": (proof, 5), "table": (table, 10), "steno": (steno, 10), "page": (page, 3), "match": (match, 50)}


@command(
    "kill-test", argument("kind", choices=KINDS), UMBRAIL, argument("--seed", type=int, default=1),
    argument("--kills", type=int, help="5 for proof, 3 for page, 50 for match, else 10"),
    argument("--plies", type=int, default=int(PLIES), help="proof: half-moves"),
    argument("--fen", default=FEN, help="proof: the diagram, P1013138 by default"),
    argument("--length", default="exact", help="proof"),
    argument("--endgame", default="KQ.KR", help="table"), argument("--metric", default="dtm", help="table"),
    argument("--save", action="store_true", help="table: kill egt save in place of egt build"),
    argument("--steno", default="~~~~~#", help="steno"), argument("--vocabulary", default="classic", help="steno"),
    argument("--memory", default="1m", help="steno: memory with which positions are searched in parts"),
    argument("--dollar", type=int, default=4, help="steno: half-moves before the '$'"),
    argument("--run", choices=RUNS, default="proof", help="page"),
    argument("--pause", type=float, default=10, help="page: seconds before a kill, on average"),
    argument("--pages", type=int, default=50, help="page: pages that follow the run"),
    argument("--after-claims", type=int, default=0, help="page: claims that a proof game keeps before each kill"),
    argument("--fastchess", help="match: path of fastchess"), argument("--book", help="match: a file of openings"))
def kill_test(ask: argparse.Namespace) -> int:
    """Kills the program (SIGKILL) at random moments and resumes it; nothing may be lost.

    The work is done once without a kill, then with --kills N kills at moments drawn with --seed S. Results must be
    equal, files whole, and no temporary file may stay. Exit status 1 on any difference.
    """
    if ask.kind == "match" and not (ask.fastchess and ask.book):
        raise Stop("match requires --fastchess and --book")
    run, kills = KINDS[ask.kind]
    ask.kills = kills if ask.kills is None else ask.kills
    ask.fastchess, ask.book = (path and os.path.abspath(path) for path in (ask.fastchess, ask.book))
    check = Check()
    run(ask, random.Random(ask.seed), check)
    return check.status

"""Behavior at the limits: little memory, few threads, a full disk, and the end of the time."""
from __future__ import annotations

import argparse
import collections
import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.common import (CRASHES, SHORT, UMBRAIL, Check, Process, argument, command, end, other_user, output, skip, start, temporary,
                          timed, wait_for_line)

CAI = ["--moves", "25.5", "--fen", "k5n1/3ppp1p/B1p2p2/pP3P1b/4P1nP/8/1PP1PPrb/RNB1K1NR"]
HEI = ["--moves", "23.0", "--fen", "2RR4/8/rnbqkbnr/pppppppp/B5NB/Q2P4/1PP2PPP/1N1K4"]
LONG = "~~~~~~~#"
SESSION = "uci\nsetoption name Hash value {}\nsetoption name Threads value {}\nisready\ngo depth 12\n"
WORK: list[tuple[str, list[str], str]] = [
    ("search, Hash 16", ["uci"], SESSION.format(16, 1)),
    ("search, Hash 4096", ["uci"], SESSION.format(4096, 1)),
    ("search, Hash 33554432", ["uci"], SESSION.format(33554432, 1)),
    ("search, 512 threads", ["uci"], SESSION.format(16, 512)),
    ("search, XBoard memory", ["xboard"], "xboard\nprotover 2\nnew\nmemory 4000\nsd 8\ngo\n"),
    ("perft", ["perft", "5"], ""),
    ("bench", ["bench", "8"], ""),
    ("spg small", SHORT, ""),
    ("spg large", ["spg", "solve", *HEI, "--time", "4000"], ""),
    ("spg 40g", ["spg", "solve", *HEI, "--time", "3000", "--memory", "40g"], ""),
    ("egt KQ.KR", ["egt", "build", "KQ.KR"], ""),
    ("egt KRN.KR", ["egt", "stats", "KRN.KR", "--metric", "dtm"], ""),
    ("egt in a session", [], "egt build KQ.KR\negt stats KBN.KN\n"),
    ("steno 36~#", ["steno", "solve", "--vocabulary", "extended", "--", "36~#"], ""),
    ("steno large", ["steno", "solve", "--nodes", "30000000", "--", LONG], ""),
]
# Limits in KiB.
LADDER = [60000, 80000, 100000, 150000, 200000, 300000, 500000, 1000000]


@contextlib.contextmanager
def control_group(*places: str) -> Iterator[Path | None]:
    """The file of the limit of a new control group, which one of some patterns names; nothing without permission."""
    for place in places:
        knob = Path("/sys/fs/cgroup", place.format(f"umbrail-limits-{os.getpid()}"))
        try:
            knob.parent.mkdir()
        except OSError:
            continue
        try:
            if os.access(knob, os.W_OK):
                yield knob
                return
        finally:
            knob.parent.rmdir()
    skip(f"control groups with {places[0].split('/')[-1]}: none can be made here")
    yield None


@command("memory-limits", UMBRAIL, argument("--quick", action="store_true", help="three limits of each kind"),
         argument("--only", choices=["address", "data", "threads", "memory-group", "thread-group"], help="one kind of limit"))
def memory_limits(ask: argparse.Namespace) -> int:
    """Runs every domain under limits of memory and threads; the program must not crash.

    The limits are those of the address space, of data, of threads, and of control groups for memory and threads. The
    program may take less memory, report it and answer, or refuse with a message. An abort, a panic, a kill by the system
    and a run that does not end are faults. RLIMIT_NPROC, which counts all threads of a user, does not hold for root:
    root runs the program as user 65534 under it, and other users leave it out.
    """
    import resource

    check, codes = Check(), collections.Counter[int]()

    def run(limit: str, enter: Any = None, **options: Any) -> None:
        for name, words, feed in WORK:
            with temporary() as folder:
                folder.chmod(0o777)
                done = output([ask.umbrail, *words], feed, cwd=folder, timeout=120, preexec_fn=enter, **options)
            codes[done.status] += 1
            notes = [line for line in done.text.splitlines() if "MiB" in line or "memory" in line or "threads" in line]
            bad = done.status in (*CRASHES, 137, 139, -9, 124) or "panicked" in done.text or not done.text.strip()
            check(not bad, f"{limit:28} {name:22} exit {done.status:3}  {(notes or [''])[-1][:150]}", done.text)

    def kind(name: str) -> bool:
        return ask.only in (None, name)

    ladder = [80000, 150000, 300000] if ask.quick else LADDER
    for name, limited in (("address", resource.RLIMIT_AS), ("data", resource.RLIMIT_DATA)):
        for kib in ladder if kind(name) else []:
            run(f"{name} {kib} KiB", lambda: resource.setrlimit(limited, (kib << 10, kib << 10)))
    if kind("threads"):
        other = other_user(ask.umbrail)
        if other is None:
            skip("RLIMIT_NPROC: it needs root, and a program that another user can start")
        for count in [1, 3, 6, 20] if other else []:
            # Python changes the user before it calls this, so the limit counts the other user's threads.
            run(f"{count} threads", lambda: resource.setrlimit(resource.RLIMIT_NPROC, (count, count)), **(other or {}))

    for name, limits, unit, places in (
            ("memory-group", ladder, 1024, ["{}/memory.max", "memory/{}/memory.limit_in_bytes"]),
            ("thread-group", [4, 6, 9, 20], 1, ["{}/pids.max", "pids/{}/pids.max"])):
        with control_group(*places) if kind(name) else contextlib.nullcontext() as knob:
            for limit in limits if knob else []:
                assert knob
                knob.write_text(str(limit * unit))
                run(f"{name} {limit}", lambda: (knob.parent / "cgroup.procs").write_text(str(os.getpid())))
    print("exit statuses:", ", ".join(f"{status}: {count} times" for status, count in sorted(codes.items())))
    return check.status


GAME = "uci\n{}\nucinewgame\nisready\nposition startpos\ngo depth 9\n"
# Kinds of files: arguments, with {} for the file or folder; and whether the output is a folder.
KINDS = {
    "saved tables": (["egt", "save", "KQ.KR", "{}"], True),
    "table folder": (["--set", "EGT Folder={}", "egt", "build", "KQ.KR"], True),
    "counts of tables": (["egt", "stats", "KQ.K", "--csv", "{}"], False),
    "positions of tables": (["egt", "maximin", "KQ.K", "--epd", "{}"], False),
    "page of tables": (["egt", "report", "KQ.K", "--html", "{}"], False),
    "archive": ([*SHORT, "--archive", "{}"], False),
    "strategies": ([*SHORT, "--strategies-out", "{}"], False),
    "result file": ([*SHORT, "--output", "{}"], False),
    "PGN": ([*SHORT, "--pgn", "{}"], False),
    "HTML": ([*SHORT, "--html", "{}"], False),
    "LaTeX": ([*SHORT, "--latex", "{}"], False),
    "$ of a steno": (["steno", "solve", "--checkpoint", "{}", "--", "~~$~#"], False),
    "PGN of a steno": (["steno", "solve", "--pgn", "{}", "--", "~~~#"], False),
    "HTML of a steno": (["steno", "solve", "--html", "{}", "--", "~~~#"], False),
    "training games": (["datagen", "--out", "{}", "--games", "2", "--nodes", "200"], True),
    "laboratory": (["lab", "sprt", "--xp", "3", "--control", "nodes=100", "--games", "4", "--fastchess", "./fastchess", "--out", "{}"],
                   True),
}
SESSIONS = {"experience": "setoption name Experience File value {}", "log": "setoption name Log File value {}"}


@command("disk-full", UMBRAIL)
def disk_full(ask: argparse.Namespace) -> int:
    """Writes every kind of file to a full disk and into a folder that is not writable.

    The disk is a small tmpfs, and another user tries the folder; both require root. Expected are a message with the file
    and the cause, an exit status other than 0 (a game in a session continues), and the older file unchanged.
    """
    check = Check()

    def attempt(where: str, kind: str, path: Path, causes: str, options: dict[str, Any]) -> None:
        old = path.read_bytes() if path.is_file() else None
        words = [word.replace("{}", str(path)) for word in (KINDS[kind][0] if kind in KINDS else ["uci"])]
        with temporary() as folder:
            folder.chmod(0o777)
            runner = folder / "fastchess"
            runner.write_text("#!/bin/sh\necho fastchess stand-in\n")
            runner.chmod(0o755)
            feed = GAME.format(SESSIONS[kind].format(path)) if kind in SESSIONS else ""
            more = ["--resume"] if kind == "archive" and old is not None else []
            done = output([ask.umbrail, *words, *more], feed, cwd=folder, timeout=120, **options)
        named = any(path.name in line and any(cause in line for cause in causes.split("|")) for line in done.text.splitlines())
        right = "bestmove" in done.text if kind in SESSIONS else done.status not in (0, *CRASHES)
        check(named and right, f"{where}: {kind}: message, exit status {done.status}", done.text)
        if old is not None:
            check(path.read_bytes() == old, f"{where}: {kind}: the older file is unchanged")

    def attempts(where: str, home: Path, causes: str, **options: Any) -> None:
        for kind in [*KINDS, *SESSIONS]:
            attempt(where, kind, place(home, kind), causes, options)

    def place(home: Path, kind: str) -> Path:
        is_folder = kind in KINDS and KINDS[kind][1]
        return home / (kind.replace(" ", "_").replace("$", "checkpoint") + ("" if is_folder else ".out"))

    def fill() -> None:
        with contextlib.suppress(OSError), open(disk / "filler", "wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)

    with temporary() as home:
        home.chmod(0o755)
        disk, closed = home / "disk", home / "closed"
        disk.mkdir()
        closed.mkdir(0o755)
        full = "No space left|no storage space"
        if output(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]).status == 0:
            try:
                fill()
                attempts("full disk", disk, full)
                for path in [path for path in disk.rglob("*") if path.is_file()]:
                    path.unlink()
                for kind, (_, is_folder) in KINDS.items():
                    if not is_folder and kind not in ("archive", "$ of a steno"):
                        place(disk, kind).write_text("older")
                fill()
                attempts("older files", disk, full)
            finally:
                subprocess.run(["umount", disk], check=True)
        else:
            skip("the full disk: no file system can be mounted here")
        other = other_user(ask.umbrail)
        if other:
            attempts("closed", closed, "denied|ermission", **other)
        else:
            skip("the closed folder: another user cannot start the program")
    return check.status


GO = {
    "go, search": ["position startpos"],
    "go, spg": ["setoption name Solver value spg", f"setoption name SPG Moves value {CAI[1]}", f"position fen {CAI[3]} w - - 0 1"],
    "go, steno": ["setoption name Solver value steno", f"setoption name Steno Text value {LONG}"],
}
TIMED = {
    "spg CAI": ["spg", "solve", *CAI],
    "spg HEI": ["spg", "solve", *HEI, "--memory", "2g"],
    "egt": ["egt", "stats", "KRB.KN", "--metric", "dtm"],
    "steno": ["steno", "solve", "--", LONG],
}


@command("overrun", UMBRAIL, argument("--limits", default="200,1000,5000", help="in milliseconds"),
         argument("--repeat", type=int, default=3), argument("--most", type=float, default=100, help="overrun on an idle machine, in ms"))
def overrun(ask: argparse.Namespace) -> int:
    """Measures by how much each solver exceeds its time limit, idle and with all processors busy.

    Conversations get `go movetime` and are measured up to `bestmove`; commands get `--time` and are measured to the end of
    the process, less the time in which a process starts and ends. Exit status 1 if an idle machine exceeds --most.
    """
    check = Check()

    def run(words: list[str]) -> float:
        with temporary() as folder:
            return 1000 * timed(lambda: output([ask.umbrail, *words], cwd=folder))[1]

    def go(lines: list[str], limit: int) -> float:
        child: Process = subprocess.Popen([ask.umbrail, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        assert child.stdin
        child.stdin.write("\n".join(["uci", "setoption name Threads value 2", *lines, "isready", ""]))
        wait_for_line(child, "readyok")
        began = time.monotonic()
        child.stdin.write(f"go movetime {limit}\n")
        wait_for_line(child, "bestmove")
        took = (time.monotonic() - began) * 1000
        child.communicate("quit\n")
        return took

    for load in 0, os.cpu_count() or 1:
        busy = [start(["sh", "-c", "while :; do :; done"]) for _ in range(load)]
        try:
            least = min(run(["--version"]) for _ in range(5))
            for limit in map(int, ask.limits.split(",")):
                over = {name: [go(lines, limit) - limit for _ in range(ask.repeat)] for name, lines in GO.items()}
                for name, words in TIMED.items():
                    timely = [*words[:2], "--time", str(limit), *words[2:]]
                    over[name] = [run(timely) - limit - least for _ in range(ask.repeat)]
                for name, found in over.items():
                    check(load or max(found) <= ask.most, f"{load} busy processes, {name}, {limit} ms: over by "
                          + " ".join(f"{one:.0f}" for one in found) + " ms")
        finally:
            end(*busy)
    return check.status

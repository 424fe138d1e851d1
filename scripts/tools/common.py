"""Helpers of the commands: processes, JSON records, temporary folders, checks."""
from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

HOME = Path(__file__).resolve().parents[2]
# A proof game that is solved at once, and the arguments that solve it.
DIAGRAM = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR"
SHORT = ["spg", "solve", "--moves", "2.5", "--fen", DIAGRAM]
# Problems as half-moves and diagram: P1013138 with one game, Andernach 2023, Messigny 2002-2.
P1013138 = "37 rn1qkbnr/Ppp1p1pR/8/8/3P1P2/4BN1Q/PP5P/5NRK"
ANDERNACH = "33 rn1q2n1/p2pppR1/6p1/5k1p/8/4br2/1PPPP1PP/1NBQK2R"
MESSIGNY = "19 rnb3k1/pppppp2/7p/6p1/8/2QPP3/PPP2PPP/RNB1KBNR"
# Exit statuses of an internal error, a panic and an abort.
CRASHES = (70, 101, 134, -6, -11)

T = TypeVar("T")
Record = dict[str, Any]
Process = subprocess.Popen[str]
Run = Callable[[argparse.Namespace], "int | None"]
Argument = tuple[tuple[str, ...], dict[str, Any]]
COMMANDS: dict[str, tuple[Run, Sequence[Argument]]] = {}


class Stop(Exception):
    """A command cannot be carried out; the text gives the reason."""


class Done(NamedTuple):
    """Result of a process: exit status, standard output, and both outputs together."""

    status: int
    out: str
    text: str


def argument(*names: str, **options: Any) -> Argument:
    """An argument of a command, as argparse takes it."""
    return names, options


def command(name: str, *arguments: Argument) -> Callable[[Run], Run]:
    """Registers a function as a command. Its documentation is the command's help; it returns the exit status."""

    def register(run: Run) -> Run:
        COMMANDS[name] = run, arguments
        return run

    return register


def program(path: str) -> str:
    """Absolute path of a program that was named on the command line."""
    found = shutil.which(path if os.sep in path else os.path.join(".", path)) or shutil.which(path)
    if not found:
        raise argparse.ArgumentTypeError(f"{path} is not a program")
    return os.path.realpath(found)


UMBRAIL = argument("umbrail", type=program, help="the program")


def built() -> str:
    """The development build of the program, up to date."""
    subprocess.run(["cargo", "build", "--locked", "--quiet", "--bin", "umbrail"], cwd=HOME, check=True)
    return str(target() / "debug/umbrail")


def target() -> Path:
    """Folder in which cargo builds."""
    return HOME / os.environ.get("CARGO_TARGET_DIR", "target")


@contextlib.contextmanager
def temporary() -> Iterator[Path]:
    """A temporary folder, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="umbrail-") as folder:
        yield Path(folder)


def output(words: Sequence[object], feed: str = "", **options: Any) -> Done:
    """Runs a process to its end, with a text as standard input. Status 124 stands for a timeout."""
    try:
        done = subprocess.run([str(word) for word in words], input=feed, capture_output=True, encoding="utf-8",
                              errors="replace", **options)
    except subprocess.TimeoutExpired:
        return Done(124, "", "")
    return Done(done.returncode, done.stdout, done.stdout + done.stderr)


def start(words: Sequence[object], log: Path | None = None, **options: Any) -> Process:
    """Starts a process without input, whose outputs go to a file or nowhere."""
    with open(log or os.devnull, "a", encoding="utf-8") as file:
        return subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=file,
                                stderr=subprocess.STDOUT, text=True, **options)


def end(*processes: Process) -> None:
    """Ends processes: SIGTERM, and SIGKILL after ten seconds."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def kill(process: Process) -> None:
    """Kills a process with SIGKILL."""
    process.kill()
    process.wait()


def kill_after(words: Sequence[object], seconds: float, **options: Any) -> bool:
    """Runs a process and its descendants for at most this long. Returns whether they were killed."""
    job = start(words, start_new_session=True, **options)
    try:
        job.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, 9)
        job.wait()
        return True


def timed(action: Callable[[], T]) -> tuple[T, float]:
    """Result of a function, and the seconds that it took."""
    began = time.monotonic()
    return action(), time.monotonic() - began


def until(what: str, test: Callable[[], T], seconds: float = 600) -> T:
    """Waits until a test gives a true value, and returns the value."""
    last = time.monotonic() + seconds
    while not (found := test()):
        if time.monotonic() > last:
            raise Stop(f"no {what} within {seconds:.0f} s")
        time.sleep(0.05)
    return found


def wait_for_line(process: Process, beginning: str) -> str:
    """Reads the standard output of a process up to a line that begins so, and returns the line."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith(beginning):
            return line.strip()
    raise Stop(f"the program ended without {beginning!r}")


def other_user(umbrail: str) -> dict[str, Any] | None:
    """Options of a process of another user; nothing without root, or where that user cannot start the program."""
    if os.geteuid() == 0:
        options: dict[str, Any] = {"user": 65534, "group": 65534, "extra_groups": []}
        with contextlib.suppress(PermissionError):
            if output([umbrail, "--version"], cwd="/", **options).status == 0:
                return options
    return None


def records(text: str) -> list[Record]:
    """The JSON records of an output."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def last(found: list[Record], *kinds: str) -> Record:
    """The last record of some kinds; an empty one if there is none."""
    return next((one for one in reversed(found) if one.get("t") in kinds), {})


def answer(found: list[Record]) -> Record:
    """What runs of one proof game have in common. Of an undecided problem the games depend on the order of the work."""
    final = last(found, "end")
    games = sorted({" ".join(one["uci"]) for one in found if one.get("t") == "solution"})
    return {"verdict": final.get("verdict"), "complete": final.get("complete"), "games": games if final.get("complete") else None,
            "strategies": final.get("counts", {}).get("enumerated")}


def problems(path: str | None, otherwise: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Problems of a file, as titles and arguments of `spg solve`; a line holds half-moves, diagram and perhaps conditions."""
    lines = Path(path).read_text("utf-8").splitlines() if path else otherwise
    found = []
    for line in lines:
        if line.startswith("{"):
            one = json.loads(line)
            line = f"{one['plies']} {one['fen']}"
        if line.strip() and not line.startswith("#"):
            plies, fen, *conditions = line.split(maxsplit=2)
            more = [word for text in conditions for word in ("--conditions", text)]
            found.append((f"{fen} in {plies}", ["--plies", plies, "--fen", fen, *more]))
    return found


class Check:
    """Prints the result of each check and counts the faults."""

    def __init__(self) -> None:
        self.faults = 0

    def __call__(self, good: object, what: str, detail: str = "") -> bool:
        self.faults += not good
        print(f"ok: {what}" if good else f"FAILED: {what}{': ' if detail else ''}{detail[-800:]}", flush=True)
        return bool(good)

    def has(self, what: str, pattern: str, done: Done) -> bool:
        """Requires a line of a process's output to match a pattern."""
        found = re.search(pattern, done.text, re.MULTILINE)
        return self(found, what, f"no {pattern!r} in: {done.text} (status {done.status})")

    @property
    def status(self) -> int:
        """Exit status of the command."""
        return 1 if self.faults else 0


class Page:
    """A process of `umbrail serve` on a free port."""

    def __init__(self, umbrail: str, folder: Path) -> None:
        line = [umbrail, "serve", "--port", "0", "--no-open", "--dir", str(folder)]
        self.process: Process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd=folder)
        self.url = wait_for_line(self.process, "http").rstrip("/")
        self.host = self.url.split("//")[1]

    def request(self, method: str, path: str, form: Record | None = None) -> tuple[str, bytes]:
        """Sends a request. Returns the location and the text of the answer."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        headers = {"Origin": self.url, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, path, urllib.parse.urlencode(form or {}), headers)
        got = connection.getresponse()
        text = got.read()
        if got.status >= 400:
            raise Stop(f"{method} {path}: {got.status} {text[-300:]!r}")
        return got.headers.get("location", ""), text

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: object) -> None:
        end(self.process)


def nats_server(folder: Path, port: str = "-1") -> tuple[Process, str]:
    """A message server on the loopback interface, and its address. Port -1 is a free one."""
    server = start(["nats-server", "-a", "127.0.0.1", "-p", port, "-js", "-sd", folder / "store", "--ports_file_dir", folder])
    path = folder / f"nats-server_{server.pid}.ports"

    def address() -> str:
        with contextlib.suppress(OSError, ValueError):
            return str(json.loads(path.read_text())["nats"][0])
        if server.poll() is not None:
            raise Stop("nats-server ended")
        return ""

    return server, until("address of nats-server", address, 10)


def skip(text: str) -> None:
    """Reports a part that cannot be tried here."""
    print(f"skipped: {text}", file=sys.stderr, flush=True)

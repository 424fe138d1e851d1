"""Checks of what scripts/release makes: Debian package, Windows zip, older processors, and files of other versions."""
from __future__ import annotations

import argparse
import contextlib
import difflib
import hashlib
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Callable
from pathlib import Path

from tools.common import CRASHES, HOME, SHORT, UMBRAIL, Check, Done, Stop, argument, command, output, program, skip, temporary, until

UCI = "uci\nposition startpos moves e2e4\ngo depth 8\n"
XBOARD = "xboard\nprotover 2\nnew\nst 1\nusermove e2e4\n"
# What every package must do: arguments, and a pattern of a line of the output.
BASIC = {
    "version": ("version", "^umbrail [0-9]"),
    "a proof game": (" ".join(SHORT), "exactly one"),
    "a table is saved": ("egt save KQ.KR tables --metric dtm", "KQ.KR"),
    "the saved table is read": ("egt load KQ.KR tables --metric dtm", "KQ.KR"),
}
# Further checks of the Debian package, carried out by a shell.
INSTALLED = {
    "man umbrail": ("man -P cat umbrail", "umbrail - a chess engine"),
    "man of a verb": ("man -P cat umbrail-spg-solve", "^EXAMPLE"),
    "whatis finds it": ("mandb -q && whatis umbrail-egt-stats", "umbrail-egt-stats"),
    "completion of a verb": (r"""bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader umbrail
COMP_WORDS=(umbrail egt st) COMP_CWORD=2 COMP_LINE="umbrail egt st" COMP_POINT=14
$(complete -p umbrail | sed "s/.*-F \([^ ]*\).*/\1/") umbrail st egt; echo "${COMPREPLY[*]}"'""", "^stats$"),
    "a position in the table": ("umbrail egt probe --metric dtm --fen '8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1'", "mate|win"),
    "a steno": ("umbrail steno solve --vocabulary extended -- '36~#'", "f3|f6"),
    "XBoard's list": (r"command -v $(sed -n 2p /usr/share/games/plugins/xboard/umbrail.eng)", "/usr/bin/umbrail"),
    "the menu entry": (r"command -v $(sed -n 's/^Exec=//p' /usr/share/applications/umbrail.desktop)", "umbrail"),
    "the examples are solved": ("umbrail spg solve /usr/share/doc/umbrail/examples/problems.txt --output solved.txt", r"C\+"),
    "the unit of the page": (r"ls $(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' /usr/lib/systemd/user/umbrail-serve.service)", "/usr/bin/umbrail"),
    "the unit of workers": (r"ls $(sed -n 's/^ExecStart=\([^ ]*\).*/\1/p' /usr/lib/systemd/system/umbrail-worker.service)",
                            "/usr/bin/umbrail"),
    "the local page": (r"""bash -c 'umbrail serve --port 8646 --no-open --dir page >/dev/null & page=$!
for second in 1 2 3 4 5 6 7 8 9; do sleep 1; (exec 3<>/dev/tcp/127.0.0.1/8646) 2>/dev/null && break; done
exec 3<>/dev/tcp/127.0.0.1/8646; printf "GET / HTTP/1.1\r\nHost: 127.0.0.1:8646\r\nConnection: close\r\n\r\n" >&3
head -n 1 <&3; kill $page; wait $page'""", "^HTTP/1.1 200"),
}
WORKER = """nats-server -a 127.0.0.1 -p 4642 -js -sd queue >/dev/null 2>&1 & queue=$!
umbrail worker --cluster nats://127.0.0.1:4642 >/dev/null & worker=$!
umbrail {} --cluster nats://127.0.0.1:4642 --no-work; kill $worker; wait $worker; kill $queue"""


@command("deb-check", argument("package", type=Path), argument("archive", type=Path))
def deb_check(ask: argparse.Namespace) -> int:
    """Installs, uses and removes the Debian package in a bare Debian, and runs the static program in an empty root.

    Requires root, debootstrap and Debian's packages; for a proof game by a worker also nats-server. BARE_ROOT names a
    folder that keeps the bare system, which saves a minute the next time.
    """
    check = Check()
    with temporary() as work:
        root = Path(os.environ.get("BARE_ROOT", work / "bare"))
        if not (root / "bin/sh").exists():
            name = output(["sh", "-c", ". /etc/os-release && echo $VERSION_CODENAME"]).out.strip()
            mirror = output(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", f"Codename: {name}"]).out.split()[0]
            done = output(["debootstrap", "--variant=minbase", "--include=man-db,bash-completion", name, root, mirror])
            if done.status:
                raise Stop(f"debootstrap: {done.text[-600:]}")

        def bare(*words: str, feed: str = "") -> Done:
            return output(["chroot", root, "/usr/bin/env", "-i", "HOME=/root", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", *words], feed)

        def shell(text: str, feed: str = "") -> Done:
            return bare("sh", "-c", f"mkdir -p /srv/work; cd /srv/work; {text}", feed=feed)

        def files() -> list[str]:
            """All files, without what the system writes about any package."""
            return bare("find", "/", "-xdev", "-path", "/proc", "-prune", "-o", "-path", "/var/log", "-prune", "-o", "-path", "/var/cache",
                        "-prune", "-o", "-path", "/var/lib/dpkg/*-old", "-o", "-print").out.splitlines()

        queue = shutil.which("nats-server")
        if queue:
            shutil.copy(queue, root / "usr/bin/nats-server")
        bare("dpkg", "--purge", "umbrail")
        before = sorted(files())
        shutil.copy(ask.package, root / "umbrail.deb")
        check.has("the package installs", "Setting up umbrail", bare("dpkg", "-i", "/umbrail.deb"))
        (root / "umbrail.deb").unlink()
        for what, (words, pattern) in {**{what: (f"umbrail {one[0]}", one[1]) for what, one in BASIC.items()}, **INSTALLED}.items():
            check.has(what, pattern, shell(words))
        check.has("a UCI session", "^bestmove [a-h]", shell("umbrail uci", UCI))
        check.has("a move under XBoard", "^move ", shell("$(sed -n 2p /usr/share/games/plugins/xboard/umbrail.eng)", XBOARD))
        if queue:
            check.has("a proof game by a worker", "exactly one", shell(WORKER.format(" ".join(SHORT))))
        else:
            skip("a proof game by a worker: nats-server is not installed")
        signature = shell("umbrail bench --depth 8").out.split("\n")[-2].split()[0]
        shutil.rmtree(root / "root/work")
        check.has("the package is removed", "Removing umbrail", bare("dpkg", "--purge", "umbrail"))
        check(files() and sorted(files()) == before, "nothing is left", "\n".join(difflib.ndiff(before, sorted(files())))[-600:])

        empty = work / "empty"
        empty.mkdir()
        subprocess.run(["tar", "-xzf", ask.archive, "-C", work], check=True)
        shutil.copy(next(work.glob("umbrail-*/umbrail")), empty)
        for what, (words, pattern) in {**BASIC, "bench as in the package": ("bench --depth 8", f"^{signature} nodes")}.items():
            check.has(f"in an empty root: {what}", pattern, output(["chroot", empty, "/umbrail", *words.split()]))
    return check.status


# Commands, and the lines of their outputs that hold counts.
FIGURES = [(["bench", "--depth", "5"], r"^\d+ nodes"), (["perft", "3"], "^Nodes searched.*"), (SHORT, r".*C\+.*"),
           (["egt", "stats", "KQ.KR", "--metric", "dtm", "--threads", "2"], "^(?!time).+")]


@command("processor-check", UMBRAIL, argument("processors", nargs="*", help="processors, as QEMU names them",
                                              default=["Nehalem", "IvyBridge", "Haswell", "Skylake-Client", "EPYC"]))
def processor_check(ask: argparse.Namespace) -> int:
    """Runs a program as on older processors, which QEMU imitates; counts must be equal on all of them.

    Requires qemu-x86_64 (Debian: qemu-user). QEMU has no AVX-512.
    """
    check = Check()

    def figures(*before: str) -> list[list[str]]:
        with temporary() as folder:
            return [re.findall(pattern, output([*before, ask.umbrail, *words], cwd=folder).out, re.MULTILINE) for words, pattern in FIGURES]

    here = figures()
    check(all(here), f"here: {here[0]}", str(here))
    for processor in ask.processors:
        there = figures("qemu-x86_64", "-cpu", processor)
        check(there == here, processor, f"{there}, not {here}")
    return check.status


def digest(path: Path) -> str:
    """Sums of all files at a path."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return " ".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file())


@command("upgrade-check", argument("old", type=program), argument("new", type=program), argument("--fastchess", type=program))
def upgrade_check(ask: argparse.Namespace) -> int:
    """Makes two versions of the program read each other's files.

    Tables, archives and strategies of proof games, checkpoints of stenos, experience, options, and with fastchess folders
    of the laboratory. A file must be read, or refused unchanged with a message that names it.
    """
    check = Check()
    # Arguments that write a kind of file, arguments that read it, and a pattern of a successful reading.
    kinds: dict[str, tuple[list[str], list[str], str]] = {
        "tables": (["egt", "save", "KR.K", "tables", "--metric", "dtm"], ["egt", "load", "KR.K", "tables", "--metric", "dtm"], "KR.K"),
        "game.spga": ([*SHORT, "--archive", "game.spga"], [*SHORT, "--archive", "game.spga", "--resume"], "exactly one"),
        "game.strategies": ([*SHORT, "--strategies-out", "game.strategies"], [*SHORT, "--strategies-in", "game.strategies"], "exactly one"),
        "steno.checkpoint": (["steno", "solve", "--checkpoint", "steno.checkpoint", "--", "~~~$~"],
                             ["steno", "solve", "--checkpoint", "steno.checkpoint", "--", "$~"], "game"),
        "experience": (["uci"], ["uci"], "bestmove"),
        "umbrail.ini": (["options", "--as-ini"], ["options"], "^Hash"),
    }
    if ask.fastchess:
        match = ["lab", "sprt", "--xp", "3", "--control", "nodes=300", "--games", "4", "--fastchess", ask.fastchess, "--out", "lab"]
        kinds["lab"] = (match, match, "XP3")

    def run(umbrail: str, words: list[str], folder: Path, depth: int) -> Done:
        if words != ["uci"]:
            return output([umbrail, *words], cwd=folder)
        # The end of input ended a search of 0.1.0, so it comes late.
        search = f"uci\\nsetoption name Experience File value experience\\nposition startpos\\ngo depth {depth}\\n"
        return output(["sh", "-c", f'{{ printf "{search}"; sleep 5; }} | "$0" uci', umbrail], cwd=folder)

    with temporary() as work:
        for umbrail, folder in (ask.old, work / "old"), (ask.new, work / "new"):
            folder.mkdir()
            for kind, (write, _, _) in kinds.items():
                done = run(umbrail, write, folder, 8)
                if kind == "umbrail.ini":
                    (folder / kind).write_text(done.out)
        for umbrail, other, word in (ask.new, "old", "upgrade"), (ask.old, "new", "downgrade"):
            folder = work / word
            shutil.copytree(work / other, folder)
            for kind, (_, words, pattern) in {**kinds, "game.spga ": ([], ["spg", "verify", "game.spga"], "game|good|ok")}.items():
                file = folder / kind.strip()
                if not file.exists():
                    print(f"absent: {kind} (the {other} version writes none)")
                    continue
                before = digest(file)
                done = run(umbrail, words, folder, 3)
                read = done.status == 0 and re.search(pattern, done.text, re.MULTILINE)
                refused = kind.strip() in done.text and digest(file) == before
                good = done.status not in CRASHES and "panicked" not in done.text and (read or refused)
                check(good, f"{word}: {' '.join(words[:2])}, {kind}: {'read' if read else 'refused'}", done.text)
    return check.status


# Wine before version 9 lacks this library of Windows, which Rust asks for random numbers.
RANDOM = """#include <windows.h>
#include <ntsecapi.h>
BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) { return RtlGenRandom(bytes, (ULONG)count); }
"""
# Starts a program in its own console, sends Ctrl-C after some seconds, and gives the program's status.
CTRL_C = """#include <stdlib.h>
#include <windows.h>
int main(int argc, char **argv) {
    STARTUPINFOA start = {sizeof start};
    PROCESS_INFORMATION made;
    DWORD status = 0;
    if (argc != 3 || !CreateProcessA(NULL, argv[2], NULL, NULL, TRUE, 0, NULL, NULL, &start, &made)) return 101;
    Sleep(1000 * atoi(argv[1]));
    SetConsoleCtrlHandler(NULL, TRUE);
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) return 102;
    if (WaitForSingleObject(made.hProcess, 30000) != WAIT_OBJECT_0) return 103;
    GetExitCodeProcess(made.hProcess, &status);
    return (int)status;
}
"""


@command("wine-check", argument("zip", type=Path), argument("--pause", type=int, default=8, help="seconds before Ctrl-C"))
def wine_check(ask: argparse.Namespace) -> int:
    """Tries the Windows zip under Wine.

    Conversations of protocol-tests, proof games, tables, line ends, letters beyond ASCII in paths, Ctrl-C, the local page.
    Requires wine64, x86_64-w64-mingw32-gcc, script (Debian: bsdutils) and cargo. docs/install.md lists what Wine cannot
    show. WINE_ROOT names a folder that keeps Wine's files, which saves a minute the next time.
    """
    check, wine = Check(), shutil.which("wine64") or "/usr/lib/wine/wine64"
    with temporary() as work, contextlib.ExitStack() as final:
        environment = {**os.environ, "WINEPREFIX": os.environ.get("WINE_ROOT", str(work / "wine")), "WINEDEBUG": "-all"}
        final.callback(output, [wine, "wineboot", "-k"], env=environment)
        shutil.unpack_archive(ask.zip, work)
        box, here = next(work.glob("umbrail-*-windows-x86_64")), work / "here"
        here.mkdir()
        for source, made, more in (RANDOM, "bcryptprimitives.dll", ["-shared"]), (CTRL_C, "ctrlc.exe", []):
            (work / "source.c").write_text(source)
            subprocess.run(["x86_64-w64-mingw32-gcc", *more, "-o", box / made, "source.c", "-ladvapi32"], cwd=work, check=True)
        output([wine, "wineboot", "-i"], env=environment)

        def run(*words: str, feed: str = "") -> Done:
            return output([wine, box / "umbrail.exe", *words], feed.replace("\n", "\r\n"), cwd=here, env=environment)

        for what, (words, pattern) in {**BASIC, "bench": ("bench --depth 6", "^[0-9]+ nodes [0-9]+ nps")}.items():
            check.has(what, pattern, run(*words.split()))
        problems = run("spg", "solve", f"{box}/problems.txt", "--output", "solved.txt")
        solved = re.findall(r"^C\+", (here / "solved.txt").read_text(), re.MULTILINE)
        check(len(solved) == 2, "the problems of the zip, with the line ends of Windows", problems.text)
        check.has("an archive of a proof game", "exactly one", run(*SHORT, "--archive", "one.spga"))
        check.has("the archive is verified", "one.spga|good|ok|game", run("spg", "verify", "one.spga"))
        run("egt", "save", "KR.K", "täbles Ж", "--metric", "dtm")
        check((here / "täbles Ж/KR.K.dtm.egt").exists(), "a folder with letters beyond ASCII", str(os.listdir(here)))
        # A table is loaded, which maps its file, and saved again to the same file by the same process.
        again = run(feed="egt load KQ.KR tables metric dtm\negt save KQ.KR tables metric dtm\negt list tables\n")
        check("error" not in again.text.lower(), "a mapped table is saved again", again.text)
        check.has("a UCI session with the line ends of Windows", "^bestmove", run("uci", feed=UCI))
        check.has("an XBoard session", "^move ", run("xboard", feed=XBOARD))
        check.has("the start script", r"C\+", output([wine, "cmd", "/c", "spg.bat"], cwd=box, env=environment))

        def interrupted(what: str, expected: int, words: str, meanwhile: Callable[[], object] = lambda: None) -> str:
            """Wine makes a console only where there is a terminal, which script provides."""
            log = work / "interrupted"
            line = f"'{wine}' ctrlc.exe {ask.pause} 'umbrail.exe {words}'"
            child = subprocess.Popen(["script", "-qec", line, log], cwd=box, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            meanwhile()
            check(child.wait() == expected, f"Ctrl-C ends {what} with status {expected}", f"status {child.returncode}: {log.read_text()}")
            return log.read_text()

        def fetched() -> bytes:
            with contextlib.suppress(OSError), urllib.request.urlopen("http://127.0.0.1:8645/", timeout=5) as page:
                return bytes(page.read())
            return b""

        interrupted("a proof game", 3, "spg solve --moves 25.5 --fen k5n1/3ppp1p/B1p2p2/pP3P1b/4P1nP/8/1PP1PPrb/RNB1K1NR --pages off")
        interrupted("a steno", 3, "steno solve -- ~~~~~~~~~~~~")
        text = interrupted("the local page", 0, "serve --port 8645 --no-open --dir page",
                           lambda: check(b"Umbrail" in until("page", fetched, ask.pause), "the local page answers"))
        check("http://127.0.0.1:8645" in text, "the local page prints its address", text)
        tests = output(["cargo", "test", "--locked", "--test", "transcripts", "--no-fail-fast", "--", "--test-threads", "2"], cwd=HOME,
                       env={**environment, "UMBRAIL_UNDER_TEST": f"{wine} {box}/umbrail.exe"})
        check(tests.status == 0, "the conversations of protocol-tests", tests.text)
    return check.status

"""Runs on several machines: differences from one process, losses when parts die, and cost.

All commands start a nats-server of their own on the loopback interface. A file of problems holds on each line half-moves,
a blank, the diagram, and perhaps conditions.
"""
from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import statistics
import time
from pathlib import Path

from tools.common import (ANDERNACH, MESSIGNY, P1013138, UMBRAIL, Check, Process, Record, Stop, answer, argument, command, end, kill,
                          last, nats_server, output, problems, records, start, temporary)

HARD = "41 Q1Bk4/ppp2ppp/1nq3bn/2rpp1r1/4P3/2b5/PPPP1PPP/RNB1K1NR"
# The easy problem stands between the hard ones, so that kills hit the beginning and the end of a run, too.
CHAOS = [MESSIGNY, P1013138, HARD, MESSIGNY, "41 r2q1bn1/p1ppp1pQ/2n4r/1p1N1p1p/P7/NbP4P/1PkPPPP1/R1B1K2R", MESSIGNY, ANDERNACH,
         HARD, "46 r4B1r/qbpRpp1k/Bpnp3p/5npP/3P4/pN3PP1/PPPNP2b/2K1Q2R", MESSIGNY]
FILE = argument("--problems", metavar="FILE")


def solving(ask: argparse.Namespace, memory: str, threads: int = 1) -> list[str]:
    """The command that solves a problem, without the problem."""
    return [ask.umbrail, "--json", "--threads", str(threads), "spg", "solve", "--memory", memory]


def worker(ask: argparse.Namespace, url: str, memory: str, threads: int = 1, panics: bool = False) -> Process:
    """Starts a worker. With debug assertions it panics on demand, at its first unit."""
    return start([ask.umbrail, "--threads", threads, "worker", "--cluster", url, "--memory", memory],
                 env={**os.environ, **({"UMBRAIL_CLUSTER_PANIC": "0"} if panics else {})})


@command("cluster-suite", UMBRAIL, argument("problems"), argument("--count", type=int, default=200),
         argument("--plies-max", type=int, default=16), argument("--every", type=int, default=1, help="take each K-th problem only"))
def suite(ask: argparse.Namespace) -> int:
    """Solves the same problems in four ways; verdict, games and number of strategies must be equal.

    One process; two shards that are merged; a collector that works and a worker; a collector that only collects, with
    two workers and every refuted unit audited. Lines of the file may be JSON with "plies" and "fen", too.
    """
    chosen = [one for one in problems(ask.problems, []) if int(one[1][1]) <= ask.plies_max][:: ask.every][: ask.count]
    if not chosen:
        raise Stop(f"no problem in {ask.problems} has at most {ask.plies_max} half-moves")
    check = Check()
    with temporary() as folder, contextlib.ExitStack() as running:
        server, url = nats_server(folder)
        running.callback(end, server, *(worker(ask, url, "16m") for _ in range(2)))
        for title, problem in chosen:
            words = [*solving(ask, "16m"), *problem]
            expected = answer(records(output(words).out))
            shards = [folder / f"{shard}.spga" for shard in range(2)]
            for shard, archive in enumerate(shards):
                output([*words, "--shard", f"{shard}/2", "--archive", archive])
            collected = folder / "collected.spga"
            ways = {
                "shards": [ask.umbrail, "--json", "spg", "merge", *shards],
                "cluster": [*words, "--cluster", url],
                "collector": [*words, "--cluster", url, "--no-work", "--audit", "100%", "--archive", collected],
                "its archive": [ask.umbrail, "--json", "spg", "verify", collected],
            }
            faults = []
            for way, one in ways.items():
                found = answer(records(output(one).out))
                keys = ["verdict"] if not expected["complete"] else ["verdict", "games", "strategies"]
                if way in ("shards", "its archive"):
                    # These report the games of the archive and a verdict; each archive has its own count of strategies.
                    keys = [key for key in keys if key != "strategies" and found[key] is not None]
                if not expected["verdict"] or any(found[key] != expected[key] for key in keys):
                    faults.append(f"{way}: expected {expected}, got {found}")
            check(not faults, f"{title}: {expected['verdict']}", "; ".join(faults))
            for archive in [*shards, collected]:
                archive.unlink(missing_ok=True)
    return check.status


class Chaos:
    """One run under kills, pauses and restarts."""

    def __init__(self, ask: argparse.Namespace, dice: random.Random, folder: Path, problem: list[str], panics: bool) -> None:
        self.ask, self.dice, self.folder = ask, dice, folder
        self.server, self.url = nats_server(folder)
        self.workers = [worker(ask, self.url, ask.memory, panics=panics and at == 0) for at in range(ask.workers)]
        self.archive = folder / "run.spga"
        self.words = [*solving(ask, ask.memory), *problem, "--cluster", self.url, "--no-work", "--lease", str(ask.lease),
                      "--archive", str(self.archive), "--resume", "--audit", "5%"]
        self.paused: list[tuple[Process, float]] = []
        self.acts = dict.fromkeys(["workers killed", "workers paused", "servers killed", "collectors killed"], 0)
        self.collector = self.collect()

    def collect(self) -> Process:
        """Starts a collector, with an empty output file."""
        (self.folder / "out").unlink(missing_ok=True)
        return start(self.words, self.folder / "out")

    def act(self) -> None:
        """Does one harmful thing, or none."""
        chance = self.dice.random()
        if chance < 0.3:
            at = self.dice.randrange(len(self.workers))
            kill(self.workers[at])
            self.workers[at] = worker(self.ask, self.url, self.ask.memory)
            self.acts["workers killed"] += 1
        elif chance < 0.5:
            one = self.dice.choice(self.workers)
            if all(one is not other for other, _ in self.paused):
                one.send_signal(signal.SIGSTOP)
                self.paused.append((one, time.monotonic() + 1.5 * self.ask.lease))
                self.acts["workers paused"] += 1
        elif chance < 0.75 and self.acts["servers killed"] < 2:
            kill(self.server)
            time.sleep(self.dice.uniform(0.2, 2))
            self.server, _ = nats_server(self.folder, self.url.rsplit(":", 1)[1])
            self.acts["servers killed"] += 1
        elif chance < 0.9 and self.acts["collectors killed"] < 1:
            kill(self.collector)
            self.collector = self.collect()
            self.acts["collectors killed"] += 1

    def result(self) -> str:
        """Acts every few seconds until the collector ends. Returns its output."""
        while self.collector.poll() is None:
            time.sleep(self.dice.uniform(0.5, 2.5))
            for one, until in list(self.paused):
                if time.monotonic() > until or one.poll() is not None:
                    self.paused.remove((one, until))
                    if one.poll() is None:
                        one.send_signal(signal.SIGCONT)
            if self.collector.poll() is None:
                self.act()
        return (self.folder / "out").read_text()

    def close(self) -> None:
        """Kills all processes."""
        for process in [*self.workers, self.collector, self.server]:
            kill(process)


@command("cluster-chaos", UMBRAIL, FILE, argument("--runs", type=int, default=20), argument("--seed", type=int, default=1),
         argument("--lease", type=int, default=3, help="seconds after which a silent worker loses its units"),
         argument("--workers", type=int, default=4), argument("--memory", default="32m"))
def chaos(ask: argparse.Namespace) -> int:
    """Kills, pauses and restarts the parts of runs on several machines; nothing may be lost or counted twice.

    Each run solves one problem with workers and a collector that does no work. Every few seconds a worker is killed and
    replaced, or paused beyond its lease; the server is killed twice and the collector once. Units of a paused worker are
    done twice. In every other run one worker panics at its first unit, if the program has debug assertions. Verdict,
    games and number of strategies must be those of one process, and `spg verify` must find the archive whole.
    """
    check, dice, known = Check(), random.Random(ask.seed), {}
    chosen = problems(ask.problems, CHAOS)
    for number in range(ask.runs):
        title, problem = chosen[number % len(chosen)]
        if title not in known:
            known[title] = answer(records(output([*solving(ask, ask.memory), *problem]).out))
        with temporary() as folder, contextlib.closing(Chaos(ask, dice, folder, problem, number % 2 == 1)) as run:
            text = run.result()
            found = answer(records(text))
            acts = ", ".join(f"{what} {count}" for what, count in run.acts.items())
            check(found == known[title] and found["verdict"], f"run {number + 1}: {title}: {found['verdict']}; {acts}",
                  f"expected {known[title]}, got {found}: {text}")
            verify = output([ask.umbrail, "--json", "spg", "verify", run.archive])
            check(verify.status == 0, f"run {number + 1}: the archive is whole", verify.text)
    return check.status


def processor() -> float:
    """Processor seconds of all processes that were started and have ended."""
    import resource  # absent on Windows, where other commands run

    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cost(ask: argparse.Namespace, problem: list[str], together: bool) -> tuple[list[float], list[Record]]:
    """Solves a problem by one process, or by workers. Returns seconds (processor, elapsed, server), and records."""
    threads = ask.workers * ask.threads
    with temporary() as folder:
        before, began = processor(), time.monotonic()
        if not together:
            found = records(output([*solving(ask, f"{128 * threads}m", threads), *problem]).out)
            return [processor() - before, time.monotonic() - began, 0], found
        server, url = nats_server(folder)
        workers = [worker(ask, url, f"{128 * ask.threads}m", ask.threads) for _ in range(ask.workers)]
        found = records(output([*solving(ask, "16m"), "--cluster", url, "--no-work", *problem]).out)
        elapsed = time.monotonic() - began
        end(*workers)
        spent = processor() - before
        end(server)
        return [spent, elapsed, processor() - before - spent], found


@command("cluster-figures", UMBRAIL, FILE, argument("--rounds", type=int, default=3), argument("--workers", type=int, default=2),
         argument("--threads", type=int, default=1, help="threads of each worker"))
def figures(ask: argparse.Namespace) -> None:
    """Measures the cost of a message queue: processor time of a collector and its workers over that of one process.

    The process has as many threads as all workers. Prints the medians of alternating rounds; verdicts must be equal.
    """
    for title, problem in problems(ask.problems, [P1013138, ANDERNACH]):
        pairs = [(cost(ask, problem, False), cost(ask, problem, True)) for _ in range(ask.rounds)]
        verdicts = {last(run[1], "end").get("verdict") for pair in pairs for run in pair}
        if len(verdicts) != 1:
            raise Stop(f"{title}: verdicts differ: {verdicts}")
        one, several = ([statistics.median(pair[side][0][at] for pair in pairs) for at in range(3)] for side in (0, 1))
        units = last(pairs[-1][1][1], "units")
        print(f"{title}: {one[0]:.1f} s of processors in one process, {several[0]:.1f} s in {ask.workers} workers, "
              f"ratio {several[0] / one[0]:.2f}; {one[1]:.1f} and {several[1]:.1f} s elapsed; server {several[2]:.1f} s; "
              f"{units['units']} units, median {units['median_ms']} ms, longest {units['max_ms']} ms", flush=True)

"""The local page in a browser: a check by axe-core, which the developer supplies, and times of the live analysis."""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import socket
import statistics
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.common import DIAGRAM, UMBRAIL, Check, Page, Stop, argument, command, end, start, temporary, until
from tools.page import PAGES

# Pages with content, beyond those that open empty.
MORE = ["/proof/proof-1", f"/proof?fen={DIAGRAM}&moves=2.5", "/steno?text=36~%23&vocabulary=extended", "/play?moves=e2e4,e7e5",
        "/tables/KR.K/board?metric=dtm&fen=8/8/8/8/8/2k5/1R6/K7%20w", "/tables/KR.K/setup?metric=dtm", "/tables/KR.K/positions?metric=dtm", "/survey", "/sheet/sheet-1", "/steno/steno-1",
        f"/proof?fen={DIAGRAM}&moves=2.5&rules=Circe&pieces=G%3Dgrasshopper", "/help", "/help/page"]
RUN = """const done = arguments[arguments.length - 1];
axe.run().then(found => done(found.violations.map(one => `${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 200)}`)));"""


class Driver:
    """A session of chromedriver."""

    def __init__(self, port: int, folder: Path) -> None:
        self.address = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser"]
        wish = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}}}
        self.session = f"/session/{self.post('/session', wish)['sessionId']}"

    def post(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        self.post(f"{self.session}/url", {"url": url})

    def run(self, script: str, kind: str = "sync") -> Any:
        return self.post(f"{self.session}/execute/{kind}", {"script": script, "args": []})

    def close(self) -> None:
        urllib.request.urlopen(urllib.request.Request(self.address + self.session, method="DELETE"), timeout=60).close()


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Driver]:
    """A browser without a window."""
    if not shutil.which("chromedriver"):
        raise Stop("chromedriver is not installed (Debian: chromium chromium-driver)")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = start(["chromedriver", f"--port={port}"])

    def listens() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        return False

    try:
        until("chromedriver", listens, 30)
        driver = Driver(port, folder)
        try:
            yield driver
        finally:
            driver.close()
    finally:
        end(process)


@command("axe", UMBRAIL, argument("axe", type=Path, help="axe.min.js of the npm package axe-core"))
def axe(ask: argparse.Namespace) -> int:
    """Checks each page of the local page with axe-core, in both themes. Requires chromium, chromedriver and axe.min.js."""
    script = ask.axe.read_text(encoding="utf-8")
    check = Check()
    with temporary() as folder, Page(ask.umbrail, folder) as page, browser(folder) as driver:
        page.request("POST", "/proof", {"fen": DIAGRAM, "moves": "2.5"})
        page.request("POST", "/proof/sheet", {"text": f"{DIAGRAM} 2.5"})
        page.request("POST", "/steno", {"text": "36~#"})
        until("solutions", lambda: page.request("GET", "/api/runs")[1].count(b'"state":"done"') == 3, 60)
        for path in [*PAGES, *MORE]:
            driver.open(page.url + path)
            driver.run(script)
            for theme in "light", "dark":
                driver.run(f"document.documentElement.dataset.theme = '{theme}'; for (const box of document.querySelectorAll('details')) box.open = true")
                found = driver.run(RUN, "async")
                check(not found, f"{path} {theme}: {'; '.join(found) or 'no violation'}")
    return check.status


# Time in ms from an action to the first score, as the page shows it.
FIRST = """const done = arguments[arguments.length - 1], score = document.querySelector('#score'), since = performance.now();
const seen = new MutationObserver(() => {
  if (!/^[≥≤ ]*([+−]?[0-9]|#)/.test(score.textContent)) return;
  seen.disconnect();
  done(performance.now() - since);
});
seen.observe(score, { childList: true, characterData: true, subtree: true });
ACTION;"""
# Number of updates in the first seconds of a search.
UPDATES = """const done = arguments[arguments.length - 1], source = new EventSource('/api/analysis?moves=e2e4,e7e5');
let count = 0;
source.addEventListener('lines', () => { count++; });
setTimeout(() => { source.close(); done(count); }, 5000);"""
WEIGHT = """return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .reduce((sum, one) => sum + one.transferSize, 0);"""


def processor_seconds(pid: int) -> float:
    """Processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@command("analysis-figures", UMBRAIL, argument("--times", type=int, default=10))
def analysis_figures(ask: argparse.Namespace) -> None:
    """Measures the live analysis: first line, updates, restart after a move, idle time, and the weight of its page."""
    with temporary() as folder, Page(ask.umbrail, folder) as page, browser(folder) as driver:
        firsts, restarts = [], []
        ready = "return document.querySelector('#board')?.dataset.ready === ''"
        for count in range(ask.times):
            driver.open(page.url + "/play?moves=d2d4,d7d5,c2c4,e7e6")
            until("board", lambda: driver.run(ready), 30)
            if count == 0:
                print(f"weight of the page: {driver.run(WEIGHT)} bytes")
            firsts.append(driver.run(FIRST.replace("ACTION", "document.querySelector('#toggle').click()"), "async"))
            time.sleep(0.5)
            restarts.append(driver.run(FIRST.replace("ACTION", "document.querySelector('[data-do=back]').click()"), "async"))
            driver.run("document.querySelector('#toggle').click()")
        for name, times in ("first line after the click", firsts), ("first line after a move", restarts):
            print(f"{name}: least {min(times):.0f} ms, median {statistics.median(times):.0f} ms, largest {max(times):.0f} ms")
        print(f"updates: {driver.run(UPDATES, 'async') / 5:.1f} a second")
        time.sleep(1)
        before = processor_seconds(page.process.pid)
        time.sleep(3)
        print(f"processor time in 3 s after Stop: {processor_seconds(page.process.pid) - before:.2f} s")
        driver.run("document.querySelector('#toggle').click()")
        time.sleep(1)
        driver.open("about:blank")
        time.sleep(1)
        before = processor_seconds(page.process.pid)
        time.sleep(3)
        print(f"processor time in 3 s after leaving the page: {processor_seconds(page.process.pid) - before:.2f} s")

"""A check of the local page by axe-core, which the developer supplies: it is neither committed nor fetched."""
from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.common import DIAGRAM, UMBRAIL, Check, Page, Stop, argument, command, end, start, temporary, until
from tools.page import PAGES

# Pages with content, beyond those that open empty.
MORE = ["/proof/proof-1", f"/proof?fen={DIAGRAM}&moves=2.5", "/steno?text=36~%23&vocabulary=extended", "/play?moves=e2e4,e7e5",
        "/tables/KR.K/board?metric=dtm&fen=8/8/8/8/8/2k5/1R6/K7%20w", "/tables/KR.K/setup?metric=dtm", "/help", "/help/page"]
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
        until("solution", lambda: b'"state":"done"' in page.request("GET", "/api/runs")[1], 60)
        for path in [*PAGES, *MORE]:
            driver.open(page.url + path)
            driver.run(script)
            for theme in "light", "dark":
                driver.run(f"document.documentElement.dataset.theme = '{theme}'")
                found = driver.run(RUN, "async")
                check(not found, f"{path} {theme}: {'; '.join(found) or 'no violation'}")
    return check.status

"""Measurements and pictures of the local page, and the picture of the README."""
from __future__ import annotations

import argparse
import html
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from tools.common import (DIAGRAM, HOME, SHORT, UMBRAIL, Check, Page, Stop, argument, command, output, temporary, timed, until)

PAGES = ["/", "/proof", "/proof/sheet", "/tables", "/tables/KR.K?metric=dtm", "/pieces", "/steno", "/steno/bench", "/play", "/lab"]

def resident(pid: int) -> int:
    """Resident memory of a process, in KiB."""
    found = re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) if found else 0


@command("serve-figures", UMBRAIL, argument("--times", type=int, default=20))
def figures(ask: argparse.Namespace) -> None:
    """Measures the local page: memory at rest beside that of a waiting engine, and the time of an answer from each page."""
    with temporary() as folder, Page(ask.umbrail, folder) as page:
        engine = subprocess.Popen([ask.umbrail, "uci"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        time.sleep(1)
        at_rest, alone = resident(page.process.pid), resident(engine.pid)
        engine.communicate()
        print(f"memory at rest: {at_rest} KiB, {at_rest - alone} KiB above the engine alone")
        for path in PAGES:
            size = len(page.request("GET", path)[1])
            times = sorted(1000 * timed(lambda: page.request("GET", path))[1] for _ in range(ask.times))
            print(f"{path:28} least {times[0]:.1f} ms, median {statistics.median(times):.1f} ms, "
                  f"95 % {times[int(len(times) * 0.95)]:.1f} ms, {size} bytes")


@command("page-picture", UMBRAIL)
def page_picture(ask: argparse.Namespace) -> int:
    """Makes docs/page.png: the local page with a solved proof game. Requires chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        raise Stop("chromium is not installed")
    picture = HOME / "docs/page.png"
    with temporary() as folder, Page(ask.umbrail, folder) as page:
        page.request("POST", "/proof", {"fen": DIAGRAM, "moves": "2.5"})
        until("solution", lambda: b'"state":"done"' in page.request("GET", "/api/runs")[1], 60)
        done = output([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb",
                       f"--user-data-dir={folder}/browser", "--window-size=1180,760", f"--screenshot={folder}/page.png",
                       page.url + "/proof/proof-1"])
        if not (folder / "page.png").exists():
            raise Stop(f"chromium made no picture: {done.text[-300:]}")
        shutil.copy(folder / "page.png", picture)
    size = picture.stat().st_size
    check = Check()
    check(size < 150_000, f"docs/page.png has {size} bytes, at most 150,000")
    return check.status


@command("picture", UMBRAIL)
def picture(ask: argparse.Namespace) -> None:
    """Draws docs/umbrail.svg: the diagram of a proof game beside the output that solves it."""
    text = [line for line in output([ask.umbrail, *SHORT, "--pages", "off"]).out.splitlines()
            if not line.startswith(("start id", "done id"))]
    size, left, top, mono = 42, 24, 42, "DejaVu Sans Mono, Menlo, Consolas, monospace"
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 420" font-family="{mono}">',
           '<rect width="920" height="420" rx="8" fill="#1d2127"/>']
    for rank in range(8):
        for file in range(8):
            color = "#b58863" if (rank + file) % 2 else "#f0d9b5"
            svg.append(f'<rect x="{left + file * size}" y="{top + rank * size}" width="{size}" height="{size}" fill="{color}"/>')
    for rank, row in enumerate(DIAGRAM.split("/")):
        for file, piece in enumerate(re.sub(r"\d", lambda empty: " " * int(empty[0]), row)):
            if piece != " ":
                glyph = "♔♕♖♗♘♙♚♛♜♝♞♟"["KQRBNPkqrbnp".index(piece)]
                svg.append(f'<text x="{left + file * size + size // 2}" y="{top + rank * size + 33}" font-size="34" text-anchor="middle" '
                           f'font-family="DejaVu Sans, Segoe UI Symbol, sans-serif" fill="#000">{glyph}</text>')
    shown = [("9.6", "#9ecbff", f"$ umbrail {' '.join(SHORT)}")]
    shown += [("11.5", "#8fd694" if line.startswith("C+") else "#d7dae0", line) for line in text]
    for number, (height, color, line) in enumerate(shown):
        svg.append(f'<text x="384" y="{40 + 14 * number}" font-size="{height}" fill="{color}" xml:space="preserve">'
                   f"{html.escape(line, quote=False)}</text>")
    (HOME / "docs/umbrail.svg").write_text("\n".join([*svg, "</svg>", ""]), "utf-8")

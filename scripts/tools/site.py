"""The documentation as a site, and the links of HTML pages."""
from __future__ import annotations

import argparse
import html.parser
import os
import re
import shutil
import subprocess
import urllib.parse
from pathlib import Path

from tools.common import HOME, Check, Stop, argument, built, command, output, program, target, temporary


class Links(html.parser.HTMLParser):
    """The links of a page, and the anchors that links may lead to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects links and anchors."""
        for name, value in attrs:
            if value is not None and (name == "id" or (tag == "a" and name == "name")):
                self.anchors.add(value)
            elif value is not None and (tag, name) in (("a", "href"), ("link", "href"), ("img", "src"), ("script", "src")):
                self.links.append(value)


def check_links(root: Path) -> int:
    """Checks all links inside a folder. Returns the exit status."""
    pages = {path: Links(path) for path in sorted(root.resolve().rglob("*.html"))}
    check, inside, outside = Check(), 0, 0
    for path, page in pages.items():
        # The page for missing addresses is shown at any address; the printed one repeats all others.
        for link in page.links if path.name not in ("404.html", "print.html") else []:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                outside += 1
                continue
            inside += 1
            to = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not to.exists() or (anchor and to in pages and anchor not in pages[to].anchors):
                check(False, f"{path.relative_to(root.resolve())}: {link} leads nowhere")
    check(pages, f"{inside} links of {len(pages)} pages; {outside} to other sites are not followed")
    return check.status


@command("links", argument("folder", type=Path))
def links(ask: argparse.Namespace) -> int:
    """Checks the links of HTML pages: every file and every anchor that a page of the folder names must exist."""
    return check_links(ask.folder)


def chapter(path: Path) -> str:
    """A document as a chapter; chapters lie side by side and have names in small letters."""
    text = re.sub(r"\]\((?:\.\./)*(?:docs/)?([A-Za-z-]+)\.md", lambda found: f"]({found[1].lower()}.md", path.read_text("utf-8"))
    text = text.replace("](readme.md", "](introduction.md").replace("](../ini/", "](ini/")
    return re.sub(r"\]\((?:\.\./)*docs/([a-z-]+\.(?:svg|png))", r"](\1", text)


@command("site", argument("folder", type=Path), argument("umbrail", nargs="?", type=program, help="the program; built if absent"))
def site(ask: argparse.Namespace) -> int:
    """Builds the documentation as a site, with the reference of all commands, and checks every link.

    Requires mdBook: MDBOOK names it, or it is in the PATH, or cargo installs it once beside its build folder.
    """
    tools = target() / "tools"
    mdbook = os.environ.get("MDBOOK") or shutil.which("mdbook") or str(tools / "bin/mdbook")
    if not Path(mdbook).exists():
        # Without the parts that watch files and serve pages.
        subprocess.run(["cargo", "install", "--locked", "--quiet", "--root", tools, "--no-default-features", "--features", "search",
                        "mdbook@0.5.4"], check=True)
    umbrail = ask.umbrail or built()
    with temporary() as work:
        source = work / "src"
        shutil.copytree(HOME / "docs", source, ignore=shutil.ignore_patterns("*.md"))
        shutil.copytree(HOME / "ini", source / "ini")
        shutil.copy(HOME / "site/book.toml", work)
        shutil.copy(HOME / "site/SUMMARY.md", source)
        chapters = {path.name: chapter(path) for path in (HOME / "docs").glob("*.md")}
        chapters["introduction.md"] = chapter(HOME / "README.md")
        for name in "ARCHITECTURE", "CONTRIBUTING", "GLOSSARY", "CHANGELOG":
            chapters[f"{name.lower()}.md"] = chapter(HOME / f"{name}.md")
        # mdBook colors Python, not its prompts. The empty line before the end of an example is for doctest.
        chapters["python.md"] = (
            chapter(HOME / "bindings/python/README.md").replace("```pycon", "```python").replace("\n\n```\n", "\n```\n")
        )
        chapters["commands.md"] = output([umbrail, "man", "--markdown"]).out
        for name, text in chapters.items():
            (source / name).write_text(text, "utf-8")
        # mdBook would make an empty page of a chapter that does not exist.
        listed = set(re.findall(r"\(([a-z-]*\.md)\)", (HOME / "site/SUMMARY.md").read_text()))
        if listed != set(chapters):
            raise Stop(f"site/SUMMARY.md and the documents differ in {sorted(listed ^ set(chapters))}")
        subprocess.run([mdbook, "build", "--dest-dir", ask.folder.resolve(), work], check=True)
    return check_links(ask.folder)

"""Version, public surface and packages of the crates, and the Python module."""
from __future__ import annotations

import argparse
import datetime
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.common import HOME, Check, Stop, argument, command, target, temporary

SURFACE_MAX = 500
PROGRAM = {"session", "tasks", "protocol", "server", "page", "lab", "tools"}
# Files that belong into a package of crates.io.
PACKED = re.compile(r"(src|tests|benches|examples|docs|ini|data|networks)/.*|[A-Z]+\.md|Cargo\.(toml|lock)|Cargo\.toml\.orig"
                    r"|LICENSE|engines\.json|build\.rs|\.cargo_vcs_info\.json")


def run(*words: object, cwd: Path = HOME) -> str:
    """Runs a command in the repository. Returns its output; errors are shown."""
    return subprocess.run([str(word) for word in words], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def value(path: str, key: str) -> str:
    """The first value of a key in a file of TOML."""
    found = re.search(rf'^{key} = "(.*)"$', (HOME / path).read_text(), re.MULTILINE)
    if not found:
        raise Stop(f"{path} has no {key}")
    return found[1]


@command("version", argument("new", nargs="?", help="such as 0.3.0"),
         argument("--release", action="store_true", help="give the section of this version today's date"))
def version(ask: argparse.Namespace) -> None:
    """Prints the version, or sets it everywhere and starts a section of CHANGELOG.md.

    With --release it dates the open section, for the commit that is tagged.
    """
    now, changes = value("Cargo.toml", "version"), HOME / "CHANGELOG.md"
    text, opened = changes.read_text(), "## {} (not yet tagged)\n"
    if ask.release:
        if opened.format(now) not in text:
            raise Stop(f"CHANGELOG.md has no open section of {now}")
        today = datetime.datetime.now(datetime.timezone.utc).date()
        changes.write_text(text.replace(opened.format(now), f"## {now} ({today})\n"))
    elif ask.new:
        if not re.fullmatch(r"\d+\.\d+\.\d+", ask.new) or ask.new == now:
            raise Stop(f"expected three numbers other than {now}, got {ask.new}")
        for folder in HOME, HOME / "bindings/python":
            manifest = folder / "Cargo.toml"
            lines = re.sub(r'^version = ".*"', f'version = "{ask.new}"', manifest.read_text(), count=1, flags=re.MULTILINE)
            manifest.write_text(re.sub(r'^(umbrail-\w+ = \{ version = )"[^"]*"', rf'\1"{ask.new}"', lines, flags=re.MULTILINE))
        changes.write_text(text.replace("## ", opened.format(ask.new) + "\n## ", 1))
        for folder in HOME, HOME / "bindings/python":
            run("cargo", "update", "--workspace", "--offline", "--quiet", cwd=folder)
    print(now, *(["->", ask.new] if ask.new else []))


@command("surface")
def surface(ask: argparse.Namespace) -> int:
    """Counts the public items of the crates, as their documentation lists them; the limit is 500 for facts and solvers.

    The crates of the program (session, tasks, protocol, server, page, lab, tools) are public for each other only.
    """
    run("cargo", "doc", "--quiet", "--workspace", "--no-deps")
    counts = {}
    for crate in sorted(path.name for path in (HOME / "crates").iterdir()):
        page = (target() / f"doc/umbrail_{crate}/all.html").read_text()
        # List entries before the heading belong to the menu of the page.
        counts[crate] = page.split("<h1>List of all items</h1>")[1].count("<li>")
        print(f"{crate:10} {counts[crate]:5}{'  program' if crate in PROGRAM else ''}")
    libraries = sum(count for crate, count in counts.items() if crate not in PROGRAM)
    print(f"libraries  {libraries:5}  ({SURFACE_MAX} at most)")
    return int(libraries > SURFACE_MAX)


@command("crates-check", argument("--build", action="store_true", help="also build each package from its archive"))
def crates_check(ask: argparse.Namespace) -> int:
    """Packs every crate as for publishing, and compares the versions in manifests and documents."""
    check, now, oldest = Check(), value("Cargo.toml", "version"), value("Cargo.toml", "rust-version")
    check((value("rust-toolchain.toml", "channel") + ".").startswith(oldest + "."), f"rust-toolchain.toml has {oldest}")
    check(f"\n## {now} " in (HOME / "CHANGELOG.md").read_text(), f"CHANGELOG.md has a section of {now}")
    others = re.findall(r'^umbrail-.* version = "([^"]*)"', (HOME / "Cargo.toml").read_text(), re.MULTILINE)
    check({*others, value("bindings/python/Cargo.toml", "version")} == {now}, f"libraries and Python module have {now}")
    for manifest in ["Cargo.toml", *(f"crates/{path.name}/Cargo.toml" for path in sorted((HOME / "crates").iterdir()))]:
        name = value(manifest, "name")
        missing = [key for key in ("description", "license", "rust-version", "categories", "keywords")
                   if not re.search(f"^{key}", (HOME / manifest).read_text(), re.MULTILINE)]
        listed = run("cargo", "package", "--locked", "--package", name, "--list", "--allow-dirty", "--quiet")
        files = set(listed.replace("\\", "/").split())
        missing += {"README.md", "LICENSE", "Cargo.toml"} - files
        unknown = [file for file in files if not PACKED.fullmatch(file)]
        check(not missing and not unknown, f"{name}: {len(files)} files", f"without {missing}, with {unknown}")
    if not check.faults:
        run("cargo", "publish", "--dry-run", "--locked", "--workspace", "--allow-dirty", "--quiet",
            *([] if ask.build else ["--no-verify"]))
    return check.status


@command("python-check", argument("wheel", nargs="?", type=Path, help="the wheel to test; built if absent"))
def python_check(ask: argparse.Namespace) -> None:
    """Installs the Python wheel into a virtual environment, runs its tests and notebook, and checks its types.

    Requires venv, pip and a package index for maturin, pytest, chess, mypy and nbclient, and cargo to build the wheel.
    The tests run with and without python-chess.
    """
    box = HOME / "bindings/python"

    def environment(folder: Path) -> Path:
        run(sys.executable, "-m", "venv", folder)
        return folder / ("Scripts" if os.name == "nt" else "bin")

    with temporary() as work:
        wheel = ask.wheel and ask.wheel.resolve()
        if not wheel:
            tools = environment(work / "tools")
            run(tools / "python", "-m", "pip", "install", "-q", "maturin>=1.9.4,<2")
            run(tools / "maturin", "build", "--release", "--locked", "--quiet", "--out", work / "wheel", cwd=box)
            wheel = next((work / "wheel").glob("*.whl"))
        print(f"wheel: {wheel.name}, {wheel.stat().st_size} bytes")
        # Not in the folder of the sources, so that the wheel is imported.
        elsewhere = work / "elsewhere"
        for name in "tests", "examples":
            shutil.copytree(box / name, elsewhere / name)
        for name in "README.md", "pyproject.toml":
            shutil.copy(box / name, elsewhere)
        fresh = environment(work / "fresh")

        def python(*words: object) -> None:
            print(run(fresh / "python", *words, cwd=elsewhere), end="", flush=True)

        python("-m", "pip", "install", "-q", wheel, "pytest")
        python("-m", "pytest", "-q", "-p", "no:cacheprovider")
        python("-m", "pip", "install", "-q", "chess", "mypy", "nbclient", "ipykernel")
        python("-m", "pytest", "-q", "-p", "no:cacheprovider")
        python("-m", "mypy", "--strict", "-p", "umbrail")
        run(fresh / "jupyter-execute", "examples/umbrail.ipynb", "--output=done", cwd=elsewhere)

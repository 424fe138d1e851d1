"""Packages that are linked into the program: their licence texts, and a bill of materials."""
from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
from pathlib import Path

from tools.common import HOME, Record, argument, command

# Files that carry a licence, in a package's folder or one folder below it (bundled C code).
NAMES = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)([-._].*)?", re.IGNORECASE)


def key(package: Record) -> str:
    """Name of a package in both lists."""
    return f"{package['name']} {package['version']}"


def linked(workspace: Path, targets: list[str]) -> tuple[dict[str, Record], dict[str, set[str]], str]:
    """The packages that are linked in, the keys of those that each needs, and the key of the root package."""
    packages: dict[str, Record] = {}
    needs: dict[str, set[str]] = {}
    root = ""
    for target in targets:
        words = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
        known = json.loads(subprocess.run(words, cwd=workspace, check=True, stdout=subprocess.PIPE).stdout)
        by_id = {package["id"]: package for package in known["packages"]}
        nodes = {node["id"]: node for node in known["resolve"]["nodes"]}
        root = key(by_id[known["resolve"]["root"]])
        waiting = [known["resolve"]["root"]]
        seen = set(waiting)
        while waiting:
            at = waiting.pop()
            # Build scripts, tools of macros and tests are not in the program.
            below = [dep["pkg"] for dep in nodes[at]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
            packages[key(by_id[at])] = by_id[at]
            needs.setdefault(key(by_id[at]), set()).update(key(by_id[dep]) for dep in below)
            waiting.extend(dep for dep in below if dep not in seen)
            seen.update(below)
    return packages, needs, root


def texts_of(package: Record) -> list[tuple[str, str]]:
    """The licence files of a package: path inside it, and text."""
    folder = Path(package["manifest_path"]).parent
    below = [path for path in folder.iterdir() if path.is_dir() and path.name not in (".git", "target", "src")]
    files = sorted(path for place in [folder, *below] for path in place.iterdir() if NAMES.fullmatch(path.name) and path.is_file())
    return [(str(path.relative_to(folder)), path.read_text("utf-8", "replace").strip()) for path in files]


def toolchain_texts(targets: list[str]) -> list[tuple[str, str]]:
    """Licence texts of what the toolchain links in: Rust's library, and the C library or the Windows runtime."""
    root = subprocess.run(["rustc", "--print", "sysroot"], check=True, capture_output=True, text=True).stdout.strip()
    files = [("", "Rust standard library", f"{root}/share/doc/rust/licenses/{name}") for name in ("MIT.txt", "Apache-2.0.txt")]
    files += [("musl", "musl C library", "/usr/share/doc/musl/copyright"),
              ("windows-gnu", "mingw-w64 runtime", "/usr/share/doc/mingw-w64-common/copyright")]
    needed = [(name, Path(path)) for part, name, path in files if any(part in target for target in targets)]
    return [(f"{name} ({path.name})", path.read_text("utf-8", "replace").strip()) for name, path in needed]


def texts(workspace: Path, targets: list[str]) -> None:
    """Prints a list of packages, then each licence text once with the packages that it came with."""
    packages, _, _ = linked(workspace, targets)
    rows, without = [], []
    users: dict[str, list[str]] = {}
    for name, package in sorted(packages.items()):
        if package["source"] is None:  # a crate of this repository
            continue
        authors = ", ".join(re.sub(r"\s*<[^>]*>", "", author) for author in package["authors"])
        licence = package["license"] or f"see {package['license_file']}"
        rows.append(f"  {name}: {licence}" + (f" ({authors})" if authors else ""))
        found = texts_of(package)
        without += [] if found else [f"  {name}"]
        for path, text in found:
            users.setdefault(text, []).append(f"{name} ({path})")
    for name, text in toolchain_texts(targets):
        users.setdefault(text, []).append(name)
    print("Umbrail itself is under the GNU General Public License, version 3 or later: see LICENSE.")
    print("What is built from it holds code of these packages as well:\n", *rows, sep="\n")
    if without:
        print("\nThese have no licence file; their manifests name the licence above, whose text is below (GPL: LICENSE):",
              *without, sep="\n")
    line = "=" * 100
    for text, names in sorted(users.items(), key=lambda item: item[1]):
        print("", line, *names, line, "", text, sep="\n")


def sbom(workspace: Path, targets: list[str]) -> None:
    """Prints the bill of materials."""
    packages, needs, root = linked(workspace, targets)
    date = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    checksums = {}
    for block in (workspace / "Cargo.lock").read_text().split("[[package]]"):
        fields = dict(re.findall(r'^(name|version|checksum) = "(.*)"$', block, re.MULTILINE))
        if "checksum" in fields:
            checksums[key(fields)] = fields["checksum"]

    def reference(name: str) -> str:
        return "pkg:cargo/" + name.replace(" ", "@")

    def component(name: str) -> Record:
        package = packages[name]
        entry: Record = {"type": "application" if package["name"] == "umbrail" else "library", "bom-ref": reference(name),
                         "name": package["name"], "version": package["version"], "purl": reference(name)}
        if package["description"]:
            entry["description"] = " ".join(package["description"].split())
        if package["license"]:
            entry["licenses"] = [{"expression": re.sub(r" */ *", " OR ", package["license"])}]
        if name in checksums:
            entry["hashes"] = [{"alg": "SHA-256", "content": checksums[name]}]
        return entry

    print(json.dumps({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"timestamp": date.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": component(root)},
        "components": [component(name) for name in sorted(packages) if name != root],
        "dependencies": [{"ref": reference(name), "dependsOn": sorted(map(reference, needs[name]))} for name in sorted(packages)],
    }, indent=1))


@command("notices", argument("kind", choices=["texts", "sbom"]), argument("targets", nargs="+", help="targets of rustc"),
         argument("--python", action="store_true", help="of the Python module in place of the program"))
def notices(ask: argparse.Namespace) -> None:
    """Prints the licence texts of all linked packages, or a software bill of materials (CycloneDX 1.5, JSON).

    Reads the folders of the packages, which `cargo fetch` fills. The date of the bill is SOURCE_DATE_EPOCH.
    """
    workspace = HOME / "bindings/python" if ask.python else HOME
    (texts if ask.kind == "texts" else sbom)(workspace, ask.targets)

"""Command line of scripts/tool: collects the commands of all modules."""
from __future__ import annotations

import argparse
import importlib
import inspect
import subprocess
import sys

from tools.common import COMMANDS, Stop

# Importing a module registers its commands.
for module in "batch", "browser", "cluster", "kills", "legality", "limits", "manifests", "notices", "packages", "page", "site":
    importlib.import_module(f"tools.{module}")


def main() -> int:
    """Runs a command. Returns its exit status."""
    parser = argparse.ArgumentParser(prog="tool", description="Checks, measurements and chores of the repository.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (run, arguments) in sorted(COMMANDS.items()):
        text = inspect.getdoc(run) or ""
        one = commands.add_parser(name, help=text.splitlines()[0], description=text,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
        for names, options in arguments:
            one.add_argument(*names, **options)
    ask = parser.parse_args()
    try:
        run, _ = COMMANDS[ask.command]
        return run(ask) or 0
    except Stop as why:
        print(f"{ask.command}: {why}", file=sys.stderr)
    except subprocess.CalledProcessError as why:
        print(f"{ask.command}: {why.cmd} failed with status {why.returncode}: {(why.stderr or '')[-800:]}", file=sys.stderr)
    except FileNotFoundError as why:
        print(f"{ask.command}: not found: {why.filename}", file=sys.stderr)
    return 2

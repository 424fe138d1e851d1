"""The module as a whole: its help, its examples, Ctrl-C, and the notebook."""

import ast
import doctest
import inspect
import json
import os
import pathlib
import pydoc
import signal
import subprocess
import sys
import time

import pytest

import umbrail

ROOT = pathlib.Path(__file__).parent.parent


def test_the_help_is_readable():
    text = pydoc.plain(pydoc.render_doc(umbrail))
    for word in ("solve_proof", "class Table", "class Engine", "class Run", "Ctrl-C"):
        assert word in text
    assert text.split("CLASSES")[0].count("Umbrail: shortest proof games") == 1


@pytest.mark.parametrize("name", [n for n in umbrail.__all__ if not n.startswith("__")])
def test_everything_public_is_documented(name):
    thing = getattr(umbrail, name)
    if name != "Board":
        assert inspect.getdoc(thing)
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


MODULES = ["umbrail", "umbrail.steno"]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_documentation(name):
    module = __import__(name, fromlist=["_"])
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)


def test_the_readme_is_true():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_types_are_told():
    assert (pathlib.Path(umbrail.__file__).parent / "py.typed").exists()
    assert (pathlib.Path(umbrail.__file__).parent / "_native.pyi").exists()


def test_the_stub_names_what_the_native_half_has():
    from umbrail import _native

    stub = ast.parse((pathlib.Path(umbrail.__file__).parent / "_native.pyi").read_text())
    told = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    told.add("__version__")
    real = {name for name in dir(_native) if not name.startswith("__")} | {"__version__"}
    assert real == told
    for node in stub.body:
        if isinstance(node, ast.ClassDef) and node.name != "Stopped":
            methods = {m.name for m in node.body if isinstance(m, ast.FunctionDef)} - {"__init__"}
            members = {m for m in vars(getattr(_native, node.name)) if not m.startswith("__")}
            assert members == methods, node.name


LONG = {
    "proof": "umbrail.solve_proof('k5n1/3ppp1p/B1p2p2/pP3P1b/4P1nP/8/1PP1PPrb/RNB1K1NR', 25.5)",
    "table": "umbrail.Table('KRB.KN', threads=1)",
    "steno": "umbrail.steno.solve('~~~~~~~~~~~~~')",
    "engine": "umbrail.Engine().analyse(depth=100)",
    "progress": "list(umbrail.Engine().start())",
}


# A shell starts what runs in the background with Ctrl-C ignored, and Python then leaves it so.
HEARS_CTRL_C = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


@pytest.mark.skipif(os.name == "nt", reason="sends a signal of Unix")
@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_stops_it(what):
    program = HEARS_CTRL_C + (
        "import umbrail\n"
        "print('begun', flush=True)\n"
        f"try:\n    {LONG[what]}\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.5)
    assert process.poll() is None, "it must take long for this test to mean anything"
    process.send_signal(signal.SIGINT)
    try:
        said, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (said, process.returncode) == ("interrupted\n", 0)


def test_what_was_known_when_ctrl_c_came_can_still_be_asked_for():
    program = HEARS_CTRL_C + (
        "import umbrail, os, threading\n"
        "run = umbrail.Engine().start()\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    run.result()\nexcept KeyboardInterrupt:\n    print(run.result().best is not None)\n"
    )
    if os.name == "nt":
        pytest.skip("sends a signal of Unix")
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (said.stdout, said.stderr) == ("True\n", "")


def test_the_notebook_runs(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", None)
    pytest.importorskip("chess")
    notebook = json.loads((ROOT / "examples" / "umbrail.ipynb").read_text())
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "umbrail.ipynb", "exec"), names)
    assert names["proof"].verdict == "unique"

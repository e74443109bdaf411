"""The package as a whole: examples, types, names."""

import doctest
import importlib
import importlib.util
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import fretsaw

MODULES = [name for _, name, _ in pkgutil.iter_modules(fretsaw.__path__)]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "_native"])
def test_examples_in_docstrings_run(name):
    module = importlib.import_module(f"fretsaw.{name}")
    assert doctest.testmod(module).failed == 0


def test_the_first_example_runs():
    found = doctest.testmod(fretsaw)
    assert found.failed == 0 and found.attempted >= 4


def test_every_public_name_is_documented():
    for name in fretsaw.__all__:
        if name != "__version__":
            assert getattr(fretsaw, name).__doc__, name
    for kind in (fretsaw.Solution, fretsaw.Pieces, fretsaw.Truth, fretsaw.Stop):
        for name, value in vars(kind).items():
            assert name.startswith("_") or value.__doc__, f"{kind.__name__}.{name}"


def test_help_reads_well():
    help_text = subprocess.run(
        [sys.executable, "-c", "import fretsaw; help(fretsaw.solve)"], capture_output=True, text=True, check=True
    ).stdout
    assert re.search("pieces: '?Any'?, \\*, grid", help_text) and "KeyboardInterrupt" in help_text


def test_the_package_says_that_it_is_typed():
    assert (pathlib.Path(fretsaw.__file__).parent / "py.typed").exists()


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
@pytest.mark.parametrize("command", [["mypy.stubtest", "fretsaw._native"], ["mypy", "--strict", "-p", "fretsaw"]])
def test_types_and_stubs_agree_with_the_code(command, tmp_path):
    if "mypy.stubtest" in command:
        # A call of a native object takes any arguments by its signature, and refuses them when it is made.
        (tmp_path / "allowed").write_text("fretsaw._native.Stop.__call__\nfretsaw._native.__all__\n")
        command = [*command, "--allowlist", str(tmp_path / "allowed")]
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_everything_shows_itself_in_one_line(puzzle, answer):
    matches = fretsaw.match(puzzle.pieces)
    turns = fretsaw.rotations(fretsaw.connection_graph(puzzle.pieces))
    shown = [puzzle, puzzle.truth, answer, matches, turns, fretsaw.Task(puzzle.pieces), fretsaw.Answer(0, answer, None)]
    for text in [*map(repr, shown), repr(fretsaw.cut(fretsaw.demo_picture(2, 3))), repr(fretsaw.read(puzzle.pieces))]:
        assert "\n" not in text and len(text) < 200, text


def test_versions_agree():
    manifests = [pathlib.Path(__file__).parents[1] / name for name in ("pyproject.toml", "Cargo.toml")]
    for manifest in manifests:
        assert f'version = "{fretsaw.__version__}"' in manifest.read_text()

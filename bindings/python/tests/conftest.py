"""Puzzles for the tests, and the program to compare with."""

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import fretsaw

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def puzzle():
    """48 pieces of 28 px in 8 columns and 6 rows, shuffled and turned."""
    return fretsaw.scramble(fretsaw.demo_picture(6, 8), 28, seed=1)


@pytest.fixture(scope="session")
def answer(puzzle):
    return fretsaw.solve(puzzle.pieces)


@pytest.fixture(scope="session")
def sheet(puzzle):
    """The pieces side by side."""
    return sheet_of(puzzle.pieces, 8)


def sheet_of(pieces: np.ndarray, columns: int) -> np.ndarray:
    number, height, width, channels = pieces.shape
    rows = number // columns
    laid = pieces.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return laid.reshape(rows * height, columns * width, channels)


@pytest.fixture(scope="session")
def program():
    """The program fretsaw, as it was built last; FRETSAW_PROGRAM names another."""
    targets = [pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")), ROOT / "target"]
    built = [target / profile / "fretsaw" for target in targets for profile in ("debug", "release")]
    built = [path for path in built if path.exists()]
    newest = max(built, key=lambda path: path.stat().st_mtime) if built else None
    found = os.environ.get("FRETSAW_PROGRAM") or newest or shutil.which("fretsaw")
    if found is None:
        pytest.skip("the program fretsaw is not built; 'cargo build' builds it")

    def run(*arguments) -> str:
        line = [str(found), *map(str, arguments)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def same_places(one: fretsaw.Solution, other: fretsaw.Solution) -> bool:
    """Whether two solutions agree in all that they say of places, bit for bit."""
    return (
        np.array_equal(one.placements, other.placements)
        and np.array_equal(one.seams, other.seams)
        and one.grid == other.grid
    )

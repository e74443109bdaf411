"""Interrupting, stopping, threads and progress."""

import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import same_places

import fretsaw


@pytest.fixture(scope="module")
def long_puzzle():
    """Noise is searched for long: no seam is certain."""
    return np.random.default_rng(1).integers(0, 255, (1200, 14, 14, 3), dtype=np.uint8)


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import fretsaw

# What runs in the background of a shell may be started deaf to this signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
pieces = np.random.default_rng(1).integers(0, 255, (3000, 14, 14, 3), dtype=np.uint8)
started = []

def interrupt():
    time.sleep(float(sys.argv[1]))
    started.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    fretsaw.solve(pieces, effort="high")
    print("finished")
except KeyboardInterrupt:
    print(time.perf_counter() - started[0])
"""


@pytest.mark.parametrize("after", [0.3, 1.5])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of POSIX")
def test_an_interrupt_raises_keyboard_interrupt_soon(after):
    command = [sys.executable, "-c", INTERRUPTED, str(after)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    # 0.2 s on a machine that does nothing else.
    assert float(done.stdout) < 0.5, done.stdout


def test_stop_from_another_thread_returns_the_best_board_so_far(long_puzzle):
    stop = fretsaw.Stop()
    threading.Timer(0.5, stop).start()
    found = fretsaw.solve(long_puzzle, effort="high", stop=stop, turns="none", grid=(40, 30))
    assert stop.is_set and found.status == "stopped early: interrupted"
    assert len(found.placements) == 1200


def test_a_time_limit_returns_the_best_board_so_far(long_puzzle):
    found = fretsaw.solve(long_puzzle, effort="high", time_limit=0.2, turns="none", grid=(40, 30))
    assert found.status == "stopped early: time limit"


def test_threads_of_python_run_during_a_solve(long_puzzle):
    ticks = []
    over = threading.Event()

    def count():
        while not over.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    fretsaw.solve(long_puzzle, effort="fast", time_limit=0.5, turns="none", grid=(40, 30))
    over.set()
    counter.join()
    gaps = np.diff(ticks)
    assert len(ticks) > 50 and np.median(gaps) < 0.05


def test_several_solves_run_at_once_and_do_not_change_answers(puzzle, answer):
    found = [None] * 4

    def solve(number):
        found[number] = fretsaw.solve(puzzle.pieces, threads=1 + number % 2)

    threads = [threading.Thread(target=solve, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(same_places(one, answer) for one in found)


def test_progress_tells_stages_shares_and_boards():
    pieces = np.random.default_rng(1).integers(0, 255, (150, 14, 14, 3), dtype=np.uint8)
    told = []
    stop = fretsaw.Stop()

    def progress(stage, share, board):
        told.append((stage, share, board))
        if board is not None:
            stop()

    fretsaw.solve(pieces, effort="high", turns="none", grid=(15, 10), progress=progress, stop=stop)
    stages = [stage for stage, _, _ in told]
    assert {"measure", "match", "search"} <= set(stages) and all(0 <= share <= 1 for _, share, _ in told)
    board = next(board for _, _, board in told if board is not None)
    assert board.grid == (15, 10) and board.image().shape[:2] == (140, 210) and np.isnan(board.confidence).all()


def test_an_error_in_the_progress_function_ends_the_solve(puzzle):
    def progress(stage, share, board):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fretsaw.solve(puzzle.pieces, progress=progress)


def test_a_bar_is_shown_by_tqdm(puzzle, capsys):
    pytest.importorskip("tqdm")
    fretsaw.solve(puzzle.pieces, progress=True)
    assert "%" in capsys.readouterr().err


def test_pins_joins_and_a_start_are_kept(puzzle, answer):
    piece, _, row, col, turns, _ = answer.placements[7]
    pinned = fretsaw.solve(puzzle.pieces, grid=answer.grid, known=fretsaw.Known(pins=[(piece, row, col, turns)]))
    assert pinned.boards[0][row, col] == piece
    seam = answer.seams[0]
    names = ("top", "right", "bottom", "left")
    sides = (int(seam["a"]), names[seam["a_side"]], int(seam["b"]), int(seam["b_side"]))
    joined = fretsaw.solve(puzzle.pieces, known={"joins": [sides], "start": answer})
    assert same_places(joined, answer)
    apart = fretsaw.solve(puzzle.pieces, known={"forbidden": [sides]}).seams
    assert not ((apart["a"] == seam["a"]) & (apart["a_side"] == seam["a_side"]) & (apart["b"] == seam["b"])).any()


def test_a_reference_picture_places_the_pieces():
    picture = fretsaw.demo_picture(6, 8)
    puzzle = fretsaw.scramble(picture, 28, seed=4)
    found = fretsaw.solve(puzzle.pieces, reference=picture[::4, ::4], grid=puzzle.grid)
    assert found.method == "reference" and np.array_equal(found.image(), picture)


def test_mirrored_pieces_are_flipped_back(puzzle):
    pieces = puzzle.pieces.copy()
    pieces[:9] = pieces[:9, :, ::-1]
    found = fretsaw.solve(pieces, known={"mirrored": True})
    assert found.mirrored == list(range(9))
    again = fretsaw.Solution.from_json(found.to_json(), pieces)
    assert np.array_equal(again.image(), found.image())


def test_importing_is_quick():
    program = "import time, numpy, json; start = time.perf_counter(); import fretsaw; print(time.perf_counter() - start)"
    times = [
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    # 0.1 s on a machine that does nothing else.
    assert min(times) < 0.3, times

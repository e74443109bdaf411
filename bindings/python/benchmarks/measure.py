"""Measures the package: python measure.py overhead | import | many | dask | kill | interrupt. Prints what it measured and how.

Ratios of times need a machine that does nothing else; the processor time is printed beside them.
"""

import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time


import fretsaw

PIECE_PX = 28


def puzzles(number):
    """Puzzles of 432 pieces, drawn and scrambled by seed."""
    return [fretsaw.scramble(fretsaw.demo_picture(18, 24, seed), PIECE_PX, seed=seed).pieces for seed in range(number)]


def overhead(rounds=4):
    """The time of solve() with arrays against that of the same calls in Rust, compiled alike, in turns."""
    (pieces,) = puzzles(1)
    here = pathlib.Path(__file__).resolve().parents[1]
    example = ["cargo", "run", "--quiet", "--profile", "wheel", "--example", "rust_call"]
    in_rust, in_python = [], []
    with tempfile.NamedTemporaryFile() as file:
        file.write(pieces.tobytes())
        file.flush()
        for _ in range(rounds):
            done = subprocess.run([*example, file.name, str(len(pieces))], cwd=here, capture_output=True, text=True, check=True)
            in_rust += map(float, done.stdout.split())
            for _ in range(15):
                start = time.perf_counter()
                found = fretsaw.solve(pieces, effort="fast")
                in_python.append(1e3 * (time.perf_counter() - start))
    start = time.perf_counter()
    found.placements, found.boards, found.turns, found.confidence
    views = 1e3 * (time.perf_counter() - start)
    for name, times in (("Rust", in_rust), ("Python", in_python)):
        print(f"{name}: 432 pieces, effort fast, ms: least {min(times):.1f}, median {statistics.median(times):.1f}")
    print(f"difference: least {min(in_python) - min(in_rust):.1f}, median "
          f"{statistics.median(in_python) - statistics.median(in_rust):.1f}; arrays of the answer {views:.1f}")


def imports():
    """The time to import fretsaw after NumPy."""
    program = "import numpy, time; start = time.perf_counter(); import fretsaw; print(time.perf_counter() - start)"
    run = lambda: float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
    times = [run() for _ in range(7)]
    print(f"import fretsaw after numpy: median {statistics.median(times):.3f} s, least {min(times):.3f} s")


def many(number=200):
    """solve_many on one thread and on two."""
    given = puzzles(number)
    seconds = {}
    for workers in (1, 2):
        start, processor = time.perf_counter(), time.process_time()
        answers = list(fretsaw.solve_many(given, workers=workers))
        seconds[workers] = time.perf_counter() - start
        cpu = time.process_time() - processor
        assert len({answer.number for answer in answers}) == number and all(answer.error is None for answer in answers)
        print(f"{number} puzzles of 432 pieces, {workers} threads: {seconds[workers]:.1f} s, processor time {cpu:.1f} s, "
              f"{cpu / seconds[workers]:.2f} cores in use")
    print(f"two threads are {seconds[1] / seconds[2]:.2f} x one")


def on_dask(given, workers, kills):
    """The seconds that dask's workers take; one of them may be killed half way."""
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        start, answers = time.perf_counter(), []
        for answer in fretsaw.solve_many(given, client.get_executor(), ahead=len(given)):
            answers.append(answer)
            if kills and len(answers) == len(given) // 2:
                os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        elapsed = time.perf_counter() - start
    assert sorted(answer.number for answer in answers) == list(range(len(given)))
    solved = sum(answer.solution is not None for answer in answers)
    print(f"{len(given)} puzzles, {workers} dask workers{', one killed half way' if kills else ''}: {elapsed:.1f} s, "
          f"{solved} solved, each answered once")
    return elapsed


def dask(number=200):
    """solve_many on one and two workers of dask."""
    given = puzzles(number)
    one, two = on_dask(given, 1, False), on_dask(given, 2, False)
    print(f"two workers are {one / two:.2f} x one")


def kill(number=200):
    """solve_many on two workers of dask, one of which is killed half way."""
    on_dask(puzzles(number), 2, True)


def interrupt():
    """The time from the signal of Ctrl-C to KeyboardInterrupt, at several moments of a solve of 3000 pieces of noise."""
    program = """
import os, signal, sys, threading, time
import numpy as np, fretsaw
pieces = np.random.default_rng(1).integers(0, 255, (3000, 14, 14, 3), dtype=np.uint8)
sent = []
def send():
    time.sleep(float(sys.argv[1])); sent.append(time.perf_counter()); os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    fretsaw.solve(pieces, effort="high")
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""
    for after in ("0.1", "0.5", "1", "2", "4"):
        done = subprocess.run([sys.executable, "-c", program, after], capture_output=True, text=True, check=True)
        print(f"Ctrl-C after {after} s: KeyboardInterrupt {float(done.stdout):.3f} s later")


if __name__ == "__main__":
    chosen = {"overhead": overhead, "import": imports, "many": many, "dask": dask, "kill": kill, "interrupt": interrupt}
    name, *rest = sys.argv[1:] or ["overhead"]
    chosen[name](*map(int, rest))

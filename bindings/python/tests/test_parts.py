"""One puzzle over several processes has the answer of one."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from conftest import same_places

import fretsaw


@pytest.fixture(scope="module")
def large():
    return fretsaw.scramble(fretsaw.demo_picture(8, 10), 28, seed=5).pieces


def test_parts_in_any_order_give_the_same_answer(large):
    settings = {"measure": "mgc", "matcher": "ratio", "turns": "half"}
    for given in ({}, settings):
        parts = [fretsaw.measure_part(large, part, 3, **given) for part in (2, 0, 1)]
        measured = fretsaw.merge_parts(large, parts, **given)
        assert same_places(fretsaw.solve(large, measured=measured, **given), fretsaw.solve(large, **given))


def test_processes_share_a_puzzle(large):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        found = fretsaw.solve_in_parts(large, executor, parts=5, grid=(10, None))
    assert same_places(found, fretsaw.solve(large, grid=(10, None)))


def test_wrong_parts_are_refused(large, puzzle):
    one, two = (fretsaw.measure_part(large, part, 2) for part in range(2))
    for parts in ([one], [one, one], []):
        with pytest.raises(fretsaw.InputError, match="every part once"):
            fretsaw.merge_parts(large, parts)
    with pytest.raises(fretsaw.InputError, match="part 1 is damaged, or of other pieces"):
        fretsaw.merge_parts(large, [one, fretsaw.measure_part(puzzle.pieces, 1, 2)])
    with pytest.raises(fretsaw.SettingsError, match="part=2"):
        fretsaw.measure_part(large, 2, 2)
    with pytest.raises(fretsaw.SettingsError, match="'extreme'|effort"), ThreadPoolExecutor(1) as executor:
        fretsaw.solve_in_parts(large, executor, effort="extreme")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of POSIX")
def test_a_worker_of_dask_that_dies_on_the_way_changes_nothing(large):
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            worker = next(iter(client.run(os.getpid).values()))
            killer = threading.Timer(0.3, lambda: os.kill(worker, signal.SIGKILL))
            killer.start()
            found = fretsaw.solve_in_parts(large, client.get_executor(), parts=40)
            killer.join()
            time.sleep(0.1)
            assert same_places(found, fretsaw.solve(large))

"""Many puzzles on threads and on executors."""

import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from conftest import same_places

import fretsaw


def small(seed):
    return fretsaw.scramble(fretsaw.demo_picture(4, 5, seed), 28, seed=seed).pieces


@pytest.fixture(scope="module")
def puzzles():
    return [small(seed) for seed in range(8)]


@pytest.fixture(scope="module")
def expected(puzzles):
    return [fretsaw.solve(pieces) for pieces in puzzles]


def check(answers, expected):
    assert sorted(answer.number for answer in answers) == list(range(len(expected)))
    for answer in answers:
        assert answer.error is None and same_places(answer.solution, expected[answer.number])


def test_threads_answer_every_puzzle_once(puzzles, expected):
    check(list(fretsaw.solve_many(puzzles, workers=2)), expected)


def test_processes_answer_every_puzzle_once(puzzles, expected):
    import multiprocessing

    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        check(list(fretsaw.solve_many(puzzles, executor)), expected)


def test_failures_are_answers_and_do_not_end_the_others(puzzles):
    bad = [puzzles[0], None, puzzles[1], puzzles[2].astype(np.int64), fretsaw.Task(puzzles[3], {"grid": (1, 1)})]
    answers = sorted(fretsaw.solve_many(bad), key=lambda answer: answer.number)
    kinds = [type(answer.error).__name__ for answer in answers]
    assert kinds == ["NoneType", "InputTypeError", "NoneType", "InputTypeError", "SettingsError"]
    assert answers[0].solution is not None and answers[1].solution is None


def test_tasks_have_settings_of_their_own(puzzles):
    tasks = [fretsaw.Task(puzzles[0], {"seed": 5}), puzzles[0]]
    answers = sorted(fretsaw.solve_many(tasks, seed=3), key=lambda answer: answer.number)
    assert [answer.solution.seed for answer in answers] == [5, 3]


def test_a_long_list_may_be_a_generator(puzzles):
    taken = []

    def endless():
        number = 0
        while True:
            taken.append(number)
            yield puzzles[number % len(puzzles)]
            number += 1

    answers = fretsaw.solve_many(endless(), ahead=3, workers=2)
    for _ in range(4):
        next(answers)
    answers.close()
    assert len(taken) <= 8


def test_wrong_arguments_are_refused(puzzles):
    for settings, word in [({"workers": 0}, "workers=0"), ({"ahead": 0}, "ahead=0"), ({"progress": True}, "progress")]:
        with pytest.raises(fretsaw.SettingsError, match=word):
            list(fretsaw.solve_many(puzzles, **settings))
    with pytest.raises(fretsaw.SettingsError, match="executor"):
        list(fretsaw.solve_many(puzzles, executor=3))
    with ThreadPoolExecutor(1) as executor, pytest.raises(fretsaw.SettingsError, match="workers"):
        list(fretsaw.solve_many(puzzles, executor, workers=2))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals of POSIX")
def test_a_worker_of_dask_that_dies_loses_nothing(puzzles, expected):
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            many = [puzzles[number % len(puzzles)] for number in range(40)]
            answers = []
            for answer in fretsaw.solve_many(many, client.get_executor(), ahead=40):
                answers.append(answer)
                if len(answers) == 5:
                    worker = next(iter(client.run(os.getpid).values()))
                    os.kill(worker, signal.SIGKILL)
            check(answers, [expected[number % len(expected)] for number in range(40)])

"""Many puzzles, on threads or on an executor of another engine."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional

from . import _native
from ._errors import SettingsError
from ._inputs import whole, whole_or_none
from ._solution import Solution
from ._solve import solve


@dataclass(repr=False)
class Task:
    """A puzzle with settings of its own for ``solve_many``: those of ``solve``, before those for all puzzles."""

    pieces: Any
    settings: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Task: {type(self.pieces).__name__}, settings {self.settings}>"


class Answer(NamedTuple):
    """What came of one puzzle."""

    #: The puzzle's number in the order in which they were given, from 0.
    number: int
    #: The solution; None if it failed.
    solution: Optional[Solution]
    #: Why it failed; None if it did not.
    error: Optional[BaseException]


def solve_task(pieces: Any, settings: dict[str, Any]) -> Solution:
    """Solves one puzzle: what runs on a worker."""
    return solve(pieces, **settings)


def solve_many(
    puzzles: Iterable[Any],
    executor: Optional[Executor] = None,
    *,
    workers: Optional[int] = None,
    ahead: int = 64,
    **settings: Any,
) -> Iterator[Answer]:
    """Solves many puzzles, and yields an ``Answer`` for each as it comes, in any order.

    Each puzzle is anything that ``solve`` takes, or a ``Task`` with settings of its own; ``settings`` are those of
    ``solve`` for all. Each solve uses one thread unless ``threads`` says otherwise. A puzzle that fails is an answer
    with an ``error`` and does not end the others.

    Without an ``executor`` the puzzles are solved by ``workers`` threads of this process, by default as many as there
    are cores. An executor of ``concurrent.futures`` or of another engine distributes them: a process pool,
    ``dask.distributed.Client.get_executor()``, ``mpi4py.futures.MPIPoolExecutor()``. Then the engine decides what
    happens if a worker dies; dask solves its puzzles again on another. Paths must be readable where the workers run;
    arrays are sent to them.

    At most ``ahead`` puzzles are taken from ``puzzles`` and not yet answered, so that a long list may be a generator.

    >>> import fretsaw
    >>> puzzles = [fretsaw.scramble(fretsaw.demo_picture(4, 5, seed), seed=seed).pieces for seed in range(3)]
    >>> sorted(answer.number for answer in fretsaw.solve_many(puzzles))
    [0, 1, 2]
    """
    for name in ("progress", "stop"):
        if settings.get(name) is not None:
            raise SettingsError(f"{name} is for a single solve; leave it out, and count the answers")
    ahead = whole("ahead", ahead, 1)
    settings = {"threads": 1, **settings}
    if executor is not None:
        if workers is not None:
            raise SettingsError("workers is for threads of this process; leave it out, the executor has its own")
        if not callable(getattr(executor, "submit", None)):
            raise SettingsError(f"an object of type {type(executor).__name__} is no executor: it has no submit()")
        return _answers(puzzles, executor, settings, ahead, None)
    return _on_threads(puzzles, workers, settings, ahead)


def _on_threads(puzzles: Iterable[Any], workers: Optional[int], settings: dict[str, Any], ahead: int) -> Iterator[Answer]:
    stop = _native.Stop()
    num = whole_or_none("workers", workers, 1, 1024) or os.cpu_count() or 1
    pool = ThreadPoolExecutor(num, thread_name_prefix="fretsaw")
    try:
        yield from _answers(puzzles, pool, settings, ahead, stop)
    finally:
        # Ctrl-C, or the caller wants no more answers: what still runs is given up.
        stop.cancel()
        pool.shutdown(wait=False, cancel_futures=True)


def _answers(
    puzzles: Iterable[Any],
    executor: Executor,
    settings: dict[str, Any],
    ahead: int,
    stop: Optional[_native.Stop],
) -> Iterator[Answer]:
    running: dict[Future[Solution], int] = {}
    numbered = enumerate(puzzles)
    is_over = False
    shared = settings if stop is None else {**settings, "stop": stop}
    try:
        while True:
            while not is_over and len(running) < ahead:
                item = next(numbered, None)
                if item is None:
                    is_over = True
                    break
                number, puzzle = item
                own = puzzle.settings if isinstance(puzzle, Task) else {}
                pieces = puzzle.pieces if isinstance(puzzle, Task) else puzzle
                try:
                    running[executor.submit(solve_task, pieces, {**shared, **own})] = number
                except Exception as error:  # the pool is broken, or the pieces cannot be sent
                    yield Answer(number, None, error)
            if not running:
                return
            # Waiting without a time limit would keep Ctrl-C from some executors' futures.
            done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                number = running.pop(future)
                failure = future.exception()
                yield Answer(number, None if failure is not None else future.result(), failure)
    finally:
        for future in running:
            future.cancel()

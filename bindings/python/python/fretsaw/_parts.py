"""One puzzle over several machines."""

from __future__ import annotations

import inspect
from concurrent.futures import Executor
from typing import Any

from . import _native
from ._inputs import native_input, reading, whole
from ._solution import Solution
from ._solve import asked_for, solve

_READING = frozenset(inspect.signature(reading).parameters) - {"grid", "again"}


def _prepared(pieces: Any, settings: dict[str, Any]) -> tuple[_native.Input, dict[str, Any]]:
    """The pieces, and the settings that measuring depends on."""
    options = {name: value for name, value in settings.items() if name in _READING}
    asked = {name: value for name, value in settings.items() if name not in _READING}
    return native_input(pieces, reading(grid=asked.get("grid"), **options)), asked_for(**asked)


def measure_part(pieces: Any, part: int, parts: int, **settings: Any) -> bytes:
    """Compares one part of all pairs of sides, counted from 0: for ``merge_parts``.

    Every part needs all pieces. ``settings`` are those of ``solve``, the same for all parts.

    >>> import fretsaw
    >>> pieces = fretsaw.scramble(fretsaw.demo_picture(5, 6), seed=1).pieces
    >>> found = [fretsaw.measure_part(pieces, part, 2) for part in range(2)]
    >>> fretsaw.solve(pieces, measured=fretsaw.merge_parts(pieces, found))
    <Solution: 30 of 30 pieces on 6 x 5 (columns x rows), finished>
    """
    number, of = whole("part", part), whole("parts", parts, 1)
    whole("part", part, 0, of - 1)
    return _native.part(*_prepared(pieces, settings), number, of)


def merge_parts(pieces: Any, parts: list[bytes], **settings: Any) -> bytes:
    """What ``solve`` takes as ``measured``, from all parts in any order. The answer is that of a solve in one piece."""
    return _native.merged(*_prepared(pieces, settings), list(parts))


def solve_in_parts(pieces: Any, executor: Executor, parts: int = 8, **settings: Any) -> Solution:
    """Solves one puzzle: an executor compares all pairs of sides in parts, and this process does the rest.

    The answer is that of ``solve``. For puzzles so large that comparing takes long; small ones are solved sooner in one
    piece. ``executor`` is one of ``solve_many``, such as ``dask.distributed.Client.get_executor()``, whose engine repeats a
    part if a worker dies. ``settings`` are those of ``solve``.
    """
    of_parts = {name: value for name, value in settings.items() if name not in ("progress", "stop", "time_limit")}
    futures = [executor.submit(measure_part, pieces, part, parts, **of_parts) for part in range(whole("parts", parts, 1))]
    measured = merge_parts(pieces, [future.result() for future in futures], **of_parts)
    return solve(pieces, measured=measured, **settings)

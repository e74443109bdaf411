"""The algorithms of "Solving Jigsaw Puzzles by the Graph Connection Laplacian" (Huroyan, Lerman and Wu, 2020), step by step.

>>> import fretsaw
>>> from fretsaw import paper
>>> puzzle = fretsaw.scramble(fretsaw.demo_picture(5, 6), 28, seed=1)
>>> graph = paper.algorithm_2(puzzle.pieces)       # the connection graph
>>> found = paper.algorithm_1(graph)               # turns
>>> steps = paper.algorithm_4(puzzle.pieces, puzzle.grid, iterations=2)
>>> graph = paper.algorithm_3(puzzle.pieces, graph, steps[0].solution)
>>> fretsaw.score(puzzle.truth, paper.best(steps).solution).neighbor
1.0

The measure is the paper's, MGC, and candidates are weighed by Gallagher's ratio. ``fretsaw.solve(method="gcl")`` solves a
puzzle by Algorithm 4 with the learned matcher instead. ``docs/deviations.md`` in the repository lists where we differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _native
from ._errors import InputTypeError, SettingsError
from ._inputs import Grid, grid_of, native_input, reading, whole
from ._solution import Solution
from ._stages import ConnectionGraph, Rotations, connection_graph, matching, rotations

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Step", "algorithm_1", "algorithm_2", "algorithm_3", "algorithm_4", "algorithm_5", "best"]


@dataclass(frozen=True, repr=False)
class Step:
    """What Algorithm 4 has found after so many updates of the graph."""

    #: 0 for the first eigenvector; 1 for the second start of Algorithm 5.
    start: int
    #: Updates of the graph before it.
    updates: int
    #: The turns that Algorithm 1 found, by piece.
    turns: NDArray[np.int8]
    #: Err: the mean dissimilarity of the seams. Lower is better.
    err: float
    #: The solution of the turned pieces, without confidences.
    solution: Solution

    def __repr__(self) -> str:
        return f"<Step: start {self.start}, updates {self.updates}, err {self.err:.6g}, {self.solution!r}>"


def algorithm_1(graph: ConnectionGraph, **settings: Any) -> Rotations:
    """Turns from a connection graph. ``settings`` are those of ``fretsaw.rotations``."""
    return rotations(graph, **settings)


def algorithm_2(pieces: Any, *, measure: str = "mgc", matcher: str = "ratio", **settings: Any) -> ConnectionGraph:
    """The connection graph of a puzzle of type 2. ``settings`` are those of ``fretsaw.connection_graph``."""
    return connection_graph(pieces, measure=measure, matcher=matcher, **settings)


def algorithm_3(
    pieces: Any,
    graph: ConnectionGraph,
    solution: Solution,
    *,
    turns: str = "quarter",
    measure: str = "mgc",
    matcher: str = "ratio",
    seed: int = 0,
    threads: Optional[int] = None,
    **options: Any,
) -> ConnectionGraph:
    """The graph after a solution updated it, as the paper's text says: pieces that fit badly get new edges."""
    if not isinstance(graph, ConnectionGraph) or not isinstance(solution, Solution):
        raise InputTypeError("wanted are the pieces, a ConnectionGraph and a Solution")
    asked = matching(turns, measure, matcher, None, seed, threads)
    source = native_input(pieces, reading(**options))
    return ConnectionGraph(_native.update_graph(source, asked, graph._native, solution._native))


def algorithm_4(
    pieces: Any,
    grid: Grid,
    *,
    iterations: int = 5,
    turns: str = "quarter",
    measure: str = "mgc",
    matcher: str = "ratio",
    reading_of: str = "text",
    locations: str = "yu",
    seed: int = 0,
    threads: Optional[int] = None,
    second_start: bool = False,
    **options: Any,
) -> list[Step]:
    """Solves a puzzle of type 2: graph, turns, positions; then updates of the graph by the solution.

    ``grid`` is (columns, rows). Returns every step; ``best`` picks the solution. It ends early if an update changes nothing.
    ``reading_of`` is how the paper is read: ``"text"``, or ``"ratio"`` for ours. ``locations`` finds positions: ``"yu"``,
    ``"gallagher"`` or ``"assignment"``. ``options`` are those of ``fretsaw.read``.
    """
    columns, rows = grid_of(grid)
    if columns is None or rows is None:
        raise SettingsError(f"grid={grid!r} is not (columns, rows); the paper's algorithms need both")
    settings = {
        "columns": columns,
        "rows": rows,
        "iterations": whole("iterations", iterations),
        "second_start": bool(second_start),
        "reading": str(reading_of),
        "locations": str(locations),
    }
    asked = matching(turns, measure, matcher, None, seed, threads)
    steps = _native.paper_steps(native_input(pieces, reading(**options)), asked, settings)
    return [
        Step(step.start, step.updates, np.array(step.turns, np.int8), step.err, Solution(step.found)) for step in steps
    ]


def algorithm_5(pieces: Any, grid: Grid, **settings: Any) -> list[Step]:
    """Algorithm 4 twice; the second time the first turns come from the second eigenvector. ``settings`` are those of
    ``algorithm_4``."""
    return algorithm_4(pieces, grid, second_start=True, **settings)


def best(steps: list[Step]) -> Step:
    """The step of the smallest Err, the first of equally good ones: the solution of Algorithms 4 and 5."""
    return min(steps, key=lambda step: step.err)

"""Puts square jigsaw puzzles back together: pictures cut into equal pieces that were shuffled, turned, or both.

>>> import fretsaw
>>> puzzle = fretsaw.scramble(fretsaw.demo_picture(6, 8), piece=28, seed=1)
>>> solution = fretsaw.solve(puzzle.pieces)
>>> solution.grid, solution.image().shape
((8, 6), (168, 224, 3))

``solve`` takes pieces in every form that people have them, and returns a ``Solution``. ``solve_many`` solves many
puzzles on threads, processes or a cluster, ``solve_in_parts`` one puzzle over several machines. ``read`` reads pieces
once for several solves; ``cut``, ``scramble`` and ``score`` make and judge puzzles; ``inspect`` describes an input, and
``suggest`` lists the doubtful places of an answer. ``match``, ``connection_graph`` and ``rotations`` are stages for
researchers, and ``fretsaw.paper`` runs the algorithms of the paper step by step.

Rows, columns, pieces and boards are counted from 0. A grid is (columns, rows). Turns are clockwise quarter turns. Sides
are numbered clockwise from the top.
"""

from ._errors import (
    FretsawError,
    InputError,
    InputTypeError,
    PieceSizeNeeded,
    SettingsError,
    SolveError,
    TooLarge,
)
from ._inputs import Cut, Pieces, read
from ._many import Answer, Task, solve_many
from ._native import Stop, __version__
from ._parts import measure_part, merge_parts, solve_in_parts
from ._solution import Solution
from ._solve import Known, solve
from ._stages import ConnectionGraph, Matches, Rotations, connection_graph, match, rotations
from ._tools import (
    Alternative,
    Doubt,
    Score,
    Scrambled,
    Truth,
    cut,
    demo_picture,
    inspect,
    score,
    scramble,
    suggest,
)

__all__ = [
    "Alternative",
    "Answer",
    "ConnectionGraph",
    "Cut",
    "Doubt",
    "FretsawError",
    "InputError",
    "InputTypeError",
    "Known",
    "Matches",
    "PieceSizeNeeded",
    "Pieces",
    "Rotations",
    "Score",
    "Scrambled",
    "SettingsError",
    "Solution",
    "SolveError",
    "Stop",
    "Task",
    "TooLarge",
    "Truth",
    "__version__",
    "connection_graph",
    "cut",
    "demo_picture",
    "inspect",
    "match",
    "measure_part",
    "merge_parts",
    "read",
    "rotations",
    "score",
    "scramble",
    "solve",
    "solve_in_parts",
    "solve_many",
    "suggest",
]

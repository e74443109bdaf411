"""Solving a puzzle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _native
from ._errors import SettingsError
from ._inputs import Grid, Size, grid_of, native_input, reading, whole, whole_or_none, whole_picture
from ._solution import Solution

#: Called with the stage, the share of it that is done (0 to 1), and the best board so far or None.
Progress = Callable[[str, float, Optional[Solution]], Any]

_SIDES = ("top", "right", "bottom", "left")


@dataclass
class Known:
    """What is known of the answer besides the grid and the turns. By default nothing.

    >>> Known(pins=[(17, 3, 4)], joins=[(17, "right", 5, "left")], puzzles=1)  # doctest: +ELLIPSIS
    Known(pins=[(17, 3, 4)], joins=[(17, 'right', 5, 'left')], forbidden=[], puzzles=1, ...)
    """

    #: Pieces whose place is known: ``(piece, row, column)`` or ``(piece, row, column, turns)``.
    pins: Sequence[Sequence[int]] = field(default_factory=list)
    #: Sides that touch: ``(piece, side, piece, side)``, the sides as they were handed in: top, right, bottom or left.
    joins: Sequence[Sequence[Any]] = field(default_factory=list)
    #: Sides that do not touch.
    forbidden: Sequence[Sequence[Any]] = field(default_factory=list)
    #: How many pictures the pieces belong to.
    puzzles: Optional[int] = None
    #: What is unknown: 1 positions, 2 positions and turns, 3 turns.
    type: Optional[int] = None
    #: How many pixels are missing between two pieces: 0 for a clean cut.
    gap_between: Optional[float] = None
    #: Whether pieces may be mirrored.
    mirrored: bool = False
    #: A solution of the same pieces to start from.
    start: Optional[Solution] = None
    #: Whether to start from a solution of other pieces, too.
    force: bool = False

    def _native(self) -> dict[str, Any]:
        return {
            "puzzle_type": whole_or_none("type", self.type, 1, 3),
            "puzzles": whole_or_none("puzzles", self.puzzles, 1),
            "gap_between": None if self.gap_between is None else float(self.gap_between),
            "mirrored": bool(self.mirrored),
            "pins": [_pin(pin) for pin in self.pins],
            "joins": [_join("joins", join) for join in self.joins],
            "forbidden": [_join("forbidden", join) for join in self.forbidden],
            "start": None if self.start is None else self.start._native,
            "force": bool(self.force),
        }


def _pin(pin: Sequence[Any]) -> tuple[Any, ...]:
    values = tuple(pin)
    if len(values) not in (3, 4):
        raise SettingsError(f"the pin {pin!r} is not (piece, row, column) or (piece, row, column, turns)")
    numbers = [whole("a number of a pin", value) for value in values[:3]]
    turns = whole("the turns of a pin", values[3], 0, 3) if len(values) == 4 else None
    return (*numbers, turns)


def _join(name: str, join: Sequence[Any]) -> tuple[Any, ...]:
    values = tuple(join)
    if len(values) != 4:
        raise SettingsError(f"{name}: {join!r} is not (piece, side, piece, side), such as (17, 'right', 5, 'left')")
    one, one_side, other, other_side = values
    number = f"a piece of {name}"
    return whole(number, one), _side(one_side), whole(number, other), _side(other_side)


def _side(side: Any) -> int:
    if side in _SIDES:
        return _SIDES.index(side)
    if isinstance(side, int) and side in range(4):
        return side
    raise SettingsError(f"{side!r} is not a side: top, right, bottom or left, or 0 to 3 in this order")


Stop = _native.Stop


def solve(
    pieces: Any,
    *,
    grid: Grid = None,
    turns: str = "auto",
    known: Union[Known, Mapping[str, Any], None] = None,
    reference: Any = None,
    method: str = "fretsaw",
    effort: str = "normal",
    time_limit: Optional[float] = None,
    seed: int = 0,
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
    stop: Optional[Stop] = None,
    upright: bool = True,
    measure: Optional[str] = None,
    matcher: Optional[str] = None,
    measured: Optional[bytes] = None,
    piece: Optional[Size] = None,
    gap: Optional[int] = None,
    border: Optional[int] = None,
    trim: Union[int, str] = "auto",
    max_pieces: Optional[int] = None,
    max_pixels: Optional[int] = None,
) -> Solution:
    """Puts the pieces of a square jigsaw puzzle back together.

    ``pieces`` are a list of arrays (height x width, or height x width x channels; uint8, uint16, or float in 0..1), one
    array of shape (number, height, width, channels), PIL images, paths or bytes of picture files, or one sheet: a
    picture of pieces side by side, as an array of two or three dimensions, a PIL image, a path or bytes. A path may also
    be that of a folder, a zip archive or a scramble folder.

    >>> import fretsaw
    >>> puzzle = fretsaw.scramble(fretsaw.demo_picture(6, 8), piece=28, seed=1)
    >>> solution = fretsaw.solve(puzzle.pieces)
    >>> solution
    <Solution: 48 of 48 pieces on 8 x 6 (columns x rows), finished>
    >>> solution.image().shape
    (168, 224, 3)
    >>> fretsaw.score(puzzle.truth, solution).neighbor
    1.0

    What is known:

    * ``grid``: ``(columns, rows)`` of the picture; one of them may be None.
    * ``turns``: ``"none"``, ``"half"`` or ``"quarter"``; ``"auto"`` finds out, or takes what a ``puzzle.json`` says.
    * ``known``: a ``Known``, or a dict of its fields: pinned pieces, sides that touch or do not, an answer to start
      from, the number of pictures.
    * ``reference``: a picture of the same content, smaller or of lower quality, to place pieces by.

    How to solve:

    * ``method``: ``"fretsaw"``, ``"yu"``, ``"gallagher"``, ``"gcl"`` or ``"assignment"``; ``measure`` and ``matcher``
      choose parts of it.
    * ``effort``: ``"fast"``, ``"normal"`` or ``"high"``.
    * ``seed``: breaks ties. The same pieces, settings and seed give the same answer on any number of ``threads``, and
      the same as the program ``fretsaw``, whose default seed is 0, too.
    * ``measured``: the stage measure of these pieces with these settings, found in parts by ``merge_parts``.
    * ``upright``: whether to turn the picture upright if its turn is unknown, by a guess.

    When to stop:

    * ``time_limit``: seconds, after which the best board so far is returned.
    * ``stop``: a ``Stop``; calling it from another thread ends the solve in the same way.
    * Ctrl-C raises ``KeyboardInterrupt``. Threads of Python run while a solve works.

    ``progress`` is True for a bar (if tqdm is installed), or a function that is called with the stage, the share of it
    that is done and the best board so far, a ``Solution`` without confidences, or None. What it raises ends the solve.

    ``piece``, ``gap``, ``border``, ``trim``, ``max_pieces`` and ``max_pixels`` are those of ``read``.

    Raises ``InputError``, ``SettingsError`` or ``SolveError``, which are kinds of ``FretsawError``.
    """
    source = native_input(pieces, reading(piece, grid, gap, border, trim, max_pieces, max_pixels))
    asked = asked_for(grid, turns, known, reference, method, effort, measure, matcher, time_limit, seed, threads, upright)
    if progress is True:
        from ._progress import bar

        with bar() as report:
            return Solution(_native.solve(source, asked, stop, report, measured))
    return Solution(_native.solve(source, asked, stop, _reporter(progress), measured))


def asked_for(
    grid: Grid = None,
    turns: str = "auto",
    known: Union[Known, Mapping[str, Any], None] = None,
    reference: Any = None,
    method: str = "fretsaw",
    effort: str = "normal",
    measure: Optional[str] = None,
    matcher: Optional[str] = None,
    time_limit: Optional[float] = None,
    seed: int = 0,
    threads: Optional[int] = None,
    upright: bool = True,
) -> dict[str, Any]:
    """The settings of a solve."""
    columns, rows = grid_of(grid)
    return {
        "columns": columns,
        "rows": rows,
        "turns": str(turns),
        "known": _known(known)._native(),
        "reference": None if reference is None else whole_picture(reference, "the reference"),
        "method": str(method),
        "effort": str(effort),
        "measure": measure,
        "matcher": matcher,
        "time_limit": _seconds(time_limit),
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "threads": whole_or_none("threads", threads, 1, 1024),
        "upright": bool(upright),
    }


def _known(known: Union[Known, Mapping[str, Any], None]) -> Known:
    if isinstance(known, Known):
        return known
    if known is not None and not isinstance(known, Mapping):
        raise SettingsError(f"known is of type {type(known).__name__}; wanted is a Known or a dict of its fields")
    try:
        return Known(**(known or {}))
    except TypeError:
        fields = ", ".join(Known.__dataclass_fields__)
        raise SettingsError(f"known has the keys {', '.join(map(str, known or []))}; it may have {fields}") from None


def _seconds(time_limit: Any) -> Optional[float]:
    try:
        return None if time_limit is None else float(time_limit)
    except (TypeError, ValueError):
        raise SettingsError(f"time_limit={time_limit!r} is not a number of seconds") from None


def _reporter(progress: Any) -> Optional[Callable[[str, float, Optional[_native.Found]], None]]:
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise SettingsError(f"progress={progress!r} is neither True nor a function")

    def report(stage: str, share: float, board: Optional[_native.Found]) -> None:
        progress(stage, share, None if board is None else Solution(board))

    return report

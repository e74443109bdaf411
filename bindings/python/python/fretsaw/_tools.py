"""Making, scoring and describing puzzles."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _native
from ._errors import InputError, InputTypeError
from ._inputs import (
    Cut,
    Grid,
    Size,
    _content,
    _is_bytes,
    _is_path,
    document_of,
    of_grid,
    reading,
    size_of,
    whole,
    whole_or_none,
    whole_picture,
)
from ._solution import Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Truth:
    """Where the pieces of a scrambled puzzle belong. ``score`` compares answers with it."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Truth) -> None:
        self._native = native

    def __repr__(self) -> str:
        return f"<Truth: {self._native.num_pieces} pieces>"

    def __reduce__(self) -> Any:
        return _restored_truth, (self._native.json(),)

    @property
    def places(self) -> list[list[int]]:
        """Piece, board, row, column and turns of every piece."""
        return self._native.places()

    def to_json(self) -> str:
        """The document that ``fretsaw scramble`` writes as truth.json."""
        return self._native.json().decode()

    @classmethod
    def from_json(cls, document: Union[str, bytes, os.PathLike[str]]) -> Truth:
        """Reads the document of ``to_json`` or of ``fretsaw scramble``: text, bytes, or a ``pathlib.Path``."""
        content, _ = document_of(document)
        return cls(_native.Truth.parse(content))


def _restored_truth(json: bytes) -> Truth:
    return Truth(_native.Truth.parse(json))


class Scrambled(NamedTuple):
    """A scrambled puzzle."""

    #: Number x height x width x channels.
    pieces: NDArray[Any]
    #: Columns and rows of the picture.
    grid: tuple[int, int]
    #: Where the pieces belong.
    truth: Truth

    def __repr__(self) -> str:
        return f"<Scrambled: {of_grid(self.pieces, self.grid)}>"


@dataclass(frozen=True)
class Score:
    """How well an answer agrees with the truth. Higher is better, and 1 is best."""

    #: Pieces in the puzzle.
    pieces: int
    #: Pieces that the answer places.
    placed: int
    #: The share of pieces at their true cell and turn.
    direct: float
    #: The share of true adjacencies that are found.
    neighbor: float
    #: The largest group of pieces connected by true adjacencies, as a share of all pieces.
    largest: float
    #: Whether ``direct`` is 1.
    perfect: bool
    #: As above, but pieces that are equal pixel for pixel may be exchanged.
    neighbor_px: Optional[float] = None
    direct_px: Optional[float] = None
    perfect_px: Optional[bool] = None
    #: Plain pieces that nobody can tell apart by eye may be exchanged, too.
    neighbor_visual: Optional[float] = None


class Alternative(NamedTuple):
    """A piece that may lie in a doubtful place."""

    piece: int
    turns: int
    likelihood: float


@dataclass(frozen=True)
class Doubt:
    """A doubtful place, the piece that lies there, and other pieces that may."""

    board: int
    row: int
    col: int
    piece: int
    turns: int
    confidence: float
    #: How likely the piece lies there, beside the alternatives.
    likelihood: Optional[float]
    #: The likeliest first.
    alternatives: list[Alternative]
    #: The file name of the piece.
    name: Optional[str] = None


def cut(picture: Any, piece: Size = 28) -> Cut:
    """Cuts a picture into pieces, row by row. Pixels at the right and bottom that fill no piece are left out.

    ``picture`` is an array, a PIL image, a path or bytes; ``piece`` is a number of pixels or ``(width, height)``.

    >>> import fretsaw
    >>> fretsaw.cut(fretsaw.demo_picture(6, 8), 28)
    <Cut: 48 pieces of 28 x 28 px from a picture of 8 x 6 (columns x rows)>
    """
    return Cut(*_native.cut_picture(whole_picture(picture, "the picture"), size_of(piece)))


def scramble(
    picture: Any,
    piece: Size = 28,
    *,
    type: int = 2,
    seed: int = 0,
    corrupt: float = 0.0,
    drop: int = 0,
    out: Union[str, os.PathLike[str], None] = None,
) -> Scrambled:
    """Cuts a picture and scrambles the pieces, with the truth to score answers by.

    ``type`` is what is unknown: 1 positions, 2 positions and turns, 3 turns. ``corrupt`` is the probability that a side
    of a piece is destroyed, ``drop`` the number of pieces that are left out, and ``out`` a folder to write the puzzle to.

    >>> import fretsaw
    >>> fretsaw.scramble(fretsaw.demo_picture(6, 8), 28, seed=1)
    <Scrambled: 48 pieces of 28 x 28 px from a picture of 8 x 6 (columns x rows)>
    """
    pieces, grid, truth = _native.scramble_picture(
        whole_picture(picture, "the picture"),
        size_of(piece),
        whole("type", type, 1, 3),
        whole("seed", seed, 0, 2**64 - 1),
        float(corrupt),
        whole("drop", drop),
        None if out is None else os.fspath(out),
    )
    return Scrambled(pieces, grid, Truth(truth))


#: The side of a piece of the demo.
_DEMO_PX = 28


def demo_picture(rows: int = 18, columns: int = 24, seed: int = 1) -> NDArray[Any]:
    """A picture as ``fretsaw demo`` draws it, of so many rows and columns of pieces of 28 px.

    >>> import fretsaw
    >>> fretsaw.demo_picture(6, 8).shape
    (168, 224, 3)
    """
    height_px, width_px = (_DEMO_PX * whole(name, number, 1, 500) for name, number in (("rows", rows), ("columns", columns)))
    return _native.demo_picture(height_px, width_px, whole("seed", seed, 0, 2**64 - 1))


def score(truth: Union[Truth, str, bytes, os.PathLike[str]], solution: Solution, *, force: bool = False) -> Score:
    """How well a solution agrees with the truth. ``force`` compares those of other pieces, too."""
    if not isinstance(truth, Truth):
        truth = Truth.from_json(truth)
    check_solution(solution)
    values = json.loads(_native.score_answer(truth._native, solution._native, force))
    for name in ("perfect", "perfect_px"):
        if values.get(name) is not None:
            values[name] = bool(values[name])
    return Score(**values)


def check_solution(solution: Any) -> None:
    """Refuses what is no solution."""
    if not isinstance(solution, Solution):
        raise InputTypeError(f"the solution is of type {type(solution).__name__}; wanted is a Solution")


def inspect(
    pieces: Any,
    *,
    piece: Optional[Size] = None,
    grid: Grid = None,
    gap: Optional[int] = None,
    border: Optional[int] = None,
    trim: Union[int, str] = "auto",
) -> dict[str, Any]:
    """Describes an input without solving it: the sizes of its pictures, the piece sizes that a sheet may have, wear, and
    what is done to the pieces before a solve. The keys are those of ``fretsaw inspect --json``.

    ``pieces`` is the path of a folder, a sheet or a zip archive, a list of paths, or the bytes of one file.
    """
    options = reading(piece, grid, gap, border, trim)
    if callable(getattr(pieces, "read", None)):
        pieces = _content(pieces)
    if _is_bytes(pieces):
        return dict(json.loads(_native.inspect_files([("", bytes(pieces))], options)))
    paths = [pieces] if _is_path(pieces) else list(pieces) if isinstance(pieces, (list, tuple)) else []
    if not paths or not all(map(_is_path, paths)):
        raise InputTypeError(
            f"an object of type {type(pieces).__name__} cannot be inspected; give a path, a list of paths or bytes"
        )
    return dict(json.loads(_native.inspect_paths([os.fspath(path) for path in paths], options)))


def suggest(solution: Solution, top: Optional[int] = None) -> list[Doubt]:
    """The doubtful places of a solution, least certain first, and which other pieces may lie there.

    >>> import fretsaw
    >>> puzzle = fretsaw.scramble(fretsaw.demo_picture(6, 8), seed=1)
    >>> fretsaw.suggest(fretsaw.solve(puzzle.pieces))
    []
    """
    check_solution(solution)
    found = solution._native.doubts()
    if found is None:
        raise InputError("the solution has no confidences; solve with fretsaw to get them")
    doubts = []
    for record in json.loads(found)[: whole_or_none("top", top)]:
        others = record.pop("alternatives")
        alternatives = [Alternative(it["piece"], it["turns"], it["likelihood"]) for it in others]
        doubts.append(Doubt(**{"likelihood": None, **record}, alternatives=alternatives))
    return doubts

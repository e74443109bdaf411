"""The answer."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _native
from ._errors import InputError
from ._inputs import document_of, native_input, reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PLACEMENT = np.dtype(
    [("piece", "i4"), ("board", "i4"), ("row", "i4"), ("col", "i4"), ("turns", "i4"), ("confidence", "f8")]
)
_SEAM = np.dtype([("a", "i4"), ("a_side", "i4"), ("b", "i4"), ("b_side", "i4"), ("confidence", "f8")])


def _structured(columns: dict[str, NDArray[Any]], dtype: np.dtype[Any]) -> NDArray[Any]:
    table = np.empty(len(columns["confidence"]), dtype)
    for name, column in columns.items():
        table[name] = column
    return table


class Solution:
    """Where the pieces lie, and how certain that is.

    Pieces, boards, rows and columns are counted from 0. Turns are clockwise quarter turns, 0 to 3. Sides are numbered
    clockwise from the top, 0 to 3, of the piece as it was handed in.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Found) -> None:
        self._native = native

    def __repr__(self) -> str:
        placed = self.num_pieces - len(self.unplaced)
        boards = ", ".join(f"{cols} x {rows}" for rows, cols in self._native.boards)
        return f"<Solution: {placed} of {self.num_pieces} pieces on {boards} (columns x rows), {self.status}>"

    def __reduce__(self) -> Any:
        found = self._native
        rest = (found.constant_alpha, found.source, found.warnings, found.verdict)
        return _restored, (found.json(), found.pieces(), *rest)

    @property
    def num_pieces(self) -> int:
        """The number of pieces of the puzzle."""
        return self._native.num_pieces

    @property
    def placements(self) -> NDArray[Any]:
        """Every piece that has a place: a structured array of ``piece``, ``board``, ``row``, ``col``, ``turns`` and
        ``confidence``, in the order of the pieces."""
        return _structured(self._native.placements(), _PLACEMENT)

    @property
    def boards(self) -> list[NDArray[np.int32]]:
        """The boards: for each the piece in every cell, rows x columns; -1 for an empty cell."""
        boards = [np.full(shape, -1, np.int32) for shape in self._native.boards]
        for piece, board, row, col, _, _ in self.placements:
            boards[board][row, col] = piece
        return boards

    @property
    def grid(self) -> tuple[int, int]:
        """Columns and rows of the first board."""
        rows, columns = self._native.boards[0]
        return columns, rows

    @property
    def permutation(self) -> NDArray[np.int32]:
        """The piece in every cell, row by row, board after board; -1 for an empty cell. If no cell is empty,
        ``pieces[solution.permutation]`` are the pieces in the order of the picture."""
        return np.concatenate([board.ravel() for board in self.boards])

    @property
    def turns(self) -> NDArray[np.int8]:
        """The clockwise quarter turns of every piece, 0 to 3; -1 for pieces without a place."""
        turns = np.full(self.num_pieces, -1, np.int8)
        placements = self.placements
        turns[placements["piece"]] = placements["turns"]
        return turns

    @property
    def confidence(self) -> NDArray[np.float64]:
        """How certain the place of every piece is, 0 to 1; NaN for pieces without a place or if it is not known."""
        confidence = np.full(self.num_pieces, np.nan)
        placements = self.placements
        confidence[placements["piece"]] = placements["confidence"]
        return confidence

    @property
    def seams(self) -> NDArray[Any]:
        """Every pair of sides that touch: a structured array of ``a``, ``a_side``, ``b``, ``b_side`` and
        ``confidence``, the probability that they belong together."""
        return _structured(self._native.seams(), _SEAM)

    @property
    def unplaced(self) -> NDArray[np.int32]:
        """The pieces without a place."""
        return np.array(self._native.unplaced(), np.int32)

    @property
    def interchangeable(self) -> list[list[int]]:
        """Groups of pieces that are equal pixel for pixel."""
        return self._native.interchangeable

    @property
    def mirrored(self) -> list[int]:
        """Pieces that have to be flipped left to right before they are turned."""
        return self._native.mirrored

    @property
    def status(self) -> str:
        """``finished``, or why the solve stopped early."""
        return self._native.status or "unknown"

    @property
    def verdict(self) -> Optional[str]:
        """How good the answer probably is, in words."""
        return self._native.verdict

    @property
    def method(self) -> Optional[str]:
        """The name of the method that found it."""
        return self._native.method

    @property
    def seed(self) -> Optional[int]:
        """The seed of the solve."""
        return self._native.seed

    @property
    def names(self) -> list[str]:
        """The file names of the pieces; empty if they have none."""
        return self._native.names

    @property
    def warnings(self) -> list[str]:
        """What is unusual about the input or the answer."""
        return self._native.warnings

    @property
    def timings(self) -> dict[str, float]:
        """The seconds of every stage."""
        return dict(self._native.timings)

    @property
    def upright(self) -> Optional[float]:
        """The probability that the picture stands upright, if that was guessed."""
        found = self._native.upright
        return None if found is None else found[1]

    @property
    def pieces(self) -> NDArray[Any]:
        """The pixels of the pieces as they were compared: number x height x width x channels."""
        pieces = self._native.pieces()
        if pieces is None:
            raise InputError("this solution has no pieces, only places; give them to Solution.from_json with pieces=")
        return pieces

    def image(self, board: int = 0, *, even_light: bool = False) -> NDArray[Any]:
        """The solved picture: height x width x channels, or height x width if it is grey.

        If a cell is empty, the picture has an alpha channel, which is 0 there. ``even_light`` evens out the light of
        pieces that were photographed one by one.
        """
        return self._native.image(self._board(board), even_light)

    def save(self, path: Union[str, os.PathLike[str]], board: int = 0, *, even_light: bool = False) -> None:
        """Writes the solved picture. The extension chooses the format, such as .png or .jpg."""
        self._native.save(os.fspath(path), self._board(board), even_light)

    def _board(self, board: int) -> int:
        boards = len(self._native.boards)
        if not 0 <= board < boards:
            raise InputError(f"there is no board {board}: the solution has {boards}, counted from 0")
        return board

    def report(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the report: an HTML page with the picture before and after, the map of confidence, and the least
        certain seams."""
        self._native.report(os.fspath(path))

    def animation(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes an animation of the pieces moving to their places, as .gif or .png."""
        self._native.animation(os.fspath(path))

    def to_json(self) -> str:
        """The document that ``fretsaw solve --solution`` writes; docs/formats.md describes it."""
        return self._native.json().decode()

    @classmethod
    def from_json(
        cls, document: Union[str, bytes, os.PathLike[str]], pieces: Any = None, *, force: bool = False, **options: Any
    ) -> Solution:
        """Reads the document of ``to_json`` or of ``fretsaw solve --solution``: text, bytes, or a ``pathlib.Path``.

        With ``pieces``, in any form that ``solve`` takes, the solution can paint. ``options`` are those of ``read``.
        ``force`` takes pieces other than those that it was made of.
        """
        content, source = document_of(document)
        found = _native.Found.parse(content, None, None, source, [], None)
        if pieces is not None:
            found = found.with_pieces(native_input(pieces, reading(**options, again=found)), force)
        return cls(found)

    def _repr_html_(self) -> Optional[str]:
        return self._native.card() if self._native.pieces_known else None

    def _repr_png_(self) -> Optional[bytes]:
        return self._native.png() if self._native.pieces_known else None


def _restored(
    json: bytes,
    pieces: Optional[NDArray[Any]],
    constant_alpha: Optional[int],
    source: str,
    warnings: list[str],
    verdict: Optional[str],
) -> Solution:
    """A solution that was pickled."""
    arrays = None if pieces is None else list(pieces)
    return Solution(_native.Found.parse(json, arrays, constant_alpha, source, warnings, verdict))

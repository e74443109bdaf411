"""From what people have to what the library reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np

from . import _native
from ._errors import InputError, InputTypeError, SettingsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Grid = Union[str, "tuple[Optional[int], Optional[int]]", None]
Size = Union[int, str, "tuple[int, int]"]

#: What is taken as a picture.
PICTURES = "an array, a PIL image, a path or bytes"
#: What is taken as pieces.
PIECES = (
    "a list of arrays (height x width, or height x width x channels), one array of shape (number, height, width, "
    "channels), a picture of pieces side by side (an array of two or three dimensions), PIL images, paths, bytes, "
    "or the path of a folder, a sheet or a zip archive"
)


class Pieces:
    """Pieces that were read and prepared for solving: ``read`` makes them, and ``solve`` takes them.

    Reading once and solving several times saves the time of reading.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Input) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        width, height, channels, bits = self._native.kind
        return f"<Pieces: {len(self)} of {width} x {height} px, {channels} channels of {bits} bits>"

    @property
    def array(self) -> NDArray[Any]:
        """The pixels as they are compared: number x height x width x channels. A constant alpha is left out."""
        return self._native.array()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a piece in pixels."""
        width, height, _, _ = self._native.kind
        return width, height

    @property
    def names(self) -> list[str]:
        """The file names of the pieces; empty if they have none."""
        return self._native.names

    @property
    def source(self) -> str:
        """The name of the file or folder; empty for arrays and bytes."""
        return self._native.source

    @property
    def sheet(self) -> Optional[tuple[int, int]]:
        """Columns and rows of the sheet that the pieces were cut from."""
        return self._native.sheet

    @property
    def preparation(self) -> Optional[str]:
        """What was done to the pictures of the pieces, such as cutting off a background; None if nothing."""
        return self._native.preparation

    @property
    def warnings(self) -> list[str]:
        """What is unusual about the input, such as files that were skipped."""
        return self._native.warnings


def of_grid(pieces: NDArray[Any], grid: tuple[int, int]) -> str:
    """Pieces of a picture in a line."""
    number, height, width, _ = pieces.shape
    return f"{number} pieces of {width} x {height} px from a picture of {grid[0]} x {grid[1]} (columns x rows)"


class Cut(NamedTuple):
    """The pieces of a picture in their true order."""

    #: Number x height x width x channels, row by row.
    pieces: NDArray[Any]
    #: Columns and rows.
    grid: tuple[int, int]

    def __repr__(self) -> str:
        return f"<Cut: {of_grid(self.pieces, self.grid)}>"


def read(
    pieces: Any,
    *,
    piece: Optional[Size] = None,
    grid: Grid = None,
    gap: Optional[int] = None,
    border: Optional[int] = None,
    trim: Union[int, str] = "auto",
    max_pieces: Optional[int] = None,
    max_pixels: Optional[int] = None,
) -> Pieces:
    """Reads pieces from any form that ``solve`` takes.

    ``piece`` is the size of a piece in pixels: a number, or ``(width, height)``. A sheet needs it only if no size stands
    out. ``grid`` is ``(columns, rows)`` and helps to find the pieces of a sheet; ``gap`` and ``border`` are the pixels
    between and around them. ``trim`` is the number of lines to cut off every edge; ``"auto"`` cuts off dirt and
    background if nearly all pieces show it, and 0 nothing. ``max_pieces`` and ``max_pixels`` raise the limits on large
    inputs.

    >>> import fretsaw, numpy as np
    >>> pieces = np.random.default_rng(1).integers(0, 255, (12, 28, 28, 3), dtype=np.uint8)
    >>> fretsaw.read(pieces)
    <Pieces: 12 of 28 x 28 px, 3 channels of 8 bits>
    """
    options = reading(piece, grid, gap, border, trim, max_pieces, max_pixels)
    return Pieces(native_input(pieces, options))


def reading(
    piece: Optional[Size] = None,
    grid: Grid = None,
    gap: Optional[int] = None,
    border: Optional[int] = None,
    trim: Union[int, str] = "auto",
    max_pieces: Optional[int] = None,
    max_pixels: Optional[int] = None,
    again: Optional[_native.Found] = None,
) -> dict[str, Any]:
    """The options of the reader."""
    columns, rows = grid_of(grid)
    return {
        "piece": None if piece is None else size_of(piece),
        "columns": columns,
        "rows": rows,
        "gap": whole_or_none("gap", gap),
        "border": whole_or_none("border", border),
        "trim": None if isinstance(trim, str) and trim == "auto" else whole("trim", trim),
        "max_pieces": whole_or_none("max_pieces", max_pieces),
        "max_pixels": whole_or_none("max_pixels", max_pixels),
        "again": again,
    }


def whole(name: str, value: Any, least: int = 0, most: int = 2**32 - 1) -> int:
    """A whole number from ``least`` to ``most``."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = int(value.__index__())
    except (AttributeError, TypeError):
        raise SettingsError(f"{name}={value!r} is not a whole number") from None
    if not least <= number <= most:
        raise SettingsError(f"{name}={number} is not a number from {least} to {most}")
    return number


def whole_or_none(name: str, value: Any, least: int = 0, most: int = 2**32 - 1) -> Optional[int]:
    """A whole number from ``least`` to ``most``, or None."""
    return None if value is None else whole(name, value, least, most)


def _numbers(name: str, text: str, example: str) -> list[Optional[int]]:
    parts = text.split("x")
    if len(parts) != 2 or not all(part.strip().isdigit() or not part.strip() for part in parts):
        raise SettingsError(f"{name}={text!r} is not {example}")
    return [int(part) if part.strip() else None for part in parts]


def size_of(piece: Any) -> tuple[int, int]:
    """The size of a piece as width and height."""
    example = "a number of pixels or (width, height), such as 28 or (40, 25)"
    values: Any = piece
    if isinstance(piece, str):
        values = [int(piece)] if piece.strip().isdigit() else _numbers("piece", piece, example)
    elif not isinstance(piece, (tuple, list)):
        values = [piece]
    if len(values) == 1:
        values = [values[0], values[0]]
    if len(values) != 2 or None in values:
        raise SettingsError(f"piece={piece!r} is not {example}")
    width, height = (whole("piece", value, 1) for value in values)
    return width, height


def grid_of(grid: Any) -> tuple[Optional[int], Optional[int]]:
    """Columns and rows, each None if unknown."""
    example = "(columns, rows), such as (24, 18), (24, None) or '24x18'"
    if grid is None:
        return None, None
    values = _numbers("grid", grid, example) if isinstance(grid, str) else grid
    if not isinstance(values, (tuple, list)) or len(values) != 2 or (values[0] is None and values[1] is None):
        raise SettingsError(f"grid={grid!r} is not {example}")
    columns, rows = (whole_or_none("grid", value, 1) for value in values)
    return columns, rows


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _is_bytes(value: Any) -> bool:
    return isinstance(value, (bytes, bytearray, memoryview))


def _is_pil(value: Any) -> bool:
    return hasattr(value, "mode") and hasattr(value, "convert") and hasattr(value, "getbands")


def _is_picture(value: Any) -> bool:
    return isinstance(value, np.ndarray) or _is_pil(value) or hasattr(value, "__array__")


def _pil_pixels(image: Any, what: str) -> NDArray[Any]:
    mode = image.mode
    if mode == "P":
        mode = "RGBA" if "transparency" in image.info else "RGB"
    mode = {"1": "L", "PA": "RGBA", "La": "LA", "RGBa": "RGBA", "RGBX": "RGB", "CMYK": "RGB", "YCbCr": "RGB"}.get(mode, mode)
    if mode.startswith("I;16"):
        return np.asarray(image).astype(np.uint16)
    if mode not in ("L", "LA", "RGB", "RGBA"):
        raise InputTypeError(f"{what} is a PIL image of mode {mode!r}; convert it with .convert('RGB') or .convert('L')")
    return np.asarray(image if mode == image.mode else image.convert(mode))


def _shaped(value: Any, what: str) -> NDArray[Any]:
    """An array of height x width x channels of any type."""
    array = _pil_pixels(value, what) if _is_pil(value) else np.asarray(value)
    if array.ndim == 2:
        array = array[:, :, np.newaxis]
    if array.ndim != 3:
        raise InputTypeError(
            f"{what} is an array of shape {array.shape}; wanted is height x width, or height x width x channels"
        )
    if array.size == 0:
        raise InputError(f"{what} is an array of shape {array.shape}, which has no pixels")
    if array.shape[0] <= 4 < array.shape[2] and array.shape[1] > 4:
        raise InputTypeError(
            f"{what} is an array of shape {array.shape}, which looks like channels x height x width; wanted is height x "
            "width x channels, which np.moveaxis(array, -3, -1) makes of it"
        )
    return array


def pixels(values: Sequence[Any], names: Sequence[str]) -> list[NDArray[Any]]:
    """Arrays of height x width x channels of 8 or 16 bits, of one type and number of channels."""
    arrays = [_shaped(value, name) for value, name in zip(values, names)]
    first = arrays[0]
    for array, name in zip(arrays, names):
        if array.dtype.newbyteorder("=") != first.dtype.newbyteorder("="):
            raise InputTypeError(
                f"{name} has values of type {array.dtype}, but {names[0]} has {first.dtype}; convert one of them"
            )
        if array.shape[2] != first.shape[2]:
            raise InputError(
                f"{name} has {array.shape[2]} channels, but {names[0]} has {first.shape[2]}; all pieces of a puzzle "
                "must agree"
            )
    if first.dtype.kind == "f":
        return _of_shares(arrays, names)
    if first.dtype.kind != "u" or first.dtype.itemsize > 2:
        raise InputTypeError(
            f"{names[0]} has values of type {first.dtype}; wanted is uint8, uint16, or float in 0..1. Convert whole "
            "numbers up to 255 with .astype(np.uint8)"
        )
    if not first.dtype.isnative:
        return [array.astype(array.dtype.newbyteorder("=")) for array in arrays]
    return arrays


def _of_shares(arrays: Sequence[NDArray[Any]], names: Sequence[str]) -> list[NDArray[Any]]:
    """Values from 0 to 1 as 8 bits, if that loses nothing, or 16 bits."""
    for array, name in zip(arrays, names):
        least, most = float(array.min()), float(array.max())
        if not (least >= 0.0 and most <= 1.0):
            raise InputError(
                f"{name} has float values from {least:g} to {most:g}; wanted is 0..1. Divide them by the largest "
                "possible value, such as 255"
            )

    # Pictures of 8 bits that were divided by 255: the answer is that of the bytes.
    def is_8_bit(array: NDArray[Any]) -> bool:
        levels = array * 255.0
        return bool(np.abs(levels - np.rint(levels)).max() < 0.01)

    if arrays[0].dtype.itemsize > 2 and all(map(is_8_bit, arrays)):
        return [np.rint(array * 255.0).astype(np.uint8) for array in arrays]
    return [np.rint(array.astype(np.float64) * 65535.0).astype(np.uint16) for array in arrays]


def native_input(source: Any, options: Mapping[str, Any]) -> _native.Input:
    """Reads pieces of any form."""
    if isinstance(source, Pieces):
        return source._native
    if isinstance(source, tuple) and hasattr(source, "pieces"):
        source = source.pieces
    if _is_path(source):
        return _native.Input.of_paths([os.fspath(source)], options)
    if _is_bytes(source):
        return _native.Input.of_files([("", bytes(source))], options)
    if callable(getattr(source, "read", None)):
        return native_input(_content(source), options)
    if _is_picture(source):
        if not _is_pil(source):
            source = np.asarray(source)
            if source.ndim == 4:
                return _of_pictures(list(source), options)
        return _native.Input.of_sheet(_sheet(source), options)
    if isinstance(source, Iterable) and not isinstance(source, Mapping):
        return _of_list(list(source), options)
    raise InputTypeError(f"an object of type {type(source).__name__} is given as pieces; wanted is {PIECES}")


def _content(file: Any) -> bytes:
    content = file.read()
    if not _is_bytes(content):
        raise InputTypeError("the file is opened as text; open it with mode 'rb'")
    if not content:
        raise InputError("an open file has nothing to read: it is empty or was read before; open it again")
    return bytes(content)


def _sheet(source: Any) -> NDArray[Any]:
    (array,) = pixels([source], ["the picture"])
    if array.shape[2] > 4:
        raise InputTypeError(
            f"an array of shape {array.shape} is taken as one picture, which has 1 to 4 channels; give pieces as a list, "
            "or as one array of shape (number, height, width, channels), with 1 channel for grey pieces"
        )
    return array


def _of_pictures(values: list[Any], options: Mapping[str, Any]) -> _native.Input:
    names = [f"piece {number}" for number in range(len(values))]
    if not values:
        raise InputError("there are no pieces in an array of length 0")
    return _native.Input.of_pictures(pixels(values, names), options)


def _of_list(values: list[Any], options: Mapping[str, Any]) -> _native.Input:
    if not values:
        raise InputError(f"the list of pieces is empty; wanted is {PIECES}")
    if all(map(_is_path, values)):
        return _native.Input.of_paths([os.fspath(value) for value in values], options)
    values = [_content(value) if callable(getattr(value, "read", None)) and not _is_pil(value) else value for value in values]
    if all(map(_is_bytes, values)):
        width = len(str(len(values)))
        names = (f"piece {number:0{width}}.png" for number in range(len(values)))
        return _native.Input.of_files([(name, bytes(value)) for name, value in zip(names, values)], options)
    if all(map(_is_picture, values)):
        return _of_pictures(values, options)
    kinds = sorted({type(value).__name__ for value in values})
    raise InputTypeError(f"the list holds objects of type {', '.join(kinds)}; wanted are arrays, PIL images, paths or bytes of one kind")


def document_of(source: Any) -> tuple[bytes, str]:
    """The content of a JSON document given as text, bytes or a ``pathlib.Path``, and its name for messages."""
    if isinstance(source, os.PathLike):
        name = os.fspath(source)
        try:
            with open(name, "rb") as file:
                return file.read(), name
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {error.strerror}; check the path") from None
    if isinstance(source, str):
        if not source.lstrip().startswith("{"):
            raise InputError(f"the text {source[:60]!r} is no document; give the path of a file as a pathlib.Path")
        return source.encode(), ""
    if not _is_bytes(source):
        raise InputTypeError(f"the document is of type {type(source).__name__}; wanted is text, bytes or a pathlib.Path")
    return bytes(source), ""


def whole_picture(source: Any, what: str) -> NDArray[Any]:
    """One picture as an array of height x width x channels of 8 or 16 bits."""
    options = reading()
    if _is_path(source):
        source = _native.read_whole(os.fspath(source), None, options)
    elif _is_bytes(source):
        source = _native.read_whole("", bytes(source), options)
    elif not _is_picture(source):
        raise InputTypeError(f"{what} is of type {type(source).__name__}; wanted is {PICTURES}")
    (array,) = pixels([source], [what])
    return array

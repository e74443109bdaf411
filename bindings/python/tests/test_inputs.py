"""Every form of input gives the same answer."""

import io
import pathlib
import zipfile

import numpy as np
import pytest
from conftest import same_places, sheet_of
from PIL import Image

import fretsaw


def png(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(array).save(file, "PNG")
    return file.getvalue()


def folder_of(pieces, path: pathlib.Path) -> pathlib.Path:
    path.mkdir()
    for number, piece in enumerate(pieces):
        (path / f"piece-{number}.png").write_bytes(png(piece))
    return path


@pytest.fixture(scope="module")
def folder(puzzle, tmp_path_factory):
    return folder_of(puzzle.pieces, tmp_path_factory.mktemp("input") / "tiles")


@pytest.fixture(scope="module")
def forms(puzzle, sheet, folder, tmp_path_factory):
    pieces = puzzle.pieces
    files = sorted(folder.iterdir(), key=lambda path: int(path.stem.split("-")[1]))
    there = tmp_path_factory.mktemp("forms")
    sheet_file = there / "sheet.png"
    sheet_file.write_bytes(png(sheet))
    archive = there / "tiles.zip"
    with zipfile.ZipFile(archive, "w") as writer:
        for file in files:
            writer.write(file, file.name)
    alpha = np.full((*pieces.shape[:3], 1), 255, np.uint8)
    return {
        "one array": pieces,
        "list of arrays": list(pieces),
        "tuple of arrays": tuple(pieces),
        "generator of arrays": (piece for piece in pieces),
        "cut with alpha": np.concatenate([pieces, alpha], axis=3),
        "big-endian 16 bit": pieces.astype(">u2") * 257,
        "16 bit": pieces.astype(np.uint16) * 257,
        "float32": pieces.astype(np.float32) / 255,
        "float64": pieces / 255.0,
        "arrays that are not contiguous": np.ascontiguousarray(pieces.swapaxes(1, 2)).swapaxes(1, 2),
        "scrambled": puzzle,
        "PIL images": [Image.fromarray(piece) for piece in pieces],
        "bytes of pieces": [png(piece) for piece in pieces],
        "files of pieces": [io.BytesIO(png(piece)) for piece in pieces],
        "folder": folder,
        "folder as text": str(folder),
        "paths": files,
        "zip archive": archive,
        "bytes of an archive": archive.read_bytes(),
        "sheet": sheet,
        "sheet as a PIL image": Image.fromarray(sheet),
        "sheet in a file": sheet_file,
        "bytes of a sheet": sheet_file.read_bytes(),
        "open sheet": io.BytesIO(sheet_file.read_bytes()),
        "read before": fretsaw.read(pieces),
    }


NAMES = [
    "one array",
    "list of arrays",
    "tuple of arrays",
    "generator of arrays",
    "cut with alpha",
    "big-endian 16 bit",
    "16 bit",
    "float32",
    "float64",
    "arrays that are not contiguous",
    "scrambled",
    "PIL images",
    "bytes of pieces",
    "files of pieces",
    "folder",
    "folder as text",
    "paths",
    "zip archive",
    "bytes of an archive",
    "sheet",
    "sheet as a PIL image",
    "sheet in a file",
    "bytes of a sheet",
    "open sheet",
    "read before",
]


@pytest.mark.parametrize("name", NAMES)
def test_every_form_gives_the_same_places(name, forms, answer, puzzle):
    options = {"piece": 28} if "sheet" in name else {}
    found = fretsaw.solve(forms[name], grid=puzzle.grid, **options)
    assert np.array_equal(found.boards[0], fretsaw.solve(puzzle.pieces, grid=puzzle.grid).boards[0])
    assert np.array_equal(found.turns, answer.turns)
    assert fretsaw.score(puzzle.truth, found, force=True).neighbor == 1.0


def test_all_forms_are_named(forms):
    assert list(forms) == NAMES


def test_a_sheet_needs_no_piece_size_if_one_stands_out():
    puzzle = fretsaw.scramble(fretsaw.demo_picture(10, 12), 28, seed=3)
    pieces = fretsaw.read(sheet_of(puzzle.pieces, 12))
    assert len(pieces) == 120 and pieces.size == (28, 28) and pieces.sheet == (12, 10)
    assert np.array_equal(pieces.array, puzzle.pieces)


def test_grey_pieces_have_two_dimensions_each(puzzle):
    grey = puzzle.pieces[..., 1]
    found = fretsaw.solve(list(grey))
    assert found.image().ndim == 2
    assert np.array_equal(found.placements, fretsaw.solve(grey[..., np.newaxis]).placements)


def test_names_of_files_are_kept(folder, puzzle):
    found = fretsaw.solve(folder)
    assert found.names[0] == "piece-0.png" and len(found.names) == len(puzzle.pieces)


def test_floats_of_16_bits_keep_their_precision():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 65536, (4, 8, 8, 3)).astype(np.uint16)
    assert np.array_equal(fretsaw.read(values / 65535.0, trim=0).array, values)


def test_float_pictures_of_8_bits_become_8_bits(puzzle):
    found = fretsaw.read(puzzle.pieces.astype(np.float32) / 255)
    assert found.array.dtype == np.uint8 and np.array_equal(found.array, puzzle.pieces)


def test_pil_modes_are_understood():
    rng = np.random.default_rng(2)
    shades = rng.integers(0, 255, (6, 16, 16), dtype=np.uint8)
    images = {mode: [Image.fromarray(shade).convert(mode) for shade in shades] for mode in ("L", "LA", "RGBA", "CMYK", "1")}
    channels = {mode: fretsaw.read(given, trim=0).array.shape[3] for mode, given in images.items()}
    assert channels == {"L": 1, "LA": 1, "RGBA": 3, "CMYK": 3, "1": 1}
    deep = [Image.fromarray(shade.astype(np.uint16) * 257) for shade in shades]
    assert fretsaw.read(deep, trim=0).array.dtype == np.uint16


def test_dirty_edges_of_arrays_are_cut_off_as_those_of_files(puzzle, tmp_path):
    dirty = np.zeros((len(puzzle.pieces), 40, 40, 3), np.uint8)
    dirty[:, 6:34, 6:34] = puzzle.pieces
    folder = folder_of(dirty, tmp_path / "dirty")
    of_files, of_arrays = fretsaw.read(folder), fretsaw.read(dirty)
    assert of_arrays.preparation is not None and of_arrays.preparation == of_files.preparation
    assert np.array_equal(of_files.array, of_arrays.array)
    assert fretsaw.read(dirty, trim=0).size == (40, 40)
    assert fretsaw.read(dirty, trim=6).size == (28, 28)


def test_a_grid_may_be_text_or_partly_known(puzzle):
    for grid in ("8x6", (8, 6), (8, None), "x6", [8, 6], (np.int64(8), 6)):
        assert fretsaw.solve(puzzle.pieces, grid=grid, effort="fast").grid == (8, 6)


def test_a_sheet_array_drops_empty_cells_at_its_end_as_a_file_does(tmp_path):
    puzzle = fretsaw.scramble(fretsaw.demo_picture(10, 12), 28, seed=3)
    pieces = puzzle.pieces.copy()
    pieces[-2:] = 0
    sheet = sheet_of(pieces, 12)
    Image.fromarray(sheet).save(tmp_path / "sheet.png")
    assert len(fretsaw.read(sheet, piece=28)) == len(fretsaw.read(tmp_path / "sheet.png", piece=28)) == 118


def test_an_input_is_described_as_the_program_does(folder, sheet, program, tmp_path):
    import json

    assert fretsaw.inspect(folder) == json.loads(program("inspect", folder, "--json"))
    file = tmp_path / "sheet.png"
    file.write_bytes(png(sheet))
    assert fretsaw.inspect(file, piece=28) == json.loads(program("inspect", file, "--json", "--piece", "28"))
    assert fretsaw.inspect(file.read_bytes(), piece=28)["pieces"] == 48

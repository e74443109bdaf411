"""Bad input is refused with a message that says what was given and what is wanted."""

import pathlib
import shutil

import numpy as np
import pytest
from PIL import Image

import fretsaw

GOOD = np.random.default_rng(0).integers(0, 255, (12, 20, 20, 3), dtype=np.uint8)


def with_text(path):
    path.write_text("not a picture")
    return path


def empty(path):
    path.touch()
    return path


def of_two_sizes(folder):
    folder.mkdir()
    for number, piece in enumerate([GOOD[0], GOOD[1][:5]]):
        Image.fromarray(piece).save(folder / f"{number}.png")
    return folder


def zipped(folder):
    return pathlib.Path(shutil.make_archive(str(folder), "zip", folder))


# What is given, the exception, and words of its message.
BAD = [
    (lambda tmp: None, fretsaw.InputTypeError, ["NoneType", "wanted is a list of arrays"]),
    (lambda tmp: 7, fretsaw.InputTypeError, ["int"]),
    (lambda tmp: {"a": GOOD}, fretsaw.InputTypeError, ["dict"]),
    (lambda tmp: [], fretsaw.InputError, ["empty"]),
    (lambda tmp: GOOD[:0], fretsaw.InputError, ["length 0"]),
    (lambda tmp: GOOD[:1], fretsaw.InputError, ["1 pieces", "at least 2"]),
    (lambda tmp: [GOOD[0], "a.png"], fretsaw.InputTypeError, ["ndarray", "str"]),
    (lambda tmp: [GOOD[0], None], fretsaw.InputTypeError, ["NoneType"]),
    (lambda tmp: GOOD.astype(np.int64), fretsaw.InputTypeError, ["int64", "uint8", "astype"]),
    (lambda tmp: GOOD.astype(np.uint32), fretsaw.InputTypeError, ["uint32"]),
    (lambda tmp: GOOD > 100, fretsaw.InputTypeError, ["bool"]),
    (lambda tmp: GOOD.astype(complex), fretsaw.InputTypeError, ["complex"]),
    (lambda tmp: GOOD.astype(object), fretsaw.InputTypeError, ["object"]),
    (lambda tmp: GOOD.astype(np.float32), fretsaw.InputError, ["to 254", "0..1", "255"]),
    (lambda tmp: GOOD / 255.0 - 0.5, fretsaw.InputError, ["-0.5"]),
    (lambda tmp: np.full((4, 9, 9, 3), np.nan), fretsaw.InputError, ["nan"]),
    (lambda tmp: [GOOD[0], GOOD[1].astype(np.uint16)], fretsaw.InputTypeError, ["piece 1", "uint16", "uint8"]),
    (lambda tmp: [GOOD[0], GOOD[1][..., 0]], fretsaw.InputError, ["piece 1", "1 channels", "3"]),
    (lambda tmp: [GOOD[0], GOOD[1][:5]], fretsaw.InputError, ["20 x 20 (such as piece 0)", "20 x 5 (such as piece 1)", "remove"]),
    (lambda tmp: of_two_sizes(tmp / "tiles"), fretsaw.PieceSizeNeeded, ["tiles: ", "20 x 5 (such as 1.png)", "piece="]),
    (lambda tmp: zipped(of_two_sizes(tmp / "tiles")), fretsaw.PieceSizeNeeded, ["tiles.zip: ", "20 x 5 (such as 1.png)", "piece="]),
    (lambda tmp: [file.read_bytes() for file in sorted(of_two_sizes(tmp / "tiles").iterdir())], fretsaw.PieceSizeNeeded, ["20 x 5 (such as piece 1.png)"]),
    (lambda tmp: open(empty(tmp / "empty.png"), "rb"), fretsaw.InputError, ["nothing to read", "again"]),
    (lambda tmp: [GOOD[0], GOOD], fretsaw.InputTypeError, ["piece 1", "(12, 20, 20, 3)", "height x width"]),
    (lambda tmp: [GOOD[0], GOOD[1][:0]], fretsaw.InputError, ["piece 1", "no pixels"]),
    (lambda tmp: np.zeros(5, np.uint8), fretsaw.InputTypeError, ["(5,)"]),
    (lambda tmp: np.zeros((2, 3, 4, 5, 6), np.uint8), fretsaw.InputTypeError, ["(2, 3, 4, 5, 6)"]),
    (lambda tmp: GOOD[..., 0], fretsaw.InputTypeError, ["(12, 20, 20)", "one picture", "1 channel for grey"]),
    (lambda tmp: GOOD.transpose(0, 3, 1, 2), fretsaw.InputTypeError, ["(3, 20, 20)", "channels x height x width", "moveaxis"]),
    (lambda tmp: GOOD[0], fretsaw.PieceSizeNeeded, ["no piece size stands out", "piece="]),
    (lambda tmp: tmp / "none", fretsaw.InputError, ["none", "no such file"]),
    (lambda tmp: [tmp / "a.png", tmp / "b.png"], fretsaw.InputError, ["a.png", "no such file"]),
    (lambda tmp: tmp, fretsaw.InputError, ["0 pieces"]),
    (lambda tmp: with_text(tmp / "a.png"), fretsaw.InputError, ["a.png", "not a picture"]),
    (lambda tmp: b"", fretsaw.InputError, ["not a picture"]),
    (lambda tmp: [b"one", b"two"], fretsaw.InputError, ["piece 0", "not a picture"]),
    (lambda tmp: open(with_text(tmp / "text"), encoding="ascii"), fretsaw.InputTypeError, ["rb"]),
    (lambda tmp: [Image.new("F", (9, 9)), Image.new("F", (9, 9))], fretsaw.InputTypeError, ["'F'", "convert"]),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_pieces_are_refused(number, tmp_path):
    given, kind, words = BAD[number]
    with pytest.raises(kind) as caught:
        fretsaw.solve(given(tmp_path))
    for word in words:
        assert word in str(caught.value), str(caught.value)


SETTINGS = [
    ({"grid": 24}, ["grid=24", "(columns, rows)"]),
    ({"grid": "24"}, ["'24'"]),
    ({"grid": (0, 3)}, ["grid=0"]),
    ({"grid": (None, None)}, ["(None, None)"]),
    ({"grid": (2, 3)}, ["2 columns x 3 rows"]),
    ({"grid": (10**6, 10**6)}, ["limit"]),
    ({"piece": "big"}, ["'big'"]),
    ({"piece": (1, 2, 3)}, ["(1, 2, 3)"]),
    ({"piece": 21}, ["21 x 21"]),
    ({"gap": 2}, ["gap=", "sheet"]),
    ({"trim": -1}, ["trim=-1"]),
    ({"trim": 10}, ["trim"]),
    ({"turns": "some"}, ["turns='some'", "'quarter'"]),
    ({"method": "magic"}, ["method='magic'", "'gcl'"]),
    ({"effort": "extreme"}, ["'fast'"]),
    ({"measure": "l2"}, ["'mgc'"]),
    ({"matcher": "loud"}, ["'learned'"]),
    ({"method": "gallagher", "time_limit": 3}, ["time_limit", "method='fretsaw'"]),
    ({"method": "yu", "effort": "high"}, ["effort"]),
    ({"time_limit": 0}, ["time_limit=0"]),
    ({"time_limit": "soon"}, ["'soon'"]),
    ({"seed": -1}, ["seed=-1"]),
    ({"seed": 1.5}, ["seed=1.5"]),
    ({"threads": 0}, ["threads=0"]),
    ({"threads": True}, ["threads=True"]),
    ({"progress": 3}, ["progress=3"]),
    ({"known": 3}, ["int", "Known"]),
    ({"known": {"pin": []}}, ["pin", "pins"]),
    ({"known": {"pins": [(1, 2)]}}, ["(1, 2)", "(piece, row, column)"]),
    ({"known": {"pins": [(1, 2, 3, 4)]}}, ["turns of a pin"]),
    ({"known": {"pins": [(99, 0, 0)]}}, ["99"]),
    ({"known": {"joins": [(1, "up", 2, "top")]}}, ["'up'", "top, right"]),
    ({"known": {"joins": [(1, "top", 1, "left")]}}, ["twice"]),
    ({"known": {"type": 4}}, ["type=4"]),
    ({"known": {"type": 3}}, ["grid="]),
    ({"known": {"puzzles": 13}}, ["13 pictures"]),
    ({"known": {"gap_between": 21}}, ["21"]),
    ({"known": {"type": 1}, "turns": "half"}, ["type 1"]),
    ({"reference": 5}, ["the reference", "int"]),
    ({"max_pieces": 5}, ["limit of 5", "max_pieces="]),
]


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_bad_settings_are_refused(number):
    settings, words = SETTINGS[number]
    with pytest.raises(fretsaw.FretsawError) as caught:
        fretsaw.solve(GOOD, **settings)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_exceptions_have_kinds_that_python_knows():
    assert issubclass(fretsaw.InputError, ValueError) and issubclass(fretsaw.InputTypeError, TypeError)
    assert issubclass(fretsaw.SettingsError, ValueError) and issubclass(fretsaw.SolveError, fretsaw.FretsawError)


def test_a_picture_without_a_piece_size_offers_likely_ones():
    with pytest.raises(fretsaw.PieceSizeNeeded, match=r"piece=28 for grid=\(3, 2\)") as caught:
        fretsaw.read(fretsaw.demo_picture(2, 3))
    assert ((28, 28), (3, 2)) in caught.value.layouts


def test_pieces_of_another_puzzle_are_refused(answer, puzzle):
    document = answer.to_json()
    with pytest.raises(fretsaw.InputError, match="fingerprint"):
        fretsaw.Solution.from_json(document, puzzle.pieces[::-1])
    with pytest.raises(fretsaw.InputError, match="48 pieces, but there are 47"):
        fretsaw.Solution.from_json(document, puzzle.pieces[1:])
    assert fretsaw.Solution.from_json(document, puzzle.pieces[::-1], force=True).image().size > 0
    with pytest.raises(fretsaw.InputError, match="fingerprint"):
        fretsaw.solve(puzzle.pieces[::-1], known={"start": answer})


def test_a_solution_without_pieces_cannot_paint(answer, tmp_path):
    bare = fretsaw.Solution.from_json(answer.to_json())
    for paint in (bare.image, lambda: bare.report(tmp_path / "r.html"), lambda: bare.pieces):
        with pytest.raises(fretsaw.InputError, match="pieces="):
            paint()
    assert bare._repr_html_() is None


def test_bad_documents_and_outputs_are_refused(answer, tmp_path):
    with pytest.raises(fretsaw.InputError):
        fretsaw.Solution.from_json("{}")
    with pytest.raises(fretsaw.InputError, match="missing.json"):
        fretsaw.Solution.from_json(tmp_path / "missing.json")
    with pytest.raises(fretsaw.InputError, match=r"missing.json.*pathlib.Path"):
        fretsaw.Solution.from_json("missing.json")
    with pytest.raises(fretsaw.InputTypeError, match="ndarray"):
        fretsaw.suggest(GOOD)
    with pytest.raises(fretsaw.InputTypeError, match="Solution"):
        fretsaw.score(answer, answer)
    with pytest.raises(fretsaw.FretsawError, match="gif"):
        answer.animation(tmp_path / "a.mp4")
    with pytest.raises(fretsaw.FretsawError):
        answer.save(tmp_path / "none" / "a.png")
    with pytest.raises(fretsaw.InputError, match="board 3"):
        answer.image(3)
    assert list(tmp_path.iterdir()) == []

"""What a solution says."""

import json
import pickle

import numpy as np
import pytest
from conftest import same_places

import fretsaw


def test_places_agree_in_all_views(answer, puzzle):
    assert answer.status == "finished" and answer.method == "fretsaw" and answer.seed == 0
    assert len(answer.placements) == 48 and answer.placements.dtype.names[0] == "piece"
    (board,) = answer.boards
    columns, rows = answer.grid
    assert board.shape == (rows, columns) and np.array_equal(answer.permutation, board.ravel())
    for piece, _, row, col, turns, confidence in answer.placements:
        assert board[row, col] == piece and answer.turns[piece] == turns
        assert answer.confidence[piece] == confidence and 0 <= confidence <= 1
    assert len(answer.unplaced) == 0
    assert len(answer.seams) == rows * (columns - 1) + columns * (rows - 1)
    assert set(answer.timings) >= {"measure", "match", "search"}
    assert "48 of 48" in repr(answer) and answer.warnings == [] and answer.verdict


def test_the_picture_is_made_of_the_turned_pieces(answer, puzzle):
    image = answer.image()
    for piece, _, row, col, turns, _ in answer.placements:
        # NumPy turns counter-clockwise.
        expected = np.rot90(puzzle.pieces[piece], -turns)
        assert np.array_equal(image[28 * row : 28 * row + 28, 28 * col : 28 * col + 28], expected)


def test_a_permutation_orders_pieces_that_are_not_turned():
    picture = fretsaw.demo_picture(6, 8)
    puzzle = fretsaw.scramble(picture, 28, type=1, seed=2)
    found = fretsaw.solve(puzzle.pieces, turns="none", grid=(8, 6))
    assert np.array_equal(puzzle.pieces[found.permutation], fretsaw.cut(picture, 28).pieces)
    assert np.array_equal(found.image(), picture)


def test_missing_pieces_leave_holes():
    puzzle = fretsaw.scramble(fretsaw.demo_picture(6, 8), 28, seed=1, drop=3)
    found = fretsaw.solve(puzzle.pieces, grid=(8, 6))
    assert (found.boards[0] == -1).sum() == 3 and found.image().shape[2] == 4
    assert fretsaw.score(puzzle.truth, found).placed == 45


def test_a_document_survives_json_and_pickle(answer, puzzle):
    document = answer.to_json()
    assert json.loads(document)["format"] == "fretsaw-solution/1"
    again = fretsaw.Solution.from_json(document)
    assert again.to_json() == document and same_places(again, answer)
    painting = fretsaw.Solution.from_json(document.encode(), puzzle.pieces)
    assert np.array_equal(painting.image(), answer.image())
    copied = pickle.loads(pickle.dumps(answer))
    assert copied.to_json() == document and np.array_equal(copied.image(), answer.image())
    assert copied.verdict == answer.verdict
    bare = pickle.loads(pickle.dumps(again))
    assert bare.to_json() == document and not bare._native.pieces_known
    truth = pickle.loads(pickle.dumps(puzzle.truth))
    assert fretsaw.score(truth, copied) == fretsaw.score(puzzle.truth, answer)


def test_boards_of_several_pictures_are_apart(puzzle):
    places = [(piece, piece // 24, piece % 24 // 6, piece % 6) for piece in range(46)]
    document = {
        "format": "fretsaw-solution/1",
        "boards": [{"rows": 4, "cols": 6}, {"rows": 4, "cols": 6}],
        "placements": [dict(zip(("piece", "board", "row", "col"), place), turns=0) for place in places],
        "unplaced": [46, 47],
    }
    found = fretsaw.Solution.from_json(json.dumps(document), puzzle.pieces)
    assert [board.shape for board in found.boards] == [(4, 6), (4, 6)] and list(found.unplaced) == [46, 47]
    assert found.boards[1][0, 1] == 25 and found.boards[1][3, 5] == -1 and found.turns[47] == -1
    assert np.isnan(found.confidence).all() and found.image(1).shape == (112, 168, 4)
    assert np.array_equal(found.image(0)[:28, 28:56], puzzle.pieces[1])
    with pytest.raises(fretsaw.InputError, match="confidences"):
        fretsaw.suggest(found)


def test_files_are_written(answer, tmp_path):
    answer.save(tmp_path / "a.png")
    answer.report(tmp_path / "a.html")
    answer.animation(str(tmp_path / "a.gif"))
    (tmp_path / "a.json").write_text(answer.to_json())
    from PIL import Image

    assert np.array_equal(np.asarray(Image.open(tmp_path / "a.png")), answer.image())
    assert "<html" in (tmp_path / "a.html").read_text()
    assert (tmp_path / "a.gif").read_bytes().startswith(b"GIF8")
    assert same_places(fretsaw.Solution.from_json(tmp_path / "a.json"), answer)


def test_notebooks_show_the_picture_and_the_heat_map(answer):
    html = answer._repr_html_()
    assert html.count("data:image/") == 2 and "Map of confidence" in html and "48 of 48" in html
    assert answer._repr_png_().startswith(b"\x89PNG")


def test_scores_and_doubts(answer, puzzle):
    score = fretsaw.score(puzzle.truth, answer)
    assert score.perfect is True and score.neighbor == score.direct == 1.0 and score.pieces == 48
    assert fretsaw.suggest(answer) == []
    noise = np.random.default_rng(3).integers(0, 255, (20, 16, 16, 3), dtype=np.uint8)
    doubts = fretsaw.suggest(fretsaw.solve(noise, grid=(5, 4)), top=4)
    assert len(doubts) == 4 and doubts[0].confidence <= doubts[3].confidence


def test_scrambles_are_written_as_the_program_reads_them(program, tmp_path):
    picture = fretsaw.demo_picture(6, 8)
    puzzle = fretsaw.scramble(picture, 28, seed=5, out=tmp_path / "puzzle")
    program("solve", tmp_path / "puzzle", "--solution", tmp_path / "s.json", "-o", tmp_path / "s.png", "-q")
    scored = json.loads(program("eval", "--truth", tmp_path / "puzzle" / "truth.json", tmp_path / "s.json", "--json"))
    found = fretsaw.Solution.from_json(tmp_path / "s.json")
    assert scored["neighbor"] == fretsaw.score(puzzle.truth, found).neighbor
    assert fretsaw.score(tmp_path / "puzzle" / "truth.json", found) == fretsaw.score(puzzle.truth, found)


def without_times(document: str) -> dict:
    parsed = json.loads(document)
    for timing in parsed["timings"]:
        timing["seconds"] = 0
    return parsed


# Twenty puzzles: type, rows, columns, pieces left out, seed, and flags of the program with the same settings.
LIKE_THE_PROGRAM = [
    (2, 4, 5, 0, 1, [], {}),
    (2, 5, 6, 0, 2, [], {}),
    (2, 6, 8, 0, 3, [], {}),
    (2, 6, 8, 2, 4, ["--grid", "8x6"], {"grid": (8, 6)}),
    (2, 6, 8, 0, 5, ["--grid", "8x"], {"grid": (8, None)}),
    (2, 5, 7, 0, 6, ["--seed", "9"], {"seed": 9}),
    (2, 5, 7, 0, 7, ["--effort", "fast"], {"effort": "fast"}),
    (2, 4, 6, 0, 8, ["--effort", "high"], {"effort": "high"}),
    (2, 5, 5, 0, 9, ["--method", "gcl"], {"method": "gcl"}),
    (2, 5, 5, 0, 10, ["--method", "gallagher"], {"method": "gallagher"}),
    (1, 5, 5, 0, 11, ["--method", "yu"], {"method": "yu"}),
    (1, 6, 7, 0, 12, [], {}),
    (1, 6, 7, 0, 13, ["--turns", "none"], {"turns": "none"}),
    (2, 4, 7, 0, 14, ["--turns", "quarter"], {"turns": "quarter"}),
    (2, 4, 7, 0, 15, ["--turns", "half"], {"turns": "half"}),
    (3, 5, 6, 0, 16, [], {}),
    (2, 5, 6, 0, 17, ["--upright", "off"], {"upright": False}),
    (2, 5, 6, 0, 18, ["--pin", "0=1,2"], {"known": {"pins": [(0, 1, 2)]}, "grid": None}),
    (2, 5, 6, 0, 19, ["--trim", "1"], {"trim": 1}),
    (2, 5, 6, 0, 20, ["--measure", "mgc", "--matcher", "ratio"], {"measure": "mgc", "matcher": "ratio"}),
]


@pytest.mark.parametrize("number", range(len(LIKE_THE_PROGRAM)))
def test_documents_are_those_of_the_program(number, program, tmp_path):
    puzzle_type, rows, columns, drop, seed, flags, settings = LIKE_THE_PROGRAM[number]
    folder = tmp_path / "puzzle"
    picture = fretsaw.demo_picture(rows, columns, seed)
    fretsaw.scramble(picture, 28, type=puzzle_type, seed=seed, drop=drop, out=folder)
    program("solve", folder, "--solution", tmp_path / "s.json", "-o", tmp_path / "s.png", "-q", *flags)
    found = fretsaw.solve(folder, **settings)
    assert without_times(found.to_json()) == without_times((tmp_path / "s.json").read_text())
    found.save(tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes() == (tmp_path / "s.png").read_bytes()

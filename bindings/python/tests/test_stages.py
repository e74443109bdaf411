"""The stages for researchers, and the paper step by step."""

import numpy as np
import pytest
from conftest import same_places

import fretsaw
from fretsaw import paper


def test_matches_know_the_true_neighbours(puzzle, answer):
    found = fretsaw.match(puzzle.pieces)
    sides = 4 * len(puzzle.pieces)
    assert found.side.shape == found.probability.shape == found.dissimilarity.shape and len(found.side) == sides
    total = found.probability.sum(axis=1) + found.border + found.unlisted
    assert np.allclose(total, 1.0, atol=1e-4) and found.turns == "quarter"
    assert (found.dissimilarity[:, 1] >= found.dissimilarity[:, 0]).all()
    likeliest = found.side[np.arange(sides), found.probability.argmax(axis=1)]
    seams = answer.seams
    hits = likeliest[4 * seams["a"] + seams["a_side"]] == 4 * seams["b"] + seams["b_side"]
    assert hits.mean() > 0.9
    assert found.matrix().shape == (sides, sides)


def test_the_ratio_has_no_borders(puzzle):
    found = fretsaw.match(puzzle.pieces, measure="mgc", matcher="ratio", candidates=4, threads=1)
    assert np.isnan(found.border).all() and found.side.shape[1] >= 4


def test_a_graph_gives_the_turns(puzzle, answer):
    graph = fretsaw.connection_graph(puzzle.pieces)
    weights, adjacency = graph.weights, graph.adjacency
    assert weights.shape == (48, 48) and abs(weights - weights.T).max() == 0
    assert abs(adjacency - adjacency.conj().T).max() == 0
    assert np.allclose(abs(adjacency).toarray(), weights.toarray())
    assert len(graph.matches) <= len(graph.edges)
    found = fretsaw.rotations(graph)
    assert found.converged and found.eigenvalues[0] <= 1 + 1e-9
    relative = (found.turns - answer.turns) % 4
    assert (relative == relative[0]).mean() > 0.95
    # The top eigenvector of S says the same: turn_j = turn_i * turn.
    again = fretsaw.rotations(graph, "adjacency")
    assert ((again.turns - found.turns) % 4 == (again.turns[0] - found.turns[0]) % 4).mean() > 0.95


def test_the_direction_of_turns_is_that_of_eigenvectors():
    graph = fretsaw.ConnectionGraph.from_edges(4, [(0, 1, 1, 1), (1, 2, 1, 1), (2, 3, 1, 1), (3, 0, 1, 1)])
    turns = fretsaw.rotations(graph).turns
    assert list((turns - turns[0]) % 4) == [0, 1, 2, 3]
    values, vectors = np.linalg.eigh(graph.adjacency.toarray())
    vector = vectors[:, values.argmax()]
    assert np.allclose(vector / vector[0], 1j ** np.array([0, 1, 2, 3]))


def test_steps_of_the_graph_have_names(puzzle):
    sizes = [len(fretsaw.connection_graph(puzzle.pieces, step=step).edges) for step in ("nearest", "pruned", "loops")]
    assert sizes[0] >= sizes[1] and sizes[2] > 0
    with pytest.raises(fretsaw.SettingsError, match="'jaccard'"):
        fretsaw.connection_graph(puzzle.pieces, step="middle")


def test_wrong_graphs_are_refused():
    for edges in ([(0, 5, 1, 0)], [(0, 0, 1, 0)], [(0, 1, -1, 0)], [(0, 1, 1, 0), (1, 0, 1, 0)], [(0, 1.5, 1, 0)]):
        with pytest.raises(fretsaw.InputError):
            fretsaw.ConnectionGraph.from_edges(3, edges)
    with pytest.raises(fretsaw.InputTypeError, match="ndarray"):
        fretsaw.rotations(np.eye(3))


def test_the_paper_runs_step_by_step(puzzle):
    graph = paper.algorithm_2(puzzle.pieces)
    first = paper.algorithm_1(graph)
    steps = paper.algorithm_5(puzzle.pieces, puzzle.grid, iterations=2)
    assert {step.start for step in steps} == {0, 1} and steps[0].updates == 0
    assert ((steps[0].turns - first.turns) % 4 == (steps[0].turns[0] - first.turns[0]) % 4).all()
    chosen = paper.best(steps)
    assert chosen.err == min(step.err for step in steps)
    assert fretsaw.score(puzzle.truth, chosen.solution).neighbor > 0.9
    updated = paper.algorithm_3(puzzle.pieces, graph, chosen.solution)
    assert updated.num_pieces == graph.num_pieces and len(updated.edges) > 0
    assert len(paper.algorithm_4(puzzle.pieces, puzzle.grid, iterations=0)) == 1
    with pytest.raises(fretsaw.SettingsError, match="need both"):
        paper.algorithm_4(puzzle.pieces, (8, None))
    with pytest.raises(fretsaw.SettingsError, match="4 columns x 3 rows"):
        paper.algorithm_4(puzzle.pieces, (4, 3))


def test_algorithm_4_is_the_method_gcl():
    puzzle = fretsaw.scramble(fretsaw.demo_picture(5, 6), 28, seed=3)
    settings = {"measure": "mgc", "matcher": "ratio", "turns": "quarter"}
    by_solve = fretsaw.solve(puzzle.pieces, method="gcl", grid=puzzle.grid, upright=False, **settings)
    by_paper = paper.best(paper.algorithm_4(puzzle.pieces, puzzle.grid, reading_of="ratio", **settings)).solution
    assert fretsaw.score(puzzle.truth, by_solve).neighbor == fretsaw.score(puzzle.truth, by_paper).neighbor == 1.0
    assert not same_places(by_solve, by_paper)  # solve adds confidences

"""The stages of the solver, for researchers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _native
from ._errors import InputError, InputTypeError
from ._inputs import native_input, reading, whole, whole_or_none

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_EDGE = np.dtype([("i", "i4"), ("j", "i4"), ("weight", "f8"), ("turn", "c16")])
_MATCH = np.dtype([("a", "i4"), ("b", "i4"), ("cost", "f8"), ("weight", "f8")])


@dataclass(frozen=True, repr=False)
class Matches:
    """The candidates of every side: 4 x pieces rows, one for each side, and as many columns as the longest list.

    Side ``s`` of piece ``p`` is number ``4 * p + s``; sides are counted clockwise from the top, 0 to 3.
    """

    #: The candidate sides, the best fit first; -1 fills up.
    side: NDArray[np.int32]
    #: How badly each fits: lower is better; infinity fills up.
    dissimilarity: NDArray[np.float64]
    #: The probability that it is the neighbour; 0 fills up. With ``border`` and ``unlisted`` a row adds up to 1, unless
    #: the matcher is "ratio".
    probability: NDArray[np.float64]
    #: The probability that the side lies on the border of the picture; NaN with the matcher "ratio".
    border: NDArray[np.float64]
    #: The probability that its neighbour is not among the candidates; NaN with the matcher "ratio".
    unlisted: NDArray[np.float64]
    #: The turns that pieces may need: "none", "half" or "quarter".
    turns: str

    def __repr__(self) -> str:
        return f"<Matches: {len(self.side)} sides, up to {self.side.shape[1]} candidates each, turns {self.turns!r}>"

    def matrix(self) -> Any:
        """The probabilities as a SciPy sparse matrix of sides x sides. It needs SciPy."""
        from scipy.sparse import csr_matrix  # type: ignore[import-untyped, unused-ignore]

        rows = np.repeat(np.arange(len(self.side)), self.side.shape[1])
        columns, values = self.side.ravel(), self.probability.ravel()
        there = columns >= 0
        return csr_matrix((values[there], (rows[there], columns[there])), shape=(len(self.side),) * 2)


class ConnectionGraph:
    """Pieces joined by affinities and relative turns: the paper's G = (V, E, W, R)."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Graph) -> None:
        self._native = native

    @classmethod
    def from_edges(cls, num_pieces: int, edges: ArrayLike) -> ConnectionGraph:
        """The graph with these rows: piece i, piece j, weight, and the clockwise quarter turns of j against i.

        >>> ConnectionGraph.from_edges(3, [(0, 1, 1.0, 1), (1, 2, 0.5, 3)])
        <ConnectionGraph: 3 pieces, 2 edges>
        """
        rows = np.asarray(edges, dtype=np.float64).reshape(-1, 4)
        if not np.isfinite(rows).all() or (rows[:, [0, 1, 3]] % 1 != 0).any() or (rows[:, :2] < 0).any():
            raise InputError("the edges are not rows of piece, piece, weight and turns")
        number = whole("num_pieces", num_pieces, 1)
        return cls(_native.Graph.of_edges(number, [(int(i), int(j), w, int(t)) for i, j, w, t in rows]))

    def __repr__(self) -> str:
        return f"<ConnectionGraph: {self.num_pieces} pieces, {len(self.edges)} edges>"

    @property
    def num_pieces(self) -> int:
        """The number of vertices."""
        return self._native.num_vertices

    @property
    def edges(self) -> NDArray[Any]:
        """A structured array of ``i``, ``j``, ``weight`` and ``turn``. The turn is the complex number i^q for q clockwise
        quarters: ``turn_j = turn_i * turn``; the mean of such numbers if several fit equally well."""
        found = self._native.edges()
        edges = np.empty(len(found["i"]), _EDGE)
        edges["i"], edges["j"], edges["weight"] = found["i"], found["j"], found["weight"]
        edges["turn"] = found["re"] + 1j * found["im"]
        return edges

    @property
    def matches(self) -> NDArray[Any]:
        """The pairs of sides that edges come from: a structured array of ``a``, ``b``, ``cost`` and ``weight``."""
        return np.array(self._native.matches(), _MATCH)

    def _symmetric(self, upper: NDArray[Any], lower: NDArray[Any]) -> Any:
        from scipy.sparse import csr_matrix  # type: ignore[import-untyped, unused-ignore]

        edges = self.edges
        rows = np.concatenate([edges["i"], edges["j"]])
        columns = np.concatenate([edges["j"], edges["i"]])
        values = np.concatenate([upper, lower])
        return csr_matrix((values, (rows, columns)), shape=(self.num_pieces,) * 2)

    @property
    def weights(self) -> Any:
        """The affinities W as a symmetric SciPy sparse matrix. It needs SciPy."""
        weights = self.edges["weight"]
        return self._symmetric(weights, weights)

    @property
    def adjacency(self) -> Any:
        """The connection adjacency matrix S of the paper as a Hermitian SciPy sparse matrix: the weight times the complex
        number of the relative turn, in place of a block of 2 x 2. It needs SciPy."""
        edges = self.edges
        values = edges["weight"] * edges["turn"]
        return self._symmetric(values.conj(), values)


@dataclass(frozen=True, repr=False)
class Rotations:
    """The turns of all pieces by a connection graph, up to a common turn of each component."""

    #: Clockwise quarter turns to apply to every piece.
    turns: NDArray[np.int8]
    #: For every component of the graph: ``vertices``, ``eigenvalues`` down to that of the vector that was rounded,
    #: ``residuals``, ``next_eigenvalue``, ``converged``, ``agreement`` (the share of the weight of edges that are met)
    #: and the effort.
    components: list[dict[str, Any]]
    #: Pieces without edges.
    isolated: list[int]

    def __repr__(self) -> str:
        return f"<Rotations: {len(self.turns)} pieces, {len(self.components)} components>"

    @property
    def eigenvalues(self) -> NDArray[np.float64]:
        """The largest eigenvalue of every component."""
        return np.array([component["eigenvalues"][0] for component in self.components])

    @property
    def converged(self) -> bool:
        """Whether the eigenvectors of all components were found."""
        return all(component["converged"] for component in self.components)


def matching(
    turns: str, measure: Optional[str], matcher: Optional[str], candidates: Optional[int], seed: int, threads: Optional[int]
) -> dict[str, Any]:
    """The settings of measuring and matching."""
    return {
        "turns": str(turns),
        "measure": measure,
        "matcher": matcher,
        "candidates": whole_or_none("candidates", candidates, 2),
        "seed": whole("seed", seed, 0, 2**64 - 1),
        "threads": whole_or_none("threads", threads, 1, 1024),
    }


def match(
    pieces: Any,
    *,
    turns: str = "auto",
    measure: Optional[str] = None,
    matcher: Optional[str] = None,
    candidates: Optional[int] = None,
    threads: Optional[int] = None,
    **options: Any,
) -> Matches:
    """Finds the best candidates of every side, and how likely each is its neighbour.

    ``measure`` is ``"seam"``, ``"mgc"``, ``"ssd"`` or ``"lpq"``; ``matcher`` is ``"learned"``, ``"loops"`` or ``"ratio"``;
    ``candidates`` is the number of them for each side. ``options`` are those of ``read``.

    >>> import fretsaw
    >>> found = fretsaw.match(fretsaw.scramble(fretsaw.demo_picture(6, 8), seed=1).pieces)
    >>> found.side.shape[0] == 4 * 48 and bool((found.probability.sum(axis=1) <= 1.001).all())
    True
    """
    asked = matching(turns, measure, matcher, candidates, 0, threads)
    found = _native.match_sides(native_input(pieces, reading(**options)), asked)
    width = found.pop("width")
    for name in ("side", "dissimilarity", "probability"):
        found[name] = found[name].reshape(-1, width)
    return Matches(**found)


def connection_graph(
    pieces: Any,
    *,
    step: str = "loops",
    turns: str = "auto",
    measure: Optional[str] = None,
    matcher: Optional[str] = None,
    seed: int = 0,
    threads: Optional[int] = None,
    **options: Any,
) -> ConnectionGraph:
    """Constructs the connection graph of the pieces: Algorithm 2 of the paper.

    ``step`` stops before the end: ``"nearest"``, ``"pruned"``, ``"jaccard"``, ``"connected"`` or ``"loops"``. The other
    settings are those of ``match``.
    """
    asked = matching(turns, measure, matcher, None, seed, threads)
    return ConnectionGraph(_native.connection_graph(native_input(pieces, reading(**options)), asked, str(step)))


def rotations(
    graph: ConnectionGraph,
    method: str = "spectral",
    *,
    tolerance: float = 1e-8,
    max_products: int = 20_000,
    seed: int = 0,
) -> Rotations:
    """Finds the turns of the pieces of a connection graph: Algorithm 1 of the paper.

    ``method`` is ``"spectral"`` (the top eigenvector of the normalised matrix), ``"adjacency"`` (of the matrix itself),
    ``"second"`` (the second eigenvector) or ``"relaxation"`` (the semidefinite relaxation).

    >>> graph = ConnectionGraph.from_edges(3, [(0, 1, 1.0, 1), (1, 2, 1.0, 1), (0, 2, 1.0, 2)])
    >>> found = rotations(graph)
    >>> (found.turns - found.turns[0]) % 4
    array([0, 1, 2], dtype=int8)
    """
    if not isinstance(graph, ConnectionGraph):
        raise InputTypeError(f"the graph is of type {type(graph).__name__}; wanted is a ConnectionGraph")
    turns, info = _native.rotations(
        graph._native, str(method), float(tolerance), whole("max_products", max_products, 1), whole("seed", seed, 0, 2**64 - 1)
    )
    return Rotations(np.array(turns, np.int8), **json.loads(info))

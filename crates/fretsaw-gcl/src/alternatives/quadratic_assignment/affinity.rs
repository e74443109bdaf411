//! The objective of quadratic assignment: affinities of pieces whose cells lie in a given relation.

use crate::connection_graph::ConnectionGraph;
use crate::setting_error::failed;
use fretsaw::puzzle::{Cell, PieceId, Side, SideId};
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::matching::MatchModel;
use serde::{Deserialize, Serialize};

/// Which pairs of sides have an affinity in the directed form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AffinityPairs {
    /// Those where each is among the other's best.
    Mutual,
    /// Each side's best.
    Best,
    /// All candidates of all sides.
    #[default]
    All,
}

/// The largest affinity: sums of a whole board's stay far from overflow.
pub(super) const MAX_AFFINITY: f64 = 1e100;

/// How two cells lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellRelation {
    /// The second is to the right of the first.
    Right,
    /// The second lies below the first.
    Below,
    /// They share a side.
    Beside,
    /// They share a side or a corner.
    Around,
}

impl CellRelation {
    /// The steps from the first cell to the second, as (rows, columns).
    pub(super) const fn steps(self) -> &'static [(i32, i32)] {
        const AROUND: [(i32, i32); 8] =
            [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, -1), (-1, 1), (1, 1), (1, -1)];
        match self {
            Self::Right => &[(0, 1)],
            Self::Below => &[(1, 0)],
            Self::Beside => AROUND.split_at(4).0,
            Self::Around => &AROUND,
        }
    }
}

/// An affinity for piece j next to piece i in this direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectedPair {
    /// One piece.
    pub i: PieceId,
    /// The other.
    pub j: PieceId,
    /// The direction from i to j.
    pub direction: Side,
    /// Affinity: at least 0, higher is better.
    pub weight: f64,
}

/// Affinities of pieces, each for one relation of their cells: the matrices A_d of the objective.
///
/// Pairs run between different pieces, with weights from 0 to a large bound.
#[derive(Clone, Debug, PartialEq)]
pub struct GridAffinity {
    pub(super) num_pieces: usize,
    pub(super) terms: Vec<(CellRelation, Vec<Pair>)>,
}

/// The affinity of two pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) i: usize,
    pub(super) j: usize,
    pub(super) weight: f64,
}

impl GridAffinity {
    /// Affinities with directions. Pairs may repeat; their weights add up.
    pub fn directed(
        num_pieces: usize,
        pairs: impl IntoIterator<Item = DirectedPair>,
    ) -> Result<Self, LocationError> {
        let (mut right, mut below) = (Vec::new(), Vec::new());
        for DirectedPair { i, j, direction, weight } in pairs {
            let (list, i, j) = match direction {
                Side::Right => (&mut right, i, j),
                Side::Left => (&mut right, j, i),
                Side::Bottom => (&mut below, i, j),
                Side::Top => (&mut below, j, i),
            };
            list.push(Pair { i: i.index(), j: j.index(), weight });
        }
        Self::checked(num_pieces, vec![(CellRelation::Right, right), (CellRelation::Below, below)])
    }

    /// The affinities W of a connection graph, whose edges are satisfied in cells that share a side, or
    /// with `diagonals` a side or a corner.
    ///
    /// # Errors
    /// If a weight is too large.
    pub fn undirected(graph: &ConnectionGraph, diagonals: bool) -> Result<Self, LocationError> {
        let relation = if diagonals { CellRelation::Around } else { CellRelation::Beside };
        let pairs = graph
            .edges()
            .iter()
            .map(|edge| Pair { i: edge.i.index(), j: edge.j.index(), weight: edge.weight })
            .collect();
        Self::checked(graph.num_vertices(), vec![(relation, pairs)])
    }

    fn checked(
        num_pieces: usize,
        mut terms: Vec<(CellRelation, Vec<Pair>)>,
    ) -> Result<Self, LocationError> {
        for (_, pairs) in &mut terms {
            for &Pair { i, j, weight } in &*pairs {
                if i.max(j) >= num_pieces || i == j {
                    return Err(failed(format!(
                        "affinity {i} - {j} does not join two of the {num_pieces} pieces"
                    )));
                }
                if !(0.0..=MAX_AFFINITY).contains(&weight) {
                    return Err(failed(format!(
                        "affinity {i} - {j} is {weight}; it must be between 0 and {MAX_AFFINITY:e}"
                    )));
                }
            }
            // Whatever order the pairs came in, sums are the same to the last bit.
            pairs.retain(|pair| pair.weight > 0.0);
            pairs.sort_by(|x, y| {
                (x.i, x.j).cmp(&(y.i, y.j)).then_with(|| x.weight.total_cmp(&y.weight))
            });
        }
        Ok(Self { num_pieces, terms })
    }

    /// Number of pieces.
    pub const fn num_pieces(&self) -> usize {
        self.num_pieces
    }

    /// The objective: the sum of the affinities of all satisfied pairs.
    ///
    /// `cells` has the cell of every piece; pieces beyond its end count as not placed.
    pub fn fulfilled(&self, cells: &[Cell]) -> f64 {
        let is_met =
            |relation: CellRelation, pair: &Pair| match (cells.get(pair.i), cells.get(pair.j)) {
                (Some(from), Some(to)) => relation.steps().iter().any(|&(down, right)| {
                    from.row.checked_add_signed(down) == Some(to.row)
                        && from.col.checked_add_signed(right) == Some(to.col)
                }),
                _ => false,
            };
        self.terms
            .iter()
            .flat_map(|(relation, pairs)| {
                pairs.iter().filter(|pair| is_met(*relation, pair)).map(|pair| pair.weight)
            })
            .sum()
    }

    /// The affinities of candidates in a puzzle whose pieces are upright: exp(-c N^2), N being
    /// [`MatchModel::odds_against`]. Pairs of sides that would need a turn are left out.
    ///
    /// # Errors
    /// If a ratio is not a number.
    pub fn of_candidates(
        model: &MatchModel<'_>,
        pairs: AffinityPairs,
        decay: f64,
    ) -> Result<Self, LocationError> {
        let nearest = model.candidates();
        let is_best = |a: SideId, b: SideId| {
            let list = nearest.of(a);
            let least = list.first().map(|candidate| candidate.cost);
            list.iter()
                .take_while(|candidate| Some(candidate.cost) == least)
                .any(|candidate| candidate.side == b)
        };
        let mut found = Vec::new();
        for a in (0..nearest.num_sides()).map(SideId::from_index) {
            for candidate in nearest.of(a) {
                let b = candidate.side;
                let listed_by_b = || nearest.of(b).iter().any(|other| other.side == a);
                let counts = b.side() == a.side().opposite()
                    // A pair that both list is met twice.
                    && (a < b || !listed_by_b())
                    && match pairs {
                        AffinityPairs::Mutual => is_best(a, b) && is_best(b, a),
                        AffinityPairs::Best => is_best(a, b) || is_best(b, a),
                        AffinityPairs::All => true,
                    };
                if counts {
                    let ratio = model.odds_of_cost(a, b, candidate.cost);
                    found.push(DirectedPair {
                        i: a.piece(),
                        j: b.piece(),
                        direction: a.side(),
                        weight: (-decay * ratio * ratio).exp(),
                    });
                }
            }
        }
        Self::directed(nearest.num_sides() / 4, found)
    }
}

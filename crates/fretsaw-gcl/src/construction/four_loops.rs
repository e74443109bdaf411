//! Algorithm 2, loops of four pieces and diagonal neighbours: \[HLW20\], section "Taking Advantage of 4-Loops".
//!
//! Two pieces with exactly two common neighbours are diagonal neighbours, and the four form a loop.
//! If the relative turns along both ways round agree, the diagonal becomes an edge of its own (eqs.
//! diag_nb_update, diag_rot_update) and the loop's four matches get weight 1; if they contradict each
//! other, a third of their weight; matches in no loop keep two thirds (eq. diag_nb_dir_nb_update). A
//! match in several loops counts by its best one (D-06).

use super::ConstructionSettings;
use super::matches::{SideMatch, neighbors};
use crate::connection_graph::ConnectionEdge;
use fretsaw::puzzle::{PieceId, QuarterTurn};
use rustc_hash::FxHashMap;

/// The result of the loops for a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    Unlooped,
    Contradicted,
    Confirmed,
}

/// The reweighted matches (W_nb) and the diagonal edges (W_diag).
pub fn apply_four_loops(
    num_pieces: usize,
    matches: &[SideMatch],
    settings: &ConstructionSettings,
) -> (Vec<SideMatch>, Vec<ConnectionEdge>) {
    let neighbors = neighbors(num_pieces, matches);
    let index_of: FxHashMap<(PieceId, PieceId), usize> =
        matches.iter().enumerate().map(|(index, m)| (m.pieces(), index)).collect();
    let between = |i: PieceId, j: PieceId| index_of[&(i.min(j), i.max(j))];
    let turn = |i: PieceId, j: PieceId| {
        let turn = matches[between(i, j)].pair().turn_j_from_i();
        if i < j { turn } else { -turn }
    };
    let mut evidence = vec![Evidence::Unlooped; matches.len()];
    let mut diagonals = Vec::new();
    for i in (0..num_pieces).map(PieceId::new) {
        for (j, common) in two_common_neighbors(&neighbors, i) {
            let along = common.map(|n| turn(i, n) + turn(n, j));
            let agrees = along[0] == along[1];
            let found = if agrees { Evidence::Confirmed } else { Evidence::Contradicted };
            for n in common {
                for index in [between(i, n), between(n, j)] {
                    evidence[index] = evidence[index].max(found);
                }
            }
            // W_nb and W_diag do not overlap: neighbours are not diagonal neighbours.
            if agrees && !index_of.contains_key(&(i, j)) {
                let turn_j_from_i: QuarterTurn = along[0];
                diagonals.push(ConnectionEdge::new(i, j, settings.diagonal_weight, turn_j_from_i));
            }
        }
    }
    let reweighted = matches
        .iter()
        .zip(evidence)
        .map(|(side_match, found)| SideMatch {
            weight: match found {
                Evidence::Confirmed => 1.0,
                Evidence::Contradicted => side_match.weight * settings.contradicted_factor,
                Evidence::Unlooped => side_match.weight * settings.unlooped_factor,
            },
            ..*side_match
        })
        .collect();
    (reweighted, diagonals)
}

/// Pieces j > i that have exactly two common neighbours with i, and those two: delta_diag(i, j) = 2.
fn two_common_neighbors(
    neighbors: &[Vec<PieceId>],
    i: PieceId,
) -> impl Iterator<Item = (PieceId, [PieceId; 2])> {
    let mut steps: Vec<(PieceId, PieceId)> = neighbors[i.index()]
        .iter()
        .flat_map(|&n| neighbors[n.index()].iter().map(move |&j| (j, n)))
        .filter(|&(j, _)| j > i)
        .collect();
    steps.sort_unstable();
    let groups: Vec<(PieceId, [PieceId; 2])> = steps
        .chunk_by(|x, y| x.0 == y.0)
        .filter(|group| group.len() == 2)
        .map(|group| (group[0].0, [group[0].1, group[1].1]))
        .collect();
    groups.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::puzzle::{Side, SideId};

    fn joined(i: usize, of_i: Side, j: usize, of_j: Side) -> SideMatch {
        SideMatch::new(
            SideId::new(PieceId::new(i), of_i),
            SideId::new(PieceId::new(j), of_j),
            1.0,
            0.6,
        )
    }

    /// Four pieces in a square, and a fifth hanging on.
    fn square(last: SideMatch) -> Vec<SideMatch> {
        use Side::{Bottom, Left, Right, Top};
        vec![
            joined(0, Right, 1, Left),
            joined(0, Bottom, 2, Top),
            joined(1, Bottom, 3, Top),
            last,
            joined(3, Right, 4, Left),
        ]
    }

    #[test]
    fn an_agreeing_loop_confirms_its_matches_and_adds_both_diagonals() {
        let matches = square(joined(2, Side::Right, 3, Side::Left));
        let (reweighted, diagonals) =
            apply_four_loops(5, &matches, &ConstructionSettings::default());
        assert_eq!(
            reweighted.iter().map(|m| m.weight).collect::<Vec<_>>(),
            [1.0, 1.0, 1.0, 1.0, 0.6 * 2.0 / 3.0]
        );
        let ends: Vec<_> = diagonals.iter().map(|e| (e.i.index(), e.j.index())).collect();
        assert_eq!(ends, [(0, 3), (1, 2)]);
        assert!(diagonals.iter().all(|e| e.turn_j_from_i.turn() == Some(QuarterTurn::ZERO)));
    }

    #[test]
    fn a_contradictory_loop_loses_weight_and_adds_nothing() {
        let matches = square(joined(2, Side::Right, 3, Side::Right));
        let (reweighted, diagonals) =
            apply_four_loops(5, &matches, &ConstructionSettings::default());
        assert!(reweighted[..4].iter().all(|m| m.weight == 0.6 / 3.0));
        assert!(diagonals.is_empty());
    }
}

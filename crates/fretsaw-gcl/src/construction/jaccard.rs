//! Algorithm 2, Jaccard step: an edge keeps its weight if its ends stay close without it.
//!
//! \[HLW20\], section "Use of Jaccard Index to refine the graph". N^2 of a vertex holds all vertices
//! at most two steps away but itself; the printed union over the neighbours' neighbours would leave
//! out the neighbours, but the text and the paper's example, whose index is four, include them (D-03).
//! Jaccard's own index \[Jac01\] divides the number of common elements by that of all.

use super::matches::{SideMatch, neighbors};
use fretsaw::puzzle::PieceId;

/// mu_Jaccard of every match: how many vertices are within two steps of both ends once the match is
/// taken away (eq. jac_eq).
pub fn jaccard_indices(num_pieces: usize, matches: &[SideMatch]) -> Vec<usize> {
    let neighbors = neighbors(num_pieces, matches);
    matches
        .iter()
        .map(|side_match| {
            let (i, j) = side_match.pieces();
            let (near_i, near_j) = (within_two(&neighbors, i, j), within_two(&neighbors, j, i));
            near_i.iter().filter(|piece| near_j.binary_search(piece).is_ok()).count()
        })
        .collect()
}

/// N^2 of `piece` without the edge to `without`, sorted.
fn within_two(neighbors: &[Vec<PieceId>], piece: PieceId, without: PieceId) -> Vec<PieceId> {
    let mut near = Vec::new();
    for &next in neighbors[piece.index()].iter().filter(|&&next| next != without) {
        near.push(next);
        // The removed edge cannot be the second step: neither end of it is `next`'s other end
        // unless `next` is `without`.
        near.extend(neighbors[next.index()].iter().filter(|&&end| end != piece));
    }
    near.sort_unstable();
    near.dedup();
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::puzzle::{Side, SideId};

    #[test]
    fn an_inner_edge_of_a_grid_has_index_four_as_in_the_papers_example() {
        let (rows, cols) = (5, 6);
        let at = |row: usize, col: usize| PieceId::new(row * cols + col);
        let mut matches = Vec::new();
        for row in 0..rows {
            for col in 0..cols {
                let mut join = |side: Side, other: PieceId| {
                    let (a, b) =
                        (SideId::new(at(row, col), side), SideId::new(other, side.opposite()));
                    matches.push(SideMatch::new(a, b, 1.0, 1.0));
                };
                if col + 1 < cols {
                    join(Side::Right, at(row, col + 1));
                }
                if row + 1 < rows {
                    join(Side::Bottom, at(row + 1, col));
                }
            }
        }
        let indices = jaccard_indices(rows * cols, &matches);
        let index_of = |i: PieceId, j: PieceId| {
            let found = matches.iter().position(|m| m.pieces() == (i, j)).unwrap();
            indices[found]
        };
        assert_eq!(index_of(at(2, 2), at(2, 3)), 4);
        assert_eq!(index_of(at(0, 2), at(0, 3)), 2);
    }

    #[test]
    fn an_edge_that_closes_no_cycle_has_index_zero() {
        let chain: Vec<SideMatch> = (0..4)
            .map(|i| {
                let side = |piece, side| SideId::new(PieceId::new(piece), side);
                SideMatch::new(side(i, Side::Right), side(i + 1, Side::Left), 1.0, 1.0)
            })
            .collect();
        assert_eq!(jaccard_indices(5, &chain), [0; 4]);
    }
}

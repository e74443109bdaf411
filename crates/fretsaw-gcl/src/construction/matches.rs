//! The edges of a connection graph under construction: matches between sides.

use fretsaw::puzzle::{PieceId, SideId, SidePair};
use std::collections::BTreeMap;

/// Two sides believed to touch, and how strongly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideMatch {
    /// The side with the smaller number.
    pub a: SideId,
    /// The side with the larger number.
    pub b: SideId,
    /// How badly they fit, lower is better; `-ln` of their probability if the matcher gives one.
    pub cost: f64,
    /// Affinity, higher is better: W_init, W_nb or W, as the construction goes on.
    pub weight: f64,
}

impl SideMatch {
    /// The match of two sides of different pieces, in either order.
    pub fn new(a: SideId, b: SideId, cost: f64, weight: f64) -> Self {
        Self { a: a.min(b), b: a.max(b), cost, weight }
    }

    /// The two pieces, the smaller number first.
    pub fn pieces(&self) -> (PieceId, PieceId) {
        (self.a.piece(), self.b.piece())
    }

    /// Which sides touch, seen from the piece with the smaller number.
    pub fn pair(&self) -> SidePair {
        SidePair::of(self.a, self.b)
    }
}

/// At most one match for any two pieces: the paper's W(i, j) is one number.
///
/// Where two pieces match along several pairs of sides, the heavier match stays, then the one that
/// fits better; of several that tie in both, none, as they may contradict each other (D-01).
pub(super) fn one_per_pair_of_pieces(matches: Vec<SideMatch>) -> Vec<SideMatch> {
    let mut best: BTreeMap<(PieceId, PieceId), Vec<SideMatch>> = BTreeMap::new();
    for side_match in matches {
        let kept = best.entry(side_match.pieces()).or_default();
        let order = kept.first().map_or(std::cmp::Ordering::Less, |other| {
            let by_weight = other.weight.total_cmp(&side_match.weight);
            by_weight.then(side_match.cost.total_cmp(&other.cost))
        });
        match order {
            std::cmp::Ordering::Less => *kept = vec![side_match],
            std::cmp::Ordering::Equal => kept.push(side_match),
            std::cmp::Ordering::Greater => {}
        }
    }
    best.into_values().filter(|kept| kept.len() == 1).flatten().collect()
}

/// The neighbours of every piece, N^1, in increasing order.
pub(super) fn neighbors(num_pieces: usize, matches: &[SideMatch]) -> Vec<Vec<PieceId>> {
    let mut neighbors = vec![Vec::new(); num_pieces];
    for side_match in matches {
        let (i, j) = side_match.pieces();
        neighbors[i.index()].push(j);
        neighbors[j.index()].push(i);
    }
    for list in &mut neighbors {
        list.sort_unstable();
    }
    neighbors
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A match of sides 0 to 3 of piece 0 with sides 4 to 7 of piece 1.
    fn joined(a: usize, b: usize, cost: f64, weight: f64) -> SideMatch {
        SideMatch::new(SideId::from_index(a), SideId::from_index(b), cost, weight)
    }

    #[test]
    fn of_several_matches_of_two_pieces_the_heaviest_stays_then_the_best_then_none() {
        let (light, heavy) = (joined(0, 4, 1.0, 0.01), joined(1, 5, 2.0, 1.0));
        let better = joined(2, 6, 1.5, 1.0);
        let kept = |matches: &[SideMatch]| one_per_pair_of_pieces(matches.to_vec());
        assert_eq!(kept(&[light, heavy]), [heavy]);
        assert_eq!(kept(&[heavy, light]), [heavy]);
        assert_eq!(kept(&[heavy, better, light]), [better]);
        let as_good = joined(3, 7, 1.5, 1.0);
        assert_eq!(kept(&[better, heavy, as_good]), []);
        // Other pieces do not matter.
        let elsewhere = joined(0, 8, 9.0, 0.01);
        assert_eq!(kept(&[elsewhere, better, as_good]), [elsewhere]);
    }

    #[test]
    fn a_match_is_the_same_whichever_side_is_named_first() {
        let side_match = joined(6, 1, 0.5, 1.0);
        assert_eq!(side_match, joined(1, 6, 0.5, 1.0));
        let (i, j) = side_match.pieces();
        assert_eq!((i.index(), j.index()), (0, 1));
        assert_eq!(side_match.pair(), SidePair::of(side_match.a, side_match.b));
    }
}

//! Filters for the matches that enter the linear program.

use super::matches::Match;
use crate::puzzle::{QuarterTurn, SideId};
use serde::{Deserialize, Serialize};

/// Which of the proposed matches enter the linear program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchFilter {
    /// All of them.
    #[default]
    None,
    /// Those that are proposed by both of their sides.
    Mutual,
    /// Those that close a loop of four pieces with other matches.
    Loops,
}

/// A match that is the best remaining one of at least one of its sides.
#[derive(Clone, Copy, Debug)]
pub struct ProposedMatch {
    /// The number of the match among the candidates.
    pub index: usize,
    /// The match.
    pub found: Match,
    /// How many of its two sides propose it: 1 or 2.
    pub num_proposers: u32,
}

impl MatchFilter {
    /// The matches that pass.
    pub fn apply(self, num_sides: usize, proposals: Vec<ProposedMatch>) -> Vec<ProposedMatch> {
        match self {
            Self::None => proposals,
            Self::Mutual => {
                proposals.into_iter().filter(|proposal| proposal.num_proposers == 2).collect()
            }
            Self::Loops => in_loops(num_sides, proposals),
        }
    }
}

/// The matches that are one of four around a corner where four pieces meet.
///
/// Cross from side a of piece i to side b of piece j, go to the side next to b, cross again, and so on. Four crossings
/// that always turn the same way return to the start if the four pieces form a square. A match lies on two
/// possible squares, one for each sense of rotation.
fn in_loops(num_sides: usize, proposals: Vec<ProposedMatch>) -> Vec<ProposedMatch> {
    let mut across: Vec<Vec<SideId>> = vec![Vec::new(); num_sides];
    for ProposedMatch { found: Match { a, b, .. }, .. } in &proposals {
        across[a.index()].push(*b);
        across[b.index()].push(*a);
    }
    let turned = |side: SideId, turn: QuarterTurn| SideId::new(side.piece(), side.side() + turn);
    let one = QuarterTurn::from_clockwise(1);
    let closes = |a: SideId, b: SideId, turn: QuarterTurn| {
        let last = turned(a, -turn);
        across[turned(b, turn).index()].iter().any(|&c| {
            across[turned(c, turn).index()]
                .iter()
                .any(|&d| across[turned(d, turn).index()].contains(&last))
        })
    };
    proposals
        .into_iter()
        .filter(|ProposedMatch { found: Match { a, b, .. }, .. }| {
            closes(*a, *b, one) || closes(*a, *b, -one)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceId, Side};

    /// A match between two pieces that are then turned clockwise by `turns`.
    fn proposal(
        turns: [i64; 5],
        (i, of_i): (usize, Side),
        (j, of_j): (usize, Side),
    ) -> ProposedMatch {
        let side = |piece: usize, side: Side| {
            SideId::new(PieceId::new(piece), side + QuarterTurn::from_clockwise(turns[piece]))
        };
        let found = Match { a: side(i, of_i), b: side(j, of_j), cost: 0.5 };
        ProposedMatch { index: 0, found, num_proposers: 1 }
    }

    #[test]
    fn loops_are_found_however_pieces_are_turned() {
        use Side::{Bottom, Left, Right, Top};
        for turns in [[0; 5], [1, 2, 3, 0, 1], [3, 3, 1, 2, 0]] {
            // 0 1
            // 2 3 4
            let square = [
                proposal(turns, (0, Right), (1, Left)),
                proposal(turns, (0, Bottom), (2, Top)),
                proposal(turns, (3, Top), (1, Bottom)),
                proposal(turns, (2, Right), (3, Left)),
            ];
            let stray = proposal(turns, (3, Right), (4, Left));
            let all: Vec<ProposedMatch> = square.into_iter().chain([stray]).collect();
            assert_eq!(MatchFilter::Loops.apply(20, all.clone()).len(), 4);
            assert_eq!(MatchFilter::None.apply(20, all).len(), 5);
            // With one wrong side the loop does not close.
            let bent = proposal(turns, (2, Right), (3, Bottom));
            let broken = vec![square[0], square[1], square[2], bent];
            assert!(MatchFilter::Loops.apply(20, broken).is_empty());
        }
    }

    #[test]
    fn mutual_matches_are_proposed_twice() {
        let once = proposal([0; 5], (0, Side::Right), (1, Side::Left));
        let twice = ProposedMatch { num_proposers: 2, ..once };
        assert_eq!(MatchFilter::Mutual.apply(20, vec![once, twice]).len(), 1);
    }
}

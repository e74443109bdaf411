//! Which proposed matches to believe.

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
    /// Those that both sides propose.
    Mutual,
    /// Those that close a loop of four pieces with others.
    Loops,
}

/// A match with the number of its sides that propose it, 1 or 2.
#[derive(Clone, Copy, Debug)]
pub struct Proposal {
    /// Which match, by its number among the candidates.
    pub index: usize,
    /// The match.
    pub found: Match,
    /// How many of its two sides propose it.
    pub num_proposers: u32,
}

impl MatchFilter {
    /// The proposals that pass.
    #[must_use]
    pub fn apply(self, num_sides: usize, proposals: Vec<Proposal>) -> Vec<Proposal> {
        match self {
            Self::None => proposals,
            Self::Mutual => {
                proposals.into_iter().filter(|proposal| proposal.num_proposers == 2).collect()
            }
            Self::Loops => in_loops(num_sides, proposals),
        }
    }
}

/// Proposals along which one can go round four pieces.
///
/// From side a of piece i across to side b of piece j; on j turn to the side after b, cross again, and
/// so on: four crossings that always turn the same way come back to where they began if the four
/// pieces make a square. A match lies on two squares, one each way round.
fn in_loops(num_sides: usize, proposals: Vec<Proposal>) -> Vec<Proposal> {
    let mut across: Vec<Vec<SideId>> = vec![Vec::new(); num_sides];
    for Proposal { found: Match { a, b, .. }, .. } in &proposals {
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
        .filter(|Proposal { found: Match { a, b, .. }, .. }| {
            closes(*a, *b, one) || closes(*a, *b, -one)
        })
        .collect()
}

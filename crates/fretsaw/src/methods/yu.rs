//! The linear programming solver of Yu, Russell and Agapito \[YRA16\], for types 1 and 2.
//!
//! For each variant of the portfolio:
//! 1. Propose: every side proposes its best match that was not refuted yet (A^(k)); filter.
//! 2. Lay out: find the positions that agree with most proposals, by weight.
//! 3. Refute the proposals that the layout violates (R^(k)); what is left joins pieces to segments.
//! 4. Again, with segments rigid or free, until nothing is refuted, at most five times.
//! 5. Merge segments along all matches, best first; trim, fill.
//!
//! Of the boards found, the one with the best ranking is returned. The ranking knows nothing of the
//! truth.

use crate::locations::complete::{board_of_largest, fill_board};
use crate::locations::fill::Filling;
use crate::locations::filter::{MatchFilter, Proposal};
use crate::locations::layout::{CopyLayout, lay_out, weight};
use crate::locations::matches::CandidateMatches;
use crate::locations::ranking::Ranking;
use crate::locations::segment::{Limit, Segments};
use crate::locations::tree::grow_segments;
use crate::locations::{LocationError, LocationProblem};
use crate::observer::{Observer, check_cancelled};
use crate::puzzle::{Assembly, SideId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// One way through the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variant {
    /// Whether segments keep their shape in later rounds.
    pub rigid: bool,
    /// Which proposals to believe.
    pub filter: MatchFilter,
}

/// Settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct YuSettings {
    /// The one way to go; all six and the best of them if `None`.
    pub variant: Option<Variant>,
    /// How boards are compared.
    pub ranking: Ranking,
    /// Rounds at most.
    pub rounds: usize,
    /// The weight of a match of ratio N is exp(-decay N^2).
    pub decay: f64,
}

impl Default for YuSettings {
    fn default() -> Self {
        Self { variant: None, ranking: Ranking::default(), rounds: 5, decay: 5.0 }
    }
}

/// All variants.
const PORTFOLIO: [Variant; 6] = {
    const fn variant(rigid: bool, filter: MatchFilter) -> Variant {
        Variant { rigid, filter }
    }
    [
        variant(true, MatchFilter::None),
        variant(true, MatchFilter::Mutual),
        variant(true, MatchFilter::Loops),
        variant(false, MatchFilter::None),
        variant(false, MatchFilter::Mutual),
        variant(false, MatchFilter::Loops),
    ]
};

/// Assemble pieces from their sides' candidates.
///
/// # Errors
/// If the observer cancels.
pub fn assemble(
    problem: &LocationProblem<'_>,
    settings: &YuSettings,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    let matches = CandidateMatches::new(problem.nearest, problem.seed);
    let portfolio = settings.variant.map_or(PORTFOLIO.to_vec(), |variant| vec![variant]);
    let boards: Vec<Assembly> = portfolio
        .par_iter()
        .map(|&variant| assemble_by(variant, problem, &matches, settings, observer))
        .collect::<Result<_, _>>()?;
    let scores = boards.iter().map(|board| settings.ranking.score(problem, board));
    // The first of equally good ones.
    let best = scores.enumerate().fold((0, f64::NEG_INFINITY), |best, (index, score)| {
        if score > best.1 { (index, score) } else { best }
    });
    Ok(boards.into_iter().nth(best.0).unwrap_or_else(|| unreachable!()))
}

pub fn assemble_by(
    variant: Variant,
    problem: &LocationProblem<'_>,
    matches: &CandidateMatches,
    settings: &YuSettings,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    let limit = Limit::Frame { frame: problem.frame, turns: problem.turns };
    let mut refuted = vec![false; matches.all().len()];
    let mut segments = Segments::singles(problem.num_pieces());
    let mut layout: Option<CopyLayout> = None;
    for _ in 0..settings.rounds {
        check_cancelled(observer)?;
        let rigid = variant.rigid.then_some(&segments);
        let proposals = propose(matches, &refuted, rigid, limit);
        let mut proposals = variant.filter.apply(matches.num_sides(), proposals);
        if proposals.is_empty() {
            break;
        }
        let weighted: Vec<(Proposal, u32)> = proposals
            .iter()
            .map(|&proposal| (proposal, weight(&proposal, settings.decay)))
            .collect();
        let found =
            lay_out(problem.num_pieces(), problem.turns, &weighted, rigid, layout.as_ref())?;
        proposals.sort_by_key(|proposal| proposal.index);
        let (kept, violated): (Vec<Proposal>, Vec<Proposal>) = proposals
            .into_iter()
            .partition(|proposal| found.agrees_with(problem.turns, proposal.found));
        if !variant.rigid {
            segments = Segments::singles(problem.num_pieces());
        }
        grow_segments(&mut segments, kept.iter().map(|proposal| &proposal.found), limit);
        let mut changed = !violated.is_empty();
        for proposal in violated {
            refuted[proposal.index] = true;
        }
        for proposal in kept {
            if !segments.touch(proposal.found.a, proposal.found.b) {
                refuted[proposal.index] = true;
                changed = true;
            }
        }
        layout = Some(found);
        if !changed {
            break;
        }
    }
    grow_segments(&mut segments, matches.all(), limit);
    let board = board_of_largest(problem, &segments);
    fill_board(problem, board, Filling::ClearestWinner, observer)
}

/// Every side's best match that was not refuted; where segments are rigid, of the sides that touch
/// nothing yet and the matches that could join two segments.
fn propose(
    matches: &CandidateMatches,
    refuted: &[bool],
    rigid: Option<&Segments>,
    limit: Limit,
) -> Vec<Proposal> {
    let mut proposers = vec![0; matches.all().len()];
    for side in (0..matches.num_sides()).map(SideId::from_index) {
        let is_open = |side: SideId| rigid.is_none_or(|rigid| rigid.piece_across(side).is_none());
        if !is_open(side) {
            continue;
        }
        let best = matches.of(side).iter().copied().find(|&index| {
            let found = matches.all()[index];
            !refuted[index]
                && rigid.is_none_or(|rigid| rigid.can_join(found.a, found.b, limit))
        });
        if let Some(index) = best {
            proposers[index] += 1;
        }
    }
    proposers
        .into_iter()
        .enumerate()
        .filter(|&(_, num_proposers)| num_proposers > 0)
        .map(|(index, num_proposers)| Proposal {
            index,
            found: matches.all()[index],
            num_proposers,
        })
        .collect()
}

//! The linear programming solver of Yu, Russell and Agapito \[YRA16\], for types 1 and 2. The paper uses it
//! to find locations, and as a baseline.
//!
//! For each variant of the portfolio:
//! 1. Propose: every side proposes its best match that was not refuted yet (A^(k)); filter.
//! 2. Lay out: find the positions that agree with most proposals, by weight.
//! 3. Refute the proposals that the layout violates (R^(k)); the others join pieces to segments.
//! 4. Repeat with rigid or free segments until no proposal is refuted, at most five rounds.
//! 5. Merge segments along all candidate matches, best first; trim to the frame, fill the holes.
//!
//! The board with the best [`Ranking`] is returned; the ranking does not use the truth.
//!
//! Segments never grow beyond the frame: matches are taken best first, so pieces that would be trimmed
//! later are not joined. Other differences from the paper, and their effects: D-11.
//!
//! Cost: a round solves two layouts ([`crate::graph::l1_layout`]) with a vertex for every piece and turn;
//! about linear if few matches are wrong. Merging is as in [`super::gallagher`]. Filling
//! ([`crate::locations::fill`]) takes longest if many pieces are left over. The variants run in parallel.

use crate::locations::board::Board;
use crate::locations::fill::{Filling, fill_board};
use crate::locations::filter::{MatchFilter, ProposedMatch};
use crate::locations::layout::{CopyLayout, solve_copy_layout};
use crate::locations::matches::CandidateMatches;
use crate::locations::ranking::Ranking;
use crate::locations::segment::{Limit, Segments};
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::observer::{Observer, Stage, check_cancelled};
use crate::puzzle::{Assembly, SideId};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// One variant of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variant {
    /// Whether segments keep their shape in later rounds. Otherwise only refuted matches are kept.
    pub rigid: bool,
    /// Which proposals enter the layout.
    pub filter: MatchFilter,
}

impl Variant {
    /// The portfolio.
    pub const ALL: [Self; 6] = [
        Self { rigid: true, filter: MatchFilter::None },
        Self { rigid: true, filter: MatchFilter::Mutual },
        Self { rigid: true, filter: MatchFilter::Loops },
        Self { rigid: false, filter: MatchFilter::None },
        Self { rigid: false, filter: MatchFilter::Mutual },
        Self { rigid: false, filter: MatchFilter::Loops },
    ];

    /// The lower-case name used on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match (self.rigid, self.filter) {
            (true, MatchFilter::None) => "rigid-none",
            (true, MatchFilter::Mutual) => "rigid-mutual",
            (true, MatchFilter::Loops) => "rigid-loops",
            (false, MatchFilter::None) => "free-none",
            (false, MatchFilter::Mutual) => "free-mutual",
            (false, MatchFilter::Loops) => "free-loops",
        }
    }
}

/// The solver and its settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct YuSettings {
    /// The only variant to run. Default `None`: run all, and the ranking picks the best board.
    pub variant: Option<Variant>,
    /// How boards are compared. Default [`Ranking::Count`].
    pub ranking: Ranking,
    /// How holes are filled. Default [`Filling::ClearestWinner`].
    pub filling: Filling,
    /// The most rounds per variant. Default 5; 0 only merges segments.
    pub rounds: usize,
    /// The weight of a match of ratio N is exp(-decay N^2). Default 5.
    pub decay: f64,
}

impl Default for YuSettings {
    fn default() -> Self {
        Self {
            variant: None,
            ranking: Ranking::default(),
            filling: Filling::default(),
            rounds: 5,
            decay: 5.0,
        }
    }
}

impl LocationSolver for YuSettings {
    fn name(&self) -> &'static str {
        "yu"
    }

    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        let all = Variant::ALL;
        let portfolio = self.variant.as_ref().map_or(&all[..], std::slice::from_ref);
        let work = problem.num_pieces() * portfolio.len();
        observer.stage_started(Stage::Assemble, work as u64);
        let matches = CandidateMatches::new(problem.model, problem.seed);
        let mut begun: Vec<Board> = portfolio
            .par_iter()
            .map(|&variant| begin_board(variant, problem, &matches, self, observer))
            .collect::<Result<_, _>>()?;
        let most = begun.iter().map(Board::num_placed).max().unwrap_or(0);
        begun.retain(|board| board.num_placed() as f64 >= PROMISING_SHARE * most as f64);
        let boards: Vec<(f64, Assembly)> = begun
            .into_par_iter()
            .map(|board| {
                let board = fill_board(problem, board, self.filling, observer)?;
                Ok((self.ranking.score(problem, &board), board))
            })
            .collect::<Result<_, LocationError>>()?;
        // The first of equally good boards.
        let best =
            boards.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best });
        observer.stage_finished(Stage::Assemble);
        match best {
            Some((_, board)) => Ok(board),
            None => Ok(Assembly::new(problem.num_pieces(), vec![problem.frame], [])?),
        }
    }
}

/// A variant is dropped if it places fewer pieces before filling than this share of the best variant's.
///
/// Filling its board would take long and give a worse result.
const PROMISING_SHARE: f64 = 0.75;

/// Steps 1 to 5 of one variant, without filling.
fn begin_board(
    variant: Variant,
    problem: &LocationProblem<'_>,
    matches: &CandidateMatches,
    settings: &YuSettings,
    observer: &dyn Observer,
) -> Result<Board, LocationError> {
    let limit = Limit::Frame { frame: problem.frame, turns: problem.turns };
    let mut refuted = vec![false; matches.all().len()];
    let mut segments = Segments::singles(problem.num_pieces());
    let mut layout: Option<CopyLayout> = None;
    for _ in 0..settings.rounds {
        check_cancelled(observer)?;
        let rigid = variant.rigid.then_some(&segments);
        let proposals = propose(matches, &refuted, rigid, limit);
        let proposals = variant.filter.apply(matches.num_sides(), proposals);
        let found = solve_copy_layout(problem, &proposals, settings.decay, rigid, layout.as_ref())?;
        let kept = |proposal: &&ProposedMatch| found.agrees_with(problem.turns, proposal.found);
        if !variant.rigid {
            segments = Segments::singles(problem.num_pieces());
        }
        segments.grow(proposals.iter().filter(kept).map(|p| &p.found), limit);
        layout = Some(found);
        // Also refutes matches that the layout satisfies, but that would put two pieces in one cell.
        let mut has_violated = false;
        for ProposedMatch { index, found, .. } in proposals {
            if !segments.touch(found.a, found.b) {
                refuted[index] = true;
                has_violated = true;
            }
        }
        if !has_violated {
            break;
        }
    }
    segments.grow(matches.all(), limit);
    Ok(Board::of_largest(problem, &segments))
}

/// The best match of every side that was not refuted, by increasing ratio. If segments are rigid, only open
/// sides propose, and only matches that can join two segments.
fn propose(
    matches: &CandidateMatches,
    refuted: &[bool],
    rigid: Option<&Segments>,
    limit: Limit,
) -> Vec<ProposedMatch> {
    let mut proposers = vec![0; matches.all().len()];
    for side in (0..matches.num_sides()).map(SideId::from_index) {
        if rigid.is_some_and(|segments| segments.piece_across(side).is_some()) {
            continue;
        }
        let best = matches.of(side).iter().copied().find(|&index| {
            let found = matches.all()[index];
            let could_join = |segments: &Segments| segments.can_join(found.a, found.b, limit);
            !refuted[index] && rigid.is_none_or(could_join)
        });
        if let Some(index) = best {
            proposers[index] += 1;
        }
    }
    let proposal = |(index, num_proposers)| ProposedMatch {
        index,
        found: matches.all()[index],
        num_proposers,
    };
    proposers.into_iter().enumerate().filter(|&(_, count)| count > 0).map(proposal).collect()
}

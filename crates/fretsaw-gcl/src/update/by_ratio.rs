//! Algorithm 3 by ratios: repair the board, and update the graph by the repaired board.
//!
//! The paper's text compares the mean dissimilarity of a piece's seams with the median of all pieces.
//! That misses a piece of sky that is turned wrongly, because any sky fits better than textured pieces
//! do, and removes textured or corrupted pieces that are placed right. Here a seam is rated by the ratio
//! ([`MatchModel::odds_against`](fretsaw::unstable::matching::MatchModel::odds_against)), which compares it with the alternatives
//! of its two sides (D-13):
//! 1. A seam stays if no other side would fit better, that is, if its ratio is at most 1. A piece must
//!    keep at least two seams to stay, or at least one: both are tried.
//! 2. Of the groups of pieces that the remaining seams hold together, the largest stays on the board,
//!    as in the published code.
//! 3. The other pieces are put back one by one, where and how they fit best. Of the two
//!    boards, the one whose seams have the smaller ratios goes on.
//! 4. Seams that stayed, and seams of pieces put back, enter the graph with affinities 0.6 or 0.3
//!    (eq. update_nb_aff_final); edges that contradict them leave it.
//!
//! Asking for two seams repairs clean puzzles better; asking for one leaves more of a puzzle with
//! corrupted sides, where good seams are rare.
//!
//! Cost: that of filling the holes, twice.

use super::UpdateSettings;
use crate::connection_graph::ConnectionEdge;
use crate::construction::SideMatch;
use fretsaw::observer::{Muted, Observer};
use fretsaw::puzzle::{Assembly, Join, PieceId, Place, Placement, SideId};
use fretsaw::unstable::graph::UnionFind;
use fretsaw::unstable::linalg::{self, median};
use fretsaw::unstable::locations::board::Board;
use fretsaw::unstable::locations::fill::{Filling, fill_board};
use fretsaw::unstable::locations::{LocationError, LocationProblem};
use std::collections::BTreeMap;

/// A repaired board, and the graph updated by it.
#[derive(Clone, Debug)]
pub(crate) struct Repaired {
    /// The board with doubtful pieces put elsewhere.
    pub(crate) board: Assembly,
    /// The matches between sides, at most one between any two pieces.
    pub(crate) matches: Vec<SideMatch>,
    /// The other edges.
    pub(crate) diagonals: Vec<ConnectionEdge>,
}

/// Take doubtful pieces off a board, put them back where they fit, and update the graph.
pub(crate) fn repair(
    problem: &LocationProblem<'_>,
    board: &Assembly,
    matches: &[SideMatch],
    diagonals: &[ConnectionEdge],
    settings: &UpdateSettings,
    observer: &dyn Observer,
) -> Result<Repaired, LocationError> {
    let strict = refill(problem, board, 2, observer)?;
    let lenient = refill(problem, board, 1, observer)?;
    let Refilled { board, kept, stays } =
        if lenient.mean_ratio(problem) < strict.mean_ratio(problem) { lenient } else { strict };

    let weights = seam_weights(problem, &board, &kept, &stays, settings);
    let mut partner: BTreeMap<SideId, SideId> = BTreeMap::new();
    for &(Join { first, second }, _) in &weights {
        partner.extend([(first, second), (second, first)]);
    }
    let agrees = |a: SideId, b: SideId| partner.get(&a).is_none_or(|&other| other == b);
    let mut updated: BTreeMap<(PieceId, PieceId), SideMatch> = matches
        .iter()
        .filter(|found| agrees(found.a, found.b) && agrees(found.b, found.a))
        .map(|&found| (found.pieces(), found))
        .collect();
    for (Join { first, second }, weight) in weights {
        let value = problem.model.candidate_cost(first, second);
        let mut seam = SideMatch::new(first, second, value, weight);
        if let Some(old) = updated.get(&seam.pieces())
            && (old.a, old.b) == (seam.a, seam.b)
        {
            seam.weight = seam.weight.max(old.weight);
        }
        updated.insert(seam.pieces(), seam);
    }
    let turn_of = |piece: PieceId| board.place_of(piece).map(|place| place.turn);
    let mut diagonals = diagonals.to_vec();
    diagonals.retain(|edge| {
        let relative = turn_of(edge.i).zip(turn_of(edge.j)).map(|(i, j)| j - i);
        relative.is_none() || edge.turn_j_from_i.turn() == relative
    });
    Ok(Repaired { board, matches: updated.into_values().collect(), diagonals })
}

/// A board whose doubtful pieces were put elsewhere.
struct Refilled {
    board: Assembly,
    /// The seams that stayed.
    kept: Vec<Join>,
    /// By piece: whether it stayed.
    stays: Vec<bool>,
}

/// Larger ratios count as this one: corrupted sides fit nothing at all.
const WORST_RATIO: f64 = 2.0;

impl Refilled {
    /// The mean ratio of the board's seams.
    fn mean_ratio(&self, problem: &LocationProblem<'_>) -> f64 {
        let ratios = self
            .board
            .joins()
            .map(|join| problem.model.odds_against(join.first, join.second).min(WORST_RATIO));
        linalg::mean(ratios).unwrap_or(f64::INFINITY)
    }
}

/// Steps 1 to 3, with the least number of seams that a piece must keep, or all if it has fewer.
fn refill(
    problem: &LocationProblem<'_>,
    board: &Assembly,
    fewest_seams: usize,
    observer: &dyn Observer,
) -> Result<Refilled, LocationError> {
    let kept = kept_seams(problem, board, fewest_seams);
    let stays = largest_group(board, &kept);
    let mut filled = Board::new(problem.frame, board.num_pieces());
    for Placement { piece, place: Place { cell, turn, .. } } in board.placements() {
        if stays[piece.index()] {
            filled.place(piece, cell.into(), turn);
        }
    }
    // Muted, because filling reports the progress of another stage.
    let board = fill_board(problem, filled, Filling::ClearestWinner, &Muted(observer))?;
    Ok(Refilled { board, kept, stays })
}

/// Step 1: the seams that stay.
fn kept_seams(problem: &LocationProblem<'_>, board: &Assembly, fewest_seams: usize) -> Vec<Join> {
    let mut num_seams = vec![0; board.num_pieces()];
    for Join { first, second } in board.joins() {
        num_seams[first.piece().index()] += 1;
        num_seams[second.piece().index()] += 1;
    }
    let mut kept: Vec<Join> = board
        .joins()
        .filter(|join| problem.model.odds_against(join.first, join.second) <= 1.0)
        .collect();
    // Removing a piece removes its seams, so that more pieces may have to be removed.
    loop {
        let mut num_kept = vec![0; board.num_pieces()];
        for Join { first, second } in &kept {
            num_kept[first.piece().index()] += 1;
            num_kept[second.piece().index()] += 1;
        }
        let holds = |side: SideId| {
            let piece = side.piece().index();
            num_kept[piece] >= num_seams[piece].min(fewest_seams)
        };
        let before = kept.len();
        kept.retain(|join| holds(join.first) && holds(join.second));
        if kept.len() == before {
            return kept;
        }
    }
}

/// Step 2: the pieces of the largest group that seams hold together; the first of equally large ones.
fn largest_group(board: &Assembly, kept: &[Join]) -> Vec<bool> {
    let num_pieces = board.num_pieces();
    let mut groups = UnionFind::new(num_pieces);
    for Join { first, second } in kept {
        groups.union(first.piece().index(), second.piece().index());
    }
    let group_of: Vec<usize> = (0..num_pieces).map(|piece| groups.find(piece)).collect();
    let mut sizes = vec![0_usize; num_pieces];
    for placement in board.placements() {
        sizes[group_of[placement.piece.index()]] += 1;
    }
    let largest = (0..num_pieces).rev().max_by_key(|&group| sizes[group]);
    group_of.into_iter().map(|group| Some(group) == largest).collect()
}

/// Step 4: the seams that enter the graph, with their affinities.
fn seam_weights(
    problem: &LocationProblem<'_>,
    board: &Assembly,
    kept: &[Join],
    stays: &[bool],
    settings: &UpdateSettings,
) -> Vec<(Join, f64)> {
    let has_stayed =
        |join: &Join| [join.first, join.second].map(|side| stays[side.piece().index()]);
    let mut sums = vec![(0.0, 0_u32); board.num_pieces()];
    for Join { first, second } in board.joins() {
        let cost = 1.0 - problem.model.pair_probability(first, second);
        for side in [first, second] {
            let (sum, count) = &mut sums[side.piece().index()];
            *sum += cost;
            *count += 1;
        }
    }
    let mean = |piece: usize| sums[piece].0 / f64::from(sums[piece].1);
    let median = median((0..sums.len()).filter(|&piece| stays[piece]).map(mean).collect());
    let weight_of = |side: SideId| {
        let piece = side.piece().index();
        let is_good = !stays[piece] && mean(piece) < median;
        if is_good { settings.good_weight } else { settings.fair_weight }
    };
    let stayed = kept.iter().filter(|join| has_stayed(join) == [true; 2]);
    let put_back = board.joins().filter(|join| has_stayed(join) != [true; 2]);
    stayed
        .map(|&join| (join, settings.good_weight))
        .chain(put_back.map(|join| (join, weight_of(join.first).max(weight_of(join.second)))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::observer::Silent;
    use fretsaw::picture::synthetic;
    use fretsaw::puzzle::{Cell, Grid, PuzzleType, QuarterTurn, TurnSet};
    use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use fretsaw::unstable::matching::{MatchModel, Matcher};

    /// A puzzle in its solved state, handed to the test with all that [`repair`] needs.
    fn with_solved(test: impl FnOnce(&LocationProblem<'_>, &Assembly)) {
        let (pieces, frame, truth) = synthetic::puzzle(6, 8, 28, PuzzleType::Type2, 3);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Mgc).unwrap();
        let turns = TurnSet::Quarter;
        let nearest =
            find_nearest(&dissimilarity, turns, &NearestSettings::default(), &Silent).unwrap();
        let model = MatchModel::by_ratio(&dissimilarity, &nearest);
        let problem = LocationProblem {
            model: &model,
            frame,
            turns,
            seed: 1,
            pieces: &pieces,
            matcher: Matcher::Ratio,
            candidates: NearestSettings::default(),
        };
        test(&problem, truth.assembly());
    }

    /// The board with the pieces at some cells turned further.
    fn spoiled(board: &Assembly, frame: Grid, cells: &[Cell], turn: QuarterTurn) -> Assembly {
        let placements = board.placements().map(|Placement { piece, place }| {
            let further = if cells.contains(&place.cell) { turn } else { QuarterTurn::ZERO };
            Placement { piece, place: Place { turn: place.turn + further, ..place } }
        });
        Assembly::new(board.num_pieces(), vec![frame], placements).unwrap()
    }

    fn repaired(
        problem: &LocationProblem<'_>,
        board: &Assembly,
        matches: &[SideMatch],
    ) -> Repaired {
        repair(problem, board, matches, &[], &UpdateSettings::default(), &Silent).unwrap()
    }

    #[test]
    fn wrong_turns_in_the_middle_and_in_a_corner_are_corrected() {
        with_solved(|problem, truth| {
            let cells = [(2, 3), (0, 0), (5, 7)].map(|(row, col)| Cell { row, col });
            for turn in [1, 2, 3].map(QuarterTurn::from_clockwise) {
                let wrong = spoiled(truth, problem.frame, &cells, turn);
                let Repaired { board, matches, .. } = repaired(problem, &wrong, &[]);
                for Placement { piece, place } in truth.placements() {
                    assert_eq!(board.place_of(piece), Some(place), "{turn:?}");
                }
                // Most of the 82 seams of the board are in the graph, with the board's turns.
                assert!(matches.len() > 60, "{}", matches.len());
                for found in &matches {
                    let (i, j) = found.pieces();
                    let turn = |piece| truth.place_of(piece).unwrap().turn;
                    assert_eq!(found.pair().turn_j_from_i(), turn(j) - turn(i), "{found:?}");
                    assert!([0.3, 0.6].contains(&found.weight), "{found:?}");
                }
            }
        });
    }

    #[test]
    fn edges_that_contradict_the_board_leave_the_graph() {
        with_solved(|problem, truth| {
            let joins: Vec<Join> = truth.joins().collect();
            // A side of one seam and a side of another, which are not neighbours.
            let wrong = SideMatch::new(joins[0].first, joins[40].second, 1.0, 1.0);
            let right = SideMatch::new(joins[0].first, joins[0].second, 1.0, 0.9);
            let Repaired { matches, .. } = repaired(problem, truth, &[wrong, right]);
            let weight = |found: SideMatch| {
                matches.iter().find(|m| (m.a, m.b) == (found.a, found.b)).map(|m| m.weight)
            };
            assert_eq!(weight(wrong), None);
            assert_eq!(weight(right), Some(0.9), "an affinity that is higher already stays");
        });
    }

    #[test]
    fn diagonals_that_contradict_the_board_leave_the_graph() {
        with_solved(|problem, truth| {
            let at = |row, col| {
                let found = truth.placements().find(|p| p.place.cell == Cell { row, col });
                let Placement { piece, place } = found.unwrap();
                (piece, place.turn)
            };
            let ((i, turn_i), (j, turn_j)) = (at(1, 1), at(2, 2));
            let right = ConnectionEdge::new(i, j, 1.0, turn_j - turn_i);
            let wrong = ConnectionEdge::new(i, j, 1.0, turn_j - turn_i + QuarterTurn::HALF);
            for (edge, stays) in [(right, true), (wrong, false)] {
                let settings = UpdateSettings::default();
                let Repaired { diagonals, .. } =
                    repair(problem, truth, &[], &[edge], &settings, &Silent).unwrap();
                assert_eq!(diagonals.len(), usize::from(stays));
            }
        });
    }

    #[test]
    fn an_empty_board_stays_empty() {
        with_solved(|problem, truth| {
            let empty = Assembly::new(truth.num_pieces(), vec![problem.frame], []).unwrap();
            let Repaired { board, matches, .. } = repaired(problem, &empty, &[]);
            assert_eq!((board.placements().count(), matches.len()), (0, 0));
        });
    }
}

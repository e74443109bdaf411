//! Algorithms 4 and 5: the solver of type 2 puzzles. The graph connection Laplacian finds turns, a
//! solver of type 1 puzzles finds locations, and the solution updates the graph.
//!
//! \[HLW20\], Algorithm 4 ([`GclSettings`]):
//! 1. Construct the connection graph (Algorithm 2) and find turns (Algorithm 1).
//! 2. Solve the type 1 puzzle of the turned pieces; record Err.
//! 3. Five times: update the graph by the solution (Algorithm 3), find turns, solve, record Err.
//! 4. Return the solution of the smallest Err.
//!
//! Algorithm 5 does this twice and returns the better solution; the second time the first turns come
//! from the second eigenvector.
//!
//! Turns are known only up to a common one, so the frame is tried both upright and on its side; after
//! an update that keeps most turns, only as the board lay before. Err (eq. check_sol) is the mean over
//! all seams, not their sum (D-12). [`Reading`] defines what "fits badly" means.
//!
//! Cost: each iteration is an eigenproblem, a measure stage with a quarter of the pairs, and one or two
//! calls of the location solver.

use crate::alternatives::quadratic_assignment::QapSettings;
use crate::connection_graph::ConnectionEdge;
use crate::construction::{
    Construction, ConstructionSettings, ConstructionStep, SideMatch, construct, with_loops,
};
use crate::rotation_choice::{RotationChoice, find_turns};
use crate::rotations::{RotationSettings, estimate_rotations};
use crate::setting_error::failed;
use crate::update::UpdateSettings;
use crate::update::by_dissimilarity::update_matches;
use crate::update::by_ratio::{Repaired, repair};
use fretsaw::observer::{Observer, Stage, check_cancelled};
use fretsaw::puzzle::{Assembly, Join, PieceId, Place, Placement, QuarterTurn, SideId, TurnSet};
use fretsaw::unstable::dissimilarity::{Dissimilarity, find_nearest};
use fretsaw::unstable::linalg::{mean, median};
use fretsaw::unstable::locations::{LocationError, LocationProblem, LocationSolver};
use fretsaw::unstable::matching::MatchModel;
use fretsaw::unstable::methods::gallagher::Gallagher;
use fretsaw::unstable::methods::yu::YuSettings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Settings of Algorithms 4 and 5.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GclSettings {
    /// Updates of the graph. Default 5.
    pub iterations: usize,
    /// How turns are found. Default [`RotationChoice::Spectral`].
    pub rotations: RotationChoice,
    /// What finds positions. Default [`LocationChoice::Yu`].
    pub locations: LocationChoice,
    /// Which solution is returned. Default [`Keep::SmallestErr`].
    pub keep: Keep,
    /// How Algorithms 3 and 4 are read. Default [`Reading::Ratio`].
    pub reading: Reading,
    /// Whether to start from the second eigenvector as well: Algorithm 5. Default false.
    pub second_start: bool,
    /// Settings of Algorithm 2.
    pub construction: ConstructionSettings,
    /// Settings of Algorithm 3.
    pub update: UpdateSettings,
    /// Whether updated graphs go through the 4-loops again, as in the published code. Default false.
    pub loops_again: bool,
}

impl Default for GclSettings {
    fn default() -> Self {
        Self {
            iterations: 5,
            rotations: RotationChoice::Spectral,
            locations: LocationChoice::Yu,
            keep: Keep::SmallestErr,
            reading: Reading::Ratio,
            second_start: false,
            construction: ConstructionSettings::default(),
            update: UpdateSettings::default(),
            loops_again: false,
        }
    }
}

/// The solver of type 1 puzzles that finds positions for turned pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LocationChoice {
    /// Yu, Russell and Agapito's linear programs, as in the paper.
    #[default]
    Yu,
    /// Gallagher's tree.
    Gallagher,
    /// Quadratic assignment, for small puzzles.
    Assignment,
}

fretsaw::named_enum!(LocationChoice { Yu: "yu", Gallagher: "gallagher", Assignment: "assignment" });

/// The criterion that distinguishes good seams and boards from bad ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// The ratio, which compares a seam with the alternatives of its sides. Updates also repair the
    /// board, and repaired boards count as solutions (D-13).
    #[default]
    Ratio,
    /// The dissimilarity as measured, whatever the matcher: the paper's text (D-12).
    Text,
}

fretsaw::named_enum!(Reading { Ratio: "ratio", Text: "text" });

/// Which of the solutions, one before any update and one after each, is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// The one with the smallest Err, as in Algorithm 4.
    #[default]
    SmallestErr,
    /// The last one, as in the supplement's table of iterations.
    Last,
}

fretsaw::named_enum!(Keep { SmallestErr: "smallest-err", Last: "last" });

/// Algorithm 4, or Algorithm 5 if the settings say so.
impl LocationSolver for GclSettings {
    fn name(&self) -> &'static str {
        "gcl"
    }

    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        self.locate_in_steps(problem, observer, &mut |_| {})
    }
}

/// A step of Algorithm 4: what it has found after so many updates.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// 0 for the first eigenvector; 1 for the second start of Algorithm 5.
    pub start: usize,
    /// Updates of the graph before it.
    pub updates: usize,
    /// The turns that Algorithm 1 found, by piece.
    pub turns: &'a [QuarterTurn],
    /// The board of the turned pieces, or its repaired form if that is better.
    pub board: &'a Assembly,
    /// Its Err.
    pub err: f64,
}

/// A board and its Err.
#[derive(Clone, Debug)]
struct Solution {
    board: Assembly,
    err: f64,
}

impl Solution {
    fn new(err: &SeamErr<'_>, board: Assembly) -> Self {
        Self { err: err.mean(&board), board }
    }

    /// The better of two; the first of equally good ones.
    fn better(self, other: Self) -> Self {
        if other.err < self.err { other } else { self }
    }
}

impl GclSettings {
    /// [`locate`](LocationSolver::locate) that shows each of its steps.
    ///
    /// # Errors
    /// As `locate`.
    pub fn locate_in_steps(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
        show: &mut dyn FnMut(Step<'_>),
    ) -> Result<Assembly, LocationError> {
        let first = self.iterate(problem, self.rotations, observer, show)?;
        if !self.second_start {
            return Ok(first.board);
        }
        let show = &mut |step: Step<'_>| show(Step { start: 1, ..step });
        let second = self.iterate(problem, RotationChoice::Second, observer, show)?;
        Ok(first.better(second).board)
    }

    /// Algorithm 4, with the turns of the first iteration found by a choice of its own.
    fn iterate(
        &self,
        problem: &LocationProblem<'_>,
        at_first: RotationChoice,
        observer: &dyn Observer,
        show: &mut dyn FnMut(Step<'_>),
    ) -> Result<Solution, LocationError> {
        let LocationProblem { model, turns, frame, seed, .. } = *problem;
        let construction = ConstructionSettings { seed, ..self.construction };
        let (built, rotations, _) = find_turns(model, turns, at_first, &construction, observer)?;
        let mut graph = Graph::new(problem, self, &construction, built)?;
        let mut turned = turns.relative(&rotations);
        let both = turns.of_frame(frame);
        let err = SeamErr::new(model, self.reading);
        let mut solution = self.solve_turned(problem, &turned, both, &err, observer)?;
        let mut best = solution.clone();
        let Solution { board, err: of_board } = &solution;
        show(Step { start: 0, updates: 0, turns: &turned, board, err: *of_board });
        for updates in 1..=self.iterations {
            check_cancelled(observer)?;
            let update = graph.update(problem, self, &solution.board, observer)?;
            if update.has_changed {
                let rotated = graph.find_turns(problem, self, observer)?;
                // The same turns make the same type 1 puzzle.
                if rotated != turned {
                    turned = rotated;
                    let way = way_of_most(&turned, &solution.board);
                    let ways =
                        both.iter().position(|&w| Some(w) == way).map_or(both, |at| &both[at..=at]);
                    solution = self.solve_turned(problem, &turned, ways, &err, observer)?;
                }
            }
            let mut found = solution.clone();
            if let Some(board) = update.repaired {
                found = found.better(Solution::new(&err, board));
            }
            let Solution { board, err: of_board } = &found;
            show(Step { start: 0, updates, turns: &turned, board, err: *of_board });
            best = match self.keep {
                Keep::SmallestErr => best.better(found),
                Keep::Last => found,
            };
            if !update.has_changed {
                break;
            }
        }
        Ok(best)
    }

    /// Solves the type 1 puzzle of the turned pieces, with the frame lying in one of these ways.
    fn solve_turned(
        &self,
        problem: &LocationProblem<'_>,
        turned: &[QuarterTurn],
        ways: &[QuarterTurn],
        err: &SeamErr<'_>,
        observer: &dyn Observer,
    ) -> Result<Solution, LocationError> {
        let turn_of = |piece: PieceId| turned[piece.index()];
        let pieces = problem
            .pieces
            .turned(turn_of)
            .ok_or_else(|| failed("a turn changed the shape of a piece"))?;
        let measure = problem.model.dissimilarity().measure();
        let upright = Dissimilarity::new(&pieces, measure).map_err(failed)?;
        let nearest = find_nearest(&upright, TurnSet::None, &problem.candidates, observer)?;
        let model = problem.matcher.match_sides(&upright, &nearest, TurnSet::None, observer)?;
        let locations: &dyn LocationSolver = match self.locations {
            LocationChoice::Yu => &YuSettings::default(),
            LocationChoice::Gallagher => &Gallagher,
            LocationChoice::Assignment => &QapSettings::default(),
        };
        let mut best: Option<Solution> = None;
        for &way in ways {
            let located = LocationProblem {
                model: &model,
                frame: problem.frame.turned(way),
                turns: TurnSet::None,
                pieces: &pieces,
                ..*problem
            };
            let found = locations.locate(&located, observer)?;
            let placements = found.placements().map(|Placement { piece, place }| Placement {
                piece,
                place: Place { turn: place.turn + turn_of(piece), ..place },
            });
            let board = Assembly::new(found.num_pieces(), found.boards().to_vec(), placements)?;
            let solution = Solution::new(err, board.turned(-way));
            best = Some(match best {
                Some(best) => best.better(solution),
                None => solution,
            });
        }
        best.ok_or_else(|| failed("there was no way to lay the frame"))
    }
}

/// How the frame lies if most pieces stay turned against each other as on a board.
fn way_of_most(turned: &[QuarterTurn], board: &Assembly) -> Option<QuarterTurn> {
    let mut counts = [0; 4];
    for Placement { piece, place } in board.placements() {
        counts[(turned[piece.index()] - place.turn).index()] += 1;
    }
    let common = QuarterTurn::ALL
        .into_iter()
        .find(|turn| counts[turn.index()] as f64 > MOST * turned.len() as f64)?;
    // A half turn does not change the orientation of the frame.
    Some(if common == QuarterTurn::HALF || common == QuarterTurn::ZERO {
        QuarterTurn::ZERO
    } else {
        QuarterTurn::from_clockwise(1)
    })
}

/// The share of pieces that determines the orientation of the frame.
const MOST: f64 = 0.75;

/// The connection graph as it is updated.
struct Graph {
    /// Matches that updates change: those before the 4-loops if updates go through them again.
    matches: Vec<SideMatch>,
    /// Diagonal edges, if they stay as Algorithm 2 found them.
    diagonals: Vec<ConnectionEdge>,
}

/// The result of an update.
struct Update {
    /// Whether the graph changed.
    has_changed: bool,
    /// The repaired board, if the update repairs boards.
    repaired: Option<Assembly>,
}

impl Graph {
    fn new(
        problem: &LocationProblem<'_>,
        settings: &GclSettings,
        construction: &ConstructionSettings,
        built: Construction,
    ) -> Result<Self, LocationError> {
        if settings.loops_again {
            let step = ConstructionStep::Connected;
            let built =
                construct(problem.model, problem.turns, construction, step).map_err(failed)?;
            return Ok(Self { matches: built.matches, diagonals: Vec::new() });
        }
        let matched: BTreeSet<_> = built.matches.iter().map(SideMatch::pieces).collect();
        let edges = built.graph.edges().iter().copied();
        let diagonals = edges.filter(|edge| !matched.contains(&(edge.i, edge.j))).collect();
        Ok(Self { matches: built.matches, diagonals })
    }

    /// Algorithm 3.
    fn update(
        &mut self,
        problem: &LocationProblem<'_>,
        settings: &GclSettings,
        board: &Assembly,
        observer: &dyn Observer,
    ) -> Result<Update, LocationError> {
        let LocationProblem { model, turns, seed, .. } = *problem;
        let Self { matches, diagonals } = &*self;
        observer.stage_started(Stage::Update, 1);
        let (updated, mut diagonals, repaired) = match settings.reading {
            Reading::Ratio => {
                let Repaired { board, matches, diagonals } =
                    repair(problem, board, matches, diagonals, &settings.update, observer)?;
                (matches, diagonals, Some(board))
            }
            Reading::Text => {
                let dissimilarity = model.dissimilarity();
                let updated =
                    update_matches(dissimilarity, board, turns, matches, &settings.update, seed);
                (updated, diagonals.clone(), None)
            }
        };
        let matched: BTreeSet<_> = updated.iter().map(SideMatch::pieces).collect();
        diagonals.retain(|edge| !matched.contains(&(edge.i, edge.j)));
        let has_changed = updated != self.matches || diagonals != self.diagonals;
        *self = Self { matches: updated, diagonals };
        observer.stage_finished(Stage::Update);
        Ok(Update { has_changed, repaired })
    }

    /// Algorithm 1.
    fn find_turns(
        &self,
        problem: &LocationProblem<'_>,
        settings: &GclSettings,
        observer: &dyn Observer,
    ) -> Result<Vec<QuarterTurn>, LocationError> {
        observer.stage_started(Stage::Rotate, 1);
        let num_pieces = problem.num_pieces();
        let built = if settings.loops_again {
            with_loops(num_pieces, &self.matches, &settings.construction)
        } else {
            Construction::new(num_pieces, self.matches.clone(), self.diagonals.clone())
        };
        let method = settings.rotations.graph_method().unwrap_or_default();
        let rotation = RotationSettings { method, seed: problem.seed, ..Default::default() };
        let (rotations, _) =
            estimate_rotations(&built.map_err(failed)?.graph, &rotation).map_err(failed)?;
        observer.stage_finished(Stage::Rotate);
        Ok(problem.turns.relative(&rotations))
    }
}

/// Dissimilarities are cut off at this multiple of the median over all sides' best.
///
/// Sides that are corrupted, or that have strong texture across the seam, fit nothing well; uncut, a
/// few of them would outweigh all other seams of a board.
const WORST_SEAM: f64 = 8.0;

/// The smallest probability that counts, where a matcher gives probabilities. It needs no median:
/// probabilities mean the same in every puzzle.
const LEAST_PROBABILITY: f64 = 0.01;

/// The cost of a board's seams in Err.
struct SeamErr<'a> {
    model: &'a MatchModel<'a>,
    reading: Reading,
    /// No seam costs more.
    worst: f64,
}

impl<'a> SeamErr<'a> {
    fn new(model: &'a MatchModel<'a>, reading: Reading) -> Self {
        let worst = match reading {
            Reading::Text => f64::INFINITY,
            Reading::Ratio if model.has_probabilities() => -LEAST_PROBABILITY.ln(),
            Reading::Ratio => {
                let nearest = model.candidates();
                let sides = (0..nearest.num_sides()).map(SideId::from_index);
                let best = sides.filter_map(|side| nearest.of(side).first());
                WORST_SEAM * median(best.map(|candidate| candidate.cost).collect())
            }
        };
        Self { model, reading, worst }
    }

    /// Err (eq. check_sol) over the number of seams, infinite if there are none.
    fn mean(&self, board: &Assembly) -> f64 {
        let costs = board.joins().map(|Join { first, second }| {
            let cost = match self.reading {
                Reading::Text => self.model.dissimilarity().value(first, second),
                Reading::Ratio => self.model.candidate_cost(first, second),
            };
            cost.min(self.worst)
        });
        mean(costs).unwrap_or(f64::INFINITY)
    }
}

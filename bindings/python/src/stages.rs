//! The stages of the solver and the algorithms of the paper, one by one.

use crate::background::{Ends, in_background};
use crate::failure::Failure;
use crate::found::Found;
use crate::input::Input;
use crate::solve::{by_name, matcher_of, measure_of, turns_name, turns_of};
use fretsaw::observer::Observer;
use fretsaw::puzzle::{Grid, PieceId, QuarterTurn, SideId, TurnSet};
use fretsaw::unstable::locations::{LocationError, LocationProblem};
use fretsaw::unstable::matching::MatchModel;
use fretsaw::unstable::{Measured, TurnsHint};
use fretsaw::{Assembly, KnownBoards, Puzzle, Settings, SolveError};
use fretsaw_gcl::connection_graph::{ConnectionEdge, ConnectionGraph, EdgeTurn};
use fretsaw_gcl::construction::{
    Construction, ConstructionSettings, ConstructionStep, SideMatch, construct,
};
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_gcl::rotations::{RotationSettings, estimate_rotations};
use fretsaw_gcl::type_two::{GclSettings, LocationChoice, Reading};
use fretsaw_gcl::update::UpdateSettings;
use fretsaw_gcl::update::by_dissimilarity::update_matches;
use fretsaw_io::{Known, SolutionInfo};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeSet;

/// The settings of measuring and matching, as `fretsaw._stages` hands them over.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Matching {
    turns: String,
    measure: Option<String>,
    matcher: Option<String>,
    candidates: Option<usize>,
    seed: u64,
    threads: Option<usize>,
}

impl Matching {
    fn settings(&self) -> Result<Settings, Failure> {
        Ok(Settings {
            measure: measure_of(self.measure.as_deref())?,
            matcher: matcher_of(self.matcher.as_deref())?,
            num_candidates: self.candidates,
            seed: self.seed,
            ..Settings::default()
        })
    }

    fn puzzle(&self, input: &Input) -> Result<Puzzle, Failure> {
        let turns: Option<TurnsHint> = turns_of(&self.turns)?;
        let puzzle = input.input.puzzle(Known { turns, ..Known::default() });
        let puzzle = puzzle.map_err(|error| Failure::settings(format!("turns: {error}")))?;
        if puzzle.positions_known {
            return Err(Failure::settings("this stage is for puzzles whose positions are unknown"));
        }
        let (measure, matcher) = (self.settings()?.measure(false), self.settings()?.matcher());
        if !matcher.knows(measure) {
            let error = SolveError::UnknownMeasure { matcher, measure };
            return Err(Failure::solving("", &error));
        }
        Ok(puzzle)
    }
}

/// Measures and matches pieces on a thread of its own, and does something with the model.
fn with_model<T: Send + 'static>(
    py: Python<'_>,
    input: &Input,
    asked: &Matching,
    work: impl FnOnce(
        &Puzzle,
        &Settings,
        &Measured,
        &MatchModel<'_>,
        &dyn Observer,
    ) -> Result<T, Failure>
    + Send
    + 'static,
) -> PyResult<T> {
    let (puzzle, settings) = (asked.puzzle(input)?, asked.settings()?);
    in_background(py, asked.threads, Ends::default(), None, move |watcher| {
        let failed = |error: SolveError| Failure::solving("", &error);
        let measured = Measured::new(&puzzle, &settings, watcher).map_err(failed)?;
        let model = measured.matched(&settings, watcher).map_err(|it| failed(it.into()))?;
        work(&puzzle, &settings, &measured, &model, watcher)
    })
}

/// The candidates of all sides, filled up to the longest list.
struct Lists {
    width: usize,
    sides: Vec<i32>,
    dissimilarities: Vec<f64>,
    probabilities: Vec<f64>,
    border: Vec<f64>,
    unlisted: Vec<f64>,
    turns: TurnSet,
}

impl Lists {
    fn of(model: &MatchModel<'_>, turns: TurnSet) -> Self {
        let all = || (0..model.num_sides()).map(SideId::from_index);
        let measured = model.measured();
        let width = all().map(|side| measured.of(side).len()).max().unwrap_or(0);
        let mut lists = Self {
            width,
            sides: Vec::new(),
            dissimilarities: Vec::new(),
            probabilities: Vec::new(),
            border: Vec::new(),
            unlisted: Vec::new(),
            turns,
        };
        for (number, side) in all().enumerate() {
            for candidate in measured.of(side) {
                // Sides are fewer than 2^31.
                lists.sides.push(i32::try_from(candidate.side.index()).unwrap_or(i32::MAX));
                lists.dissimilarities.push(candidate.cost);
                lists.probabilities.push(model.probability_from(side, candidate.side));
            }
            let filled = (number + 1) * width;
            lists.sides.resize(filled, -1);
            lists.dissimilarities.resize(filled, f64::INFINITY);
            lists.probabilities.resize(filled, 0.0);
            let besides = model.of_side(side);
            lists.border.push(besides.map_or(f64::NAN, |it| it.border.into()));
            lists.unlisted.push(besides.map_or(f64::NAN, |it| it.unlisted.into()));
        }
        lists
    }
}

/// The candidates of every side with dissimilarities and probabilities, and the turns that were found.
#[pyfunction]
pub(crate) fn match_sides<'py>(
    py: Python<'py>,
    input: &Input,
    asked: Matching,
) -> PyResult<Bound<'py, PyDict>> {
    let work = |_: &Puzzle,
                _: &Settings,
                measured: &Measured,
                model: &MatchModel<'_>,
                _: &dyn Observer| { Ok(Lists::of(model, measured.turns)) };
    let lists = with_model(py, input, &asked, work)?;
    let found = PyDict::new(py);
    found.set_item("turns", turns_name(lists.turns))?;
    found.set_item("width", lists.width)?;
    found.set_item("side", lists.sides.into_pyarray(py))?;
    found.set_item("dissimilarity", lists.dissimilarities.into_pyarray(py))?;
    found.set_item("probability", lists.probabilities.into_pyarray(py))?;
    found.set_item("border", lists.border.into_pyarray(py))?;
    found.set_item("unlisted", lists.unlisted.into_pyarray(py))?;
    Ok(found)
}

/// A connection graph, and the matches that it was made of.
#[pyclass(frozen, module = "fretsaw._native")]
pub(crate) struct Graph {
    graph: ConnectionGraph,
    matches: Vec<SideMatch>,
}

#[pymethods]
impl Graph {
    /// The graph with edges i - j, weights, and relative turns: `turn_j = turn_i + turn`.
    #[staticmethod]
    fn of_edges(num_vertices: usize, edges: Vec<(usize, usize, f64, i64)>) -> PyResult<Self> {
        let edge = |&(i, j, weight, turn): &(usize, usize, f64, i64)| {
            if i.max(j) >= num_vertices {
                let message =
                    format!("edge {i} - {j} leaves the graph, which has {num_vertices} vertices");
                return Err(Failure::input(message));
            }
            let turn = EdgeTurn::from(QuarterTurn::from_clockwise(turn));
            let (i, j) = (PieceId::new(i), PieceId::new(j));
            Ok(ConnectionEdge { i, j, weight, turn_j_from_i: turn })
        };
        let edges: Vec<_> = edges.iter().map(edge).collect::<Result<_, _>>()?;
        let graph = ConnectionGraph::new(num_vertices, edges).map_err(Failure::input)?;
        Ok(Self { graph, matches: Vec::new() })
    }

    #[getter]
    fn num_vertices(&self) -> usize {
        self.graph.num_vertices()
    }

    /// The edges by column: i, j, weight, and the turn of j against i as the complex number i^turn.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let edges = self.graph.edges();
        let ends = |of: fn(&ConnectionEdge) -> PieceId| -> Vec<u32> {
            edges.iter().map(|edge| of(edge).number()).collect()
        };
        let values =
            |of: fn(&ConnectionEdge) -> f64| -> Vec<f64> { edges.iter().map(of).collect() };
        let table = PyDict::new(py);
        table.set_item("i", ends(|edge| edge.i).into_pyarray(py))?;
        table.set_item("j", ends(|edge| edge.j).into_pyarray(py))?;
        table.set_item("weight", values(|edge| edge.weight).into_pyarray(py))?;
        table.set_item("re", values(|edge| edge.turn_j_from_i.value().re).into_pyarray(py))?;
        table.set_item("im", values(|edge| edge.turn_j_from_i.value().im).into_pyarray(py))?;
        Ok(table)
    }

    /// The matches of sides that the edges come from: side, side, cost, weight.
    fn matches(&self) -> Vec<(usize, usize, f64, f64)> {
        self.matches.iter().map(|it| (it.a.index(), it.b.index(), it.cost, it.weight)).collect()
    }
}

/// Algorithm 2, up to a step.
#[pyfunction]
pub(crate) fn connection_graph(
    py: Python<'_>,
    input: &Input,
    asked: Matching,
    step: &str,
) -> PyResult<Graph> {
    let step = by_name("step", &ConstructionStep::ALL, ConstructionStep::name, step)?;
    let work = move |_: &Puzzle,
                     settings: &Settings,
                     measured: &Measured,
                     model: &MatchModel<'_>,
                     _: &dyn Observer| {
        let construction = ConstructionSettings { seed: settings.seed, ..Default::default() };
        let Construction { matches, graph } =
            construct(model, measured.turns, &construction, step).map_err(Failure::internal)?;
        Ok(Graph { graph, matches })
    };
    with_model(py, input, &asked, work)
}

/// Algorithm 1: turns of a graph, and how they were found as JSON.
#[pyfunction]
pub(crate) fn rotations<'py>(
    py: Python<'py>,
    graph: &Graph,
    method: &str,
    tolerance: f64,
    max_products: usize,
    seed: u64,
) -> PyResult<(Vec<u32>, String)> {
    let choices = [
        RotationChoice::Spectral,
        RotationChoice::Adjacency,
        RotationChoice::Second,
        RotationChoice::Relaxation,
    ];
    let choice = by_name("method", &choices, RotationChoice::name, method)?;
    let method = choice.graph_method().unwrap_or_default();
    let settings = RotationSettings { method, tolerance, max_products, seed };
    let graph = graph.graph.clone();
    let found = in_background(py, None, Ends::default(), None, move |_| {
        estimate_rotations(&graph, &settings).map_err(Failure::settings)
    });
    let (turns, info) = found?;
    let info = serde_json::to_string(&info).map_err(Failure::internal)?;
    Ok((turns.iter().map(|turn| turn.clockwise().into()).collect(), info))
}

/// Algorithm 3: the graph after a look at the answer that it led to.
#[pyfunction]
pub(crate) fn update_graph(
    py: Python<'_>,
    input: &Input,
    asked: Matching,
    graph: &Graph,
    found: &Found,
) -> PyResult<Graph> {
    let num_pieces = input.input.pieces.num_pieces();
    let board = found.document.assembly.clone();
    if graph.graph.num_vertices() != num_pieces || board.num_pieces() != num_pieces {
        let message = "the graph, the solution and the pieces are not of the same puzzle";
        return Err(Failure::input(message).into());
    }
    let (before, matches) = (graph.graph.clone(), graph.matches.clone());
    let work = move |_: &Puzzle,
                     settings: &Settings,
                     measured: &Measured,
                     model: &MatchModel<'_>,
                     _: &dyn Observer| {
        let (usual, turns) = (UpdateSettings::default(), measured.turns);
        let (dissimilarity, seed) = (model.dissimilarity(), settings.seed);
        let updated = update_matches(dissimilarity, &board, turns, &matches, &usual, seed);
        // Diagonal edges stay as they were, unless a match takes their place.
        let ends = |it: &SideMatch| it.pieces();
        let old: BTreeSet<_> = matches.iter().map(ends).collect();
        let new: BTreeSet<_> = updated.iter().map(ends).collect();
        let edges = before.edges().iter().copied();
        let diagonals = edges.filter(|edge| {
            let pair = (edge.i, edge.j);
            !old.contains(&pair) && !new.contains(&pair)
        });
        let built = Construction::new(num_pieces, updated, diagonals.collect());
        let Construction { matches, graph } = built.map_err(Failure::internal)?;
        Ok(Graph { graph, matches })
    };
    with_model(py, input, &asked, work)
}

/// A step of Algorithm 4 or 5.
#[pyclass(frozen, get_all, module = "fretsaw._native")]
pub(crate) struct PaperStep {
    start: usize,
    updates: usize,
    turns: Vec<u32>,
    err: f64,
    found: Py<Found>,
}

struct Recorded {
    start: usize,
    updates: usize,
    turns: Vec<u32>,
    err: f64,
    board: Assembly,
}

/// The settings of Algorithms 4 and 5.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct PaperSettings {
    columns: u32,
    rows: u32,
    iterations: usize,
    second_start: bool,
    reading: String,
    locations: String,
}

/// Algorithms 4 and 5: every step that they take.
#[pyfunction]
pub(crate) fn paper_steps(
    py: Python<'_>,
    input: &Input,
    asked: Matching,
    paper: PaperSettings,
) -> PyResult<Vec<PaperStep>> {
    let gcl = GclSettings {
        iterations: paper.iterations,
        second_start: paper.second_start,
        reading: by_name("reading", &Reading::ALL, Reading::name, &paper.reading)?,
        locations: by_name(
            "locations",
            &LocationChoice::ALL,
            LocationChoice::name,
            &paper.locations,
        )?,
        ..GclSettings::default()
    };
    let frame = Grid::new(paper.rows.into(), paper.columns.into()).map_err(Failure::settings)?;
    let num_pieces = input.input.pieces.num_pieces();
    let known = KnownBoards::one(frame);
    input.limits.check_known_boards(&known, &input.input.pieces).map_err(Failure::from)?;
    if frame.num_cells() < num_pieces {
        let error = SolveError::GridTooSmall { num_pieces, grid: frame };
        return Err(Failure::solving("", &error).into());
    }
    let work = move |puzzle: &Puzzle,
                     settings: &Settings,
                     measured: &Measured,
                     model: &MatchModel<'_>,
                     observer: &dyn Observer| {
        let problem = LocationProblem {
            model,
            frame,
            turns: measured.turns,
            seed: settings.seed,
            pieces: &puzzle.compared_pieces(),
            matcher: settings.matcher(),
            candidates: settings.candidates(),
        };
        let mut steps = Vec::new();
        let found = gcl.locate_in_steps(&problem, observer, &mut |step| {
            steps.push(Recorded {
                start: step.start,
                updates: step.updates,
                turns: step.turns.iter().map(|turn| turn.clockwise().into()).collect(),
                err: step.err,
                board: step.board.clone(),
            });
        });
        found.map_err(|error: LocationError| Failure::solving("", &error.into()))?;
        Ok(steps)
    };
    let steps = with_model(py, input, &asked, work)?;
    let shown = |step: Recorded| {
        let Recorded { start, updates, turns, err, board } = step;
        let info = SolutionInfo { method: Some("gcl".into()), ..SolutionInfo::default() };
        let found = Found::bare(input, &input.input.pieces, board, info);
        Ok(PaperStep { start, updates, turns, err, found: Py::new(py, found)? })
    };
    steps.into_iter().map(shown).collect()
}

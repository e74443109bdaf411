//! Connection graphs step by step, compared with the truth, and drawn.

use fretsaw::puzzle::{Cell, GroundTruth, PieceId, QuarterTurn, TurnSet};
use fretsaw::unstable::matching::MatchModel;
use fretsaw_gcl::connection_graph::ConnectionGraph;
use fretsaw_gcl::construction::{
    ConstructionError, ConstructionSettings, ConstructionStep, construct,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The graph after one step of Algorithm 2.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StepReport {
    pub(crate) step: ConstructionStep,
    /// How it compares with the truth, if that is known.
    #[serde(rename = "judgement", skip_serializing_if = "Option::is_none")]
    pub(crate) accuracy: Option<EdgeAccuracy>,
    pub(crate) edges: Vec<EdgeReport>,
}

/// One edge: `turn_j = turn_i + turns`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct EdgeReport {
    /// The smaller piece number.
    pub(crate) i: usize,
    /// The larger piece number.
    pub(crate) j: usize,
    pub(crate) weight: f64,
    /// Clockwise turns of j against i; absent if several candidates were averaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turns: Option<u8>,
    /// Whether the pieces truly touch, at a side or a corner; if the truth is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) touches: Option<bool>,
    /// Whether the relative turn is the true one; if the truth is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) turn_is_right: Option<bool>,
}

/// Shares of a graph's edges that agree with the truth, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct EdgeAccuracy {
    /// Edges between pieces that touch, at a side or a corner / all edges.
    pub(crate) right_edges: f64,
    /// Edges with the true relative turn / all edges.
    pub(crate) right_turns: f64,
    /// The same two, every edge counted by its weight.
    pub(crate) right_edges_by_weight: f64,
    pub(crate) right_turns_by_weight: f64,
    /// Joins of the true board that are edges / all its joins.
    pub(crate) found_joins: f64,
}

/// The graph after every step from the first to `last`.
pub(crate) fn report_steps(
    accuracy: &MatchModel<'_>,
    turns: TurnSet,
    settings: &ConstructionSettings,
    last: ConstructionStep,
    truth: Option<&GroundTruth>,
) -> Result<Vec<(StepReport, ConnectionGraph)>, ConstructionError> {
    ConstructionStep::ALL
        .into_iter()
        .filter(|&step| step <= last)
        .map(|step| {
            let graph = construct(accuracy, turns, settings, step)?.graph;
            Ok((report(step, &graph, truth), graph))
        })
        .collect()
}

fn report(
    step: ConstructionStep,
    graph: &ConnectionGraph,
    truth: Option<&GroundTruth>,
) -> StepReport {
    let edges: Vec<EdgeReport> = graph
        .edges()
        .iter()
        .map(|edge| {
            let turn = edge.turn_j_from_i.turn();
            EdgeReport {
                i: edge.i.index(),
                j: edge.j.index(),
                weight: edge.weight,
                turns: turn.map(QuarterTurn::clockwise),
                touches: truth.map(|truth| touch(truth, edge.i, edge.j)),
                turn_is_right: truth.map(|truth| turn == true_turn_j_from_i(truth, edge.i, edge.j)),
            }
        })
        .collect();
    StepReport { step, accuracy: truth.map(|truth| accuracy_of(&edges, truth)), edges }
}

fn true_cell(truth: &GroundTruth, piece: PieceId) -> Option<(usize, Cell)> {
    truth.assembly().place_of(piece).map(|place| (place.board, place.cell))
}

fn touch(truth: &GroundTruth, i: PieceId, j: PieceId) -> bool {
    match (true_cell(truth, i), true_cell(truth, j)) {
        (Some((board_i, a)), Some((board_j, b))) => {
            board_i == board_j && a.row.abs_diff(b.row) <= 1 && a.col.abs_diff(b.col) <= 1
        }
        _ => false,
    }
}

fn true_turn_j_from_i(truth: &GroundTruth, i: PieceId, j: PieceId) -> Option<QuarterTurn> {
    let turn = |piece| truth.assembly().place_of(piece).map(|place| place.turn);
    Some(turn(j)? - turn(i)?)
}

fn accuracy_of(edges: &[EdgeReport], truth: &GroundTruth) -> EdgeAccuracy {
    let share = |is_right: &dyn Fn(&EdgeReport) -> Option<bool>,
                 weight: &dyn Fn(&EdgeReport) -> f64| {
        let all: f64 = edges.iter().map(weight).sum();
        let right: f64 = edges.iter().filter(|edge| is_right(edge) == Some(true)).map(weight).sum();
        if all > 0.0 { right / all } else { 0.0 }
    };
    let pairs: std::collections::BTreeSet<(usize, usize)> =
        edges.iter().map(|edge| (edge.i, edge.j)).collect();
    let joins: Vec<(usize, usize)> = truth
        .assembly()
        .joins()
        .map(|join| (join.first.piece().index(), join.second.piece().index()))
        .collect();
    let found = joins.iter().filter(|&&(i, j)| pairs.contains(&(i.min(j), i.max(j)))).count();
    EdgeAccuracy {
        right_edges: share(&|edge| edge.touches, &|_| 1.0),
        right_turns: share(&|edge| edge.turn_is_right, &|_| 1.0),
        right_edges_by_weight: share(&|edge| edge.touches, &|edge| edge.weight),
        right_turns_by_weight: share(&|edge| edge.turn_is_right, &|edge| edge.weight),
        found_joins: found as f64 / joins.len().max(1) as f64,
    }
}

/// Pixels between the centres of neighbouring pieces in the drawing.
const SPACING: u32 = 18;
const RIGHT: &str = "#1b7f5c";
const WRONG_TURN: &str = "#e08a00";
const WRONG: &str = "#d1313d";

/// The edges of a step over the true layout of the first board: right ones green, between true
/// neighbours but with a wrong turn orange, all others red; fainter where lighter.
pub(crate) fn draw(report: &StepReport, truth: &GroundTruth) -> String {
    let Some(grid) = truth.assembly().boards().first() else { return String::new() };
    let centre = |cell: Cell| (SPACING * cell.col + SPACING, SPACING * cell.row + SPACING);
    let (width, height) = (SPACING * (grid.cols() + 1), SPACING * (grid.rows() + 1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    // Wrong edges last, so that they are seen.
    let mut lines: BTreeMap<u8, String> = BTreeMap::new();
    for edge in &report.edges {
        let cell = |piece: usize| true_cell(truth, PieceId::new(piece));
        let (Some((0, from)), Some((0, to))) = (cell(edge.i), cell(edge.j)) else { continue };
        let (rank, colour) = match (edge.touches, edge.turn_is_right) {
            (Some(true), Some(true)) => (0, RIGHT),
            (Some(true), _) => (1, WRONG_TURN),
            _ => (2, WRONG),
        };
        let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
        let opacity = 0.25 + 0.75 * edge.weight.clamp(0.0, 1.0);
        // Writing to a string cannot fail.
        let _ = writeln!(
            lines.entry(rank).or_default(),
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" \
             stroke-width=\"1.6\" stroke-opacity=\"{opacity:.2}\"/>"
        );
    }
    for text in lines.values() {
        svg.push_str(text);
    }
    for cell in grid.cells() {
        let (x, y) = centre(cell);
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2\" fill=\"#333333\"/>");
    }
    svg.push_str("</svg>\n");
    svg
}

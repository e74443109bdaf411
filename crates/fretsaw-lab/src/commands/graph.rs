//! `fretsaw-lab graph`: a puzzle's connection graph, step by step.

use crate::graph_report::{StepReport, draw, report_steps};
use crate::puzzle_args::check_matcher;
use anyhow::Context;
use clap::Args as ClapArgs;
use fretsaw::puzzle::{GroundTruth, PieceId, PuzzleType, QuarterTurn};
use fretsaw::settings::{Matcher, Measure};
use fretsaw::unstable::Measured;
use fretsaw::{Puzzle, Settings};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::input_args::InputArgs;
use fretsaw_cli::input_args::tell_input;
use fretsaw_cli::progress::Progress;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::stop::Stop;
use fretsaw_cli::table::{Table, percent_or_dash};
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_gcl::SettingError;
use fretsaw_gcl::connection_graph::ConnectionGraph;
use fretsaw_gcl::construction::{ConstructionSettings, ConstructionStep};
use fretsaw_gcl::rotations::RotationSettings;
use fretsaw_gcl::theory::examine;
use fretsaw_io::{
    Limits, TruthFile, check_file_target, input_name, read_inputs, read_truth, write_text,
};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab graph puzzle --out graph.json
  fretsaw-lab graph puzzle --truth puzzle/truth.json --svg graph.svg --step jaccard
  fretsaw-lab graph puzzle --truth puzzle/truth.json --theory

Prints a table with a line for each step of the paper's Algorithm 2. With the truth it says how many \
edges are right; in the drawing right edges are green, edges between true neighbours with a wrong turn \
orange, all others red.")]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The graph after every step up to --step, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// A drawing of the last graph over the true layout; needs --truth
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The truth, to compare the graph with; the construction does not see it
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    /// Stop after this step
    #[arg(long, default_value = "loops",
          value_parser = by_name(ConstructionStep::ALL, ConstructionStep::name))]
    pub(crate) step: ConstructionStep,
    /// Print the quantities of the paper's theorem for the last graph; needs --truth
    #[arg(long)]
    pub(crate) theory: bool,
    /// The measure of how well two sides fit
    #[arg(long, default_value = "mgc", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure: Measure,
    /// The matcher
    #[arg(long, default_value = "ratio", value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matcher: Matcher,
    /// Chooses among equally good connections
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) graph: ConstructionArgs,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// How connection graphs are constructed; the defaults are the paper's.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Connection graph")]
pub(crate) struct ConstructionArgs {
    /// Weight of a match that only one of its sides chose
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().one_sided_weight)]
    pub(crate) one_sided_weight: f64,
    /// Share of the initial weight that survives failing the Jaccard test
    #[arg(long, value_name = "SHARE", default_value_t = ConstructionSettings::default().initial_share)]
    pub(crate) initial_share: f64,
    /// The Jaccard index that a match must exceed
    #[arg(long, value_name = "N", default_value_t = ConstructionSettings::default().jaccard_above)]
    pub(crate) jaccard_above: usize,
    /// Matches that pass the Jaccard test get its full weight, as in Algorithm 2's box
    #[arg(long)]
    pub(crate) jaccard_restores: bool,
    /// Weight of a match that connects two components
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().connecting_weight)]
    pub(crate) connecting_weight: f64,
    /// Factor for matches whose 4-loops contradict themselves
    #[arg(long, value_name = "F", default_value_t = ConstructionSettings::default().contradicted_factor)]
    pub(crate) contradicted_factor: f64,
    /// Factor for matches in no 4-loop
    #[arg(long, value_name = "F", default_value_t = ConstructionSettings::default().unlooped_factor)]
    pub(crate) unlooped_factor: f64,
    /// Weight of an edge between diagonal neighbours
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().diagonal_weight)]
    pub(crate) diagonal_weight: f64,
}

impl ConstructionArgs {
    /// The settings, if all are within their ranges: to be asked before any work is done.
    pub(crate) fn settings(&self, seed: u64) -> Result<ConstructionSettings, Failure> {
        let settings = ConstructionSettings {
            one_sided_weight: self.one_sided_weight,
            initial_share: self.initial_share,
            jaccard_above: self.jaccard_above,
            jaccard_restores: self.jaccard_restores,
            connecting_weight: self.connecting_weight,
            contradicted_factor: self.contradicted_factor,
            unlooped_factor: self.unlooped_factor,
            diagonal_weight: self.diagonal_weight,
            seed,
        };
        settings.validate().map_err(|SettingError { name, value, range }| {
            let flag = name.replace('_', "-");
            Failure::Usage(format!("--{flag} is {value}; it must be {range}"))
        })?;
        Ok(settings)
    }
}

/// The `format` field of a graph file.
const GRAPH_FORMAT: &str = "fretsaw-graph/1";

#[derive(Serialize)]
struct GraphFile<'a> {
    format: &'static str,
    pieces: usize,
    measure: &'static str,
    /// The key of the first version.
    #[serde(rename = "judge")]
    matcher: &'static str,
    seed: u64,
    steps: Vec<&'a StepReport>,
}

pub(super) fn run(args: &GraphArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let limits = Limits::default();
    let needs_truth = [(args.svg.is_some(), "--svg"), (args.theory, "--theory")];
    if let Some((_, flag)) = needs_truth.iter().find(|(asked, _)| *asked && args.truth.is_none()) {
        return Err(Failure::Usage(format!("{flag} needs the truth: give it with --truth FILE")));
    }
    let settings = args.graph.settings(args.seed)?;
    let (measure, matcher) = (args.measure, args.matcher);
    check_matcher(matcher, measure)?;
    if let (Some(out), Some(svg)) = (&args.out, &args.svg)
        && out == svg
    {
        return Err(Failure::Usage(format!(
            "{}: --out and --svg name the same file; name two",
            out.display()
        )));
    }
    for path in [&args.out, &args.svg].into_iter().flatten() {
        check_file_target(path)?;
    }
    let name = input_name(&args.input.paths);
    let input = read_inputs(&args.input.paths, &args.input.options(None, None))?;
    tell_input(verbosity, &name, &args.input, &input);
    let truth = args.truth.as_ref().map(|path| read_truth(path, &limits)).transpose()?;
    let truth: Option<GroundTruth> = truth.map(|TruthFile { truth, .. }| truth);
    let num_pieces = input.pieces.num_pieces();
    if let (Some(truth), Some(path)) = (&truth, &args.truth)
        && truth.assembly().num_pieces() != num_pieces
    {
        return Err(Failure::Usage(format!(
            "{}: the truth of {} pieces does not fit {}, which has {num_pieces}; give the truth of this \
             puzzle",
            path.display(),
            truth.assembly().num_pieces(),
            name.display()
        )));
    }
    let puzzle = Puzzle::new(input.pieces).of_type(PuzzleType::Type2);
    let turns = puzzle.possible_turns();
    let solver = Settings { measure: Some(measure), matcher: Some(matcher), ..Settings::default() };
    let progress = Progress::new(verbosity, Stop::default());
    let reports = with_threads(args.threads, || -> anyhow::Result<_> {
        let measured = Measured::new(&puzzle, &solver, &progress)?;
        let model = measured.matched(&solver, &progress)?;
        let step = args.step;
        Ok(report_steps(&model, turns, &settings, step, truth.as_ref())?)
    })?
    .with_context(|| name.display().to_string())?;

    print_steps(&reports)?;
    if let (true, Some(truth), Some((_, graph))) = (args.theory, &truth, reports.last()) {
        print_theory(graph, truth)?;
    }
    if let Some(path) = &args.out {
        let file = GraphFile {
            format: GRAPH_FORMAT,
            pieces: num_pieces,
            measure: measure.name(),
            matcher: matcher.name(),
            seed: args.seed,
            steps: reports.iter().map(|(report, _)| report).collect(),
        };
        write_text(path, &serde_json::to_string(&file).map_err(anyhow::Error::from)?)?;
    }
    if let (Some(path), Some(truth), Some((report, _))) = (&args.svg, &truth, reports.last()) {
        write_text(path, &draw(report, truth))?;
    }
    Ok(())
}

fn print_steps(reports: &[(StepReport, ConnectionGraph)]) -> Result<(), Failure> {
    let mut table = Table::with_columns(
        "step | edges | weight | \
         right edges % | right turns % | by weight % | joins found %",
    );
    for (report, _) in reports {
        let weight: f64 = report.edges.iter().map(|edge| edge.weight).sum();
        let model = report.accuracy;
        table.push(row! {
            report.step.name(), report.edges.len(), format!("{weight:.1}"),
            percent_or_dash(model.map(|j| j.right_edges)),
            percent_or_dash(model.map(|j| j.right_turns)),
            percent_or_dash(model.map(|j| j.right_turns_by_weight)),
            percent_or_dash(model.map(|j| j.found_joins)),
        });
    }
    print_line(table)
}

/// The theorem's quantities for the last graph.
fn print_theory(graph: &ConnectionGraph, truth: &GroundTruth) -> Result<(), Failure> {
    let true_edges: Vec<(PieceId, PieceId)> =
        truth.assembly().joins().map(|join| (join.first.piece(), join.second.piece())).collect();
    let true_turns: Vec<QuarterTurn> =
        truth.assembly().placements().map(|placement| placement.place.turn).collect();
    let report = examine(graph, &true_edges, &true_turns, &RotationSettings::default())
        .map_err(|error| Failure::Failed(error.to_string()))?;
    let yes_no = |holds: bool| if holds { "yes" } else { "no" };
    let number = |value: Option<f64>| value.map_or("-".into(), |x| format!("{x:.6}"));
    for (name, value) in [
        ("d_max", format!("{:.4}", report.max_degree)),
        ("edges in E'", report.num_right_edges.to_string()),
        ("E' connected", yes_no(report.right_edges_connected).into()),
        ("weights at most 1", yes_no(report.weights_at_most_one).into()),
        ("epsilon", format!("{:.6}", report.epsilon)),
        ("gamma", format!("{:.6}", report.gamma)),
        ("phi of E'", format!("{:.6}", report.phi)),
        ("conditions hold", yes_no(report.conditions_hold).into()),
        ("bound", number(report.bound)),
        ("sin theta", number(report.sin_theta)),
        ("converged", yes_no(report.converged).into()),
    ] {
        print_line(format!("{name:18} {value}"))?;
    }
    Ok(())
}

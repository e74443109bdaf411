//! The parts of the document, one for each experiment: our figures beside the paper's, and plots.

use super::published::{self, Figure};
use super::side_by_side::{Contrast, Row, SideBySide};
use super::{Experiment, MAX_ITERATIONS, METHODS, PaperRun, fixed_iterations};
use crate::groups::Group;
use crate::report::plots::{Plot, corruption_curves, neighbor_histograms, seconds_bars};
use crate::report::tables;
use crate::set_run::{MethodKey, RunKey, RunRecord};
use fretsaw::observer::Stage;
use fretsaw_cli::table::Table;
use fretsaw_gcl::type_two::GclSettings;
use std::fmt::Write;

/// An experiment's part of the document.
#[derive(Default)]
pub(super) struct Section {
    /// What was done, and where the paper has it.
    pub(super) note: String,
    /// Tables, and what they come to.
    pub(super) body: String,
    pub(super) plots: Vec<Plot>,
}

/// The runs of an experiment, from which a section is made.
pub(super) struct Evidence<'a> {
    pub(super) run: &'a PaperRun,
    pub(super) experiment: Experiment,
    pub(super) groups: Vec<Group<'a>>,
}

impl<'a> Evidence<'a> {
    /// The group of a set whose runs have a property; settings but for picture and seed are the same
    /// in a group.
    fn find(&self, set: &str, is: impl Fn(&RunKey) -> bool) -> Option<&Group<'a>> {
        let first =
            |group: &&Group<'_>| group.scene.set == set && group.runs().all(|run| is(&run.key));
        self.groups.iter().find(first)
    }

    fn of_set(&self, set: &str) -> Vec<Group<'a>> {
        self.groups.iter().filter(|group| group.scene.set == set).cloned().collect()
    }

    fn plots(&self, plot: impl Fn(&[Group<'a>]) -> Option<Plot>) -> Vec<Plot> {
        self.run.sets.iter().filter_map(|set| plot(&self.of_set(set))).collect()
    }
}

pub(super) fn section(evidence: &Evidence<'_>) -> Section {
    let mut section = match evidence.experiment {
        Experiment::Times => times(evidence),
        Experiment::Comparison => comparison(evidence, ["paper", "fretsaw"]),
        Experiment::Seam => comparison(evidence, ["paper, mgc", "fretsaw, seam"]),
        Experiment::Histograms => histograms(evidence),
        Experiment::Corruption => corruption(evidence),
        Experiment::Iterations => iterations(evidence),
        Experiment::Spread => spread(evidence),
    };
    if evidence.groups.is_empty() {
        section.body = "No runs.\n".into();
    }
    section.body += &missing_images(evidence);
    section
}

/// A sentence if sets were not run as a whole: their figures cannot be held against the paper's.
fn missing_images(evidence: &Evidence<'_>) -> String {
    let mut partial: Vec<String> = Vec::new();
    for set in &evidence.run.sets {
        let groups = evidence.groups.iter().filter(|group| group.scene.set == *set);
        let fewest = groups.map(|group| group.images.len()).min();
        if let (Some(found), Some(wanted)) = (fewest, published::num_images(set))
            && found != wanted
        {
            partial.push(format!("{set} ({found} of {wanted})"));
        }
    }
    if partial.is_empty() {
        return String::new();
    }
    format!(
        "\nNot all images of the paper's sets were run, so figures are not comparable: {}.\n",
        partial.join(", ")
    )
}

fn percent(group: &Group<'_>, share: fn(&RunRecord) -> f64) -> Figure {
    let deviation = group.deviation_of_runs(share).map(|deviation| 100.0 * deviation);
    Figure { value: 100.0 * group.mean(share), deviation, decimals: 2 }
}

const fn neighbor(run: &RunRecord) -> f64 {
    run.score.neighbor
}

fn row(labels: &[&str], group: &Group<'_>, paper: Option<Figure>, ours: Figure) -> Row {
    let labels = labels.iter().map(ToString::to_string).collect();
    Row { labels, counts: (group.images.len(), group.num_runs()), paper, ours }
}

type Score = (&'static str, fn(&Group<'_>) -> Figure);

/// Our scores, in the order of [`published::scores`].
const SCORES: [Score; 4] = [
    ("direct", |group| percent(group, |run| run.score.direct)),
    ("neighbor", |group| percent(group, neighbor)),
    ("largest", |group| percent(group, |run| run.score.largest)),
    ("perfect", |group| Figure::new(group.count(|run| run.score.perfect), 2)),
];

/// Scores with MGC or with another measure; in either case the paper's are with MGC.
fn comparison(evidence: &Evidence<'_>, columns: [&'static str; 2]) -> Section {
    let mut rows = Vec::new();
    for set in &evidence.run.sets {
        for method in METHODS {
            let Some(group) = evidence.find(set, |key| key.method.name() == method) else {
                continue;
            };
            let paper = published::scores(set, method);
            for (place, (name, score)) in SCORES.into_iter().enumerate() {
                let paper = paper.map(|figures| figures[place]);
                rows.push(row(&[set, method, name], group, paper, score(group)));
            }
        }
    }
    let table = SideBySide {
        columns,
        ..SideBySide::new(&["set", "method", "score"], Contrast::More, rows)
    };
    let measure = match evidence.experiment {
        Experiment::Seam => {
            "The same with our measure `seam` in place of MGC. The paper's figures are those with MGC"
        }
        _ => "Scores of three methods with the measure MGC",
    };
    let note = format!(
        "{measure} (`{}`): the mean ± the standard deviation over all runs; `perfect` is the mean over \
         seeds of the number of images. The paper has 20 instances of each image; its `perfect` was \
         the same in all of them.",
        published::SCORES_LABEL
    );
    Section { note, body: table.to_string(), plots: Vec::new() }
}

fn histograms(evidence: &Evidence<'_>) -> Section {
    let note = format!(
        "Images by neighbor accuracy, from the runs of `comparison` (`{}`). The paper's histograms are \
         pictures without numbers: there is nothing to hold ours against.",
        published::HISTOGRAMS_LABEL
    );
    let body = "The histograms of each set follow.\n".into();
    Section { note, body, plots: evidence.plots(neighbor_histograms) }
}

fn times(evidence: &Evidence<'_>) -> Section {
    let default = GclSettings::default();
    // In the order of the paper's.
    let times = [
        ("measure mgc", "gallagher", None),
        ("gallagher", "gallagher", None),
        ("yu", "yu", None),
        ("gcl, 1 iteration", "gcl", Some(fixed_iterations(1))),
        ("gcl, 5 iterations", "gcl", Some(default)),
    ];
    let mut rows = Vec::new();
    for set in &evidence.run.sets {
        let paper = published::seconds(set);
        for (place, (name, method, gcl)) in times.into_iter().enumerate() {
            let is = |key: &RunKey| key.method.name() == method && gcl_of(key) == gcl;
            let Some(group) = evidence.find(set, is) else { continue };
            let seconds = |run: &RunRecord| match place {
                0 => [Stage::Prepare, Stage::Measure]
                    .map(|stage| tables::seconds_of(run, stage.name()))
                    .iter()
                    .sum(),
                _ => run.seconds,
            };
            let ours = Figure::new(group.mean(seconds), 3);
            rows.push(row(&[set, name], group, paper.map(|figures| figures[place]), ours));
        }
    }
    let table = SideBySide::new(&["set", "time of"], Contrast::Faster, rows);
    let note = format!(
        "Seconds per puzzle, one puzzle at a time, the mean over images (`{}`). The paper's times are \
         of other programs on another machine, a laptop with an Intel Core i5 of 2.3 GHz. `measure mgc` is \
         what `gallagher` spends on the stages `prepare` and `measure`, and is a part of every other \
         line. A single iteration is the solution before any update (`--set iterations=0`), and 5 iterations are the default \
         (`--set iterations=5`).",
        published::TIMES_LABEL
    );
    let is_default = |group: &&Group<'_>| group.runs().all(|run| gcl_of(&run.key) == Some(default));
    let gcl: Vec<Group<'_>> = evidence.groups.iter().filter(is_default).cloned().collect();
    let mut body = table.to_string();
    if !gcl.is_empty() {
        let _ = write!(
            body,
            "\n### gcl by stage\n\n{} A stage may run several times; the rest is spent between \
             stages.\n\n{}",
            tables::TIMES_NOTE,
            tables::times(&gcl)
        );
    }
    Section { note, body, plots: evidence.plots(seconds_bars) }
}

fn iterations(evidence: &Evidence<'_>) -> Section {
    let mut rows = Vec::new();
    for set in &evidence.run.sets {
        for iteration in 1..=MAX_ITERATIONS {
            let settings = fixed_iterations(iteration);
            let Some(group) = evidence.find(set, |key| gcl_of(key) == Some(settings)) else {
                continue;
            };
            let paper = published::neighbor_after(set, iteration);
            let after = format!("iteration {iteration}");
            rows.push(row(&[set, &after], group, paper, percent(group, neighbor)));
        }
    }
    let table = SideBySide::new(&["set", "after"], Contrast::More, rows);
    let note = format!(
        "Neighbor of `gcl` with MGC after a fixed number of iterations, whatever Err says (`{}`): the \
         mean ± the standard deviation over all runs. The first iteration is the solution before any \
         update, so iteration k is `--set iterations=N --set keep=last` with N = k - 1. The paper has 20 \
         instances of each image.",
        published::ITERATIONS_LABEL
    );
    Section { note, body: table.to_string(), plots: Vec::new() }
}

fn spread(evidence: &Evidence<'_>) -> Section {
    let mut rows = Vec::new();
    for set in &evidence.run.sets {
        for method in METHODS {
            let Some(group) = evidence.find(set, |key| key.method.name() == method) else {
                continue;
            };
            let Some(spread) = group.seed_spread(neighbor) else { continue };
            let ours = Figure::new(100.0 * spread, 2);
            rows.push(row(&[set, method], group, published::spread(set, method), ours));
        }
    }
    let table = SideBySide::new(&["set", "method"], Contrast::Less, rows);
    let note = format!(
        "How much neighbor varies from run to run, with MGC: the standard deviation over 20 runs of an \
         image, averaged over the images (the text before `{}`). Our 20 runs differ in their seed, which \
         changes the scramble as well as the solver's choices; the paper's are 20 runs of a program.",
        published::SCORES_LABEL
    );
    Section { note, body: table.to_string(), plots: Vec::new() }
}

/// Where a claim of the paper holds, and by how much it fails elsewhere.
#[derive(Default)]
struct Claim {
    num_places: usize,
    failures: Vec<String>,
}

impl Claim {
    /// Notes that the claim holds at a place if the margin is above 0; returns the entry of a table.
    fn check(&mut self, place: &str, margin: f64) -> String {
        self.num_places += 1;
        if margin > 0.0 {
            return "yes".into();
        }
        self.failures.push(format!("{place} ({margin:+.2})"));
        "no".into()
    }

    fn in_words(&self) -> String {
        let num_kept = self.num_places - self.failures.len();
        let failures =
            if self.failures.is_empty() { "none".into() } else { self.failures.join(", ") };
        format!("at {num_kept} of {} places, not at: {failures}", self.num_places)
    }
}

fn corruption(evidence: &Evidence<'_>) -> Section {
    let mut table = Table::with_columns(
        "set | corrupt | images | runs | \
         gallagher | yu | gcl | gcl highest | gallagher lowest",
    );
    let (mut gcl_highest, mut gallagher_lowest) = (Claim::default(), Claim::default());
    for set in &evidence.run.sets {
        for &rate in &evidence.run.set_run(evidence.experiment).puzzles.corrupt_rates {
            let of = |method: &str| {
                evidence.find(set, |key| key.method.name() == method && key.puzzle.corrupt == rate)
            };
            let groups = METHODS.map(of);
            let [Some(gallagher), Some(yu), Some(gcl)] = groups else { continue };
            let runs: usize = [gallagher, yu, gcl].iter().map(|group| group.num_runs()).sum();
            let shares = [gallagher, yu, gcl].map(|group| 100.0 * group.mean(neighbor));
            let [of_gallagher, of_yu, of_gcl] = shares;
            let mut entries = vec![set.clone(), rate.to_string()];
            entries.extend([gallagher.images.len().to_string(), runs.to_string()]);
            entries.extend(shares.map(|share| format!("{share:.2}")));
            let place = format!("{set} {rate}");
            entries.push(gcl_highest.check(&place, of_gcl - of_yu.max(of_gallagher)));
            entries.push(gallagher_lowest.check(&place, of_yu.min(of_gcl) - of_gallagher));
            table.push(entries);
        }
    }
    let note = format!(
        "Neighbor with MGC where sides are corrupted at a rate, five instances of each image (`{}`). \
         The paper's curves are pictures without numbers, but its text tells their order: `gcl` is the \
         most accurate at every one of these rates, with `yu` close to it, and `gallagher` is clearly \
         the least.",
        published::CORRUPTION_LABEL
    );
    let body = format!(
        "{table}\nThe order of the paper: `gcl` is highest {}. `gallagher` is lowest {}. In brackets is \
         the distance to the best, or to the next, of the others.\n",
        gcl_highest.in_words(),
        gallagher_lowest.in_words()
    );
    Section { note, body, plots: evidence.plots(corruption_curves) }
}

/// Settings of the paper's method, if it is the run's.
const fn gcl_of(key: &RunKey) -> Option<GclSettings> {
    match key.method {
        MethodKey::Gcl { gcl } => Some(gcl),
        _ => None,
    }
}

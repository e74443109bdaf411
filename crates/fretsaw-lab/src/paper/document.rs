//! The document: every experiment with its command, our figures beside the paper's, and plots.
//!
//! The same runs give the same bytes, in whatever order they are.

use super::published::{self, Published, ScoreName, TimeOf};
use super::side_by_side::{Contrast, Figure, Row, SideBySide};
use super::{Experiment, MAX_ITERATIONS, METHODS, PaperRun, fixed_iterations};
use crate::groups::{Group, groups};
use crate::report::plots::{
    Plot, corruption_curves, make_names_distinct, neighbor_histograms, seconds_bars,
};
use crate::report::tables;
use crate::set_run::{MethodKey, RunKey, RunRecord};
use fretsaw::observer::Stage;
use fretsaw_cli::table::Table;
use fretsaw_gcl::type_two::GclSettings;
use fretsaw_io::{IoError, Problem, write_text};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The document and its plots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    /// Markdown.
    pub(crate) text: String,
    /// The plots that it refers to, by their names and the ending `.svg`.
    pub(crate) plots: Vec<Plot>,
}

/// An experiment's part of the document.
struct Section {
    experiment: Experiment,
    /// What was done, and where the paper has it.
    note: String,
    /// Tables, and what they come to.
    body: String,
    plots: Vec<Plot>,
}

impl Section {
    const fn new(experiment: Experiment, note: String, body: String) -> Self {
        Self { experiment, note, body, plots: Vec::new() }
    }
}

/// The runs of an experiment, from which a section is made.
struct Evidence<'a> {
    run: &'a PaperRun,
    experiment: Experiment,
    groups: Vec<Group<'a>>,
}

impl<'a> Evidence<'a> {
    /// The group of a set whose runs have a property; settings but for picture and seed are the same
    /// in a group.
    fn find(&self, set: &str, is: impl Fn(&RunKey) -> bool) -> Option<&Group<'a>> {
        let first = |group: &&Group<'_>| {
            group.scene.set == set && group.images.iter().flatten().all(|run| is(&run.key))
        };
        self.groups.iter().find(first)
    }

    fn of_set(&self, set: &str) -> Vec<Group<'a>> {
        self.groups.iter().filter(|group| group.scene.set == set).cloned().collect()
    }
}

/// Makes the document from those of the runs that belong to the experiments. Plots are referred to as
/// files in `plots_folder`.
pub(crate) fn document(run: &PaperRun, records: &[RunRecord], plots_folder: &str) -> Document {
    let belongs = |experiment: Experiment, record: &RunRecord| {
        // Times of runs that shared the machine are not theirs alone.
        let is_fit = experiment != Experiment::Times || record.jobs == 1;
        is_fit && run.set_run(experiment).asks_for(&record.key)
    };
    let mut sections: Vec<Section> = Vec::new();
    let mut commands: Vec<String> = Vec::new();
    for &experiment in &run.experiments {
        let found: Vec<RunRecord> =
            records.iter().filter(|record| belongs(experiment, record)).cloned().collect();
        // Fewer than asked for, if not all runs are done yet.
        let num_seeds =
            found.iter().map(|record| record.key.puzzle.seed).max().unwrap_or(run.num_seeds);
        commands.push(command(run, experiment, num_seeds));
        let evidence = Evidence { run, experiment, groups: groups(&found) };
        sections.push(section(&evidence));
    }
    make_names_distinct(sections.iter_mut().flat_map(|section| &mut section.plots));
    let used = records.iter().filter(|record| run.experiments.iter().any(|&e| belongs(e, record)));
    let mut text = introduction(&used.collect::<Vec<_>>());
    // A space would end the address of a picture.
    let folder = plots_folder.replace(' ', "%20");
    for (section, command) in sections.iter().zip(commands) {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## {}\n\n{}\n\n```sh\n{command}\n```\n\n{}",
            section.experiment.name(),
            section.note,
            section.body
        );
        for plot in &section.plots {
            let _ = write!(text, "\n![{}]({folder}/{}.svg)\n", plot.title, plot.name);
        }
    }
    Document { text, plots: sections.into_iter().flat_map(|section| section.plots).collect() }
}

/// The folder of the plots of a document: its name without the ending.
pub(crate) fn plots_folder(path: &Path) -> PathBuf {
    path.with_extension("")
}

/// Writes the document, its plots first, each file whole or not at all. Files of the same names are
/// replaced, others in the folder of the plots are left alone.
pub(crate) fn write_document(
    path: &Path,
    run: &PaperRun,
    records: &[RunRecord],
) -> Result<(), IoError> {
    let folder = plots_folder(path);
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let Document { text, plots } = document(run, records, &name);
    if !plots.is_empty() && !folder.is_dir() {
        std::fs::create_dir(&folder).map_err(|cause| Problem::Write(cause).at(folder.clone()))?;
    }
    for plot in &plots {
        write_text(&folder.join(format!("{}.svg", plot.name)), &plot.svg)?;
    }
    write_text(path, &text)
}

/// The command that does an experiment and writes its part of the document.
fn command(run: &PaperRun, experiment: Experiment, num_seeds: u64) -> String {
    let mut command =
        format!("fretsaw-lab paper --data sets --out results.jsonl --only {}", experiment.name());
    if experiment.own_seeds().is_none() {
        let _ = write!(command, " --seeds {num_seeds}");
    }
    if run.sets != published::SETS {
        let _ = write!(command, " --sets '{}'", run.sets.join(","));
    }
    command
}

fn introduction(used: &[&RunRecord]) -> String {
    format!(
        "# The paper's experiments\n\n\
         What [HLW20] (`docs/bibliography.md`) measured, measured again with fretsaw. This document is \
         made by `fretsaw-lab paper`; it is not edited by hand. Columns `paper` hold what the paper \
         prints, in the table or figure whose label is given; all else is computed from runs. Every \
         puzzle is of type 2, cut into pieces of 28 x 28 pixels. Scores are in percent, but for \
         `perfect`: the number of images solved without a fault.\n\n\
         In the commands, `sets` stands for a folder that holds the sets (`docs/datasets.md`), and \
         `results.jsonl` for the file that keeps the runs; one file serves all experiments. `--jobs` and \
         `--threads` change no score.\n\n\
         A seed chooses both how a picture is scrambled and how the solver breaks ties. Where the paper \
         speaks of instances it means repeated runs of an algorithm.\n\n\
         ## How the runs were made\n\n{}",
        provenance(used)
    )
}

/// Versions, commits and machines, and how many runs each made.
fn provenance(used: &[&RunRecord]) -> Table {
    let mut counts: BTreeMap<[String; 5], usize> = BTreeMap::new();
    for record in used {
        let or_dash = |text: Option<&String>| text.map_or_else(|| "-".into(), Clone::clone);
        let origin = [
            record.version.clone(),
            or_dash(record.commit.as_ref()),
            or_dash(record.machine.as_ref()),
            record.threads.map_or_else(|| "-".into(), |threads| threads.to_string()),
            record.jobs.to_string(),
        ];
        *counts.entry(origin).or_default() += 1;
    }
    let columns =
        ["version", "commit", "machine", "threads of a run", "runs at a time", "number of runs"];
    let mut table = Table::new(&columns);
    for (origin, count) in counts {
        table.push(origin.into_iter().chain([count.to_string()]).collect());
    }
    table
}

fn section(evidence: &Evidence<'_>) -> Section {
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

/// A table, and what it comes to.
fn table_and_words(table: &SideBySide) -> String {
    format!("{}\n{}\n", table.table(), table.in_words())
}

fn percent(group: &Group<'_>, share: fn(&RunRecord) -> f64) -> Figure {
    let deviation = group.deviation_of_runs(share).map(|deviation| 100.0 * deviation);
    Figure { value: 100.0 * group.mean(share), deviation }
}

const fn neighbor(run: &RunRecord) -> f64 {
    run.score.neighbor
}

fn row(labels: &[&str], group: &Group<'_>, paper: Option<Published>, ours: Figure) -> Row {
    let labels = labels.iter().map(ToString::to_string).collect();
    Row { labels, counts: (group.images.len(), group.num_runs()), paper, ours }
}

fn score_of(group: &Group<'_>, name: ScoreName) -> Figure {
    match name {
        ScoreName::Direct => percent(group, |run| run.score.direct),
        ScoreName::Neighbor => percent(group, neighbor),
        ScoreName::Largest => percent(group, |run| run.score.largest),
        ScoreName::Perfect => {
            Figure { value: group.count(|run| run.score.perfect), deviation: None }
        }
    }
}

/// Scores with MGC or with another measure; in either case the paper's are with MGC.
fn comparison(evidence: &Evidence<'_>, columns: [&'static str; 2]) -> Section {
    let mut rows = Vec::new();
    for set in &evidence.run.sets {
        for method in METHODS {
            let Some(group) = evidence.find(set, |key| key.method.name() == method) else {
                continue;
            };
            for name in ScoreName::ALL {
                let paper = published::score(set, method, name);
                let labels = [set, method, name.name()];
                rows.push(row(&labels, group, paper, score_of(group, name)));
            }
        }
    }
    let labels = &["set", "method", "score"];
    let table = SideBySide { labels, columns, contrast: Contrast::More, decimals: 2, rows };
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
    Section::new(evidence.experiment, note, table_and_words(&table))
}

fn histograms(evidence: &Evidence<'_>) -> Section {
    let note = format!(
        "Images by neighbor accuracy, from the runs of `comparison` (`{}`). The paper's histograms are \
         pictures without numbers: there is nothing to hold ours against.",
        published::HISTOGRAMS_LABEL
    );
    let sets = evidence.run.sets.iter();
    let plots = sets.filter_map(|set| neighbor_histograms(&evidence.of_set(set))).collect();
    let body = "The histograms of each set follow.\n".into();
    Section { plots, ..Section::new(evidence.experiment, note, body) }
}

fn times(evidence: &Evidence<'_>) -> Section {
    let default = GclSettings::default();
    let mut rows = Vec::new();
    for set in &evidence.run.sets {
        for of in TimeOf::ALL {
            let (name, method, gcl) = match of {
                TimeOf::Measure => ("measure mgc", "gallagher", None),
                TimeOf::Gallagher => ("gallagher", "gallagher", None),
                TimeOf::Yu => ("yu", "yu", None),
                TimeOf::GclOnce => ("gcl, 1 iteration", "gcl", Some(fixed_iterations(1))),
                TimeOf::Gcl => ("gcl, 5 iterations", "gcl", Some(default)),
            };
            let is = |key: &RunKey| key.method.name() == method && gcl_of(key) == gcl;
            let Some(group) = evidence.find(set, is) else { continue };
            let seconds = |run: &RunRecord| match of {
                TimeOf::Measure => [Stage::Prepare, Stage::Measure]
                    .map(|stage| run.stages.get(stage.name()).copied().unwrap_or(0.0))
                    .iter()
                    .sum(),
                _ => run.seconds,
            };
            let ours = Figure { value: group.mean(seconds), deviation: None };
            rows.push(row(&[set, name], group, published::seconds(set, of), ours));
        }
    }
    let table = SideBySide {
        labels: &["set", "time of"],
        columns: ["paper", "fretsaw"],
        contrast: Contrast::Faster,
        decimals: 3,
        rows,
    };
    let note = format!(
        "Seconds per puzzle, one puzzle at a time, the mean over images (`{}`). The paper's times are \
         of other programs on another machine, a laptop with an Intel Core i5 of 2.3 GHz. `measure mgc` is \
         what `gallagher` spends on the stages `prepare` and `measure`, and is a part of every other \
         line. A single iteration is the solution before any update (`--set iterations=0`), and 5 iterations are the default \
         (`--set iterations=5`).",
        published::TIMES_LABEL
    );
    let is_default = |group: &&Group<'_>| {
        group.images.iter().flatten().all(|run| gcl_of(&run.key) == Some(default))
    };
    let gcl: Vec<Group<'_>> = evidence.groups.iter().filter(is_default).cloned().collect();
    let mut body = table_and_words(&table);
    if !gcl.is_empty() {
        let _ = write!(
            body,
            "\n### gcl by stage\n\n{} A stage may run several times; the rest is spent between \
             stages.\n\n{}",
            tables::TIMES_NOTE,
            tables::times(&gcl)
        );
    }
    let sets = evidence.run.sets.iter();
    let plots = sets.filter_map(|set| seconds_bars(&evidence.of_set(set))).collect();
    Section { plots, ..Section::new(evidence.experiment, note, body) }
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
    let table = SideBySide {
        labels: &["set", "after"],
        columns: ["paper", "fretsaw"],
        contrast: Contrast::More,
        decimals: 2,
        rows,
    };
    let note = format!(
        "Neighbor of `gcl` with MGC after a fixed number of iterations, whatever Err says (`{}`): the \
         mean ± the standard deviation over all runs. The first iteration is the solution before any \
         update, so iteration k is `--iterations` k - 1 `--keep last`. The paper has 20 instances of \
         each image.",
        published::ITERATIONS_LABEL
    );
    Section::new(evidence.experiment, note, table_and_words(&table))
}

fn spread(evidence: &Evidence<'_>) -> Section {
    let mut rows = Vec::new();
    for set in &evidence.run.sets {
        for method in METHODS {
            let Some(group) = evidence.find(set, |key| key.method.name() == method) else {
                continue;
            };
            let Some(spread) = group.seed_spread(neighbor) else { continue };
            let ours = Figure { value: 100.0 * spread, deviation: None };
            rows.push(row(&[set, method], group, published::spread(set, method), ours));
        }
    }
    let table = SideBySide {
        labels: &["set", "method"],
        columns: ["paper", "fretsaw"],
        contrast: Contrast::Less,
        decimals: 2,
        rows,
    };
    let note = format!(
        "How much neighbor varies from run to run, with MGC: the standard deviation over 20 runs of an \
         image, averaged over the images (the text before `{}`). Our 20 runs differ in their seed, which \
         changes the scramble as well as the solver's choices; the paper's are 20 runs of a program.",
        published::SCORES_LABEL
    );
    Section::new(evidence.experiment, note, table_and_words(&table))
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
    let sets = evidence.run.sets.iter();
    let plots = sets.filter_map(|set| corruption_curves(&evidence.of_set(set))).collect();
    Section { plots, ..Section::new(evidence.experiment, note, body) }
}

/// Settings of the paper's method, if it is the run's.
const fn gcl_of(key: &RunKey) -> Option<GclSettings> {
    match key.method {
        MethodKey::Gcl { gcl } => Some(gcl),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;

    /// A run of a method with its default settings on a picture of a set.
    fn by(method: &str, set: &str, seed: u64, share: f64) -> RunRecord {
        let mut run = record("1.png", seed, share);
        run.key.puzzle.set = set.into();
        run.key.method = MethodKey::from_name(method).unwrap();
        run
    }

    fn paper_run(experiments: &[Experiment]) -> PaperRun {
        let sets = ["mit-432", "mine"].map(Into::into).into();
        PaperRun { experiments: experiments.into(), sets, num_seeds: 2 }
    }

    fn text(experiments: &[Experiment], records: &[RunRecord]) -> String {
        document(&paper_run(experiments), records, "my plots").text
    }

    #[test]
    fn scores_are_beside_the_papers() {
        let mut records = vec![
            by("gallagher", "mit-432", 1, 0.9),
            by("gallagher", "mit-432", 2, 0.8),
            // A third seed, which is not asked for.
            by("gallagher", "mit-432", 3, 0.1),
            by("gcl", "mine", 1, 1.0),
        ];
        let all = text(&[Experiment::Comparison, Experiment::Histograms], &records);
        for words in [
            "## comparison",
            "--only comparison --seeds 2 --sets 'mit-432,mine'",
            "| mit-432 | gallagher | direct   | 1      | 2    | 84.2 ± 19.7 | 85.00 ± 7.07 | +0.80 ",
            "| mine    | gcl       | perfect  | 1      | 1    | -           | 1.00         | - ",
            "Above the paper in 1 of 4 figures; equal in 0; below in: mit-432 gallagher neighbor \
             (-4.10), mit-432 gallagher largest (-2.20), mit-432 gallagher perfect (-9.00).",
            "figures are not comparable: mit-432 (1 of 20).",
            "(my%20plots/histogram-mit-432-type2-piece28-corrupt0.svg)",
        ] {
            assert!(all.contains(words), "no {words:?} in {all}");
        }
        records.reverse();
        assert_eq!(all, text(&[Experiment::Comparison, Experiment::Histograms], &records));
    }

    #[test]
    fn times_are_of_runs_that_were_alone() {
        let mut records = [
            by("gallagher", "mit-432", 1, 0.9),
            by("yu", "mit-432", 1, 0.9),
            by("gcl", "mit-432", 1, 0.9),
            by("gcl", "mine", 1, 0.9),
        ];
        records[1].jobs = 2;
        records[3].key.method = MethodKey::Gcl { gcl: fixed_iterations(1) };
        let text = text(&[Experiment::Times], &records);
        for words in [
            "| mit-432 | measure mgc       | 1      | 1    | 32.5  | 0.500   | 65.0 ",
            "| mit-432 | gcl, 5 iterations | 1      | 1    | 57.6  | 2.000   | 28.8 ",
            "| mine    | gcl, 1 iteration  | 1      | 1    | -     | 2.000   | - ",
            "Faster than the paper in 3 of 3 figures",
            "### gcl by stage",
        ] {
            assert!(text.contains(words), "no {words:?} in {text}");
        }
        assert!(!text.contains("| mit-432 | yu "), "{text}");
    }

    #[test]
    fn the_order_of_methods_is_checked_at_every_rate() {
        let mut records = Vec::new();
        for (rate, shares) in [(0.02, [0.7, 0.8, 0.9]), (0.04, [0.75, 0.8, 0.7])] {
            for (method, share) in METHODS.into_iter().zip(shares) {
                let mut run = by(method, "mit-432", 5, share);
                run.key.puzzle.corrupt = rate;
                records.push(run);
            }
        }
        let found = document(&paper_run(&[Experiment::Corruption]), &records, "plots");
        for words in [
            "| mit-432 | 0.02    | 1      | 3    | 70.00     | 80.00 | 90.00 | yes         | yes ",
            "| mit-432 | 0.04    | 1      | 3    | 75.00     | 80.00 | 70.00 | no          | no ",
            "`gcl` is highest at 1 of 2 places, not at: mit-432 0.04 (-10.00).",
            "`gallagher` is lowest at 1 of 2 places, not at: mit-432 0.04 (-5.00).",
        ] {
            assert!(found.text.contains(words), "no {words:?} in {}", found.text);
        }
        assert_eq!(found.plots.len(), 1);
    }

    #[test]
    fn iterations_and_spread_are_beside_the_papers() {
        let mut records = vec![
            by("gcl", "mit-432", 1, 0.94),
            by("yu", "mit-432", 1, 0.9),
            by("yu", "mit-432", 20, 0.92),
        ];
        records[0].key.method = MethodKey::Gcl { gcl: fixed_iterations(2) };
        let text = text(&[Experiment::Iterations, Experiment::Spread], &records);
        for words in [
            "| mit-432 | iteration 2 | 1      | 1    | 94.4 ± 10.0 | 94.00   | -0.40 ",
            "| mit-432 | yu     | 1      | 2    | 1.5   | 1.41    | -0.09 ",
            "Smaller (better) than the paper in 1 of 1 figures",
            "--only spread --sets",
        ] {
            assert!(text.contains(words), "no {words:?} in {text}");
        }
    }

    #[test]
    fn every_origin_of_runs_is_listed() {
        let mut records: Vec<RunRecord> = (1..=2).map(|seed| by("yu", "mine", seed, 0.5)).collect();
        records[1].commit = Some("0123456789ab".into());
        records[1].machine = Some("A Processor 3000".into());
        records[1].threads = Some(2);
        let text = text(&[Experiment::Seam, Experiment::Comparison], &records);
        assert!(text.contains("| 0.1.0   | -            | -                | -  "), "{text}");
        assert!(text.contains("| 0.1.0   | 0123456789ab | A Processor 3000 | 2  "), "{text}");
        assert!(text.contains("## seam") && text.contains("No runs."), "{text}");
    }
}

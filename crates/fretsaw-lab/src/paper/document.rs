//! The document: every experiment with its command, our figures beside the paper's, and plots.
//!
//! The same runs give the same bytes, in whatever order they are.

use super::sections::{Evidence, Section, section};
use super::{Experiment, PaperRun, published};
use crate::groups::groups;
use crate::report::plots::{Plot, make_names_distinct};
use crate::set_run::RunRecord;
use fretsaw_cli::table::Table;
use fretsaw_io::{IoError, Problem, write_text};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The document in Markdown, of those of the runs that belong to the experiments, and the plots that it
/// refers to as files in `plots_folder`.
fn document(run: &PaperRun, records: &[RunRecord], plots_folder: &str) -> (String, Vec<Plot>) {
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
    for ((experiment, section), command) in run.experiments.iter().zip(&sections).zip(commands) {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## {}\n\n{}\n\n```sh\n{command}\n```\n\n{}",
            experiment.name(),
            section.note,
            section.body
        );
        for plot in &section.plots {
            let _ = write!(text, "\n![{}]({folder}/{}.svg)\n", plot.title, plot.name);
        }
    }
    (text, sections.into_iter().flat_map(|section| section.plots).collect())
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
    let (text, plots) = document(run, records, &name);
    if !plots.is_empty() && !folder.is_dir() {
        std::fs::create_dir(&folder)
            .map_err(|cause| Problem::not_written(cause).at(folder.clone()))?;
    }
    plots.iter().try_for_each(|plot| plot.write(&folder))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::{METHODS, fixed_iterations};
    use crate::set_run::MethodKey;
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
        document(&paper_run(experiments), records, "my plots").0
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
        let (found, plots) = document(&paper_run(&[Experiment::Corruption]), &records, "plots");
        for words in [
            "| mit-432 | 0.02    | 1      | 3    | 70.00     | 80.00 | 90.00 | yes         | yes ",
            "| mit-432 | 0.04    | 1      | 3    | 75.00     | 80.00 | 70.00 | no          | no ",
            "`gcl` is highest at 1 of 2 places, not at: mit-432 0.04 (-10.00).",
            "`gallagher` is lowest at 1 of 2 places, not at: mit-432 0.04 (-5.00).",
        ] {
            assert!(found.contains(words), "no {words:?} in {found}");
        }
        assert_eq!(plots.len(), 1);
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

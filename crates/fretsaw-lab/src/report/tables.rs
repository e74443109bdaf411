//! Tables of groups of runs.

use crate::groups::Group;
use crate::set_run::RunRecord;
use fretsaw::observer::Stage;
use fretsaw_cli::table::{Table, percent, percent_or_dash};
use std::collections::BTreeSet;

/// What `±` and the columns of [`scores`] mean.
pub(crate) const SCORES_NOTE: &str = "Percentages: the mean over images of the mean over seeds ± the \
    standard deviation over images of the mean over seeds. `perfect` is the mean over seeds of the \
    number of perfect puzzles. Figures that end in `_px` forgive the exchange of pieces that are \
    the same pixel for pixel.";
/// What the columns of [`times`] mean.
pub(crate) const TIMES_NOTE: &str = "Wall-clock seconds per puzzle: the mean over images of the mean over \
    seeds, of the whole solve and of its stages.";
/// What the columns of [`spreads`] mean.
pub(crate) const SPREADS_NOTE: &str = "The standard deviation over the seeds of an image, averaged over \
    images, in points of percent.";

type Figure<T> = (&'static str, fn(&RunRecord) -> T);

const SHARES: [Figure<f64>; 3] = [
    ("direct", |run| run.score.direct),
    ("neighbor", |run| run.score.neighbor),
    ("largest", |run| run.score.largest),
];
const PX_SHARES: [Figure<Option<f64>>; 2] =
    [("direct_px", |run| run.score.direct_px), ("neighbor_px", |run| run.score.neighbor_px)];
/// A column of a table of groups: its name, and a group's entry.
pub(crate) type Column = (&'static str, fn(&Group<'_>) -> String);

/// Which puzzles a row is of.
pub(crate) const SCENE: [Column; 3] = [
    ("set", |group| group.scene.pictures()),
    ("type", |group| group.scene.type_number.to_string()),
    ("corrupt", |group| group.scene.corrupt.to_string()),
];
const PIECE: [Column; 1] = [("piece", |group| group.scene.piece_size())];
/// How they were solved.
pub(crate) const WAY: [Column; 3] = [
    ("method", |group| group.way.method.clone()),
    ("measure", |group| group.way.measure.into()),
    ("matcher", |group| group.way.matcher.into()),
];

/// A row per group.
pub(crate) fn of_groups(groups: &[Group<'_>], columns: &[&[Column]]) -> Table {
    let columns = columns.concat();
    let mut table = Table::new(&columns.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for group in groups {
        table.push(columns.iter().map(|(_, entry)| entry(group)).collect());
    }
    table
}

fn group_columns(group: &Group<'_>) -> Vec<String> {
    [&SCENE[..], &PIECE, &WAY].concat().iter().map(|(_, entry)| entry(group)).collect()
}

fn table(columns: impl IntoIterator<Item = String>) -> Table {
    let group = [&SCENE[..], &PIECE, &WAY].concat().into_iter().map(|(name, _)| name.to_owned());
    let names: Vec<String> = group.chain(columns).collect();
    Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

fn names<T>(figures: &[Figure<T>]) -> impl Iterator<Item = String> {
    figures.iter().map(|(name, _)| (*name).to_owned())
}

fn num_perfect_px(group: &Group<'_>) -> Option<f64> {
    let known = group.mean_of_known(|run| run.score.perfect_px.map(|is| f64::from(u8::from(is))));
    known.map(|share| share * group.images.len() as f64)
}

/// A mean with its deviation, in percent.
fn mean_and_deviation(group: &Group<'_>, share: fn(&RunRecord) -> f64) -> String {
    let deviation = group.deviation(share);
    let deviation = deviation.map_or_else(String::new, |share| format!(" ± {}", percent(share)));
    percent(group.mean(share)) + &deviation
}

const SCORES: [Column; 10] = [
    ("images", |group| group.images.len().to_string()),
    ("runs", |group| group.num_runs().to_string()),
    ("direct", |group| mean_and_deviation(group, |run| run.score.direct)),
    ("neighbor", |group| mean_and_deviation(group, |run| run.score.neighbor)),
    ("largest", |group| mean_and_deviation(group, |run| run.score.largest)),
    ("perfect", |group| format!("{:.1}", group.count(|run| run.score.perfect))),
    ("direct_px", |group| percent_or_dash(group.mean_of_known(|run| run.score.direct_px))),
    ("neighbor_px", |group| percent_or_dash(group.mean_of_known(|run| run.score.neighbor_px))),
    ("perfect_px", |group| {
        num_perfect_px(group).map_or_else(|| "-".into(), |count| format!("{count:.1}"))
    }),
    ("neighbor_visual", |group| {
        percent_or_dash(group.mean_of_known(|run| run.score.neighbor_visual))
    }),
];

/// The scores of every group, in percent; see [`SCORES_NOTE`].
pub(crate) fn scores(groups: &[Group<'_>]) -> Table {
    of_groups(groups, &[&SCENE, &PIECE, &WAY, &SCORES])
}

/// The stages that any run went through, in the order in which they run.
fn stages(groups: &[Group<'_>]) -> Vec<String> {
    let runs = groups.iter().flat_map(|group| group.runs());
    let found: BTreeSet<&String> = runs.flat_map(|run| run.stages.keys()).collect();
    let order = Stage::ALL.map(Stage::name);
    let mut stages: Vec<String> = found.into_iter().cloned().collect();
    // Stable: stages of other versions come last, by name.
    stages.sort_by_key(|stage| order.iter().position(|name| name == stage).unwrap_or(order.len()));
    stages
}

pub(crate) fn seconds_of(run: &RunRecord, stage: &str) -> f64 {
    run.stages.get(stage).copied().unwrap_or(0.0)
}

/// Seconds of every group, whole and by stage; see [`TIMES_NOTE`].
pub(crate) fn times(groups: &[Group<'_>]) -> Table {
    let stages = stages(groups);
    let mut table = table(std::iter::once("seconds".into()).chain(stages.iter().cloned()));
    for group in groups {
        let mut row = group_columns(group);
        row.push(format!("{:.3}", group.mean(|run| run.seconds)));
        for stage in &stages {
            row.push(format!("{:.3}", group.mean(|run| seconds_of(run, stage))));
        }
        table.push(row);
    }
    table
}

/// How much scores vary with the seed; see [`SPREADS_NOTE`]. Groups with one seed are left out.
pub(crate) fn spreads(groups: &[Group<'_>]) -> Table {
    let mut table = table(std::iter::once("seeds".into()).chain(names(&SHARES)));
    for group in groups {
        let most_seeds = group.images.iter().map(Vec::len).max().unwrap_or(0);
        if most_seeds < 2 {
            continue;
        }
        let mut row = group_columns(group);
        row.push(most_seeds.to_string());
        for (_, share) in SHARES {
            row.push(percent_or_dash(group.seed_spread(share)));
        }
        table.push(row);
    }
    table
}

/// The settings of every method, measure and matcher, with the versions that ran them and how many puzzles
/// were solved at a time.
pub(crate) fn settings(groups: &[Group<'_>]) -> Table {
    let mut rows = BTreeSet::new();
    for group in groups {
        for run in group.runs() {
            let mut settings = run.settings.clone();
            if let Some(fields) = settings.as_object_mut() {
                // It differs from run to run.
                fields.remove("seed");
            }
            rows.insert([
                group.way.method.clone(),
                group.way.measure.to_owned(),
                group.way.matcher.to_owned(),
                run.version.clone(),
                run.jobs.to_string(),
                settings.to_string(),
            ]);
        }
    }
    let mut table = Table::new(&["method", "measure", "matcher", "version", "jobs", "settings"]);
    for row in rows {
        table.push(row.into());
    }
    table
}

fn share_text(value: f64) -> String {
    format!("{value:.6}")
}

/// All figures of every group, for programs: shares 0 to 1, empty where unknown.
pub(crate) fn group_figures(groups: &[Group<'_>]) -> Table {
    let stages = stages(groups);
    let mut columns: Vec<String> = ["images", "seeds", "runs"].map(Into::into).into();
    for (name, _) in SHARES {
        columns.extend(["mean", "std", "seed_std"].map(|figure| format!("{name}_{figure}")));
    }
    columns.push("perfect".into());
    columns.extend(PX_SHARES.iter().map(|(name, _)| format!("{name}_mean")));
    columns.extend(["perfect_px".into(), "seconds".into()]);
    columns.extend(stages.iter().map(|stage| format!("{stage}_seconds")));
    let mut table = table(columns);
    let or_empty = |value: Option<f64>| value.map_or_else(String::new, share_text);
    for group in groups {
        let mut row = group_columns(group);
        row.push(group.images.len().to_string());
        row.push(group.images.iter().map(Vec::len).max().unwrap_or(0).to_string());
        row.push(group.num_runs().to_string());
        for (_, share) in SHARES {
            row.push(share_text(group.mean(share)));
            row.push(or_empty(group.deviation(share)));
            row.push(or_empty(group.seed_spread(share)));
        }
        row.push(share_text(group.count(|run| run.score.perfect)));
        row.extend(PX_SHARES.iter().map(|(_, share)| or_empty(group.mean_of_known(share))));
        row.push(or_empty(num_perfect_px(group)));
        row.push(share_text(group.mean(|run| run.seconds)));
        for stage in &stages {
            row.push(share_text(group.mean(|run| seconds_of(run, stage))));
        }
        table.push(row);
    }
    table
}

/// Every run, for programs: shares 0 to 1, empty where unknown.
pub(crate) fn run_figures(groups: &[Group<'_>]) -> Table {
    let stages = stages(groups);
    let fields = ["image", "seed", "pieces", "placed", "direct", "neighbor", "largest", "perfect"];
    let mut columns: Vec<String> = fields.map(Into::into).into();
    columns.extend(["direct_px", "neighbor_px", "perfect_px", "seconds"].map(Into::into));
    columns.extend(stages.iter().map(|stage| format!("{stage}_seconds")));
    columns.extend(["peak_bytes", "jobs", "version"].map(Into::into));
    let mut table = table(columns);
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    for group in groups {
        for run in group.runs() {
            let score = &run.score;
            let mut row = group_columns(group);
            row.extend([run.key.puzzle.image.clone(), run.key.puzzle.seed.to_string()]);
            row.extend([score.pieces, score.placed].map(|count| count.to_string()));
            row.extend([score.direct, score.neighbor, score.largest].map(share_text));
            row.push(u8::from(score.perfect).to_string());
            row.extend(PX_SHARES.map(|(_, share)| or_empty(share(run).map(share_text))));
            row.push(or_empty(score.perfect_px.map(|is| u8::from(is).to_string())));
            row.push(share_text(run.seconds));
            row.extend(stages.iter().map(|stage| share_text(seconds_of(run, stage))));
            row.push(or_empty(run.peak_bytes.map(|bytes| bytes.to_string())));
            row.extend([run.jobs.to_string(), run.version.clone()]);
            table.push(row);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::groups;
    use crate::test_records::record;

    #[test]
    fn every_row_has_an_entry_a_column() {
        let mut records =
            vec![record("1.png", 1, 0.5), record("1.png", 2, 1.0), record("2.png", 1, 0.25)];
        records[1].score.perfect_px = None;
        records[2].key.puzzle.corrupt = 0.1;
        records[2].stages.insert("polish".into(), 0.1);
        let groups = groups(&records);
        for table in [
            scores(&groups),
            times(&groups),
            spreads(&groups),
            settings(&groups),
            group_figures(&groups),
            run_figures(&groups),
        ] {
            let text = table.to_string();
            let widths: BTreeSet<usize> =
                text.lines().map(|line| line.matches('|').count()).collect();
            assert_eq!(widths.len(), 1, "{text}");
        }
    }

    #[test]
    fn figures_are_those_of_the_groups() {
        let records = [record("1.png", 1, 0.5), record("1.png", 2, 1.0), record("2.png", 1, 0.25)];
        let groups = groups(&records);
        let text = scores(&groups).to_string();
        assert!(text.contains("| 2      | 3    | 50.00 ± 35.36 |"), "{text}");
        assert!(text.contains("| 0.5     |"), "{text}");
        let text = spreads(&groups).to_string();
        assert!(text.contains("| 2     | 35.36"), "{text}");
        let csv = group_figures(&groups).csv();
        assert!(
            csv.contains("mine,2,0,28,gallagher,mgc,ratio,2,2,3,0.500000,0.353553,0.353553,"),
            "{csv}"
        );
        let csv = run_figures(&groups).csv();
        assert!(csv.contains("\nmine,2,0,28,gallagher,mgc,ratio,1.png,2,48,48,1.000000,"), "{csv}");
        assert!(times(&groups).to_string().contains("| 2.000   | 0.500   | 1.500    |"));
    }
}

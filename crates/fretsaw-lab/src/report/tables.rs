//! Tables of groups of runs.

use crate::groups::Group;
use crate::set_run::RunRecord;
use fretsaw::observer::Stage;
use fretsaw_cli::table::{Table, percent, percent_or_dash};
use std::collections::BTreeSet;

/// What `±` and the columns of [`scores`] mean.
pub(crate) const SCORES_NOTE: &str = "Percentages: the mean over images of the mean over seeds ± the \
    standard deviation over images of the mean over seeds. `perfect` is the mean over seeds of the \
    number of perfect puzzles, `perfect %` their share. Figures that end in `_px` forgive the exchange of pieces that are \
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

/// Names and entries of the columns of a row.
type Row = Vec<(String, String)>;

/// A row that begins with the columns of a group.
fn group_row(group: &Group<'_>) -> Row {
    let columns = [&SCENE[..], &PIECE, &WAY].concat().into_iter();
    columns.map(|(name, entry)| (name.to_owned(), entry(group))).collect()
}

fn most_seeds(group: &Group<'_>) -> usize {
    group.images.iter().map(Vec::len).max().unwrap_or(0)
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

const SCORES: [Column; 11] = [
    ("images", |group| group.images.len().to_string()),
    ("runs", |group| group.num_runs().to_string()),
    ("direct", |group| mean_and_deviation(group, |run| run.score.direct)),
    ("neighbor", |group| mean_and_deviation(group, |run| run.score.neighbor)),
    ("largest", |group| mean_and_deviation(group, |run| run.score.largest)),
    ("perfect", |group| format!("{:.1}", group.count(|run| run.score.perfect))),
    ("perfect %", |group| percent(group.mean(|run| f64::from(u8::from(run.score.perfect))))),
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
    Table::of_rows(groups.iter().map(|group| {
        let mut row = group_row(group);
        row.push(("seconds".into(), format!("{:.3}", group.mean(|run| run.seconds))));
        let mean = |stage: &String| format!("{:.3}", group.mean(|run| seconds_of(run, stage)));
        row.extend(stages.iter().map(|stage| (stage.clone(), mean(stage))));
        row
    }))
}

/// How much scores vary with the seed; see [`SPREADS_NOTE`]. Groups with one seed are left out.
pub(crate) fn spreads(groups: &[Group<'_>]) -> Table {
    let several = groups.iter().filter(|group| most_seeds(group) > 1);
    Table::of_rows(several.map(|group| {
        let mut row = group_row(group);
        row.push(("seeds".into(), most_seeds(group).to_string()));
        row.extend(
            SHARES
                .map(|(name, share)| (name.to_owned(), percent_or_dash(group.seed_spread(share)))),
        );
        row
    }))
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

fn share_or_empty(value: Option<f64>) -> String {
    value.map_or_else(String::new, share_text)
}

/// All figures of every group, for programs: shares 0 to 1, empty where unknown.
pub(crate) fn group_figures(groups: &[Group<'_>]) -> Table {
    let stages = stages(groups);
    Table::of_rows(groups.iter().map(|group| {
        let mut row = group_row(group);
        let mut push = |name: &str, entry: String| row.push((name.to_owned(), entry));
        push("images", group.images.len().to_string());
        push("seeds", most_seeds(group).to_string());
        push("runs", group.num_runs().to_string());
        for (name, share) in SHARES {
            push(&format!("{name}_mean"), share_text(group.mean(share)));
            push(&format!("{name}_std"), share_or_empty(group.deviation(share)));
            push(&format!("{name}_seed_std"), share_or_empty(group.seed_spread(share)));
        }
        push("perfect", share_text(group.count(|run| run.score.perfect)));
        for (name, share) in PX_SHARES {
            push(&format!("{name}_mean"), share_or_empty(group.mean_of_known(share)));
        }
        push("perfect_px", share_or_empty(num_perfect_px(group)));
        push("seconds", share_text(group.mean(|run| run.seconds)));
        for stage in &stages {
            let mean = group.mean(|run| seconds_of(run, stage));
            push(&format!("{stage}_seconds"), share_text(mean));
        }
        row
    }))
}

/// Every run, for programs: shares 0 to 1, empty where unknown.
pub(crate) fn run_figures(groups: &[Group<'_>]) -> Table {
    let stages = stages(groups);
    let runs = groups.iter().flat_map(|group| group.runs().map(move |run| (group, run)));
    Table::of_rows(runs.map(|(group, run)| {
        let score = &run.score;
        let mut row = group_row(group);
        let mut push = |name: &str, entry: String| row.push((name.to_owned(), entry));
        push("image", run.key.puzzle.image.clone());
        push("seed", run.key.puzzle.seed.to_string());
        push("pieces", score.pieces.to_string());
        push("placed", score.placed.to_string());
        SHARES.iter().for_each(|(name, share)| push(name, share_text(share(run))));
        push("perfect", u8::from(score.perfect).to_string());
        PX_SHARES.iter().for_each(|(name, share)| push(name, share_or_empty(share(run))));
        let perfect_px = score.perfect_px.map(|is| u8::from(is).to_string());
        push("perfect_px", perfect_px.unwrap_or_default());
        push("seconds", share_text(run.seconds));
        for stage in &stages {
            push(&format!("{stage}_seconds"), share_text(seconds_of(run, stage)));
        }
        push("peak_bytes", run.peak_bytes.map_or_else(String::new, |bytes| bytes.to_string()));
        push("jobs", run.jobs.to_string());
        push("version", run.version.clone());
        row
    }))
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

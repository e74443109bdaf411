//! Mean scores of runs in a table.

use crate::groups::{Group, groups};
use crate::images::Images;
use crate::set_run::RunRecord;
use fretsaw_cli::table::{Table, percent};

/// Columns of [`summary`] that tell which runs a row is of.
const GROUP_COLUMNS: [&str; 6] = ["set", "type", "corrupt", "method", "measure", "matcher"];

/// Columns of [`summary`] that tell how good they are.
const FIGURE_COLUMNS: [&str; 9] = [
    "runs",
    "direct",
    "neighbor",
    "largest",
    "perfect",
    "neighbor_px",
    "perfect_px",
    "seconds",
    "assemble s",
];

fn group_entries(group: &Group<'_>) -> [String; 6] {
    [
        group.scene.pictures(),
        group.scene.type_number.to_string(),
        group.scene.corrupt.to_string(),
        group.way.method.clone(),
        group.way.measure.into(),
        group.way.matcher.into(),
    ]
}

fn figure_entries(group: &Group<'_>) -> [String; 9] {
    [
        group.num_runs().to_string(),
        percent(group.mean(|run| run.score.direct)),
        percent(group.mean(|run| run.score.neighbor)),
        percent(group.mean(|run| run.score.largest)),
        format!("{:.1}", group.count(|run| run.score.perfect)),
        percent(group.mean(|run| run.score.neighbor_px.unwrap_or(run.score.neighbor))),
        format!("{:.1}", group.count(|run| run.score.perfect_px.unwrap_or(run.score.perfect))),
        format!("{:.3}", group.mean(|run| run.seconds)),
        format!("{:.3}", group.mean(|run| run.stages.get("assemble").copied().unwrap_or(0.0))),
    ]
}

/// Mean scores by set, type, corruption, method, measure and matcher. Percentages, but for `perfect`: the
/// mean over seeds of the number of perfect puzzles. The order of the records does not matter.
pub(crate) fn summary(records: &[RunRecord]) -> Table {
    let mut table = Table::new(&[&GROUP_COLUMNS[..], &FIGURE_COLUMNS[..]].concat());
    for group in groups(records) {
        table.push([&group_entries(&group)[..], &figure_entries(&group)[..]].concat());
    }
    table
}

/// The [`summary`] of pictures of odd and of even number apart, named in a column `images`; pictures
/// whose names do not begin with a number have a row of their own, `-`.
pub(crate) fn summary_of_halves(records: &[RunRecord]) -> Table {
    let mut found = Vec::new();
    for half in [Some(Images::Odd), Some(Images::Even), None] {
        let of_half = records.iter().filter(|run| Images::half_of(&run.key.puzzle.image) == half);
        let name = half.map_or("-", Images::name);
        found.extend(groups(of_half).into_iter().map(|group| (name, group)));
    }
    // Stable: halves of a group stay in order.
    found.sort_by(|(_, a), (_, b)| (&a.scene, &a.way).cmp(&(&b.scene, &b.way)));
    let mut table = Table::new(&[&GROUP_COLUMNS[..], &["images"], &FIGURE_COLUMNS[..]].concat());
    for (name, group) in found {
        let half = [name.to_owned()];
        table.push([&group_entries(&group)[..], &half[..], &figure_entries(&group)[..]].concat());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;

    #[test]
    fn halves_are_summed_up_apart() {
        let mut records: Vec<RunRecord> = [("1.png", 0.5), ("2.png", 1.0), ("3.png", 0.7)]
            .map(|(image, neighbor)| record(image, 1, neighbor))
            .into();
        let lines = |records: &[RunRecord]| -> Vec<String> {
            summary_of_halves(records).csv().lines().skip(1).map(Into::into).collect()
        };
        let found = lines(&records);
        assert_eq!(found.len(), 2);
        assert!(
            found[0].starts_with("mine,2,0,gallagher,mgc,ratio,odd,2,60.00,60.00,"),
            "{found:?}"
        );
        assert!(found[1].starts_with("mine,2,0,gallagher,mgc,ratio,even,1,100.00,"), "{found:?}");
        records.push(record("sea.png", 1, 0.25));
        let mut another = records[0].clone();
        another.key.puzzle.set = "another".into();
        records.push(another);
        let found = lines(&records);
        assert_eq!(found.len(), 4);
        assert!(found[0].starts_with("another,2,0,gallagher,mgc,ratio,odd,1,50.00,"), "{found:?}");
        assert!(found[3].starts_with("mine,2,0,gallagher,mgc,ratio,-,1,25.00,"), "{found:?}");
        let names = |table: Table| -> Vec<String> {
            table
                .csv()
                .lines()
                .take(1)
                .flat_map(|line| line.split(',').map(Into::into).collect::<Vec<_>>())
                .collect()
        };
        let mut whole = names(summary(&records));
        whole.insert(6, "images".into());
        assert_eq!(names(summary_of_halves(&records)), whole);
    }

    #[test]
    fn middles_of_pictures_are_summed_up_apart() {
        let mut records = vec![record("1.png", 1, 0.5), record("1.png", 1, 1.0)];
        records[1].key.puzzle.cells = Some((18, 24));
        let text = summary(&records).csv();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("mine,2,0,gallagher,mgc,ratio,1,50.00,"), "{text}");
        assert!(
            lines[1].starts_with("mine (middle 24x18),2,0,gallagher,mgc,ratio,1,100.00,"),
            "{text}"
        );
    }
}

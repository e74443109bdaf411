//! Mean scores of runs in a table.

use crate::groups::{Group, groups};
use crate::images::Images;
use crate::report::tables::{Column, SCENE, WAY, of_groups, seconds_of};
use crate::set_run::RunRecord;
use fretsaw_cli::table::{Table, percent};

/// The columns after those of the scene and the way.
const FIGURES: [Column; 9] = [
    ("runs", |group| group.num_runs().to_string()),
    ("direct", |group| percent(group.mean(|run| run.score.direct))),
    ("neighbor", |group| percent(group.mean(|run| run.score.neighbor))),
    ("largest", |group| percent(group.mean(|run| run.score.largest))),
    ("perfect", |group| format!("{:.1}", group.count(|run| run.score.perfect))),
    ("neighbor_px", |group| {
        percent(group.mean(|run| run.score.neighbor_px.unwrap_or(run.score.neighbor)))
    }),
    ("perfect_px", |group| {
        format!("{:.1}", group.count(|run| run.score.perfect_px.unwrap_or(run.score.perfect)))
    }),
    ("seconds", |group| format!("{:.3}", group.mean(|run| run.seconds))),
    ("assemble s", |group| format!("{:.3}", group.mean(|run| seconds_of(run, "assemble")))),
];

/// Mean scores by set, type, corruption, method, measure and matcher. Percentages, but for `perfect`: the
/// mean over seeds of the number of perfect puzzles. The order of the records does not matter.
pub(crate) fn summary(records: &[RunRecord]) -> Table {
    of_groups(&groups(records), &[&SCENE, &WAY, &FIGURES])
}

/// The half of its set that a picture belongs to, by the number in its name.
fn half_of(run: &RunRecord) -> &'static str {
    Images::half_of(&run.key.puzzle.image).map_or("-", Images::name)
}

/// The [`summary`] of pictures of odd and of even number apart, named in a column `images`; pictures
/// whose names do not begin with a number have a row of their own, `-`.
pub(crate) fn summary_of_halves(records: &[RunRecord]) -> Table {
    let halves = ["odd", "even", "-"];
    let of_half = |half| groups(records.iter().filter(move |run| half_of(run) == half));
    let mut found: Vec<Group<'_>> = halves.into_iter().flat_map(of_half).collect();
    // Stable: halves of a group stay in order.
    found.sort_by(|a, b| (&a.scene, &a.way).cmp(&(&b.scene, &b.way)));
    let half: Column = ("images", |group| half_of(group.images[0][0]).into());
    of_groups(&found, &[&SCENE, &WAY, &[half], &FIGURES])
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

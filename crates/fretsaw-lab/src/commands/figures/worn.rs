//! Steps on worn pieces.

use super::Lab;
use crate::diagnose::matcher::{self, Condition, MatcherRecord, MatcherSettings};
use crate::groups::{groups, mean};
use crate::images::Images;
use crate::protocol::Protocol;
use crate::puzzles::PuzzleSet;
use crate::set_run::{MethodKey, RunRecord, SetRun};
use crate::wear::{Extent, Wear};
use fretsaw::Effort;
use fretsaw::evaluation::Score;
use fretsaw::puzzle::PuzzleType;
use fretsaw::settings::Matcher;
use fretsaw::unstable::matching::Evidence;
use fretsaw_cli::table::{Table, percent, percent_or_dash};

/// Large puzzles take long: half of one set suffices.
fn half_a_set(protocol: Protocol) -> PuzzleSet {
    PuzzleSet { images: Images::Even, ..PuzzleSet::of_protocol(protocol, &["mcgill-540"]) }
}

fn run(puzzles: PuzzleSet, wear: Wear) -> SetRun {
    let method = MethodKey::Fretsaw { effort: Some(Effort::Normal) };
    SetRun::new(PuzzleSet { wear, ..puzzles }, &[method])
}

/// Erosion by 2, 5 and 8 pixels of 10 x 10 pieces, types 1 and 2; by 2 of 20 x 20 pieces, type 1.
pub(super) fn lsej() -> Vec<SetRun> {
    let both = [PuzzleType::Type1, PuzzleType::Type2];
    let boards = [(10, 2, &both[..]), (10, 5, &both), (10, 8, &both), (20, 2, &both[..1])];
    let of_board = |(pieces, px, types): (u32, u32, &[PuzzleType])| {
        let (cells, types) = (Some((pieces, pieces)), types.into());
        let puzzles = PuzzleSet { cells, types, ..half_a_set(Protocol::Lsej) };
        run(puzzles, Wear { erode: Extent::Px(px), ..Wear::default() })
    };
    boards.map(of_board).into()
}

fn panels(wears: impl IntoIterator<Item = Wear>) -> Vec<SetRun> {
    let panel = |wear| run(half_a_set(Protocol::Panel), wear);
    wears.into_iter().map(panel).collect()
}

fn eroded(percent: f64) -> Wear {
    let erode = if percent > 0.0 { Extent::Percent(percent) } else { Extent::default() };
    Wear { erode, ..Wear::default() }
}

pub(super) fn erosion() -> Vec<SetRun> {
    panels([0.0, 3.0, 6.0, 12.0].map(eroded))
}

pub(super) fn light() -> Vec<SetRun> {
    let none = Wear::default();
    let light = [10.0, 20.0].map(|light| Wear { light, ..none });
    let white_balance = [10.0].map(|white_balance| Wear { white_balance, ..none });
    let gamma = [10.0].map(|gamma| Wear { gamma, ..none });
    panels(light.into_iter().chain(white_balance).chain(gamma))
}

pub(super) fn camera() -> Vec<SetRun> {
    let none = Wear::default();
    let jpeg = [85, 50].map(|quality| Wear { jpeg: Some(quality), ..none });
    let shift = [1.0, 2.0].map(|shift| Wear { shift, ..none });
    let tilt = [0.5, 1.5].map(|tilt| Wear { tilt, ..none });
    let mixed = Wear { light: 10.0, jpeg: Some(85), shift: 1.0, tilt: 0.5, ..eroded(3.0) };
    panels(jpeg.into_iter().chain(shift).chain(tilt).chain([mixed]))
}

pub(super) fn edges() -> Vec<SetRun> {
    let none = Wear::default();
    let lines = [1.0].map(|edge_line| Wear { edge_line, ..none });
    let ragged = [1.0, 2.0].map(|ragged| Wear { ragged, ..none });
    let sizes = Wear { sizes: 2.0, ..none };
    panels(lines.into_iter().chain(ragged).chain([sizes]))
}

/// What each part of the matcher for worn pieces is good for.
pub(super) fn parts(lab: &Lab<'_>) -> anyhow::Result<String> {
    let whole = Condition { boards: true, ..Condition::default() };
    let seeing = |evidence| Condition { evidence: Some(evidence), networks: Some(1), ..whole };
    let parts = [
        ("networks for clean cuts", Condition { as_clean: true, ..whole }),
        ("measured features alone, no loops", seeing(Evidence::Features)),
        ("pixel network alone, no loops", seeing(Evidence::Pixels)),
        ("both, no loops", seeing(Evidence::Both)),
        ("both, loops", Condition { networks: Some(2), ..whole }),
        ("both, loops, candidate expansion", whole),
    ];
    let mut table = Table::with_columns(
        "eroded | matcher | first % | mutual % | listed % | position % | neighbor % | match s",
    );
    for px in [2, 5] {
        let wear = Wear { erode: Extent::Px(px), ..Wear::default() };
        let keys = PuzzleSet { wear, ..half_a_set(Protocol::Lsej) }.keys(lab.data)?;
        for (name, condition) in parts {
            let settings =
                MatcherSettings { condition, ..MatcherSettings::new(&[Matcher::Learned]) };
            table.push(part_row(px, name, &matcher::run(lab.data, &keys, &settings)?));
        }
    }
    Ok(table.to_string())
}

fn part_row(px: u32, name: &str, records: &[MatcherRecord]) -> Vec<String> {
    let mean_of = |value: &dyn Fn(&MatcherRecord) -> f64| {
        mean(&records.iter().map(value).collect::<Vec<_>>())
    };
    let of_board = |value: fn(&Score) -> f64| {
        let boards = records.iter().filter_map(|record| record.board.as_ref());
        percent_or_dash(mean(&boards.map(value).collect::<Vec<_>>()))
    };
    let share = |value: fn(&MatcherRecord) -> (f64, usize)| {
        percent_or_dash(mean_of(&|record| {
            let (part, whole) = value(record);
            part / whole as f64
        }))
    };
    row! {
        format!("{px} px"), name,
        share(|it| (it.counts.first, it.counts.inner)),
        share(|it| (it.counts.mutual_right as f64, it.counts.joins)),
        share(|it| (it.counts.listed as f64, it.counts.inner)),
        of_board(|score| score.direct), of_board(|score| score.neighbor),
        mean_of(&|it| it.match_secs).map_or_else(|| "-".into(), |secs| format!("{secs:.2}")),
    }
}

/// A row for each set, type, board and wear.
pub(super) fn table(records: &[RunRecord]) -> String {
    let mut table = Table::with_columns(
        "set | type | board | wear | pictures | perfect % | position % | neighbor % | seconds",
    );
    for group in groups(records) {
        let scene = &group.scene;
        let board = scene.cells.map_or_else(|| "-".into(), |(rows, cols)| format!("{cols}x{rows}"));
        let wear = if scene.wear.is_none() { "none".into() } else { scene.wear.to_string() };
        table.push(row! {
            scene.set, scene.type_number, board, wear, group.images.len(),
            percent(group.mean(|run| f64::from(u8::from(run.score.perfect)))),
            percent(group.mean(|run| run.score.direct)),
            percent(group.mean(|run| run.score.neighbor)),
            format!("{:.2}", group.mean(|run| run.seconds)),
        });
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;

    #[test]
    fn a_row_says_what_happened_to_the_pieces() {
        let mut records = vec![record("1.png", 1, 1.0), record("2.png", 1, 0.5)];
        let mut more = records.clone();
        for record in &mut more {
            record.key.puzzle.wear = eroded(2.0);
            record.key.puzzle.cells = Some((9, 12));
        }
        records.extend(more);
        let text = table(&records);
        assert!(text.contains("| mine | 2    | -     | none      | 2        | 50.00 "), "{text}");
        assert!(text.contains("| mine | 2    | 12x9  | eroded 2% | 2        | 50.00 "), "{text}");
        assert_eq!(text.lines().count(), 4);
    }
}

//! The steps: what is measured, and how it is shown.

use super::{Lab, worn};
use crate::diagnose::boards::{self, BoardsSettings};
use crate::diagnose::matcher::{self, Condition, MatcherSettings};
use crate::diagnose::reference::{self, ReferenceKind};
use crate::diagnose::rotations::{self, RotationSettings};
use crate::diagnose::sheets::{self, SheetRun};
use crate::diagnose::{confidence, energy, fretsaw_runs, turns};
use crate::groups::{group_by, groups};
use crate::images::Images;
use crate::protocol::Protocol;
use crate::puzzles::PuzzleSet;
use crate::reference_changes::ReferenceChange;
use crate::set_run::{MethodKey, RunRecord, SetRun};
use crate::stage::matching::{self, MatchArgs};
use crate::summary::{summary, summary_of_halves};
use crate::wear::{Extent, Wear};
use fretsaw::Effort;
use fretsaw::picture::CutSize;
use fretsaw::puzzle::{PuzzleType, TurnSet};
use fretsaw::settings::{Matcher, Measure};
use fretsaw_cli::table::{Table, percent};
use fretsaw_gcl::construction::ConstructionSettings;
use fretsaw_gcl::rotation_choice::RotationChoice;
use std::ffi::OsString;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::path::Path;

pub(super) struct Step {
    pub(super) name: &'static str,
    /// About how long it takes on two cores.
    pub(super) minutes: u32,
    /// Puzzles and seeds.
    pub(super) about: &'static str,
    pub(super) work: Work,
}

#[derive(Clone, Copy)]
pub(super) enum Work {
    /// Does runs, and makes a fragment of their records.
    Runs(fn() -> Vec<SetRun>, fn(&[RunRecord]) -> String),
    /// Makes a fragment.
    Tables(fn(&Lab<'_>) -> anyhow::Result<String>),
    /// Has a command of this program write a document.
    Document(fn(&Lab<'_>) -> Vec<OsString>),
}

const SMALL: [&str; 3] = ["mit-432", "mcgill-540", "pomeranz-805"];
const MEDIUM: [&str; 2] = ["pomeranz-2360", "pomeranz-3300"];
const LARGE: [&str; 3] = ["sholomon-5015", "sholomon-10375", "sholomon-22755"];
const PAIR: [&str; 2] = ["mit-432", "mcgill-540"];

/// The best published neighbor of each set, type 2, in percent.
const PUBLISHED: [(&str, f64); 8] = [
    ("mit-432", 95.4),
    ("mcgill-540", 93.5),
    ("pomeranz-805", 92.9),
    ("pomeranz-2360", 95.5),
    ("pomeranz-3300", 91.1),
    ("sholomon-5015", 93.7),
    ("sholomon-10375", 97.1),
    ("sholomon-22755", 91.1),
];

pub(super) const STEPS: [Step; 28] = [
    runs(
        "results",
        45,
        "type 2, effort normal; three seeds of sets of 20 pictures, one of the others",
        || {
            let mut runs = small_and_medium(PuzzleType::Type2, &[fretsaw(Effort::Normal)]);
            runs.push(normal(PuzzleSet::new(&LARGE)));
            runs
        },
        beside_published,
    ),
    runs(
        "methods",
        60,
        "type 2, all methods; three seeds of sets of 20 pictures, one of the others",
        || small_and_medium(PuzzleType::Type2, &MethodKey::all()[..4]),
        scores,
    ),
    runs(
        "efforts",
        45,
        "type 2, the method fretsaw, pictures of odd and even number; seeds 1 to 3",
        || vec![SetRun::new(seeds(&SMALL, 3), &Effort::ALL.map(fretsaw))],
        |records| summary_of_halves(records).to_string(),
    ),
    runs(
        "type-1",
        20,
        "type 1; three seeds of sets of 20 pictures, one of the others",
        || small_and_medium(PuzzleType::Type1, &[fretsaw(Effort::Normal)]),
        scores,
    ),
    runs(
        "corrupted",
        8,
        "type 2 with corrupted sides; seed 1",
        || {
            let corrupt_rates = vec![0.02, 0.06, 0.10, 0.14];
            vec![normal(PuzzleSet { corrupt_rates, ..PuzzleSet::new(&PAIR) })]
        },
        scores,
    ),
    runs(
        "worn-lsej",
        6,
        "protocol lsej: pieces of 50 px, eroded and scaled back; pictures of even number, seed 1",
        worn::lsej,
        worn::table,
    ),
    runs(
        "worn-erosion",
        6,
        "protocol panel, type 2; pictures of even number, seed 1",
        worn::erosion,
        worn::table,
    ),
    runs(
        "worn-light",
        7,
        "protocol panel, type 2; pictures of even number, seed 1",
        worn::light,
        worn::table,
    ),
    runs(
        "worn-camera",
        12,
        "protocol panel, type 2; pictures of even number, seed 1",
        worn::camera,
        worn::table,
    ),
    runs(
        "worn-edges",
        6,
        "protocol panel, type 2; pictures of even number, seed 1",
        worn::edges,
        worn::table,
    ),
    tables(
        "worn-parts",
        6,
        "protocol lsej, type 1, mcgill-540, pictures of even number, one thread; seed 1",
        worn::parts,
    ),
    runs(
        "small-pieces",
        5,
        "type 2, the middle 24 x 18 pieces of 14, 10 and 7 pixels; seed 1",
        || {
            let of = |px| PuzzleSet {
                size: size(px, px),
                cells: Some((18, 24)),
                ..PuzzleSet::new(&["mit-432"])
            };
            [14, 10, 7].map(|px| normal(of(px))).into()
        },
        by_piece,
    ),
    runs(
        "oblong-pieces",
        2,
        "pieces of 40 x 25 pixels, type 2, and strips of 8 pixels, type 1; seed 1",
        || {
            let oblong = PuzzleSet { size: size(40, 25), ..PuzzleSet::new(&["mcgill-540"]) };
            let types = vec![PuzzleType::Type1];
            let strips = PuzzleSet { size: size(8, 0), types, ..PuzzleSet::new(&["mit-432"]) };
            vec![normal(oblong), normal(strips)]
        },
        by_piece,
    ),
    runs(
        "large",
        15,
        "type 2, puzzles of 5,000 to 23,000 pieces; seed 1",
        || vec![normal(PuzzleSet::new(&LARGE))],
        scores,
    ),
    runs(
        "matchers-on-a-board",
        5,
        "type 2, Gallagher's method on the measure seam with every matcher; seeds 1 to 3",
        || {
            let run = SetRun::new(seeds(&SMALL, 3), &[MethodKey::Gallagher {}]);
            let (measures, matchers) = (vec![Measure::Seam], Matcher::ALL.into());
            vec![SetRun { measures, matchers, ..run }]
        },
        scores,
    ),
    tables("matcher", 10, "type 2; seeds 1 to 3", matcher_quality),
    tables("matcher-conditions", 12, "type 2 unless said otherwise; seed 1", matcher_conditions),
    tables("matcher-parts", 10, "type 2; seed 1", matcher_parts),
    tables("matcher-times", 3, "drawn pictures, the best of three times", |lab| {
        let bench = MatchArgs {
            pieces: vec![432, 3300, 22755],
            measure: Measure::Seam,
            matchers: Matcher::ALL.into(),
            threads: vec![1, lab.threads],
            repeats: 3,
        };
        Ok(matching::table(&bench, &bench.matchers)?.to_string())
    }),
    tables("energy", 3, "type 2; seed 1", |lab| {
        let keys = fretsaw_runs(&PuzzleSet::new(&SMALL), &[Effort::Normal], lab.data)?;
        let records = energy::run(lab.data, &keys, lab.jobs)?;
        Ok(format!("{}\n{}", energy::wrong_boards(&records), energy::reasons(&records)))
    }),
    tables("confidence", 2, "type 2, pictures of even number; seed 1", |lab| {
        let puzzles = PuzzleSet { images: Images::Even, ..PuzzleSet::new(&SMALL) };
        let keys = fretsaw_runs(&puzzles, &[Effort::Normal], lab.data)?;
        let records = confidence::run(lab.data, &keys, lab.jobs)?;
        Ok(confidence::reliability_of_all(&records))
    }),
    tables("boards", 15, "type 2, boards of unknown size; seed 1", unknown_boards),
    tables("sheets", 3, "200 sheets of pictures of all sets, drawn by seed 1", |lab| {
        let (data, sets) = (lab.data.to_path_buf(), Vec::new());
        let records = SheetRun { data, sets, count: 200, few_tiles: false, seed: 1 }.run()?;
        Ok(sheets::summary(&records).to_string())
    }),
    tables("turns", 3, "pieces turned at random; seed 1", turns_found),
    tables("reference", 5, "type 2; seed 1", references),
    tables(
        "rotations",
        7,
        "share of right turns by piece / by pixels, in percent; seed 1",
        right_turns,
    ),
    document("scaling", 20, "the document docs/scaling.md", scaling),
    document("paper", 90, "the document docs/reproduction.md", |lab| {
        let mut command = command("paper", lab, "reproduction.md");
        command.extend(["--jobs".into(), lab.jobs.to_string().into()]);
        command
    }),
];

type Text = &'static str;

const fn runs(
    name: Text,
    minutes: u32,
    about: Text,
    runs: fn() -> Vec<SetRun>,
    render: fn(&[RunRecord]) -> String,
) -> Step {
    Step { name, minutes, about, work: Work::Runs(runs, render) }
}

const fn tables(
    name: Text,
    minutes: u32,
    about: Text,
    tables: fn(&Lab<'_>) -> anyhow::Result<String>,
) -> Step {
    Step { name, minutes, about, work: Work::Tables(tables) }
}

const fn document(
    name: Text,
    minutes: u32,
    about: Text,
    command: fn(&Lab<'_>) -> Vec<OsString>,
) -> Step {
    Step { name, minutes, about, work: Work::Document(command) }
}

const fn fretsaw(effort: Effort) -> MethodKey {
    MethodKey::Fretsaw { effort: Some(effort) }
}

fn normal(puzzles: PuzzleSet) -> SetRun {
    SetRun::new(puzzles, &[fretsaw(Effort::Normal)])
}

fn seeds(sets: &[&str], num_seeds: u64) -> PuzzleSet {
    PuzzleSet { num_seeds: Some(num_seeds), ..PuzzleSet::new(sets) }
}

/// Pixels of a piece; 0 is the picture's own.
fn size(width_px: u32, height_px: u32) -> CutSize {
    CutSize { width_px: NonZeroU32::new(width_px), height_px: NonZeroU32::new(height_px) }
}

fn small_and_medium(puzzle_type: PuzzleType, methods: &[MethodKey]) -> Vec<SetRun> {
    let run = |puzzles: PuzzleSet| {
        SetRun::new(PuzzleSet { types: vec![puzzle_type], ..puzzles }, methods)
    };
    vec![run(seeds(&SMALL, 3)), run(seeds(&MEDIUM, 1))]
}

fn scores(records: &[RunRecord]) -> String {
    summary(records).to_string()
}

/// A row for each set, beside what others published.
fn beside_published(records: &[RunRecord]) -> String {
    let mut table = Table::with_columns(
        "set | pictures | neighbor % | by pixels % | perfect | by pixels | seconds | best published %",
    );
    let groups = groups(records);
    for (set, published) in PUBLISHED {
        for group in groups.iter().filter(|group| group.scene.set == set) {
            table.push(row! {
                set, group.images.len(), percent(group.mean(|run| run.score.neighbor)),
                percent(group.mean(|run| run.score.neighbor_px.unwrap_or(run.score.neighbor))),
                format!("{:.1}", group.count(|run| run.score.perfect)),
                format!("{:.1}", group.count(|run| run.score.perfect_px == Some(true))),
                format!("{:.2}", group.mean(|run| run.seconds)), format!("{published:.1}"),
            });
        }
    }
    table.to_string()
}

/// A summary for every size of pieces.
fn by_piece(records: &[RunRecord]) -> String {
    let mut text = String::new();
    let groups = group_by(records, |record| record.key.puzzle.piece);
    for ((width, height), records) in groups {
        let px = |px: u32| if px == 0 { "full".into() } else { px.to_string() };
        let records: Vec<RunRecord> = records.into_iter().cloned().collect();
        text += &format!("Pieces of {} x {} px:\n\n{}\n", px(width), px(height), summary(&records));
    }
    text.trim_end().to_owned() + "\n"
}

/// Tables one below the other, each under its name.
fn named_tables<T>(
    parts: impl IntoIterator<Item = (impl Display, T)>,
    table: impl Fn(T) -> anyhow::Result<Table>,
) -> anyhow::Result<String> {
    let text = |(name, part)| anyhow::Ok(format!("{name}:\n\n{}\n", table(part)?));
    parts.into_iter().map(text).collect()
}

fn matcher_quality(lab: &Lab<'_>) -> anyhow::Result<String> {
    let mut records = Vec::new();
    for puzzles in [seeds(&SMALL, 3), seeds(&MEDIUM, 3)] {
        let settings = MatcherSettings::new(&Matcher::ALL);
        records.extend(matcher::run(lab.data, &puzzles.keys(lab.data)?, &settings)?);
    }
    let mut text = matcher::summary(&records).to_string();
    for plot in matcher::plots(&records) {
        plot.write(&lab.docs.join("figures"))?;
        text += &format!("\n![{}](figures/{}.svg)\n", plot.title, plot.name);
    }
    Ok(text)
}

fn matcher_conditions(lab: &Lab<'_>) -> anyhow::Result<String> {
    let usual = PuzzleSet::new(&PAIR);
    let of_size = |px| PuzzleSet { size: size(px, px), ..usual.clone() };
    let type_1 = PuzzleSet { types: vec![PuzzleType::Type1], ..usual.clone() };
    let corrupted = PuzzleSet { corrupt_rates: vec![0.14], ..usual.clone() };
    let (as_it_is, grey) = (Condition::default(), Condition { grey: true, ..Condition::default() });
    let shrunk = Condition { shrink: 0.62, ..Condition::default() };
    let parts = [
        ("Grey", (usual.clone(), grey)),
        ("Shrunk to 0.62 after decoding", (usual.clone(), shrunk)),
        ("Pieces of 40 px", (of_size(40), as_it_is)),
        ("Pieces of 20 px", (of_size(20), as_it_is)),
        ("Pieces of 14 px", (of_size(14), as_it_is)),
        ("Type 1", (type_1, as_it_is)),
        ("Corrupted sides, rate 0.14", (corrupted, as_it_is)),
    ];
    named_tables(parts, |(puzzles, condition)| {
        let matchers = MatcherSettings::new(&[Matcher::Ratio, Matcher::Learned]);
        let settings = MatcherSettings { condition, ..matchers };
        Ok(matcher::summary(&matcher::run(lab.data, &puzzles.keys(lab.data)?, &settings)?))
    })
}

fn matcher_parts(lab: &Lab<'_>) -> anyhow::Result<String> {
    let keys = PuzzleSet::new(&SMALL).keys(lab.data)?;
    let num_networks = fretsaw::unstable::matching::LearnedMatcher::shipped().num_networks();
    let networks = (1..=num_networks).map(|number| {
        let name = format!("The first {number} of {num_networks} networks");
        (name, Condition { networks: Some(number), ..Condition::default() })
    });
    let candidates = [8, 16].map(|number| {
        let name = format!("{number} candidates per side");
        (name, Condition { candidates: Some(number), ..Condition::default() })
    });
    named_tables(networks.chain(candidates), |condition| {
        let settings = MatcherSettings { condition, ..MatcherSettings::new(&[Matcher::Learned]) };
        Ok(matcher::summary(&matcher::run(lab.data, &keys, &settings)?))
    })
}

fn unknown_boards(lab: &Lab<'_>) -> anyhow::Result<String> {
    let unknown = BoardsSettings::default();
    let missing = BoardsSettings { missing: 0.1, ..unknown };
    let mut lists = Vec::new();
    for (name, settings) in [
        ("size unknown", unknown),
        ("a tenth missing", missing),
        ("a tenth missing, size told", BoardsSettings { tell_size: true, ..missing }),
        ("20 foreign pieces", BoardsSettings { foreign: 20, ..unknown }),
    ] {
        for set in PAIR {
            let keys = fretsaw_runs(&PuzzleSet::new(&[set]), &[Effort::Normal], lab.data)?;
            let heaps: Vec<_> = keys.into_iter().map(|key| vec![key]).collect();
            let records = boards::run(lab.data, &heaps, settings, lab.jobs)?;
            lists.push((format!("{name}: {set}"), records));
        }
    }
    let keys = fretsaw_runs(&PuzzleSet::new(&["pomeranz-805"]), &[Effort::Normal], lab.data)?;
    let records = boards::run(lab.data, &boards::mixes(&keys, 10), unknown, lab.jobs)?;
    lists.push(("heaps of two to five pictures: pomeranz-805".into(), records));
    Ok(boards::summary(&lists).to_string())
}

fn turns_found(lab: &Lab<'_>) -> anyhow::Result<String> {
    let usual = PuzzleSet::new(&PAIR);
    let cells = Some((3, 4));
    let oblong = PuzzleSet { size: size(40, 25), ..usual.clone() };
    let strips = PuzzleSet { size: size(0, 8), ..usual.clone() };
    let all = [TurnSet::None, TurnSet::Half, TurnSet::Quarter];
    let parts = [
        ("Pieces of 28 px", (usual.clone(), &all[..])),
        ("The middle 4 x 3 pieces of 28 px", (PuzzleSet { cells, ..usual }, &all[..])),
        ("Pieces of 40 x 25 px", (oblong.clone(), &all[..2])),
        ("The middle 4 x 3 pieces of 40 x 25 px", (PuzzleSet { cells, ..oblong }, &all[..2])),
        ("Strips of 8 px", (strips, &all[..2])),
    ];
    named_tables(parts, |(puzzles, given)| {
        Ok(turns::counts(&turns::run(lab.data, &puzzles.keys(lab.data)?, given, lab.jobs)?))
    })
}

fn references(lab: &Lab<'_>) -> anyhow::Result<String> {
    let keys = fretsaw_runs(&PuzzleSet::new(&PAIR), &[Effort::Normal], lab.data)?;
    let half = ReferenceKind {
        scale: 0.5,
        width: None,
        quality: 75,
        foreign: 0,
        hide_size: false,
        wrong: false,
    };
    let parts = [
        ("Half the size, JPEG of quality 75", half),
        (
            "The same, with 5 foreign pieces and unknown size",
            ReferenceKind { foreign: 5, hide_size: true, ..half },
        ),
        (
            "A quarter of the size, JPEG of quality 50",
            ReferenceKind { scale: 0.25, quality: 50, ..half },
        ),
    ];
    let usual = named_tables(parts, |kind| {
        let change = ReferenceChange::None;
        Ok(reference::summary(&reference::run(lab.data, &keys, kind, change, lab.jobs)?))
    })?;
    let panel = |wear: Wear, images: Images| PuzzleSet {
        wear,
        images,
        ..PuzzleSet::of_protocol(Protocol::Panel, &["mcgill-540"])
    };
    let small = ReferenceKind { width: Some(300), ..half };
    let worn = Wear { erode: Extent::Percent(3.0), light: 10.0, ..Wear::default() };
    let old = vec![ReferenceChange::None, ReferenceChange::Sepia, ReferenceChange::Old];
    let parts = [
        (
            "A panel of 12 x 9 tiles, references of 300 px width",
            (panel(Wear::default(), Images::All), small, ReferenceChange::ALL.to_vec()),
        ),
        (
            "The same panels after wear, pictures of even number",
            (panel(worn, Images::Even), small, old.clone()),
        ),
        (
            "Panels with wrong references: another picture of the set",
            (panel(Wear::default(), Images::All), ReferenceKind { wrong: true, ..small }, old),
        ),
    ];
    let panels = named_tables(parts, |(puzzles, kind, changes)| {
        let keys = fretsaw_runs(&puzzles, &[Effort::Normal], lab.data)?;
        let of_change = |change| reference::run(lab.data, &keys, kind, change, lab.jobs);
        let records = changes.into_iter().map(of_change).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(reference::summary(&records.concat()))
    })?;
    Ok(format!("{usual}{panels}"))
}

fn right_turns(lab: &Lab<'_>) -> anyhow::Result<String> {
    let parts = [("Type2", PuzzleType::Type2), ("Type3", PuzzleType::Type3)];
    named_tables(parts, |puzzle_type| {
        let fits = |choice: &RotationChoice| choice.fits(puzzle_type);
        let settings = RotationSettings {
            measures: vec![Measure::Mgc, Measure::Seam],
            matcher: Matcher::Ratio,
            rotations: RotationChoice::ALL.into_iter().filter(fits).collect(),
            construction: ConstructionSettings::default(),
        };
        let puzzles = PuzzleSet { types: vec![puzzle_type], ..PuzzleSet::new(&SMALL) };
        let records = rotations::run(lab.data, &puzzles.keys(lab.data)?, &settings, lab.jobs)?;
        Ok(rotations::table(&records, &settings.rotations))
    })
}

/// A command that writes a document of this name, with results in the working folder.
fn command(name: &str, lab: &Lab<'_>, document: &str) -> Vec<OsString> {
    let (out, report) = (lab.work.join(format!("{name}.jsonl")), lab.docs.join(document));
    let threads = lab.threads.to_string();
    let mut line: Vec<OsString> = [name, "--threads", &threads].map(Into::into).into();
    line.extend(["--data".into(), lab.data.into(), "--out".into(), out.into()]);
    line.extend(["--report".into(), report.into()]);
    line
}

/// The standard puzzles, and one of eight pictures side by side.
fn scaling(lab: &Lab<'_>) -> Vec<OsString> {
    let mut scaling = command("scaling", lab, "scaling.md");
    for picture in [
        "sholomon-22755/01.jpg",
        "sholomon-22755/03.jpg",
        "sholomon-22755/05.jpg",
        "sholomon-10375/01.jpg",
        "sholomon-10375/03.jpg",
        "sholomon-10375/05.jpg",
        "sholomon-10375/07.jpg",
        "sholomon-10375/09.jpg",
    ] {
        scaling.extend(["--tiled".into(), lab.data.join(Path::new(picture)).into()]);
    }
    scaling
}

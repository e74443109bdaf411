//! Accuracy and time of methods over sets of pictures: which runs there are, and what is kept of one.
//!
//! A set is a folder of pictures. Each picture is cut and scrambled afresh for every seed, in
//! memory, solved, and scored, by a [`RunQueue`](crate::run_queue::RunQueue).

use crate::groups::{Group, groups};
use crate::images::{Images, images_of};
use fretsaw::dissimilarity::Measure;
use fretsaw::evaluation::Score;
use fretsaw::locations::quadratic_assignment::QapSettings;
use fretsaw::matching::Matcher;
use fretsaw::methods::fretsaw::Effort;
use fretsaw::methods::gcl::GclSettings;
use fretsaw::methods::yu::YuSettings;
use fretsaw::picture::CutSize;
use fretsaw::puzzle::PuzzleType;
use fretsaw::solve::{Method, default_matcher, default_measure};
use fretsaw_cli::table::Table;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;

/// What to run: every combination.
#[derive(Clone, Debug)]
pub struct SetRun {
    /// Names of the sets.
    pub sets: Vec<String>,
    /// Methods.
    pub methods: Vec<Method>,
    /// Efforts of [`Method::Fretsaw`], to be run one by one; not for type 3, which has none.
    pub efforts: Vec<Effort>,
    /// Settings of [`Method::Yu`], to be run one by one.
    pub yu: Vec<YuSettings>,
    /// Settings of [`Method::Gcl`], to be run one by one.
    pub gcl: Vec<GclSettings>,
    /// Settings of [`Method::Assignment`].
    pub assignment: QapSettings,
    /// Measures; if there are none, the [usual](Self::measures_of) one of each method and type.
    pub measures: Vec<Measure>,
    /// Judges, each with every measure; if there are none, the usual one of each measure.
    pub matchers: Vec<Matcher>,
    /// Puzzle types.
    pub types: Vec<PuzzleType>,
    /// The size of pieces.
    pub size: CutSize,
    /// Rows and columns of pieces that are cut out of the middle of every picture; the whole if none.
    pub cells: Option<(u32, u32)>,
    /// Seeds 1 to this are used, for the scramble and for the solver.
    pub num_seeds: u64,
    /// Rates of corrupted sides.
    pub corrupt_rates: Vec<f64>,
}

/// What identifies a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunKey {
    /// The set.
    pub set: String,
    /// The picture's file name.
    pub image: String,
    /// The seed of scramble and solver.
    pub seed: u64,
    /// The method.
    pub method: Method,
    /// The effort of [`Method::Fretsaw`]; none for type 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Settings of [`Method::Yu`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yu: Option<YuSettings>,
    /// Settings of [`Method::Gcl`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gcl: Option<GclSettings>,
    /// Settings of [`Method::Assignment`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<QapSettings>,
    /// The measure.
    pub measure: Measure,
    /// The matcher. Results of versions that had none, and puzzles of type 3, which need none, have the
    /// ratio.
    #[serde(rename = "judge", default = "ratio")]
    pub matcher: Matcher,
    /// The puzzle type.
    #[serde(rename = "type")]
    pub puzzle_type: PuzzleType,
    /// Pixels of a piece: width, height; 0 is the picture's own.
    pub piece: (u32, u32),
    /// Rows and columns of pieces, if only the middle of the picture was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<(u32, u32)>,
    /// The rate of corrupted sides.
    pub corrupt: f64,
}

/// One line of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Which run.
    #[serde(flatten)]
    pub key: RunKey,
    /// Its scores.
    #[serde(flatten)]
    pub score: Score,
    /// Wall-clock seconds of the whole solve.
    pub seconds: f64,
    /// Wall-clock seconds per stage.
    pub stages: BTreeMap<String, f64>,
    /// Peak resident memory during the run, where the system tells; not known if several runs
    /// shared the process.
    pub peak_bytes: Option<u64>,
    /// Puzzles that were solved at a time. Times of runs that shared a machine are longer.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub jobs: usize,
    /// The solver's settings, kept as they were written: other versions have other settings, and
    /// their runs are to be read, too.
    pub settings: serde_json::Value,
    /// The version of fretsaw.
    pub version: String,
    /// The commit that fretsaw was built from, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The machine, in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Threads that the run could use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

const fn ratio() -> Matcher {
    Matcher::Ratio
}

const fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_one(jobs: &usize) -> bool {
    *jobs == 1
}

/// A method and its settings.
#[derive(Clone, Copy, PartialEq)]
struct SetMethod {
    method: Method,
    effort: Option<Effort>,
    yu: Option<YuSettings>,
    gcl: Option<GclSettings>,
    assignment: Option<QapSettings>,
}

impl SetMethod {
    const fn of(key: &RunKey) -> Self {
        let &RunKey { method, effort, yu, gcl, assignment, .. } = key;
        Self { method, effort, yu, gcl, assignment }
    }
}

impl SetRun {
    /// The methods, each once for each of its settings that matter for the type.
    fn set_methods(&self, puzzle_type: PuzzleType) -> Vec<SetMethod> {
        let mut found = Vec::new();
        for &method in &self.methods {
            let plain = SetMethod { method, effort: None, yu: None, gcl: None, assignment: None };
            match method {
                Method::Fretsaw if !puzzle_type.positions_known() => {
                    let with = |&effort| SetMethod { effort: Some(effort), ..plain };
                    found.extend(self.efforts.iter().map(with));
                }
                Method::Fretsaw | Method::Gallagher => found.push(plain),
                Method::Yu => {
                    found.extend(self.yu.iter().map(|&yu| SetMethod { yu: Some(yu), ..plain }));
                }
                Method::Gcl => {
                    found.extend(self.gcl.iter().map(|&gcl| SetMethod { gcl: Some(gcl), ..plain }));
                }
                Method::Assignment => {
                    found.push(SetMethod { assignment: Some(self.assignment), ..plain });
                }
            }
        }
        found
    }

    /// The measures that a method is run with on puzzles of a type: as set, or else the default of
    /// [`solve`](fretsaw::solve::solve) for [`Method::Fretsaw`], and for the others the paper's, which
    /// makes them comparable with the literature.
    #[must_use]
    pub fn measures_of(&self, method: Method, puzzle_type: PuzzleType) -> Vec<Measure> {
        if !self.measures.is_empty() {
            return self.measures.clone();
        }
        vec![match method {
            Method::Fretsaw => default_measure(puzzle_type),
            Method::Gallagher | Method::Yu | Method::Gcl | Method::Assignment => Measure::Mgc,
        }]
    }

    /// The matchers that go with a measure.
    fn matchers_of(&self, measure: Measure, puzzle_type: PuzzleType) -> Vec<Matcher> {
        if puzzle_type.positions_known() {
            vec![Matcher::Ratio]
        } else if self.matchers.is_empty() {
            vec![default_matcher(measure)]
        } else {
            self.matchers.clone()
        }
    }

    /// Every method with each of its measures and matchers.
    fn ways(&self, puzzle_type: PuzzleType) -> Vec<(SetMethod, Measure, Matcher)> {
        let mut ways = Vec::new();
        for set_method in self.set_methods(puzzle_type) {
            for measure in self.measures_of(set_method.method, puzzle_type) {
                let matchers = self.matchers_of(measure, puzzle_type);
                ways.extend(matchers.into_iter().map(|matcher| (set_method, measure, matcher)));
            }
        }
        ways
    }

    fn piece(&self) -> (u32, u32) {
        let px = |given: Option<NonZeroU32>| given.map_or(0, NonZeroU32::get);
        (px(self.size.width_px), px(self.size.height_px))
    }

    /// Every run over these pictures of the sets that lie in the folder `data`, in natural order.
    ///
    /// # Errors
    /// If a set's folder cannot be read or holds no such pictures.
    pub fn keys(&self, data: &Path, images: Images) -> anyhow::Result<Vec<RunKey>> {
        let mut keys = Vec::new();
        for set in &self.sets {
            for image in images_of(&data.join(set), images)? {
                for &puzzle_type in &self.types {
                    for &corrupt in &self.corrupt_rates {
                        for seed in 1..=self.num_seeds {
                            for (set_method, measure, matcher) in self.ways(puzzle_type) {
                                let SetMethod { method, effort, yu, gcl, assignment } = set_method;
                                keys.push(RunKey {
                                    set: set.clone(),
                                    image: image.clone(),
                                    seed,
                                    method,
                                    effort,
                                    yu,
                                    gcl,
                                    assignment,
                                    measure,
                                    matcher,
                                    puzzle_type,
                                    piece: self.piece(),
                                    cells: self.cells,
                                    corrupt,
                                });
                            }
                        }
                    }
                }
            }
        }
        Ok(keys)
    }

    /// Whether this would be among the [`keys`](Self::keys) of all pictures if its set held its own.
    #[must_use]
    pub fn asks_for(&self, key: &RunKey) -> bool {
        self.sets.contains(&key.set)
            && (1..=self.num_seeds).contains(&key.seed)
            && self.types.contains(&key.puzzle_type)
            && self.ways(key.puzzle_type).contains(&(SetMethod::of(key), key.measure, key.matcher))
            && self.piece() == key.piece
            && self.cells == key.cells
            && self.corrupt_rates.contains(&key.corrupt)
    }
}

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
    let percent = |x: f64| format!("{:.2}", 100.0 * x);
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
#[must_use]
pub fn summary(records: &[RunRecord]) -> Table {
    let mut table = Table::new(&[&GROUP_COLUMNS[..], &FIGURE_COLUMNS[..]].concat());
    for group in groups(records) {
        table.push([&group_entries(&group)[..], &figure_entries(&group)[..]].concat());
    }
    table
}

/// The [`summary`] of pictures of odd and of even number apart, named in a column `images`; pictures
/// whose names do not begin with a number have a row of their own, `-`.
#[must_use]
pub fn summary_of_halves(records: &[RunRecord]) -> Table {
    let mut found = Vec::new();
    for half in [Some(Images::Odd), Some(Images::Even), None] {
        let of_half = records.iter().filter(|run| Images::half_of(&run.key.image) == half);
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
    use crate::method_name::method_name;
    use crate::test_records::record;
    use fretsaw::puzzle::PieceShape;

    #[test]
    fn exactly_the_keys_of_a_run_are_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a/1.png", "a/2.png", "b/1.png"] {
            std::fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let no_updates = GclSettings { iterations: 0, ..GclSettings::default() };
        let all = SetRun {
            sets: vec!["a".into(), "b".into()],
            methods: Method::ALL.into(),
            efforts: vec![Effort::Fast, Effort::High],
            yu: vec![YuSettings::default(), YuSettings { rounds: 1, ..YuSettings::default() }],
            gcl: vec![GclSettings::default(), no_updates],
            assignment: QapSettings::default(),
            measures: vec![Measure::Mgc, Measure::Seam],
            matchers: vec![Matcher::Ratio, Matcher::Loops],
            types: vec![PuzzleType::Type1, PuzzleType::Type2, PuzzleType::Type3],
            size: PieceShape::new(28, 28).unwrap().into(),
            cells: None,
            num_seeds: 3,
            corrupt_rates: vec![0.0, 0.02],
        };
        let some = SetRun {
            sets: vec!["a".into()],
            methods: vec![Method::Fretsaw, Method::Gallagher, Method::Gcl],
            efforts: vec![Effort::High],
            gcl: vec![no_updates],
            measures: vec![Measure::Seam],
            matchers: vec![Matcher::Loops],
            types: vec![PuzzleType::Type2],
            num_seeds: 2,
            corrupt_rates: vec![0.02],
            ..all.clone()
        };
        let keys = all.keys(dir.path(), Images::All).unwrap();
        // Pictures; types with matchers and methods with their settings, type 3 without matchers and
        // efforts; rates, seeds, measures.
        assert_eq!(keys.len(), 3 * (2 * 8 + 2 * 8 + 7) * 2 * 3 * 2);
        assert!(keys.iter().all(|key| all.asks_for(key)));
        let num_keys = keys.len();
        let asked_for: Vec<RunKey> = keys.into_iter().filter(|key| some.asks_for(key)).collect();
        assert_eq!(asked_for, some.keys(dir.path(), Images::All).unwrap());
        let middles = SetRun { cells: Some((3, 4)), ..some.clone() };
        let of_middles = middles.keys(dir.path(), Images::All).unwrap();
        assert!(of_middles.iter().all(|key| middles.asks_for(key) && !some.asks_for(key)));
        assert!(!asked_for.iter().any(|key| middles.asks_for(key)));
        let odd = all.keys(dir.path(), Images::Odd).unwrap();
        assert!(odd.iter().all(|key| key.image == "1.png"));
        assert_eq!(3 * odd.len(), 2 * num_keys);
    }

    #[test]
    fn every_measure_has_its_default_matcher_and_type_3_none() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a")).unwrap();
        std::fs::write(dir.path().join("a/1.png"), "").unwrap();
        let run = SetRun {
            sets: vec!["a".into()],
            methods: vec![Method::Gallagher],
            efforts: vec![],
            yu: vec![],
            gcl: vec![],
            assignment: QapSettings::default(),
            measures: vec![Measure::Mgc, Measure::Seam],
            matchers: vec![],
            types: vec![PuzzleType::Type2, PuzzleType::Type3],
            size: PieceShape::new(28, 28).unwrap().into(),
            cells: None,
            num_seeds: 1,
            corrupt_rates: vec![0.0],
        };
        let keys = run.keys(dir.path(), Images::All).unwrap();
        let matchers: Vec<Matcher> = keys.iter().map(|key| key.matcher).collect();
        assert_eq!(matchers, [Matcher::Ratio, Matcher::Learned, Matcher::Ratio, Matcher::Ratio]);
        assert!(keys.iter().all(|key| run.asks_for(key)));
    }

    #[test]
    fn every_method_has_its_usual_measure() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a")).unwrap();
        std::fs::write(dir.path().join("a/1.png"), "").unwrap();
        let run = SetRun {
            sets: vec!["a".into()],
            methods: vec![Method::Fretsaw, Method::Gallagher],
            efforts: Effort::ALL.into(),
            yu: vec![],
            gcl: vec![],
            assignment: QapSettings::default(),
            measures: vec![],
            matchers: vec![],
            types: vec![PuzzleType::Type1, PuzzleType::Type3],
            size: PieceShape::new(28, 28).unwrap().into(),
            cells: None,
            num_seeds: 1,
            corrupt_rates: vec![0.0],
        };
        let ways = |run: &SetRun| -> Vec<(String, Measure, Matcher)> {
            let keys = run.keys(dir.path(), Images::All).unwrap();
            assert!(keys.iter().all(|key| run.asks_for(key)));
            keys.iter().map(|key| (method_name(key), key.measure, key.matcher)).collect()
        };
        let way = |name: &str, measure, matcher| (name.to_owned(), measure, matcher);
        let (mgc, seam, ratio, learned) =
            (Measure::Mgc, Measure::Seam, Matcher::Ratio, Matcher::Learned);
        assert_eq!(
            ways(&run),
            [
                way("fretsaw-fast", seam, learned),
                way("fretsaw", seam, learned),
                way("fretsaw-high", seam, learned),
                way("gallagher", mgc, ratio),
                // There is nothing to search for where positions are known: one run.
                way("fretsaw", mgc, ratio),
                way("gallagher", mgc, ratio),
            ]
        );
        let types = vec![PuzzleType::Type1];
        let run = SetRun { measures: vec![mgc], types, efforts: vec![Effort::Normal], ..run };
        assert_eq!(ways(&run), [way("fretsaw", mgc, ratio), way("gallagher", mgc, ratio)]);
    }

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
        records.push(RunRecord {
            key: RunKey { set: "another".into(), ..records[0].key.clone() },
            ..records[0].clone()
        });
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
        records[1].key.cells = Some((18, 24));
        let text = summary(&records).csv();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("mine,2,0,gallagher,mgc,ratio,1,50.00,"), "{text}");
        assert!(
            lines[1].starts_with("mine (middle 24x18),2,0,gallagher,mgc,ratio,1,100.00,"),
            "{text}"
        );
    }

    #[test]
    fn results_of_versions_without_matchers_are_of_the_ratio() {
        let key = record("1.png", 1, 0.5).key;
        let mut old = serde_json::to_value(&key).unwrap();
        assert_eq!(old.as_object_mut().unwrap().remove("judge"), Some("ratio".into()));
        assert_eq!(serde_json::from_value::<RunKey>(old).unwrap(), key);
    }
}

//! Accuracy and time of methods over sets of pictures: which runs there are, and what is kept of one.
//!
//! A set is a folder of pictures. Each picture is cut and scrambled afresh for every seed, in
//! memory, solved, and scored, by a [`RunQueue`](crate::run_queue::RunQueue).

use crate::groups::{groups, natural};
use crate::table::Table;
use anyhow::{Context, bail};
use fretsaw::dissimilarity::Measure;
use fretsaw::evaluation::Score;
use fretsaw::judge::Judge;
use fretsaw::locations::quadratic_assignment::QapSettings;
use fretsaw::methods::gcl::GclSettings;
use fretsaw::methods::yu::YuSettings;
use fretsaw::puzzle::{PieceShape, PuzzleType};
use fretsaw::solve::{Method, usual_judge};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What to run: every combination.
#[derive(Clone, Debug)]
pub struct SetRun {
    /// Names of the sets.
    pub sets: Vec<String>,
    /// Methods.
    pub methods: Vec<Method>,
    /// Settings of [`Method::Yu`], to be run one by one.
    pub yu: Vec<YuSettings>,
    /// Settings of [`Method::Gcl`], to be run one by one.
    pub gcl: Vec<GclSettings>,
    /// Settings of [`Method::Assignment`].
    pub assignment: QapSettings,
    /// Measures.
    pub measures: Vec<Measure>,
    /// Judges, each with every measure; if there are none, the usual one of each measure.
    pub judges: Vec<Judge>,
    /// Puzzle types.
    pub types: Vec<PuzzleType>,
    /// The size of pieces.
    pub shape: PieceShape,
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
    /// The judge. Results of versions that had none, and puzzles of type 3, which need none, have the
    /// ratio.
    #[serde(default = "ratio")]
    pub judge: Judge,
    /// The puzzle type.
    #[serde(rename = "type")]
    pub puzzle_type: PuzzleType,
    /// Pixels of a piece: width, height.
    pub piece: (u32, u32),
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

const fn ratio() -> Judge {
    Judge::Ratio
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
    yu: Option<YuSettings>,
    gcl: Option<GclSettings>,
    assignment: Option<QapSettings>,
}

impl SetMethod {
    const fn of(key: &RunKey) -> Self {
        Self { method: key.method, yu: key.yu, gcl: key.gcl, assignment: key.assignment }
    }
}

impl SetRun {
    /// The methods, each once for each of its settings.
    fn set_methods(&self) -> Vec<SetMethod> {
        let mut found = Vec::new();
        for &method in &self.methods {
            let plain = SetMethod { method, yu: None, gcl: None, assignment: None };
            match method {
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

    /// The judges that go with a measure.
    fn judges_of(&self, measure: Measure, puzzle_type: PuzzleType) -> Vec<Judge> {
        if puzzle_type.positions_known() {
            vec![Judge::Ratio]
        } else if self.judges.is_empty() {
            vec![usual_judge(measure)]
        } else {
            self.judges.clone()
        }
    }

    const fn piece(&self) -> (u32, u32) {
        (self.shape.width_px(), self.shape.height_px())
    }

    /// Every run over the sets that lie in the folder `data`, pictures in natural order.
    ///
    /// # Errors
    /// If a set's folder cannot be read or holds no pictures.
    pub fn keys(&self, data: &Path) -> anyhow::Result<Vec<RunKey>> {
        let mut keys = Vec::new();
        for set in &self.sets {
            for image in images_of(&data.join(set))? {
                for &puzzle_type in &self.types {
                    for &corrupt in &self.corrupt_rates {
                        for seed in 1..=self.num_seeds {
                            for SetMethod { method, yu, gcl, assignment } in self.set_methods() {
                                for &measure in &self.measures {
                                    for judge in self.judges_of(measure, puzzle_type) {
                                        keys.push(RunKey {
                                            set: set.clone(),
                                            image: image.clone(),
                                            seed,
                                            method,
                                            yu,
                                            gcl,
                                            assignment,
                                            measure,
                                            judge,
                                            puzzle_type,
                                            piece: self.piece(),
                                            corrupt,
                                        });
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(keys)
    }

    /// Whether this would be among the [`keys`](Self::keys) if its set held its picture.
    #[must_use]
    pub fn asks_for(&self, key: &RunKey) -> bool {
        self.sets.contains(&key.set)
            && (1..=self.num_seeds).contains(&key.seed)
            && self.set_methods().contains(&SetMethod::of(key))
            && self.measures.contains(&key.measure)
            && self.judges_of(key.measure, key.puzzle_type).contains(&key.judge)
            && self.types.contains(&key.puzzle_type)
            && self.piece() == key.piece
            && self.corrupt_rates.contains(&key.corrupt)
    }
}

pub(crate) fn images_of(set: &Path) -> anyhow::Result<Vec<String>> {
    let entries =
        std::fs::read_dir(set).with_context(|| format!("cannot read the set {}", set.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_picture = [".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp"]
            .iter()
            .any(|ending| name.to_lowercase().ends_with(ending));
        if is_picture {
            names.push(name);
        }
    }
    if names.is_empty() {
        bail!("the set {} holds no pictures", set.display());
    }
    // Numbered names in the order of their numbers.
    names.sort_by(|a, b| natural(a).cmp(&natural(b)));
    Ok(names)
}

/// Mean scores by set, type, corruption, method, measure and judge. Percentages, but for `perfect`: the
/// mean over seeds of the number of perfect puzzles. The order of the records does not matter.
#[must_use]
pub fn summary(records: &[RunRecord]) -> Table {
    let mut table = Table::new(&[
        "set",
        "type",
        "corrupt",
        "method",
        "measure",
        "judge",
        "runs",
        "direct",
        "neighbor",
        "largest",
        "perfect",
        "neighbor_px",
        "perfect_px",
        "seconds",
        "assemble s",
    ]);
    let percent = |x: f64| format!("{:.2}", 100.0 * x);
    for group in groups(records) {
        table.push(vec![
            group.scene.set.clone(),
            group.scene.type_number.to_string(),
            group.scene.corrupt.to_string(),
            group.way.method.clone(),
            group.way.measure.into(),
            group.way.judge.into(),
            group.num_runs().to_string(),
            percent(group.mean(|run| run.score.direct)),
            percent(group.mean(|run| run.score.neighbor)),
            percent(group.mean(|run| run.score.largest)),
            format!("{:.1}", group.count(|run| run.score.perfect)),
            percent(group.mean(|run| run.score.neighbor_px.unwrap_or(run.score.neighbor))),
            format!("{:.1}", group.count(|run| run.score.perfect_px.unwrap_or(run.score.perfect))),
            format!("{:.3}", group.mean(|run| run.seconds)),
            format!("{:.3}", group.mean(|run| run.stages.get("assemble").copied().unwrap_or(0.0))),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

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
            yu: vec![YuSettings::default(), YuSettings { rounds: 1, ..YuSettings::default() }],
            gcl: vec![GclSettings::default(), no_updates],
            assignment: QapSettings::default(),
            measures: vec![Measure::Mgc, Measure::Seam],
            judges: vec![Judge::Ratio, Judge::Loops],
            types: vec![PuzzleType::Type1, PuzzleType::Type2, PuzzleType::Type3],
            shape: PieceShape::new(28, 28).unwrap(),
            num_seeds: 3,
            corrupt_rates: vec![0.0, 0.02],
        };
        let some = SetRun {
            sets: vec!["a".into()],
            methods: vec![Method::Gallagher, Method::Gcl],
            gcl: vec![no_updates],
            measures: vec![Measure::Seam],
            judges: vec![Judge::Loops],
            types: vec![PuzzleType::Type2],
            num_seeds: 2,
            corrupt_rates: vec![0.02],
            ..all.clone()
        };
        let keys = all.keys(dir.path()).unwrap();
        // Pictures, types with judges, rates, seeds, methods with their settings, measures.
        assert_eq!(keys.len(), 3 * (2 + 2 + 1) * 2 * 3 * 7 * 2);
        assert!(keys.iter().all(|key| all.asks_for(key)));
        let asked_for: Vec<RunKey> = keys.into_iter().filter(|key| some.asks_for(key)).collect();
        assert_eq!(asked_for, some.keys(dir.path()).unwrap());
    }

    #[test]
    fn every_measure_has_its_usual_judge_and_type_3_none() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a")).unwrap();
        std::fs::write(dir.path().join("a/1.png"), "").unwrap();
        let run = SetRun {
            sets: vec!["a".into()],
            methods: vec![Method::Gallagher],
            yu: vec![],
            gcl: vec![],
            assignment: QapSettings::default(),
            measures: vec![Measure::Mgc, Measure::Seam],
            judges: vec![],
            types: vec![PuzzleType::Type2, PuzzleType::Type3],
            shape: PieceShape::new(28, 28).unwrap(),
            num_seeds: 1,
            corrupt_rates: vec![0.0],
        };
        let keys = run.keys(dir.path()).unwrap();
        let judges: Vec<Judge> = keys.iter().map(|key| key.judge).collect();
        assert_eq!(judges, [Judge::Ratio, Judge::Learned, Judge::Ratio, Judge::Ratio]);
        assert!(keys.iter().all(|key| run.asks_for(key)));
    }

    #[test]
    fn results_of_versions_without_judges_are_of_the_ratio() {
        let key = crate::test_records::record("1.png", 1, 0.5).key;
        let mut old = serde_json::to_value(&key).unwrap();
        assert_eq!(old.as_object_mut().unwrap().remove("judge"), Some("ratio".into()));
        assert_eq!(serde_json::from_value::<RunKey>(old).unwrap(), key);
    }
}

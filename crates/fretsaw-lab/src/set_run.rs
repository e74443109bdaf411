//! Accuracy and time of methods over sets of pictures: which runs there are, and what is kept of one.
//! A [`RunQueue`](crate::run_queue::RunQueue) does them.

use crate::puzzles::{PuzzleKey, PuzzleSet};
use anyhow::Context;
use fretsaw::evaluation::Score;
use fretsaw::puzzle::PuzzleType;
use fretsaw::settings::{Matcher, Measure, default_matcher};
use fretsaw::unstable::methods::yu::YuSettings;
use fretsaw::{Effort, Method, Settings};
use fretsaw_gcl::alternatives::quadratic_assignment::QapSettings;
use fretsaw_gcl::type_two::GclSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What to run: every combination.
#[derive(Clone, Debug)]
pub(crate) struct SetRun {
    /// The puzzles; their seeds are those of the solver, too.
    pub(crate) puzzles: PuzzleSet,
    pub(crate) methods: Vec<MethodKey>,
    /// Measures; if there are none, the [default](Self::measures_of) of each method and type.
    pub(crate) measures: Vec<Measure>,
    /// Matchers, each with every measure; if there are none, the default of each measure.
    pub(crate) matchers: Vec<Matcher>,
}

/// What identifies a run. The keys of its line of results are those of the first version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunKey {
    /// The puzzle. Its seed is the solver's, too.
    #[serde(flatten)]
    pub(crate) puzzle: PuzzleKey,
    #[serde(flatten)]
    pub(crate) method: MethodKey,
    pub(crate) measure: Measure,
    /// `ratio` in results of versions without matchers, and for type 3, which needs none.
    #[serde(rename = "judge", default = "ratio")]
    pub(crate) matcher: Matcher,
}

/// A method and its settings. Results without settings have the defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "lowercase")]
pub(crate) enum MethodKey {
    Fretsaw {
        /// The effort; none for type 3.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effort: Option<Effort>,
    },
    Yu {
        #[serde(default)]
        yu: YuSettings,
    },
    Gallagher {},
    /// The paper's.
    Gcl {
        #[serde(default)]
        gcl: GclSettings,
    },
    Assignment {
        #[serde(default)]
        assignment: QapSettings,
    },
}

impl MethodKey {
    /// All methods with their default settings.
    pub(crate) fn all() -> [Self; 5] {
        [
            Self::Fretsaw { effort: Some(Effort::default()) },
            Self::Yu { yu: YuSettings::default() },
            Self::Gallagher {},
            Self::Gcl { gcl: GclSettings::default() },
            Self::Assignment { assignment: QapSettings::default() },
        ]
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Fretsaw { .. } => "fretsaw",
            Self::Yu { .. } => "yu",
            Self::Gallagher {} => "gallagher",
            Self::Gcl { .. } => "gcl",
            Self::Assignment { .. } => "assignment",
        }
    }

    /// The method of this name with its default settings.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|method| method.name() == name)
    }

    /// The method with one of its settings changed, such as `rounds` or `update.solution_share`; `None` if
    /// it has no such setting.
    pub(crate) fn with(self, setting: &str, value: &Value) -> anyhow::Result<Option<Self>> {
        let mut fields = serde_json::to_value(self)?;
        let place = format!("/{}/{}", self.name(), setting.replace('-', "_").replace('.', "/"));
        let Some(found) = fields.pointer_mut(&place) else { return Ok(None) };
        *found = value.clone();
        let changed = serde_json::from_value(fields);
        changed.map(Some).with_context(|| format!("{setting} cannot be {value}"))
    }

    fn method(self) -> Method {
        match self {
            Self::Fretsaw { effort } => Method::Fretsaw(effort.unwrap_or_default()),
            Self::Yu { yu } => Method::Yu(yu),
            Self::Gallagher {} => Method::Gallagher,
            Self::Gcl { gcl } => Method::Other(Arc::new(gcl)),
            Self::Assignment { assignment } => Method::Other(Arc::new(assignment)),
        }
    }
}

impl AsRef<PuzzleKey> for RunKey {
    fn as_ref(&self) -> &PuzzleKey {
        &self.puzzle
    }
}

impl RunKey {
    /// How the run solves its puzzle.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            method: self.method.method(),
            measure: Some(self.measure),
            matcher: Some(self.matcher),
            seed: self.puzzle.seed,
            ..Settings::default()
        }
    }
}

/// One line of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRecord {
    #[serde(flatten)]
    pub(crate) key: RunKey,
    #[serde(flatten)]
    pub(crate) score: Score,
    /// Wall-clock seconds of the whole solve.
    pub(crate) seconds: f64,
    pub(crate) stages: BTreeMap<String, f64>,
    /// Peak resident memory during the run; `None` if the system does not report it or several runs
    /// shared the process.
    pub(crate) peak_bytes: Option<u64>,
    /// Puzzles that were solved at a time. Times of runs that shared a machine are longer.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub(crate) jobs: usize,
    /// The solver's settings as they were written: files of other versions, with other settings, can be read.
    pub(crate) settings: serde_json::Value,
    pub(crate) version: String,
    /// The commit that fretsaw was built from, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) commit: Option<String>,
    /// Processor, threads and memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) machine: Option<String>,
    /// Threads that the run could use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) threads: Option<usize>,
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

impl SetRun {
    /// These methods on these puzzles, with default measures and matchers.
    pub(crate) fn new(puzzles: PuzzleSet, methods: &[MethodKey]) -> Self {
        Self { puzzles, methods: methods.into(), measures: vec![], matchers: vec![] }
    }

    /// The methods for a type of puzzles. The method fretsaw has no efforts where positions are known.
    fn methods_of(&self, puzzle_type: PuzzleType) -> Vec<MethodKey> {
        let mut found = Vec::new();
        for &method in &self.methods {
            let method = match method {
                MethodKey::Fretsaw { .. } if puzzle_type.positions_known() => {
                    MethodKey::Fretsaw { effort: None }
                }
                other => other,
            };
            if !found.contains(&method) {
                found.push(method);
            }
        }
        found
    }

    /// The measures of a method on puzzles of a type. Default: that of [`solve`](fretsaw::solve()) for
    /// [`Method::Fretsaw`], and the paper's for the others, to compare them with the literature.
    pub(crate) fn measures_of(&self, method: MethodKey, puzzle_type: PuzzleType) -> Vec<Measure> {
        if !self.measures.is_empty() {
            return self.measures.clone();
        }
        let is_default = matches!(method, MethodKey::Fretsaw { .. });
        let settings = Settings::default();
        vec![if is_default {
            settings.measure(puzzle_type.positions_known())
        } else {
            Measure::Mgc
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
    fn ways(&self, puzzle_type: PuzzleType) -> Vec<(MethodKey, Measure, Matcher)> {
        let mut ways = Vec::new();
        for method in self.methods_of(puzzle_type) {
            for measure in self.measures_of(method, puzzle_type) {
                let matchers = self.matchers_of(measure, puzzle_type);
                ways.extend(matchers.into_iter().map(|matcher| (method, measure, matcher)));
            }
        }
        ways
    }

    /// Every run over the pictures of the sets that lie in the folder `data`, in natural order.
    pub(crate) fn keys(&self, data: &Path) -> anyhow::Result<Vec<RunKey>> {
        let mut keys = Vec::new();
        for puzzle in self.puzzles.keys(data)? {
            for (method, measure, matcher) in self.ways(puzzle.puzzle_type) {
                keys.push(RunKey { puzzle: puzzle.clone(), method, measure, matcher });
            }
        }
        Ok(keys)
    }

    /// Whether a run is among the [`keys`](Self::keys) if its set holds its picture.
    pub(crate) fn asks_for(&self, key: &RunKey) -> bool {
        let ways = self.ways(key.puzzle.puzzle_type);
        self.puzzles.contains(&key.puzzle) && ways.contains(&(key.method, key.measure, key.matcher))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::images::Images;
    use crate::method_name::method_name;
    use crate::test_records::record;

    #[test]
    fn exactly_the_keys_of_a_run_are_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a/1.png", "a/2.png", "b/1.png"] {
            std::fs::create_dir_all(dir.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let no_updates =
            MethodKey::Gcl { gcl: GclSettings { iterations: 0, ..GclSettings::default() } };
        let one_round = MethodKey::Yu { yu: YuSettings { rounds: 1, ..YuSettings::default() } };
        let [fast, high] =
            [Effort::Fast, Effort::High].map(|effort| MethodKey::Fretsaw { effort: Some(effort) });
        let [_, yu, gallagher, gcl, assignment] = MethodKey::all();
        let methods = [fast, high, yu, one_round, gallagher, gcl, no_updates, assignment];
        let puzzles = PuzzleSet {
            types: PuzzleType::ALL.into(),
            num_seeds: Some(3),
            corrupt_rates: vec![0.0, 0.02],
            ..PuzzleSet::new(&["a", "b"])
        };
        let all = SetRun {
            measures: vec![Measure::Mgc, Measure::Seam],
            matchers: vec![Matcher::Ratio, Matcher::Loops],
            ..SetRun::new(puzzles, &methods)
        };
        let puzzles =
            PuzzleSet { num_seeds: Some(2), corrupt_rates: vec![0.02], ..PuzzleSet::new(&["a"]) };
        let some = SetRun {
            puzzles: puzzles.clone(),
            methods: vec![high, gallagher, no_updates],
            measures: vec![Measure::Seam],
            matchers: vec![Matcher::Loops],
        };
        let keys = all.keys(dir.path()).unwrap();
        // Pictures; types with matchers and methods with their settings, type 3 without matchers and
        // efforts; rates, seeds, measures.
        assert_eq!(keys.len(), 3 * (2 * 8 + 2 * 8 + 7) * 2 * 3 * 2);
        assert!(keys.iter().all(|key| all.asks_for(key)));
        let num_keys = keys.len();
        let asked_for: Vec<RunKey> = keys.into_iter().filter(|key| some.asks_for(key)).collect();
        assert_eq!(asked_for, some.keys(dir.path()).unwrap());
        let middles =
            SetRun { puzzles: PuzzleSet { cells: Some((3, 4)), ..puzzles }, ..some.clone() };
        let of_middles = middles.keys(dir.path()).unwrap();
        assert!(of_middles.iter().all(|key| middles.asks_for(key) && !some.asks_for(key)));
        assert!(!asked_for.iter().any(|key| middles.asks_for(key)));
        let images = Images::Odd;
        let odd = SetRun { puzzles: PuzzleSet { images, ..all.puzzles.clone() }, ..all };
        let odd = odd.keys(dir.path()).unwrap();
        assert!(odd.iter().all(|key| key.puzzle.image == "1.png"));
        assert_eq!(3 * odd.len(), 2 * num_keys);
    }

    #[test]
    fn every_method_has_its_usual_measure_and_every_measure_its_usual_matcher() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("a")).unwrap();
        std::fs::write(dir.path().join("a/1.png"), "").unwrap();
        let types = vec![PuzzleType::Type1, PuzzleType::Type3];
        let puzzles = PuzzleSet { types, ..PuzzleSet::new(&["a"]) };
        let efforts = Effort::ALL.map(|effort| MethodKey::Fretsaw { effort: Some(effort) });
        let [fast, normal, high] = efforts;
        let gallagher = MethodKey::Gallagher {};
        let run = SetRun::new(puzzles, &[fast, normal, high, gallagher]);
        let ways = |run: &SetRun| -> Vec<(String, Measure, Matcher)> {
            let keys = run.keys(dir.path()).unwrap();
            assert!(keys.iter().all(|key| run.asks_for(key)));
            keys.iter().map(|key| (method_name(&key.method), key.measure, key.matcher)).collect()
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
        // Measures that are asked for have their default matchers, and type 3 has none.
        let run = SetRun { methods: vec![normal, gallagher], measures: vec![mgc, seam], ..run };
        let of_method = |name| {
            let ways = [(mgc, ratio), (seam, learned)];
            ways.map(|(measure, matcher)| way(name, measure, matcher))
        };
        let of_type_3 = |name| [mgc, seam].map(|measure| way(name, measure, ratio));
        let wanted = ["fretsaw", "gallagher"];
        assert_eq!(ways(&run), [wanted.map(of_method), wanted.map(of_type_3)].concat().concat());
    }

    #[test]
    fn results_of_versions_without_matchers_are_of_the_ratio() {
        let key = record("1.png", 1, 0.5).key;
        let mut old = serde_json::to_value(&key).unwrap();
        assert_eq!(old.as_object_mut().unwrap().remove("judge"), Some("ratio".into()));
        assert_eq!(serde_json::from_value::<RunKey>(old).unwrap(), key);
    }

    #[test]
    fn settings_are_changed_by_name() {
        let [_, yu, gallagher, gcl, _] = MethodKey::all();
        let rounds = yu.with("rounds", &1.into()).unwrap();
        let yu_settings = YuSettings { rounds: 1, ..YuSettings::default() };
        assert_eq!(rounds, Some(MethodKey::Yu { yu: yu_settings }));
        let name = |method: MethodKey| method_name(&method);
        let share = gcl.with("update.solution-share", &0.4.into()).unwrap();
        assert_eq!(share.map(name).as_deref(), Some("gcl solution-share 0.4"));
        assert_eq!(gallagher.with("rounds", &1.into()).unwrap(), None);
        assert!(yu.with("rounds", &"many".into()).is_err());
    }
}

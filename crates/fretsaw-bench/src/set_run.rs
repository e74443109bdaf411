//! Accuracy and time of methods over sets of pictures.
//!
//! A set is a folder of pictures. Each picture is cut and scrambled afresh for every seed, in
//! memory, solved, and scored. One JSON line per run is appended to the results as it finishes; a
//! run that is already there is not repeated.

use crate::groups::{groups, natural};
use crate::results::{ResultsWriter, identity};
use crate::{clock::StageClock, memory, table::Table};
use anyhow::{Context, bail};
use fretsaw::dissimilarity::Measure;
use fretsaw::evaluation::{Score, score};
use fretsaw::locations::quadratic_assignment::QapSettings;
use fretsaw::methods::gcl::GclSettings;
use fretsaw::methods::yu::YuSettings;
use fretsaw::picture::{ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType};
use fretsaw::solve::{Method, Puzzle, SolveSettings, solve};
use fretsaw_io::{Limits, read_picture};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

/// What to run: every combination.
#[derive(Clone, Debug)]
pub struct SetRun {
    /// The folder that holds one folder per set.
    pub data: PathBuf,
    /// Names of the sets.
    pub sets: Vec<String>,
    /// Methods.
    pub methods: Vec<Method>,
    /// Settings of [`Method::Yu`], to be run one by one.
    pub yu: Vec<YuSettings>,
    /// Settings of [`Method::Gcl`].
    pub gcl: GclSettings,
    /// Settings of [`Method::Assignment`].
    pub assignment: QapSettings,
    /// Measures.
    pub measures: Vec<Measure>,
    /// Puzzle types.
    pub types: Vec<PuzzleType>,
    /// The size of pieces.
    pub shape: PieceShape,
    /// Seeds 1 to this are used, for the scramble and for the solver.
    pub num_seeds: u64,
    /// Rates of corrupted sides.
    pub corrupt_rates: Vec<f64>,
    /// Puzzles to solve at a time, at least 1. They share the threads.
    pub jobs: usize,
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
}

const fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_one(jobs: &usize) -> bool {
    *jobs == 1
}

/// What came of the runs.
#[derive(Debug)]
pub struct SetOutcome {
    /// The runs that were asked for, old and new, in the order of [`SetRun::keys`].
    pub records: Vec<RunRecord>,
    /// The runs that failed, and why, in the same order.
    pub failures: Vec<(RunKey, anyhow::Error)>,
}

/// What a worker tells.
enum News {
    /// The run of this number begins.
    Begun(usize),
    /// The run of this number is over.
    Done(usize, Box<anyhow::Result<RunRecord>>),
}

impl SetRun {
    /// The methods, and [`Method::Yu`] once for each of its settings.
    fn ways(&self) -> Vec<(Method, Option<YuSettings>)> {
        let ways = |&method: &Method| match method {
            Method::Yu => self.yu.iter().map(|&yu| (method, Some(yu))).collect(),
            Method::Gallagher | Method::Gcl | Method::Assignment => vec![(method, None)],
        };
        self.methods.iter().flat_map(ways).collect()
    }

    /// Every run, pictures in natural order.
    ///
    /// # Errors
    /// If a set's folder cannot be read or holds no pictures.
    pub fn keys(&self) -> anyhow::Result<Vec<RunKey>> {
        let mut keys = Vec::new();
        for set in &self.sets {
            for image in images_of(&self.data.join(set))? {
                for &puzzle_type in &self.types {
                    for &corrupt in &self.corrupt_rates {
                        for seed in 1..=self.num_seeds {
                            for (method, yu) in self.ways() {
                                for &measure in &self.measures {
                                    keys.push(RunKey {
                                        set: set.clone(),
                                        image: image.clone(),
                                        seed,
                                        method,
                                        yu,
                                        gcl: (method == Method::Gcl).then_some(self.gcl),
                                        assignment: (method == Method::Assignment)
                                            .then_some(self.assignment),
                                        measure,
                                        puzzle_type,
                                        piece: (self.shape.width_px(), self.shape.height_px()),
                                        corrupt,
                                    });
                                }
                            }
                        }
                    }
                }
            }
        }
        Ok(keys)
    }

    /// Do the runs that `out` does not hold yet, appending to it; `report(done, total, key)` is
    /// called when one begins, with the number of those that are over.
    ///
    /// The threads of the current pool are shared out evenly among the jobs, at least one to each.
    /// A run that fails stops no other.
    ///
    /// # Errors
    /// If a set's folder cannot be read or holds no pictures, `out` cannot be read or written, or
    /// threads cannot be started.
    pub fn run(
        &self,
        out: &Path,
        report: impl Fn(usize, usize, &RunKey),
    ) -> anyhow::Result<SetOutcome> {
        let keys = self.keys()?;
        let mut places = BTreeMap::new();
        for (place, key) in keys.iter().enumerate() {
            places.insert(identity(key)?, place);
        }
        let (mut writer, found) = ResultsWriter::open(out)?;
        let mut records: BTreeMap<usize, RunRecord> = BTreeMap::new();
        for record in found.records {
            if let Some(&place) = places.get(&identity(&record.key)?) {
                records.insert(place, record);
            }
        }
        let mut todo: Vec<usize> =
            places.into_values().filter(|place| !records.contains_key(place)).collect();
        todo.sort_unstable();
        let mut failures = BTreeMap::new();
        let num_workers = self.jobs.min(todo.len());
        let threads_each = (rayon::current_num_threads() / self.jobs.max(1)).max(1);
        let pools = (0..num_workers)
            .map(|_| rayon::ThreadPoolBuilder::new().num_threads(threads_each).build())
            .collect::<Result<Vec<_>, _>>()
            .context("cannot start threads")?;
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, news) = channel();
            for pool in pools {
                let (sender, todo, keys, next) = (sender.clone(), &todo, &keys, &next);
                scope.spawn(move || pool.install(|| self.work(todo, keys, next, &sender)));
            }
            // The workers hold the other senders: news end when they do.
            drop(sender);
            let mut num_done = 0;
            for news in news {
                match news {
                    News::Begun(place) => report(num_done, todo.len(), &keys[place]),
                    News::Done(place, result) => {
                        num_done += 1;
                        match *result {
                            // Leaving drops the receiver, upon which the workers stop.
                            Ok(record) => {
                                writer.append(&record)?;
                                records.insert(place, record);
                            }
                            Err(error) => {
                                failures.insert(place, error);
                            }
                        }
                    }
                }
            }
            anyhow::Ok(())
        })?;
        Ok(SetOutcome {
            records: records.into_values().collect(),
            failures: failures
                .into_iter()
                .map(|(place, error)| (keys[place].clone(), error))
                .collect(),
        })
    }

    /// Takes runs until none is left, or nobody listens any more.
    fn work(&self, todo: &[usize], keys: &[RunKey], next: &AtomicUsize, sender: &Sender<News>) {
        while let Some(&place) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            if sender.send(News::Begun(place)).is_err() {
                return;
            }
            let result = self.run_one(&keys[place]);
            if sender.send(News::Done(place, Box::new(result))).is_err() {
                return;
            }
        }
    }

    fn run_one(&self, key: &RunKey) -> anyhow::Result<RunRecord> {
        let path = self.data.join(&key.set).join(&key.image);
        let picture = read_picture(&path, &Limits::default())?.picture;
        let cut = cut(&picture, self.shape).with_context(|| path.display().to_string())?;
        let scrambled = scramble(
            &cut,
            &ScrambleSettings {
                corrupt_rate: key.corrupt,
                ..ScrambleSettings::new(key.puzzle_type, key.seed)
            },
        )?;
        let settings = SolveSettings {
            method: key.method,
            yu: key.yu.unwrap_or_default(),
            gcl: key.gcl.unwrap_or_default(),
            assignment: key.assignment.unwrap_or_default(),
            measure: key.measure,
            seed: key.seed,
            ..SolveSettings::default()
        };
        let is_alone = self.jobs == 1;
        if is_alone {
            memory::reset_peak();
        }
        let clock = StageClock::default();
        let start = Instant::now();
        let outcome = solve(
            &Puzzle {
                pieces: &scrambled.pieces,
                puzzle_type: key.puzzle_type,
                grid: Some(scrambled.grid),
            },
            &settings,
            &clock,
        )
        .with_context(|| path.display().to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        // A stage may run several times.
        let mut stages = BTreeMap::new();
        for (stage, seconds) in clock.times() {
            *stages.entry(stage.name().to_owned()).or_insert(0.0) += seconds;
        }
        Ok(RunRecord {
            key: key.clone(),
            score: score(&scrambled.truth, &outcome.assembly)?,
            seconds,
            stages,
            peak_bytes: if is_alone { memory::peak_bytes() } else { None },
            jobs: self.jobs,
            settings: serde_json::to_value(settings)?,
            version: env!("CARGO_PKG_VERSION").into(),
        })
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

/// The method, with those of its settings that are not the default.
#[must_use]
pub fn method_name(key: &RunKey) -> String {
    let mut name = key.method.name().to_owned();
    if let Some(YuSettings { variant, ranking, filling, rounds, .. }) = key.yu {
        let default = YuSettings::default();
        let settings = [
            variant.map(|variant| variant.name().into()),
            (ranking != default.ranking).then(|| ranking.name().into()),
            (filling != default.filling).then(|| filling.name().into()),
            (rounds != default.rounds).then(|| format!("rounds {rounds}")),
        ];
        for setting in settings.into_iter().flatten() {
            name = format!("{name} {setting}");
        }
    }
    if let Some(gcl) = key.gcl {
        let GclSettings { iterations, rotations, locations, keep, .. } = gcl;
        let GclSettings { second_start, loops_again, update, .. } = gcl;
        let default = GclSettings::default();
        let settings = [
            (rotations != default.rotations).then(|| format!("rotations {}", rotations.name())),
            (locations != default.locations).then(|| format!("locations {}", locations.name())),
            (keep != default.keep).then(|| format!("keep {}", keep.name())),
            (iterations != default.iterations).then(|| format!("iterations {iterations}")),
            (second_start != default.second_start).then(|| "second-start".into()),
            (update.solution_share != default.update.solution_share)
                .then(|| format!("solution-share {}", update.solution_share)),
            (loops_again != default.loops_again).then(|| "loops-again".into()),
        ];
        for setting in settings.into_iter().flatten() {
            name = format!("{name} {setting}");
        }
    }
    if let Some(QapSettings { form, .. }) = key.assignment
        && form != QapSettings::default().form
    {
        name = format!("{name} {}", form.name());
    }
    name
}

/// Mean scores by set, type, corruption, method and measure. Percentages, but for `perfect`: the
/// mean over seeds of the number of perfect puzzles. The order of the records does not matter.
#[must_use]
pub fn summary(records: &[RunRecord]) -> Table {
    let mut table = Table::new(&[
        "set",
        "type",
        "corrupt",
        "method",
        "measure",
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

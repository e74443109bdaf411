//! Accuracy and time of methods over sets of pictures.
//!
//! A set is a folder of pictures. Each picture is cut and scrambled afresh for every seed, in
//! memory, solved, and scored. One JSON line per run is appended to the results as it finishes; a
//! run that is already there is not repeated.

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
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
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
    /// Peak resident memory during the run, where the system tells.
    pub peak_bytes: Option<u64>,
    /// The solver's settings.
    pub settings: SolveSettings,
    /// The version of fretsaw.
    pub version: String,
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
    /// called before each.
    ///
    /// # Errors
    /// If pictures cannot be read, `out` cannot be read or written, or a puzzle cannot be solved.
    pub fn run(
        &self,
        out: &Path,
        report: impl Fn(usize, usize, &RunKey),
    ) -> anyhow::Result<Vec<RunRecord>> {
        let mut records = read_records(out)?;
        let known: BTreeSet<String> =
            records.iter().map(|record| identity(&record.key)).collect::<anyhow::Result<_>>()?;
        let keys = self.keys()?;
        let mut todo = Vec::new();
        for key in &keys {
            if !known.contains(&identity(key)?) {
                todo.push(key);
            }
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(out)
            .with_context(|| format!("cannot write {}", out.display()))?;
        for (done, key) in todo.iter().enumerate() {
            report(done, todo.len(), key);
            let record = self.run_one(key)?;
            let mut line = serde_json::to_string(&record)?;
            line.push('\n');
            file.write_all(line.as_bytes())
                .with_context(|| format!("cannot write {}", out.display()))?;
            records.push(record);
        }
        let wanted: BTreeSet<String> = keys.iter().map(identity).collect::<anyhow::Result<_>>()?;
        let mut mine = Vec::new();
        for record in records {
            if wanted.contains(&identity(&record.key)?) {
                mine.push(record);
            }
        }
        Ok(mine)
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
        memory::reset_peak();
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
        Ok(RunRecord {
            key: key.clone(),
            score: score(&scrambled.truth, &outcome.assembly)?,
            seconds,
            stages: clock.times().into_iter().map(|(s, secs)| (s.name().into(), secs)).collect(),
            peak_bytes: memory::peak_bytes(),
            settings,
            version: env!("CARGO_PKG_VERSION").into(),
        })
    }
}

/// A text that two equal keys share.
fn identity(key: &RunKey) -> anyhow::Result<String> {
    Ok(serde_json::to_string(key)?)
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
    names.sort_by_key(|name| {
        let number = name.split('.').next().and_then(|stem| stem.parse::<u64>().ok());
        (number, name.clone())
    });
    Ok(names)
}

/// The records of an earlier run; none if there was none.
///
/// A last line without its end, left by a run that was killed, is passed over.
///
/// # Errors
/// If the file cannot be read or an inner line is no record.
pub fn read_records(path: &Path) -> anyhow::Result<Vec<RunRecord>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut records = Vec::new();
    let mut reader = BufReader::new(file);
    let mut line = String::new();
    let mut number = 0;
    while reader.read_line(&mut line)? > 0 {
        number += 1;
        if line.ends_with('\n') {
            records.push(serde_json::from_str(&line).with_context(|| {
                format!(
                    "{} line {number}: not a line of results; use another --out",
                    path.display()
                )
            })?);
        }
        line.clear();
    }
    Ok(records)
}

/// The method, with those of its settings that are not the default.
fn method_name(key: &RunKey) -> String {
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
    if let Some(GclSettings { iterations, second_start, loops_again, update, .. }) = key.gcl {
        let default = GclSettings::default();
        let settings = [
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
/// mean over seeds of the number of perfect puzzles.
#[must_use]
pub fn summary(records: &[RunRecord]) -> Table {
    let mut groups: BTreeMap<String, Vec<&RunRecord>> = BTreeMap::new();
    for record in records {
        let RunKey { set, puzzle_type, corrupt, measure, .. } = &record.key;
        let method = method_name(&record.key);
        let group = format!("{set}|{puzzle_type:?}|{corrupt}|{method}|{}", measure.name());
        groups.entry(group).or_default().push(record);
    }
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
    for (group, records) in groups {
        let count = records.len() as f64;
        let mean = |value: &dyn Fn(&RunRecord) -> f64| {
            records.iter().map(|record| value(record)).sum::<f64>() / count
        };
        let num_seeds = records.iter().map(|r| r.key.seed).collect::<BTreeSet<_>>().len() as f64;
        let percent = |x: f64| format!("{:.2}", 100.0 * x);
        let mut row: Vec<String> = group.split('|').map(Into::into).collect();
        row.extend([
            records.len().to_string(),
            percent(mean(&|r| r.score.direct)),
            percent(mean(&|r| r.score.neighbor)),
            percent(mean(&|r| r.score.largest)),
            format!("{:.1}", mean(&|r| f64::from(r.score.perfect)) * count / num_seeds),
            percent(mean(&|r| r.score.neighbor_px.unwrap_or(r.score.neighbor))),
            format!(
                "{:.1}",
                mean(&|r| f64::from(r.score.perfect_px.unwrap_or(r.score.perfect))) * count
                    / num_seeds
            ),
            format!("{:.3}", mean(&|r| r.seconds)),
            format!("{:.3}", mean(&|r| r.stages.get("assemble").copied().unwrap_or(0.0))),
        ]);
        table.push(row);
    }
    table
}

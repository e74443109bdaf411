//! The experiments of the paper \[HLW20\], each under a name, and a document with our figures beside
//! those that it prints.
//!
//! An [`Experiment`] is a [`SetRun`]: it says which runs there are, and which of those that a file of
//! results holds belong to it. Runs that several experiments share are done once.

pub(crate) mod document;
pub(crate) mod published;
mod sections;
mod side_by_side;

use crate::puzzles::PuzzleSet;
use crate::run_queue::RunQueue;
use crate::set_run::{MethodKey, SetRun};
use clap::Args as ClapArgs;
use fretsaw::settings::{Matcher, Measure};
use fretsaw::unstable::methods::yu::YuSettings;
use fretsaw_cli::by_name::by_name;
use fretsaw_gcl::type_two::{GclSettings, Keep};
use std::path::Path;

/// The methods that the paper compares, in its order.
pub(crate) const METHODS: [&str; 3] = ["gallagher", "yu", "gcl"];

/// Rates of corrupted sides in the paper's figure.
const CORRUPT_RATES: [f64; 7] = [0.02, 0.04, 0.06, 0.08, 0.10, 0.12, 0.14];

/// The most iterations in the paper's table of them.
const MAX_ITERATIONS: usize = 5;

/// An experiment of the paper. They are done in this order: first the one whose runs must be alone, as others
/// may use them but not the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Experiment {
    /// Seconds of every method, one puzzle at a time.
    Times,
    /// Scores of every method.
    Comparison,
    /// Images by neighbor accuracy.
    Histograms,
    /// Scores of every method with our measure in place of MGC.
    Seam,
    /// Neighbor against the rate of corrupted sides.
    Corruption,
    /// Neighbor after a fixed number of iterations.
    Iterations,
    /// How much neighbor varies from run to run.
    Spread,
}

fretsaw::named_enum!(Experiment {
    Times: "times",
    Comparison: "comparison",
    Histograms: "histograms",
    Seam: "seam",
    Corruption: "corruption",
    Iterations: "iterations",
    Spread: "spread",
});

impl Experiment {
    /// Whether a set takes part: sets of the paper where they do there, all others everywhere.
    fn includes(self, set: &str) -> bool {
        let sets: &[&str] = match self {
            Self::Times | Self::Comparison | Self::Seam | Self::Iterations => &published::SETS,
            Self::Histograms => &[published::MIT, published::MCGILL, published::POMERANZ],
            Self::Corruption => &[published::MIT, published::MCGILL],
            Self::Spread => &[published::MIT],
        };
        sets.contains(&set) || !published::SETS.contains(&set)
    }

    /// The number of seeds, if the experiment has its own.
    const fn own_seeds(self) -> Option<u64> {
        match self {
            Self::Times => Some(1),
            Self::Corruption => Some(5),
            Self::Spread => Some(20),
            Self::Comparison | Self::Histograms | Self::Seam | Self::Iterations => None,
        }
    }
}

/// The paper's method with a fixed number of iterations, 1 or more. Its first iteration is the
/// solution before any update.
fn fixed_iterations(iterations: usize) -> GclSettings {
    let updates = iterations.saturating_sub(1);
    // Without updates there is one solution to keep: the default shares its runs with `times`.
    let keep = if updates == 0 { Keep::default() } else { Keep::Last };
    GclSettings { iterations: updates, keep, ..GclSettings::default() }
}

/// Which experiments to do, and on what.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct PaperRun {
    /// Experiments [default: all]
    #[arg(long = "only", value_name = "NAME", value_delimiter = ',', hide_default_value = true,
          default_values = Experiment::ALL.map(Experiment::name),
          value_parser = by_name(Experiment::ALL, Experiment::name))]
    pub(crate) experiments: Vec<Experiment>,
    /// Names of the sets; any folder of pictures will do [default: the paper's four]
    #[arg(long, value_delimiter = ',', default_values = published::SETS, hide_default_value = true)]
    pub(crate) sets: Vec<String>,
    /// Seeds 1 to N, for 'comparison', 'histograms', 'seam' and 'iterations'; the paper has 20. The
    /// others have their own: 'times' 1, 'corruption' 5, 'spread' 20
    #[arg(long = "seeds", default_value_t = 3, value_name = "N")]
    pub(crate) num_seeds: u64,
}

impl PaperRun {
    pub(crate) fn set_run(&self, experiment: Experiment) -> SetRun {
        let sets = self.sets.iter().filter(|set| experiment.includes(set));
        let puzzles = PuzzleSet {
            sets: sets.cloned().collect(),
            num_seeds: experiment.own_seeds().or(Some(self.num_seeds)),
            corrupt_rates: match experiment {
                Experiment::Corruption => CORRUPT_RATES.into(),
                _ => vec![0.0],
            },
            ..PuzzleSet::new(&[])
        };
        let gcl: Vec<GclSettings> = match experiment {
            Experiment::Times => vec![fixed_iterations(1), GclSettings::default()],
            Experiment::Iterations => (1..=MAX_ITERATIONS).map(fixed_iterations).collect(),
            Experiment::Comparison
            | Experiment::Histograms
            | Experiment::Seam
            | Experiment::Corruption
            | Experiment::Spread => vec![GclSettings::default()],
        };
        let mut methods = match experiment {
            Experiment::Iterations => vec![],
            _ => vec![MethodKey::Gallagher {}, MethodKey::Yu { yu: YuSettings::default() }],
        };
        methods.extend(gcl.into_iter().map(|gcl| MethodKey::Gcl { gcl }));
        let has_own_measure = experiment == Experiment::Seam;
        SetRun {
            measures: vec![if has_own_measure { Measure::Seam } else { Measure::Mgc }],
            // The paper has no matcher but the ratio.
            matchers: vec![Matcher::Ratio],
            ..SetRun::new(puzzles, &methods)
        }
    }

    /// The sets that any of the experiments uses.
    pub(crate) fn sets_in_use(&self) -> Vec<&str> {
        let is_used = |set: &&String| self.experiments.iter().any(|e| e.includes(set));
        self.sets.iter().filter(is_used).map(String::as_str).collect()
    }

    /// What to run one after the other: what is timed, one puzzle at a time and again if a run found
    /// in the results was not alone; then all the rest.
    pub(crate) fn queues(&self, data: &Path, jobs: usize) -> anyhow::Result<[RunQueue; 2]> {
        let queue = |is_timed: bool, jobs: usize| {
            let mut keys = Vec::new();
            for &experiment in &self.experiments {
                if (experiment == Experiment::Times) == is_timed {
                    keys.extend(self.set_run(experiment).keys(data)?);
                }
            }
            anyhow::Ok(RunQueue { data: data.into(), keys, jobs, repeats_disturbed: is_timed })
        };
        Ok([queue(true, 1)?, queue(false, jobs)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::identity;
    use std::collections::BTreeSet;
    use std::fs;

    fn all(sets: &[&str]) -> PaperRun {
        PaperRun {
            experiments: Experiment::ALL.into(),
            sets: sets.iter().map(ToString::to_string).collect(),
            num_seeds: 3,
        }
    }

    #[test]
    fn shared_runs_are_counted_once() {
        let dir = tempfile::tempdir().unwrap();
        for (set, num_images) in published::SETS.into_iter().zip([20, 20, 20, 3]) {
            fs::create_dir(dir.path().join(set)).unwrap();
            for image in 0..num_images {
                fs::write(dir.path().join(format!("{set}/{image}.png")), "").unwrap();
            }
        }
        let queues = all(&published::SETS).queues(dir.path(), 2).unwrap();
        let [timed, rest] = queues.map(|queue| {
            let keys = queue.keys.iter().map(|key| identity(key).unwrap());
            keys.collect::<BTreeSet<String>>()
        });
        assert_eq!(timed.len(), 63 * 4);
        // Scores with MGC and with ours, corruption, iterations, spread less what scores have.
        let scores = 63 * 3 * 3;
        assert_eq!(rest.len(), 2 * scores + 40 * 7 * 5 * 3 + 63 * 3 * 5 + 20 * 17 * 3);
        // The first seed of the scores and of the first iteration.
        assert_eq!(timed.intersection(&rest).count(), 63 * 4);
    }

    #[test]
    fn sets_take_part_where_they_do_in_the_paper() {
        let run = all(&["pomeranz-3300", "mine"]);
        let sets = |experiment| run.set_run(experiment).puzzles.sets;
        assert_eq!(sets(Experiment::Comparison), ["pomeranz-3300", "mine"]);
        for experiment in [Experiment::Histograms, Experiment::Corruption, Experiment::Spread] {
            assert_eq!(sets(experiment), ["mine"], "{experiment:?}");
        }
        let run = PaperRun { experiments: vec![Experiment::Spread], ..run };
        assert_eq!(run.sets_in_use(), ["mine"]);
    }
}

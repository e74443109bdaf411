//! Saves the progress of a solve at intervals, and resumes from it.

use fretsaw::Assembly;
use fretsaw::observer::{Checkpoints, Observer, Stage};
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{Fingerprint, StageStates, write_checkpoint};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Where and how often to save.
#[derive(Debug)]
pub(crate) struct Saving {
    pub(crate) path: PathBuf,
    pub(crate) interval: Duration,
    pub(crate) fingerprint: Fingerprint,
}

/// An observer that saves the states of stages, and forwards everything else to another observer.
pub(crate) struct Checkpointing<'a> {
    inner: &'a dyn Observer,
    saving: Saving,
    verbosity: Verbosity,
    kept: Mutex<Kept>,
}

struct Kept {
    /// The last state of every stage, including those of the resumed run.
    states: StageStates,
    saved_at: Instant,
    /// Whether the user was warned that saving failed.
    has_warned: bool,
}

impl<'a> Checkpointing<'a> {
    /// Resumes from `states`.
    pub(crate) fn new(
        inner: &'a dyn Observer,
        saving: Saving,
        states: StageStates,
        verbosity: Verbosity,
    ) -> Self {
        let kept = Kept { states, saved_at: Instant::now(), has_warned: false };
        Self { inner, saving, verbosity, kept: Mutex::new(kept) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // States are replaced as a whole, so that they are valid even if another thread panicked.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Checkpointing<'_> {
    fn stage_started(&self, stage: Stage, total: u64) {
        self.inner.stage_started(stage, total);
    }

    fn stage_advanced(&self, stage: Stage, units: u64) {
        self.inner.stage_advanced(stage, units);
    }

    fn stage_finished(&self, stage: Stage) {
        self.inner.stage_finished(stage);
    }

    fn is_cancelled(&self) -> bool {
        self.inner.is_cancelled()
    }

    fn is_stopped(&self) -> bool {
        self.inner.is_stopped()
    }

    fn matched(&self, telling_share: f64) {
        self.inner.matched(telling_share);
    }

    fn wants_board(&self) -> bool {
        self.inner.wants_board()
    }

    fn board_so_far(&self, board: &Assembly) {
        self.inner.board_so_far(board);
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        Some(self)
    }
}

impl Checkpoints for Checkpointing<'_> {
    fn is_due(&self) -> bool {
        self.kept().saved_at.elapsed() >= self.saving.interval
    }

    fn save(&self, stage: Stage, state: Vec<u8>) {
        let mut kept = self.kept();
        kept.states.retain(|(other, _)| *other != stage);
        kept.states.push((stage, state));
        let Saving { path, fingerprint, .. } = &self.saving;
        let start = Instant::now();
        match write_checkpoint(path, *fingerprint, &kept.states) {
            Ok(()) => self.verbosity.detail(format!(
                "{}: saved during {} in {:.3} s",
                path.display(),
                stage.name(),
                start.elapsed().as_secs_f64()
            )),
            Err(error) if !kept.has_warned => {
                self.verbosity.warn(format!("the checkpoint is not up to date: {error}"));
                kept.has_warned = true;
            }
            Err(_) => {}
        }
        // The interval begins after writing, so that a short interval leaves time to solve.
        kept.saved_at = Instant::now();
    }

    fn load(&self, stage: Stage) -> Option<Vec<u8>> {
        let kept = self.kept();
        kept.states.iter().find(|(other, _)| *other == stage).map(|(_, state)| state.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::observer::Silent;
    use fretsaw::puzzle::PuzzleType;
    use fretsaw::{Puzzle, Settings};
    use fretsaw_io::{Limits, read_checkpoint};

    #[test]
    fn the_last_state_of_every_stage_is_saved() {
        let (pieces, grid, _) = fretsaw::picture::synthetic::puzzle(2, 3, 4, PuzzleType::Type1, 1);
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type1).board(grid);
        let fingerprint = Fingerprint::new(&puzzle, &Settings::default());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("saved");
        let verbosity = Verbosity { quiet: true, verbose: false };
        let saving = |interval| Saving { path: path.clone(), interval, fingerprint };
        let before = vec![(Stage::Measure, vec![1])];
        let often = Checkpointing::new(&Silent, saving(Duration::ZERO), before, verbosity);
        assert!(often.checkpoints().is_some() && often.is_due());
        often.save(Stage::Search, vec![2]);
        often.save(Stage::Search, vec![3, 4]);
        assert_eq!(often.load(Stage::Measure), Some(vec![1]));
        assert_eq!(often.load(Stage::Match), None);
        let expected = vec![(Stage::Measure, vec![1]), (Stage::Search, vec![3, 4])];
        assert_eq!(read_checkpoint(&path, fingerprint, &Limits::default()).unwrap(), expected);
        let seldom = Checkpointing::new(&Silent, saving(Duration::MAX), Vec::new(), verbosity);
        assert!(!seldom.is_due());

        // The solve goes on if saving fails.
        dir.close().unwrap();
        often.save(Stage::Search, vec![5]);
        often.save(Stage::Search, vec![6]);
        assert_eq!(often.load(Stage::Search), Some(vec![6]));
    }
}

//! What the worker offers to the solver: a clock, networks, and eyes that watch it.

use fretsaw::observer::{Observer, Stage};
use fretsaw::puzzle::Assembly;
use fretsaw::unstable::networks::{NetworkFile, bring_networks};
use fretsaw_io::{StageClock, Timing};
use std::sync::atomic::{AtomicBool, Ordering};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./host.js")]
extern "C" {
    /// Seconds since any fixed moment.
    fn seconds() -> f64;
    /// The content of a file of networks. Waits until it is loaded.
    fn network(name: &str) -> Vec<u8>;
    #[wasm_bindgen(js_name = stageStarted)]
    fn stage_started(stage: &str, total: f64);
    #[wasm_bindgen(js_name = stageAdvanced)]
    fn stage_advanced(units: f64);
    #[wasm_bindgen(js_name = wantsBoard)]
    fn wants_board() -> bool;
    #[wasm_bindgen(js_name = boardSoFar)]
    fn board_so_far(board: &[i32]);
    #[wasm_bindgen(js_name = isStopped)]
    fn is_stopped() -> bool;
}

/// Networks are loaded when they are needed. To be called before anything is solved.
pub(crate) fn load_networks_when_needed() {
    bring_networks(|file: NetworkFile| network(file.name()));
}

/// An observer that tells the worker of progress and stops when the worker says so.
pub(crate) struct Watcher {
    clock: StageClock,
    /// Whether to stop as soon as the pieces are matched, in order to rate a board that is there already.
    stops_when_matched: bool,
    is_matched: AtomicBool,
}

impl Watcher {
    pub(crate) fn new(stops_when_matched: bool) -> Self {
        let clock = StageClock::new(seconds);
        Self { clock, stops_when_matched, is_matched: AtomicBool::new(false) }
    }

    /// How long each stage took.
    pub(crate) fn timings(&self) -> Vec<Timing> {
        self.clock.timings()
    }
}

impl Observer for Watcher {
    fn stage_started(&self, stage: Stage, total: u64) {
        self.clock.stage_started(stage, total);
        stage_started(stage.name(), total as f64);
    }

    fn stage_advanced(&self, _: Stage, units: u64) {
        stage_advanced(units as f64);
    }

    fn stage_finished(&self, stage: Stage) {
        self.clock.stage_finished(stage);
        if stage == Stage::Match {
            self.is_matched.store(true, Ordering::Relaxed);
        }
    }

    fn is_stopped(&self) -> bool {
        if self.stops_when_matched { self.is_matched.load(Ordering::Relaxed) } else { is_stopped() }
    }

    fn wants_board(&self) -> bool {
        wants_board()
    }

    fn board_so_far(&self, board: &Assembly) {
        board_so_far(&crate::boards::encoded(board));
    }
}

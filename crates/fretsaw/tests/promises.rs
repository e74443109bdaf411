//! Promises to users, one file each. They are one program, because linking many takes longer than running them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use fretsaw::settings::{Matcher, Measure};
use fretsaw::{Method, Settings};

mod a_solve_can_stop_early;
mod answers_do_not_depend_on_threads;
mod boards_are_found;
mod cancellation;
mod gauge_invariance;
mod hopeless_and_mirrored_pieces_are_told;
mod identical_pieces_cost_nothing;
mod layouts_are_optimal;
mod location_solvers;
mod matchers;
mod nearest_sides_are_exact;
mod pictures_are_scrambled_alike;
mod pictures_do_not_depend_on_the_order;
mod pictures_stand_upright;
mod piece_sizes_of_sheets_are_found;
mod quality_gate;
mod scores_equal_the_reference;
mod solutions_by_ratio_do_not_change;
mod solutions_have_confidences;
mod the_learned_matcher_is_frozen;
mod turns_are_found;
mod type_three;
mod type_three_puzzles;

/// Settings of a method with the matcher 'ratio'.
fn by_ratio(method: Method, measure: Measure) -> Settings {
    let (measure, matcher) = (Some(measure), Some(Matcher::Ratio));
    Settings { method, measure, matcher, ..Settings::default() }
}

//! Promises to users, one file each. They are one program, because linking many takes longer than running them.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod answers_are_looked_into;
mod benches_go_on_where_they_stopped;
mod benches_tell_efforts_and_halves_apart;
#[path = "../../fretsaw-cli/tests/common/mod.rs"]
mod common;
mod features_are_exported;
mod figures_are_current;
mod graphs_are_laid_open;
mod help_is_at_hand;
mod matchers_are_measured;
mod results_are_compared;
mod results_are_reported;
mod scaling_is_measured;
mod the_papers_experiments_are_repeated;
mod worn_pieces_are_measured;

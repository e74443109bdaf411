//! Measurements of fretsaw: how accurate it is on sets of pictures, how well its parts do, and how long its
//! stages take. The program `fretsaw-lab` is a thin layer over this library.

pub mod compare;
pub mod diagnose;
pub mod feature_export;
pub mod figures;
pub mod graph_report;
pub mod groups;
pub mod images;
pub mod memory;
pub mod method_name;
pub mod paper;
pub mod picture_changes;
mod pools;
pub mod provenance;
pub mod puzzles;
pub mod report;
pub mod results;
pub mod run_queue;
pub mod scaling;
pub mod set_run;
pub mod stage;
pub mod summary;
#[cfg(test)]
mod test_records;
pub mod training_puzzle;

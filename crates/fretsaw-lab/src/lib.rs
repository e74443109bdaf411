//! Benchmarks: how long fretsaw's stages take, and how well its methods do on sets of pictures.

pub mod boards_run;
pub mod compare;
pub mod confidence_run;
pub mod energy_run;
pub mod feature_export;
pub mod graph_report;
pub mod groups;
pub mod images;
pub mod judge_run;
pub mod judge_score;
pub mod memory;
pub mod method_name;
pub mod paper;
pub mod picture_changes;
mod pools;
pub mod provenance;
pub mod reference_run;
pub mod report;
pub mod results;
pub mod rotation_run;
pub mod run_queue;
pub mod scaling;
pub mod set_puzzle;
pub mod set_run;
pub mod sheet_run;
pub mod stage_judge;
pub mod stage_layout;
pub mod stage_measure;
pub mod stage_rotations;
pub mod stage_search;
#[cfg(test)]
mod test_records;
pub mod training_puzzle;
pub mod turn_choice_run;

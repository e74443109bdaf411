//! Promises to users, one file each. They are one program, because linking many takes longer than running them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod a_reference_places_pieces;
mod a_solve_can_be_stopped;
mod a_solve_resumes_from_a_checkpoint;
mod bad_input_is_refused;
mod common;
mod constraints_are_respected;
mod eval_agrees_with_the_reference;
mod every_kind_of_input_is_read;
mod guides_work;
mod help_and_messages;
mod memory_is_estimated;
mod mirrored_pieces_and_frames;
mod nothing_is_lost;
mod pictures_stand_upright;
mod pieces_are_prepared;
mod scrambled_pictures_are_solved;
mod solutions_are_shown;
mod the_same_seed_gives_the_same_answer;
mod turns_are_found;

//! Promises to users, one file each. They are one program, because linking many takes longer than running them.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a test may panic, and any numbers will do for pixels"
)]

mod archives_lists_and_sheets_are_read;
mod bad_inputs_are_refused;
mod bad_pictures_are_refused;
mod common;
mod documents_are_checked;
mod inputs_are_read_in_every_form;
mod pictures_survive_the_round_trip;
mod sheets_saved_as_jpeg_are_solved;

//! Files for fretsaw: pictures, pieces, and the puzzle, truth and solution documents.
//!
//! The core library does not use files. This crate converts files to its types and back:
//!
//! * [`read_picture`], [`read_picture_size`] and [`write_picture`]: whole pictures, see
//!   [`PictureFormat`];
//! * [`read_inputs`], and [`read_input`] for a single path: a puzzle to solve, from a scramble folder, a
//!   folder or list of piece images, one sheet, or a zip archive of these. A truth file is never opened;
//! * [`inspect`]: describes such an input without reading its pieces;
//! * [`PuzzleInput::of_pictures`] and [`PuzzleInput::of_sheet`]: the same of pixels in memory;
//! * [`PuzzleInput::puzzle`]: the puzzle of an input and of what is [`Known`]; [`SolutionFile::of_input`]: the document
//!   of its solution;
//! * [`write_scramble`]: a scramble folder;
//! * [`read_truth`], [`write_truth`], [`read_solution`], [`write_solution`], [`read_puzzle`]: the
//!   JSON documents of `docs/formats.md`;
//! * [`read_checkpoint`], [`write_checkpoint`]: the saved states of a solve.
//!
//! The same without files, for bytes in memory: [`decode_picture`], [`encode_picture`], [`encode_solution`],
//! [`encode_scramble`], [`read_files`], [`inspect_files`], and `parse_` in place of `read_` for documents and checkpoints.
//!
//! Inputs are checked against [`Limits`] before memory is allocated for them. A written file appears
//! whole or not at all: it is written under a temporary name next to its target and renamed at the end.
//! Every [`IoError`] names the file, the problem and the remedy. Nothing is printed;
//! warnings are returned as [`Warning`]s.
//!
//! ```
//! use fretsaw::picture::Picture;
//! use fretsaw::puzzle::{PieceShape, Samples};
//! use fretsaw_io::{InputOptions, read_input, write_picture};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let sheet = folder.path().join("sheet.png");
//! let picture = Picture::new(4, 9, 1, Samples::U8((0..36).collect()))?;
//! write_picture(&sheet, &picture, None)?;
//!
//! let options = InputOptions { piece: Some(PieceShape::new(2, 4)?), ..Default::default() };
//! let input = read_input(&sheet, &options)?;
//! assert_eq!(input.pieces.num_pieces(), 4);
//! assert!(input.warnings[0].to_string().contains("1 px at the right"));
//! # Ok(())
//! # }
//! ```

mod archive;
mod atomic;
mod checkpoint_file;
mod clock;
mod decode;
mod doubts;
mod error;
mod faults;
mod file_id;
mod fnv;
mod input;
mod input_discovery;
mod input_file;
mod inspection;
mod inspection_report;
mod jpeg_markers;
mod json;
mod known;
mod limits;
mod loose_pieces;
mod natural_order;
mod picture_file;
mod picture_format;
mod pictures_in_memory;
mod pieces_fingerprint;
mod placements;
mod prepare;
mod printable;
mod puzzle_file;
mod scramble_folder;
mod sheet_input;
mod solution_check;
mod solution_file;
mod stop_reason;
mod truth_file;
mod warning;

pub use atomic::{
    check_file_target, check_output_folder, remove_temporary_files, write_bytes, write_folder,
    write_streamed, write_text,
};
pub use checkpoint_file::{
    CHECKPOINT_MAGIC, CHECKPOINT_VERSION, Fingerprint, StageStates, check_checkpoint_target,
    checkpoint_checksum, parse_checkpoint, read_checkpoint, write_checkpoint,
};
pub use clock::StageClock;
pub use doubts::{Doubt, OtherPiece};
pub use error::{IoError, Problem, ProblemKind};
pub use file_id::FileId;
pub use input::{
    InputOptions, PuzzleInput, read_archive, read_contact_sheet, read_files, read_input,
    read_inputs,
};
pub use input_discovery::{input_files, input_name};
pub use inspection::{Inspection, PieceKind, inspect, inspect_files};
pub use inspection_report::{CandidateRecord, InspectionReport, PreparationReport};
pub use jpeg_markers::JpegMarkers;
pub use known::Known;
pub use limits::Limits;
pub use picture_file::{
    ReadPicture, check_picture_target, decode_picture, encode_picture, read_picture,
    read_picture_size, write_picture,
};
pub use picture_format::PictureFormat;
pub use pieces_fingerprint::PiecesFingerprint;
pub use prepare::Prepare;
pub use printable::printable;
pub use puzzle_file::{Layout, PUZZLE_FORMAT, PuzzleFile, parse_puzzle, read_puzzle};
pub use scramble_folder::{Scramble, encode_scramble, write_scramble};
pub use solution_file::{
    SOLUTION_FORMAT, SolutionFile, SolutionInfo, Timing, Upright, encode_solution, parse_solution,
    read_solution, write_solution,
};
pub use stop_reason::{StopReason, StopWhen};
pub use truth_file::{
    TRUTH_FORMAT, TruthFile, TruthInfo, encode_truth, parse_truth, read_truth, write_truth,
};
pub use warning::{Skipped, Warning};

//! Puzzles of loose pieces whose pixels are already in memory.

use crate::loose_pieces::are_comparable;
use crate::prepare::{prepared, sizes_in_words, too_many_sizes};
use crate::{InputOptions, IoError, Problem, ProblemKind, PuzzleInput};
use fretsaw::picture::{PictureSize, drop_constant_alpha};
use fretsaw::preparation::RawPieces;
use fretsaw::puzzle::Samples;
use std::path::Path;

impl PuzzleInput {
    /// The input of pictures of pieces in memory, prepared as [`read_inputs`](crate::read_inputs) prepares the same
    /// pictures in a folder. `samples` holds their values, picture by picture, row by row.
    ///
    /// # Errors
    /// If there are fewer than two, their sizes differ too much or from the one given, or they are beyond the limits.
    pub fn of_pictures(
        sizes: Vec<PictureSize>,
        channels: usize,
        mut samples: Samples,
        options: &InputOptions,
    ) -> Result<Self, IoError> {
        let path = Path::new("");
        let failed = |problem: Problem| problem.at(path);
        if sizes.len() < 2 {
            let remedy = "give all pieces, or one picture of pieces side by side";
            return Err(failed(Problem::too_few_pieces(sizes.len() as u64, remedy)));
        }
        let most_pixels = sizes.iter().map(|size| (size.height_px * size.width_px) as u64).max();
        let check = options.limits.check_pieces(sizes.len() as u64, most_pixels.unwrap_or(0));
        check.map_err(failed)?;
        // Only messages name them, and only if sizes differ.
        let differ = sizes.iter().any(|size| *size != sizes[0]);
        let named = sizes.iter().enumerate().filter(|_| differ);
        let names: Vec<String> = named.map(|(number, _)| format!("piece {number}")).collect();
        let in_words = || {
            let name = |at: usize| names.get(at).map_or("piece 0", String::as_str);
            sizes.iter().enumerate().map(move |(at, &size)| (size, name(at)))
        };
        if !are_comparable(|| sizes.iter().copied()) {
            // None is skipped, as files are: the others would get new numbers.
            return Err(failed(too_many_sizes(
                in_words(),
                ProblemKind::BadContent,
                "remove the others",
            )));
        }
        if let Some(given) = options.piece {
            let is_given = |size: &PictureSize| {
                size.width_px as u64 == u64::from(given.width_px())
                    && size.height_px as u64 == u64::from(given.height_px())
            };
            if !sizes.iter().all(is_given) {
                return Err(failed(Problem::other_piece_size(
                    given,
                    &sizes_in_words(in_words()).1,
                )));
            }
        }
        let (channels, constant_alpha) = drop_constant_alpha(&mut samples, channels);
        let raw = RawPieces::new(sizes, channels, samples)
            .map_err(|cause| IoError::bad_value(path, cause, "use other pieces"))?;
        let found = prepared(path, raw, &names, &options.prepare, false)?;
        Ok(found.into_input(constant_alpha))
    }
}

//! Puzzles of arbitrary pieces: each is solved or refused, and every piece is placed at most once. The last bytes are
//! also tried as the saved states of a solve.

#![no_main]

use fretsaw::observer::{Checkpoints, Observer, Stage};
use fretsaw::puzzle::{PieceSet, PieceShape, Samples};
use fretsaw::{Effort, Method, Puzzle, Settings, solve};
use libfuzzer_sys::fuzz_target;

/// Gives the same bytes as the saved state of every stage.
struct Saved<'a>(&'a [u8]);

impl Observer for Saved<'_> {
    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        Some(self)
    }
}

impl Checkpoints for Saved<'_> {
    fn is_due(&self) -> bool {
        false
    }

    fn save(&self, _stage: Stage, _state: Vec<u8>) {}

    fn load(&self, _stage: Stage) -> Option<Vec<u8>> {
        (!self.0.is_empty()).then(|| self.0.to_vec())
    }
}

fuzz_target!(|data: &[u8]| {
    let [height, width, channels, num_pieces, state, rest @ ..] = data else { return };
    let Ok(shape) = PieceShape::new(1 + u32::from(height % 6), 1 + u32::from(width % 6)) else { return };
    let channels = 1 + usize::from(channels % 4);
    let num_pieces = 1 + usize::from(num_pieces % 12);
    let (state, pixels) = rest.split_at(rest.len().min(usize::from(*state)));
    let length = num_pieces * shape.num_pixels() * channels;
    let samples = pixels.iter().copied().cycle().take(length).collect::<Vec<u8>>();
    if samples.len() < length {
        return;
    }
    let Ok(pieces) = PieceSet::new(shape, channels, Samples::U8(samples)) else { return };
    let settings = Settings { method: Method::Fretsaw(Effort::Fast), ..Settings::default() };
    if let Ok(solution) = solve(&Puzzle::new(pieces), &settings, &Saved(state)) {
        assert!(solution.assembly.num_placed() <= num_pieces);
        assert_eq!(solution.confidences.len(), num_pieces);
    }
});

//! Checkpoint files: the saved states of a solve, to continue it later.
//!
//! `docs/formats.md` describes the layout. A fingerprint names the puzzle and settings, and a checksum
//! is verified before anything else in the file is used.

use crate::atomic::{check_file_target, write_file};
use crate::fnv::Fnv;
use crate::limits::read_bytes;
use crate::{IoError, Limits, Problem, ProblemKind};
use fretsaw::observer::Stage;
use fretsaw::{Puzzle, Settings};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

/// The first bytes of a checkpoint file.
pub const CHECKPOINT_MAGIC: [u8; 8] = *b"fretsawC";

/// The version of the layout that is written and read.
pub const CHECKPOINT_VERSION: u32 = 5;

/// A hash of the puzzle, the settings and the version of the program that a checkpoint was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The hash of everything that the answer depends on: the pieces' pixels, shape and order, the type,
    /// the size of the board, other hints, all settings, and the version of the program.
    pub fn new(puzzle: &Puzzle, settings: &Settings) -> Self {
        let Puzzle {
            pieces,
            positions_known,
            turns,
            boards,
            sheet,
            constraints,
            start,
            reference,
            colours_bleed,
            gap_px,
            scrambled_alike,
        } = puzzle;
        let shape = pieces.shape();
        let mut hash = Fnv::default();
        // Each value has its name and ends with a line break, so that different puzzles give different texts.
        let words = format!(
            "{}\n{} x {} px, {} channels, {} pieces\n{positions_known} {turns:?} {boards:?} {sheet:?}\n\
             {constraints:?}\n{start:?}\n{colours_bleed} {gap_px:?}\n{settings:?}\n",
            env!("CARGO_PKG_VERSION"),
            shape.width_px(),
            shape.height_px(),
            pieces.channels(),
            pieces.num_pieces(),
        );
        hash.add(words.as_bytes());
        hash.add_samples(pieces.samples());
        scrambled_alike.iter().for_each(|pieces| hash.add_samples(pieces.samples()));
        if let Some(reference) = reference {
            hash.add(format!("{:?}\n", reference.size()).as_bytes());
            hash.add_samples(reference.samples());
        }
        Self(hash.0)
    }

    /// The fingerprint as a checkpoint stores it.
    pub const fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }
}

/// The saved states of stages, each at most once, as an [`Observer`](fretsaw::observer::Observer)
/// received them.
pub type StageStates = Vec<(Stage, Vec<u8>)>;

/// Writes a checkpoint. The file appears whole or not at all; an existing file is replaced.
pub fn write_checkpoint(
    path: &Path,
    fingerprint: Fingerprint,
    states: &[(Stage, Vec<u8>)],
) -> Result<(), IoError> {
    write_file(path, |file| {
        let mut hash = Fnv::default();
        let mut put = |bytes: &[u8]| {
            hash.add(bytes);
            file.write_all(bytes)
        };
        put(&CHECKPOINT_MAGIC)?;
        put(&CHECKPOINT_VERSION.to_le_bytes())?;
        put(&fingerprint.to_bytes())?;
        for (stage, state) in states {
            put(&padded_name(*stage))?;
            put(&(state.len() as u64).to_le_bytes())?;
            put(state)?;
        }
        file.write_all(&hash.0.to_le_bytes())?;
        Ok(())
    })
}

/// Bytes of a stage's name, with zeros at the end.
const NAME_LENGTH: usize = 16;

fn padded_name(stage: Stage) -> [u8; NAME_LENGTH] {
    let mut padded = [0; NAME_LENGTH];
    padded.iter_mut().zip(stage.name().bytes()).for_each(|(to, from)| *to = from);
    padded
}

/// Reads a checkpoint, which must have this fingerprint.
///
/// # Errors
/// If it does not exist, is damaged, or was made by another version, for another puzzle or with other
/// settings.
pub fn read_checkpoint(
    path: &Path,
    fingerprint: Fingerprint,
    limits: &Limits,
) -> Result<StageStates, IoError> {
    parse_checkpoint(path, &read_bytes(path, limits.max_checkpoint_bytes)?, fingerprint)
}

/// Reads a checkpoint from memory. The path is for messages.
pub fn parse_checkpoint(
    path: &Path,
    bytes: &[u8],
    fingerprint: Fingerprint,
) -> Result<StageStates, IoError> {
    let refused = |what: &str| {
        let message = format!("{what}; name another checkpoint, or start from the beginning");
        Problem::new(ProblemKind::BadCheckpoint, message).at(path)
    };
    let damaged = || refused("the checkpoint is damaged or cut short");
    let Some(rest) = bytes.strip_prefix(&CHECKPOINT_MAGIC) else {
        return Err(refused("is not a checkpoint of fretsaw"));
    };
    let (version, _) = rest.split_first_chunk().ok_or_else(damaged)?;
    let version = u32::from_le_bytes(*version);
    if version != CHECKPOINT_VERSION {
        return Err(refused(&format!(
            "is a checkpoint of version {version}, but this fretsaw reads version \
             {CHECKPOINT_VERSION}"
        )));
    }
    let (content, checksum) = bytes.split_last_chunk().ok_or_else(damaged)?;
    if checkpoint_checksum(content) != *checksum {
        return Err(damaged());
    }
    // The checksum is right, but every length is still checked.
    let rest = content.get(CHECKPOINT_MAGIC.len() + size_of::<u32>()..).ok_or_else(damaged)?;
    let (found, mut rest) = rest.split_first_chunk().ok_or_else(damaged)?;
    if *found != fingerprint.to_bytes() {
        return Err(refused(
            "was made for another puzzle, with other settings, or by another version of fretsaw",
        ));
    }
    let mut states = StageStates::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_first_chunk::<NAME_LENGTH>().ok_or_else(damaged)?;
        let (length, after) = after.split_first_chunk().ok_or_else(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| damaged())?;
        let (state, after) = after.split_at_checked(length).ok_or_else(damaged)?;
        let is_named = |stage: &Stage| padded_name(*stage) == *name;
        let stage = Stage::ALL.into_iter().find(is_named).ok_or_else(damaged)?;
        states.push((stage, state.to_vec()));
        rest = after;
    }
    Ok(states)
}

/// The checksum that ends a checkpoint, computed from all bytes before it.
pub fn checkpoint_checksum(content: &[u8]) -> [u8; 8] {
    let mut hash = Fnv::default();
    hash.add(content);
    hash.0.to_le_bytes()
}

/// Checks before a long computation whether a checkpoint can be written at this path. It may replace
/// another checkpoint, but no other file.
///
/// # Errors
/// If there is another file, or the path cannot be written.
pub fn check_checkpoint_target(path: &Path) -> Result<(), IoError> {
    check_file_target(path)?;
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    if !found.is_file() {
        return Err(Problem::wrong_kind("a pipe or device", "a file").at(path));
    }
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(CHECKPOINT_MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(|cause| IoError::read(path, cause))?;
    if start == CHECKPOINT_MAGIC {
        return Ok(());
    }
    let what = "exists and is not a checkpoint of fretsaw; name another file, or remove it";
    Err(Problem::usage(what).at(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::picture::synthetic;
    use fretsaw::puzzle::{PieceSet, PuzzleType};
    use fretsaw::{Grid, KnownBoards};

    fn states() -> StageStates {
        vec![
            (Stage::Measure, (0..200).collect()),
            (Stage::Match, Vec::new()),
            (Stage::Search, vec![7; 3]),
        ]
    }

    #[test]
    fn states_survive_the_round_trip_and_damage_is_detected() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("saved");
        let limits = Limits::default();
        write_checkpoint(&path, Fingerprint(5), &states()).unwrap();
        assert_eq!(read_checkpoint(&path, Fingerprint(5), &limits).unwrap(), states());
        let other = read_checkpoint(&path, Fingerprint(6), &limits).unwrap_err();
        assert!(other.to_string().contains("another puzzle") && !other.is_usage(), "{other}");
        check_checkpoint_target(&path).unwrap();

        let whole = fs::read(&path).unwrap();
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let error = read_checkpoint(&path, Fingerprint(5), &limits).unwrap_err();
            assert!(!error.is_usage());
            error.to_string()
        };
        for at in 0..whole.len() {
            let cut = read(&whole[..at]);
            assert!(
                cut.contains(if at < 8 { "not a checkpoint" } else { "damaged" }),
                "{at}: {cut}"
            );
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            let found = read(&changed);
            let word = match at {
                0..8 => "not a checkpoint",
                8..12 => "version",
                _ => "damaged",
            };
            assert!(found.contains(word) && found.contains("saved"), "{at}: {found}");
        }
        read(&[&whole[..], &[0]].concat());
    }

    #[test]
    fn wrong_lengths_are_refused_even_with_a_right_checksum() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("saved");
        write_checkpoint(&path, Fingerprint(5), &states()).unwrap();
        let whole = fs::read(&path).unwrap();
        for at in 20..44 {
            let mut content = whole[..whole.len() - 8].to_vec();
            content[at] ^= 0xff;
            let mut hash = Fnv::default();
            hash.add(&content);
            fs::write(&path, [&content[..], &hash.0.to_le_bytes()].concat()).unwrap();
            let found = read_checkpoint(&path, Fingerprint(5), &Limits::default());
            assert!(found.unwrap_err().to_string().contains("damaged"), "{at}");
        }
    }

    #[test]
    fn the_documented_version_is_the_one_written() {
        let formats = include_str!("../../../docs/formats.md");
        let row = format!("| 4 | the version of this layout, {CHECKPOINT_VERSION} |");
        assert!(formats.contains(&row), "docs/formats.md must have the row {row:?}");
    }

    #[test]
    fn only_checkpoints_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("saved");
        check_checkpoint_target(&path).unwrap();
        for other in ["", "fretsaw", "a letter of mine"] {
            fs::write(&path, other).unwrap();
            let error = check_checkpoint_target(&path).unwrap_err();
            assert!(error.is_usage() && error.to_string().contains("saved"), "{error}");
        }
        assert!(check_checkpoint_target(dir.path()).unwrap_err().is_usage());
        let missing = read_checkpoint(&dir.path().join("none"), Fingerprint(1), &Limits::default());
        assert!(missing.unwrap_err().is_usage());
        let limits = Limits { max_checkpoint_bytes: 3, ..Limits::default() };
        let large = read_checkpoint(&path, Fingerprint(1), &limits).unwrap_err();
        assert_eq!(large.problem.kind, ProblemKind::TooLarge);
    }

    #[test]
    fn a_fingerprint_depends_on_puzzle_and_settings() {
        let (pieces, grid, _) = synthetic::puzzle(3, 4, 6, PuzzleType::Type2, 1);
        let (others, ..) = synthetic::puzzle(3, 4, 6, PuzzleType::Type2, 2);
        let of = |pieces: &PieceSet, puzzle_type, grid: Option<Grid>, settings: &Settings| {
            let boards = grid.map(KnownBoards::one).unwrap_or_default();
            let puzzle = Puzzle::new(pieces.clone()).of_type(puzzle_type).boards(boards);
            Fingerprint::new(&puzzle, settings)
        };
        let usual = Settings::default();
        let first = of(&pieces, PuzzleType::Type2, Some(grid), &usual);
        assert_eq!(first, of(&pieces, PuzzleType::Type2, Some(grid), &usual));
        let seed = Settings { seed: 1, ..usual.clone() };
        let changed = [
            of(&others, PuzzleType::Type2, Some(grid), &usual),
            of(&pieces, PuzzleType::Type1, Some(grid), &usual),
            of(&pieces, PuzzleType::Type2, None, &usual),
            of(&pieces, PuzzleType::Type2, Some(grid), &seed),
        ];
        assert!(changed.iter().all(|other| *other != first));
    }
}

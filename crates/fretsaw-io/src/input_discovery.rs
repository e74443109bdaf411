//! Finds out what kind of puzzle an input is, before any picture is opened.
//!
//! This module never opens a truth file, and does not know its name.

use crate::archive::{Archive, is_archive, is_archive_file};
use crate::input_file::{InputFile, is_hidden};
use crate::puzzle_file::parse_puzzle;
use crate::scramble_folder::{PIECES_NAME, PUZZLE_NAME, SHEET_NAME};
use crate::{IoError, Layout, Limits, Problem, PuzzleFile, Warning, natural_order, read_puzzle};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A folder in archives made by macOS that holds no content.
const MAC_FOLDER: &str = "__MACOSX";

/// Why files and folders are skipped.
const IS_A_FOLDER: &str = "is a folder";
pub(crate) const NOT_A_PICTURE: &str = "is not a picture";

pub(crate) enum Found {
    /// Loose pieces.
    Pieces(Listing),
    /// Pieces side by side in one picture.
    Sheet(InputFile, Vec<Warning>),
    /// Pieces that a puzzle file describes.
    DeclaredPieces(Declared, Listing),
    /// Pieces side by side that a puzzle file describes, and the number in a row.
    DeclaredSheet(Declared, InputFile, u32),
}

/// A puzzle file and where it was found.
pub(crate) struct Declared {
    pub(crate) path: PathBuf,
    pub(crate) puzzle: PuzzleFile,
}

/// Files that may be pieces, in their natural order.
pub(crate) struct Listing {
    /// The folder, archive or list, for messages.
    pub(crate) path: PathBuf,
    pub(crate) files: Vec<InputFile>,
    /// About files and folders that are not listed.
    pub(crate) warnings: Vec<Warning>,
}

/// The name of an input for messages: the path, or the first of several and how many more.
pub fn input_name<P: AsRef<Path>>(paths: &[P]) -> PathBuf {
    match paths {
        [] => PathBuf::from("no input"),
        [path] => path.as_ref().into(),
        [first, rest @ ..] => {
            format!("{} and {} more", first.as_ref().display(), rest.len()).into()
        }
    }
}

/// The files on disk that an input consists of: the paths named, a puzzle file, and the files of a folder that may be
/// pieces. No file of them may be overwritten by what is made of them.
///
/// # Errors
/// As [`read_inputs`](crate::read_inputs), as far as no picture is opened.
pub fn input_files<P: AsRef<Path>>(paths: &[P], limits: &Limits) -> Result<Vec<PathBuf>, IoError> {
    let (declared, files) = match find(paths, limits)? {
        Found::Pieces(listing) => (None, listing.files),
        Found::Sheet(file, _) => (None, vec![file]),
        Found::DeclaredPieces(declared, listing) => (Some(declared), listing.files),
        Found::DeclaredSheet(declared, file, _) => (Some(declared), vec![file]),
    };
    let named = paths.iter().map(|path| path.as_ref().to_path_buf());
    let declared = declared.map(|declared| declared.path);
    // Names in an archive are paths that do not exist.
    Ok(named.chain(declared).chain(files.into_iter().map(|file| file.path)).collect())
}

/// Finds out what kind of input the paths are.
pub(crate) fn find<P: AsRef<Path>>(paths: &[P], limits: &Limits) -> Result<Found, IoError> {
    match paths {
        [path] => find_one(path.as_ref(), limits),
        _ => list_files(paths, limits).map(Found::Pieces),
    }
}

fn find_one(path: &Path, limits: &Limits) -> Result<Found, IoError> {
    let found = fs::metadata(path).map_err(|cause| IoError::read(path, cause))?;
    if found.is_dir() {
        return if path.join(PUZZLE_NAME).exists() {
            find_scramble(path, limits)
        } else {
            list_folder(path, limits).map(Found::Pieces)
        };
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let name = path.file_name().and_then(OsStr::to_str);
    let is_in_scramble_folder = match name {
        Some(PUZZLE_NAME) => true,
        Some(SHEET_NAME) => folder.join(PUZZLE_NAME).exists(),
        _ => false,
    };
    if is_in_scramble_folder {
        return find_scramble(folder, limits);
    }
    // Opening a pipe could block forever.
    if found.is_file() && is_archive_file(path) {
        return find_in_archive(&Rc::new(Archive::open(path, limits)?), limits);
    }
    let name = name.unwrap_or_default().to_string();
    Ok(Found::Sheet(InputFile::on_disk(name, path.into()), Vec::new()))
}

fn find_scramble(dir: &Path, limits: &Limits) -> Result<Found, IoError> {
    let path = dir.join(PUZZLE_NAME);
    let puzzle = read_puzzle(&path, limits)?;
    Ok(match puzzle.layout {
        Layout::Folder => Found::DeclaredPieces(
            Declared { path, puzzle },
            list_folder(&dir.join(PIECES_NAME), limits)?,
        ),
        Layout::Sheet(columns) => {
            let sheet = InputFile::on_disk(SHEET_NAME.into(), dir.join(SHEET_NAME));
            Found::DeclaredSheet(Declared { path, puzzle }, sheet, columns)
        }
    })
}

/// The files of a folder, without hidden files and JSON documents.
fn list_folder(dir: &Path, limits: &Limits) -> Result<Listing, IoError> {
    let refused = |cause| IoError::read(dir, cause);
    let max_files = limits.max_files();
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = InputFile::on_disk(name, path);
        if !file.is_ignored() {
            entries.push(file);
        }
        if entries.len() > max_files {
            return Err(Problem::too_many_files(max_files).at(dir));
        }
    }
    Ok(sorted(dir.into(), entries, Vec::new()))
}

/// Several paths, each of them a piece.
fn list_files<P: AsRef<Path>>(paths: &[P], limits: &Limits) -> Result<Listing, IoError> {
    let name = input_name(paths);
    let max_files = limits.max_files();
    if paths.len() > max_files {
        return Err(Problem::too_many_files(max_files).at(name));
    }
    let mut entries = Vec::new();
    let mut warnings = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths.iter().map(AsRef::as_ref) {
        let found = fs::metadata(path).map_err(|cause| IoError::read(path, cause))?;
        let refused = |cause| IoError::read(path, cause);
        if !seen.insert(path.canonicalize().map_err(refused)?) {
            warnings.push(Warning::skipped(path, "is named more than once"));
            continue;
        }
        let alone = |kind| {
            Err(Problem::usage(format!(
                "is {kind}, which is a puzzle of its own; read it alone, or name one picture per \
                 piece"
            ))
            .at(path))
        };
        if found.is_dir() {
            return alone("a folder");
        }
        if found.is_file() && is_archive_file(path) {
            return alone("a zip archive");
        }
        // Named by the whole path, so that files of different folders stay apart when sorted.
        let file = InputFile::on_disk(path.display().to_string(), path.into());
        let own_name = path.file_name().map(|name| name.to_string_lossy());
        if own_name.is_some_and(|name| name == PUZZLE_NAME) {
            return alone("a puzzle file");
        }
        entries.push(file);
    }
    Ok(sorted(name, entries, warnings))
}

/// In natural order, without folders.
fn sorted(path: PathBuf, mut entries: Vec<InputFile>, mut warnings: Vec<Warning>) -> Listing {
    entries.sort_by(|a, b| natural_order::compare(&a.name, &b.name));
    entries.retain(|file| {
        let is_folder = fs::metadata(&file.path).is_ok_and(|found| found.is_dir());
        if is_folder {
            warnings.push(Warning::skipped(&file.path, IS_A_FOLDER));
        }
        !is_folder
    });
    Listing { path, files: entries, warnings }
}

/// Finds out what kind of puzzle files in memory are: one zip archive, one sheet, or the same as in an
/// archive.
pub(crate) fn find_in_memory(
    files: Vec<(String, Vec<u8>)>,
    limits: &Limits,
) -> Result<Found, IoError> {
    let archive = match <[_; 1]>::try_from(files) {
        Ok([(name, bytes)]) if is_archive(&bytes) => {
            Archive::read(Path::new(&name), Box::new(Cursor::new(bytes)), limits)?
        }
        Ok([file]) if file.0 != PUZZLE_NAME => {
            let name = file.0.clone();
            let archive = Rc::new(Archive::in_memory(vec![file], limits)?);
            return Ok(Found::Sheet(InputFile::in_archive(name, &archive, 0), Vec::new()));
        }
        Ok(file) => Archive::in_memory(file.into(), limits)?,
        Err(files) => Archive::in_memory(files, limits)?,
    };
    find_in_archive(&Rc::new(archive), limits)
}

/// Finds a scramble folder, a folder of pieces or a single sheet in an archive, with or without folders
/// around it.
pub(crate) fn find_in_archive(archive: &Rc<Archive>, limits: &Limits) -> Result<Found, IoError> {
    let mut folder = String::new();
    loop {
        let level = Level::new(archive, &folder);
        let puzzle = level.files.iter().find(|&&(number, _)| {
            archive.entries()[number].name.strip_prefix(&folder) == Some(PUZZLE_NAME)
        });
        if let Some(&(number, ref file)) = puzzle {
            let puzzle = parse_puzzle(&file.path, &archive.take_bytes(number)?, limits)?;
            let declared = Declared { path: file.path.clone(), puzzle };
            return find_scramble_in_archive(archive, &folder, declared);
        }
        let files = level.pieces();
        if let (true, [only]) = (files.is_empty(), &level.folders[..]) {
            folder += only;
            folder.push('/');
            continue;
        }
        let mut warnings = level.warnings(archive, &folder);
        let mut pictures = files.iter().filter(|file| file.has_picture_ending());
        if let (Some(sheet), None) = (pictures.next(), pictures.next()) {
            let others = files.iter().filter(|file| file.path != sheet.path);
            warnings.extend(others.map(|file| Warning::skipped(&file.path, NOT_A_PICTURE)));
            return Ok(Found::Sheet(sheet.clone(), warnings));
        }
        let path = archive.path().into();
        return Ok(Found::Pieces(Listing { path, files, warnings }));
    }
}

fn find_scramble_in_archive(
    archive: &Rc<Archive>,
    folder: &str,
    declared: Declared,
) -> Result<Found, IoError> {
    Ok(match declared.puzzle.layout {
        Layout::Folder => {
            let folder = format!("{folder}{PIECES_NAME}/");
            let level = Level::new(archive, &folder);
            let warnings = level.warnings(archive, &folder);
            let (path, files) = (archive.path().join(&folder), level.pieces());
            Found::DeclaredPieces(declared, Listing { path, files, warnings })
        }
        Layout::Sheet(columns) => {
            let level = Level::new(archive, folder);
            let sheet = level.files.into_iter().find(|(_, file)| file.name == SHEET_NAME);
            let Some((_, sheet)) = sheet else {
                let path = archive.path().join(format!("{folder}{SHEET_NAME}"));
                return Err(Problem::no_such_input().at(path));
            };
            Found::DeclaredSheet(declared, sheet, columns)
        }
    })
}

/// The files and folders that lie directly in a folder of an archive.
struct Level {
    /// Files with their numbers in the archive, in natural order.
    files: Vec<(usize, InputFile)>,
    folders: Vec<String>,
    links: Vec<usize>,
}

impl Level {
    /// `folder` ends in a slash, or is empty for the archive itself.
    fn new(archive: &Rc<Archive>, folder: &str) -> Self {
        let mut level = Self { files: Vec::new(), folders: Vec::new(), links: Vec::new() };
        let mut folders = BTreeSet::new();
        for (number, entry) in archive.entries().iter().enumerate() {
            let Some(rest) = entry.name.strip_prefix(folder) else { continue };
            match rest.split_once('/') {
                Some((name, _)) if is_hidden(name) || name == MAC_FOLDER => {}
                Some((name, _)) => {
                    folders.insert(name.to_string());
                }
                None if entry.is_link => level.links.push(number),
                None => {
                    level.files.push((number, InputFile::in_archive(rest.into(), archive, number)));
                }
            }
        }
        level.files.sort_by(|(_, a), (_, b)| natural_order::compare(&a.name, &b.name));
        level.folders.extend(folders);
        level
    }

    fn pieces(&self) -> Vec<InputFile> {
        let files = self.files.iter().map(|(_, file)| file);
        files.filter(|file| !file.is_ignored()).cloned().collect()
    }

    /// Warnings about the folders and links, which are skipped.
    fn warnings(&self, archive: &Archive, folder: &str) -> Vec<Warning> {
        let below = |name: &str| archive.path().join(format!("{folder}{name}"));
        let folders = self.folders.iter().map(|name| Warning::skipped(below(name), IS_A_FOLDER));
        let links = self.links.iter().map(|&number| {
            let path = archive.path().join(&archive.entries()[number].name);
            Warning::skipped(path, "is a link")
        });
        let hidden = (archive.num_hidden > 0).then(|| {
            let what = format!(
                "holds {} files that a later file of the same name hides; the last of each name was taken",
                archive.num_hidden
            );
            Warning::used(archive.path(), what)
        });
        folders.chain(links).chain(hidden).collect()
    }
}

//! Folders, lists of files, archives and sheets give the same pieces, and bad ones are refused.

use crate::common::{
    SHEET, assert_tells, assert_usage, assert_warnings, names_in, picture, pieces, png_claiming,
    read, shape, with_piece, write, write_puzzle,
};
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{Picture, ScrambleSettings, Scrambled, cut, scramble, sheet};
use fretsaw::puzzle::{Grid, PieceSet, PuzzleType, Samples};
use fretsaw_io::{
    InputOptions, Layout, Limits, ProblemKind, Scramble, TruthFile, TruthInfo, encode_scramble,
    inspect, inspect_files, read_archive, read_files, read_input, read_inputs, write_picture,
};
use std::cell::Cell;
use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

/// A zip archive of these names and contents.
fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (place, (name, content)) in entries.iter().enumerate() {
        let methods = [CompressionMethod::Stored, CompressionMethod::Deflated];
        let options = SimpleFileOptions::default().compression_method(methods[place % 2]);
        archive.start_file(*name, options).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The files below a folder by their names from there.
fn files_below(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for name in names_in(dir) {
        let path = dir.join(&name);
        if path.is_dir() {
            let below = files_below(&path).into_iter();
            files.extend(below.map(|(inner, content)| (format!("{name}/{inner}"), content)));
        } else {
            files.push((name, fs::read(path).unwrap()));
        }
    }
    files
}

fn zip_folder(dir: &Path, prefix: &str) -> Vec<u8> {
    let files = files_below(dir);
    let names: Vec<String> = files.iter().map(|(name, _)| format!("{prefix}{name}")).collect();
    let entries: Vec<(&str, &[u8])> = names
        .iter()
        .zip(&files)
        .map(|(name, (_, content))| (name.as_str(), &content[..]))
        .collect();
    zip_of(&entries)
}

/// Pieces written as loose pictures; 10 of them, so that 10 comes after 9.
fn loose(dir: &Path) -> PieceSet {
    let pieces = pieces(11, shape(4, 5), 3, 8);
    for piece in pieces.ids() {
        let start = pieces.offset_of(piece, 0, 0);
        let values = (start..start + pieces.samples_per_piece())
            .map(|at| u8::try_from(pieces.samples().get(at)).unwrap());
        let picture = Picture::new(4, 5, 3, Samples::U8(values.collect())).unwrap();
        write_picture(&dir.join(format!("p{}.png", piece.index())), &picture, None).unwrap();
    }
    pieces
}

#[test]
fn a_folder_a_list_and_an_archive_give_the_same_pieces() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("loose");
    fs::create_dir(&folder).unwrap();
    let pieces = loose(&folder);
    assert_eq!(*read(&folder).unwrap().pieces, pieces);
    let list: Vec<PathBuf> = names_in(&folder).iter().map(|name| folder.join(name)).collect();
    let input = read_inputs(&list, &InputOptions::default()).unwrap();
    assert_eq!(*input.pieces, pieces);
    assert!(input.names[10].ends_with("p10.png"), "{:?}", input.names);
    for prefix in ["", "loose/", "a/b/c d/"] {
        let path = write(dir.path(), "pieces.zip", zip_folder(&folder, prefix));
        let input = read(&path).unwrap();
        assert_eq!(*input.pieces, pieces, "{prefix}");
        assert_eq!(input.names[10], "p10.png");
        assert_eq!(input.warnings, []);
        assert_eq!(names_in(dir.path()), ["loose", "pieces.zip"]);
        let archive = vec![("pieces.zip".to_string(), fs::read(&path).unwrap())];
        assert_eq!(read_files(archive, &InputOptions::default()).unwrap(), input);
    }
}

#[test]
fn files_in_memory_give_the_same_pieces_as_a_folder() {
    let options = with_piece(4, 5);
    let dir = tempfile::tempdir().unwrap();
    let pieces = loose(dir.path());
    write(dir.path(), "notes.txt", "hello");
    let input = read_files(files_below(dir.path()), &options).unwrap();
    assert_eq!(*input.pieces, pieces);
    assert_eq!(input.names[10], "p10.png");
    assert_eq!(input.skipped()[0].name, "notes.txt");
    let found = inspect_files(files_below(dir.path()), &options).unwrap();
    assert_eq!(found.kinds[0].count, 11);

    for layout in [Layout::Folder, SHEET] {
        let dir = tempfile::tempdir().unwrap();
        write_puzzle(dir.path(), &pieces, (3, 4), layout).unwrap();
        let input = read_files(files_below(dir.path()), &options).unwrap();
        assert_eq!(input, read_input(dir.path(), &options).unwrap());
    }

    let path = dir.path().join("sheet.png");
    write_picture(&path, &sheet(&pieces, 11).unwrap(), None).unwrap();
    let in_memory = |name: &str, bytes: Vec<u8>| read_files(vec![(name.into(), bytes)], &options);
    for name in ["sheet.png", "a name without extension"] {
        let input = in_memory(name, fs::read(&path).unwrap()).unwrap();
        assert_eq!(input.pieces, read_input(&path, &options).unwrap().pieces);
    }

    let error = in_memory("a.png", b"no picture".to_vec()).unwrap_err();
    assert!(error.to_string().starts_with("a.png: is not a picture"), "{error}");
    let error = read_files(Vec::new(), &options).unwrap_err();
    assert!(error.to_string().starts_with("holds 0 pieces"), "{error}");
    let limits = Limits { max_pieces: 3, ..Limits::default() };
    let error = read_files(files_below(dir.path()), &InputOptions { limits, ..options.clone() });
    assert!(error.unwrap_err().to_string().starts_with("holds more than 3 files"));
}

/// Counts the bytes that are read.
struct Counted {
    file: Cursor<Vec<u8>>,
    count: Rc<Cell<usize>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.count.set(self.count.get() + read);
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[test]
fn entries_of_an_archive_are_unpacked_once() {
    // Noise, so that the pictures are most of the archive.
    let noise = (0..6 * 128 * 128_u32).map(|place| (place.wrapping_mul(0x9e37_79b1) >> 24) as u8);
    let pieces = PieceSet::new(shape(128, 128), 1, Samples::U8(noise.collect())).unwrap();
    for layout in [Layout::Folder, SHEET] {
        let dir = tempfile::tempdir().unwrap();
        write_puzzle(dir.path(), &pieces, (2, 3), layout).unwrap();
        let bytes = zip_folder(dir.path(), "");
        let (length, count) = (bytes.len(), Rc::new(Cell::new(0)));
        let archive = Counted { file: Cursor::new(bytes), count: Rc::clone(&count) };
        let input = read_archive(Path::new("x.zip"), archive, &InputOptions::default()).unwrap();
        assert_eq!(*input.pieces, pieces);
        let read = count.get();
        assert!(2 * read < 3 * length, "{read} bytes were read of {length}");
    }
}

#[test]
fn scramble_folders_and_sheets_are_read_from_archives() {
    let dir = tempfile::tempdir().unwrap();
    let pieces = pieces(7, shape(4, 4), 3, 16);
    for layout in [Layout::Folder, SHEET] {
        let folder = dir.path().join(format!("{layout:?}").replace([' ', '{', '}', ':'], ""));
        write_puzzle(&folder, &pieces, (2, 4), layout).unwrap();
        for prefix in ["", "puzzle/"] {
            let path = write(dir.path(), "puzzle.zip", zip_folder(&folder, prefix));
            let input = read(&path).unwrap();
            assert_eq!(*input.pieces, pieces);
            assert_eq!(input.declared.unwrap().grid, Grid::new(2, 4).ok());
            assert_eq!(inspect(&[&path], &InputOptions::default()).unwrap().kinds.len(), 1);
        }
    }
    let sheet = dir.path().join("only.png");
    write_picture(&sheet, &picture(12, 8, 3, 8), None).unwrap();
    let content = fs::read(&sheet).unwrap();
    let path = write(dir.path(), "sheet.zip", zip_of(&[("x/s.png", &content), ("x/a.txt", b"")]));
    let options = with_piece(4, 4);
    let input = read_input(&path, &options).unwrap();
    assert_eq!(input.pieces, read_input(&sheet, &options).unwrap().pieces);
    assert_eq!(input.skipped().len(), 1);
    assert!(input.skipped()[0].name.ends_with("a.txt"));
}

#[test]
fn other_files_in_an_archive_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    loose(dir.path());
    let (a, b) =
        (fs::read(dir.path().join("p1.png")).unwrap(), fs::read(dir.path().join("p2.png")));
    let b = b.unwrap();
    let bytes = zip_of(&[
        ("in/a.png", &a),
        ("in/b.png", &b),
        ("in/readme.txt", b"hello"),
        ("in/more/c.png", &a),
        ("in/truth.json", b"never opened"),
        ("in/.DS_Store", b"x"),
        ("__MACOSX/in/._a.png", b"x"),
    ]);
    let path = write(dir.path(), "x.zip", bytes);
    let input = read(&path).unwrap();
    assert_eq!(input.pieces.num_pieces(), 2);
    let skipped: Vec<_> = input.skipped().into_iter().map(|skipped| skipped.name).collect();
    assert_eq!(skipped.len(), 2, "{skipped:?}");
    assert!(skipped.iter().any(|name| name.ends_with("readme.txt")));
    assert!(skipped.iter().any(|name| name.ends_with("more")));
}

#[test]
fn archives_with_paths_outside_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["../evil.png", "a/../../evil.png", "/evil.png", "C:/evil.png", "..\\evil.png"] {
        let path = write(dir.path(), "x.zip", zip_of(&[("a.png", b"x"), (name, b"x")]));
        assert_tells(&read(&path).unwrap_err(), &path, &["evil.png", "outside"]);
    }
    assert_eq!(names_in(dir.path()), ["x.zip"]);
}

#[test]
fn archives_that_unpack_to_too_much_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    // 32 MiB of zeros take some 30 KiB.
    let zeros = vec![0_u8; 32 << 20];
    let path = write(dir.path(), "bomb.zip", zip_of(&[("x.txt", b""), ("a.png", &zeros)]));
    assert!(fs::metadata(&path).unwrap().len() < 1 << 20);
    assert_tells(&read(&path).unwrap_err(), &path, &["33554432 bytes when unpacked", "limit"]);
    // Many entries of moderate size, under a small limit.
    let part = vec![0_u8; 8 << 20];
    let names: Vec<String> = (0..12).map(|number| format!("{number}.png")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &part[..])).collect();
    let bytes = zip_of(&entries);
    let limits = Limits { max_pixels: 1 << 10, ..Limits::default() };
    let options = InputOptions { limits, ..InputOptions::default() };
    let error = read_archive(Path::new("x.zip"), Cursor::new(bytes), &options).unwrap_err();
    assert_tells(&error, Path::new("x.zip"), &["bytes when unpacked", "limit"]);
}

#[test]
fn archives_that_lie_about_sizes_are_refused() {
    let content = vec![7_u8; 3000];
    let whole = zip_of(&[("x.png", b"abc"), ("a.png", &content)]);
    // Both headers of the second entry say 3000.
    let size = 3000_u32.to_le_bytes();
    let mut lying = whole.clone();
    let places: Vec<usize> = (0..whole.len() - 4).filter(|&at| whole[at..at + 4] == size).collect();
    assert!(!places.is_empty());
    for at in places {
        lying[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
    }
    let read = |bytes: Vec<u8>| {
        read_archive(Path::new("x.zip"), Cursor::new(bytes), &InputOptions::default()).unwrap_err()
    };
    let error = read(lying);
    assert_eq!(error.problem.kind, ProblemKind::BadContent, "{error}");
    // Truncated anywhere, it is refused without a panic.
    for length in (0..whole.len()).step_by(7) {
        assert_tells(&read(whole[..length].to_vec()), Path::new("x.zip"), &["damaged"]);
    }
}

#[test]
fn truncated_and_empty_archives_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    loose(dir.path());
    let a = fs::read(dir.path().join("p1.png")).unwrap();
    let whole = zip_of(&[("a.png", &a), ("b.png", &a)]);
    let path = write(dir.path(), "cut.zip", &whole[..whole.len() / 2]);
    assert_tells(&read(&path).unwrap_err(), &path, &["damaged", "again"]);
    let path = write(dir.path(), "none.zip", zip_of(&[]));
    assert_tells(&read(&path).unwrap_err(), &path, &["at least 2"]);
    let path = write(dir.path(), "text.zip", zip_of(&[("a.txt", b"hello"), ("b.txt", b"hello")]));
    assert_tells(&read(&path).unwrap_err(), &path, &["holds 0", "at least 2"]);
    let path = write(dir.path(), "no.zip", "this is no archive");
    assert_tells(&read(&path).unwrap_err(), &path, &["not a picture"]);
    let bomb = png_claiming(30_000, 30_000);
    let path = write(dir.path(), "bomb.zip", zip_of(&[("a.png", &a), ("b.png", &bomb)]));
    assert_tells(&read(&path).unwrap_err(), &path.join("b.png"), &["30000 x 30000"]);
}

#[test]
fn pictures_of_two_sizes_are_refused_unless_a_size_is_given() {
    let dir = tempfile::tempdir().unwrap();
    for (name, width) in [("a.png", 4), ("b.png", 6), ("c.png", 4), ("d.png", 4), ("e.png", 6)] {
        write_picture(&dir.path().join(name), &picture(width, 4, 3, 8), None).unwrap();
    }
    let error = read(dir.path()).unwrap_err();
    assert!(error.is_usage());
    let words =
        ["2 sizes", "3 of 4 x 4 (such as a.png)", "2 of 6 x 4 (such as b.png)", "piece size"];
    assert_tells(&error, dir.path(), &words);
    let input = read_input(dir.path(), &with_piece(4, 6)).unwrap();
    assert_eq!(input.names, ["b.png", "e.png"]);
    assert_eq!(input.skipped().len(), 3);
    assert!(input.skipped()[0].reason.contains("4 x 4"));
    let error = read_input(dir.path(), &with_piece(9, 9)).unwrap_err();
    assert_tells(&error, dir.path(), &["9 x 9", "3 of 4 x 4"]);
    let kinds = inspect(&[dir.path()], &InputOptions::default()).unwrap().kinds;
    assert_eq!(kinds.iter().map(|kind| kind.count).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn too_many_files_are_refused_before_reading() {
    let dir = tempfile::tempdir().unwrap();
    // None of them is a picture, so that reading any would give another error.
    for number in 0..6 {
        write(dir.path(), &format!("{number}.png"), "x");
    }
    let limits = Limits { max_pieces: 5, ..Limits::default() };
    let options = InputOptions { limits, ..InputOptions::default() };
    let list: Vec<PathBuf> =
        names_in(dir.path()).iter().map(|name| dir.path().join(name)).collect();
    let archive = Cursor::new(zip_folder(dir.path(), ""));
    for read in [
        read_input(dir.path(), &options),
        read_inputs(&list, &options),
        read_archive(Path::new("x.zip"), archive, &options),
    ] {
        assert_tells(&read.unwrap_err(), Path::new(""), &["more than 5 files"]);
    }
}

#[test]
fn lists_use_each_file_once_and_refuse_folders() {
    let dir = tempfile::tempdir().unwrap();
    loose(dir.path());
    let path = |name: &str| dir.path().join(name);
    write(dir.path(), "notes.txt", "hello");
    let list = [path("p1.png"), path("p2.png"), path("notes.txt"), path("./p1.png")];
    let input = read_inputs(&list, &InputOptions::default()).unwrap();
    assert_eq!(input.pieces.num_pieces(), 2);
    assert_warnings(
        &input,
        &[(&path("./p1.png"), "is named more than once"), (&path("notes.txt"), "is not a picture")],
    );
    assert_eq!(input.skipped().len(), 2);
    let refused = |other: PathBuf| {
        read_inputs(&[path("p1.png"), other], &InputOptions::default()).unwrap_err()
    };
    assert_usage(&refused(path("gone.png")), &path("gone.png"), &["check the path"]);
    assert_tells(&refused(dir.path().into()), dir.path(), &["a folder", "alone"]);
    let archive = write(dir.path(), "x.zip", zip_of(&[("a.png", b"x")]));
    assert_tells(&refused(archive.clone()), &archive, &["zip archive", "alone"]);
    let none: [&Path; 0] = [];
    assert!(read_inputs(&none, &InputOptions::default()).is_err());
}

#[test]
fn an_animation_gives_its_first_picture_with_a_warning() {
    let frame = |value: u8| {
        image::Frame::new(image::RgbaImage::from_pixel(4, 4, [value, 0, 0, 255].into()))
    };
    let gif = |values: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
        encoder.encode_frames(values.iter().map(|&value| frame(value))).unwrap();
        drop(encoder);
        bytes
    };
    let dir = tempfile::tempdir().unwrap();
    let moving = write(dir.path(), "a.gif", gif(&[10, 200]));
    write(dir.path(), "b.gif", gif(&[90]));
    let input = read(dir.path()).unwrap();
    assert_warnings(&input, &[(&moving, "the first was taken")]);
    assert!(input.skipped().is_empty());
    let first = input.pieces.ids().next().unwrap();
    assert_eq!(input.pieces.sample(first, 0, 0, 0), 10);
}

#[test]
fn sheets_find_their_pieces_and_leave_empty_cells_out() {
    let dir = tempfile::tempdir().unwrap();
    let cut = cut(&demo_picture(4 * 28, 6 * 28, 1), shape(28, 28)).unwrap();
    let settings = ScrambleSettings { drop: 2, ..ScrambleSettings::new(PuzzleType::Type2, 3) };
    let pieces = scramble(&cut, &settings).unwrap().pieces;
    let path = dir.path().join("photo.png");
    write_picture(&path, &sheet(&pieces, 6).unwrap(), None).unwrap();
    let input = read(&path).unwrap();
    assert_eq!(*input.pieces, pieces);
    let layout = input.sheet.unwrap();
    assert_eq!((layout.columns, layout.rows), (6, 4));
    assert_warnings(&input, &[(&path, "2 cells at the end of the last row")]);
    let options = InputOptions { columns: Some(6), rows: Some(4), ..InputOptions::default() };
    assert_eq!(*read_input(&path, &options).unwrap().pieces, pieces);
    // An uncut picture is not a sheet, but can be cut with a given size.
    write_picture(&path, &demo_picture(112, 168, 1), None).unwrap();
    assert_usage(&read(&path).unwrap_err(), &path, &["168 x 112", "give the piece size"]);
    assert_eq!(*read_input(&path, &options).unwrap().pieces, cut.pieces);
    let layouts = inspect(&[&path], &InputOptions::default()).unwrap().layouts;
    assert!(layouts.iter().all(|candidate| !candidate.stands_out), "{layouts:?}");
}

#[test]
fn plain_pieces_at_the_end_of_a_sheet_are_kept_if_the_board_needs_them() {
    let dir = tempfile::tempdir().unwrap();
    let mut samples = demo_picture(4 * 28, 6 * 28, 1).samples().clone();
    let Samples::U8(values) = &mut samples else { unreachable!() };
    // The last piece is white, as of a bright sky.
    for row in 3 * 28..4 * 28 {
        values[(row * 6 + 5) * 28 * 3..(row * 6 + 6) * 28 * 3].fill(255);
    }
    let path = dir.path().join("sheet.png");
    write_picture(&path, &Picture::new(4 * 28, 6 * 28, 3, samples).unwrap(), None).unwrap();
    let input = read_input(&path, &with_piece(28, 28)).unwrap();
    assert_warnings(&input, &[(&path, "1 cells at the end of the last row")]);
    let options = InputOptions { columns: Some(6), rows: Some(4), ..with_piece(28, 28) };
    let input = read_input(&path, &options).unwrap();
    assert_eq!((input.pieces.num_pieces(), input.warnings), (24, vec![]));
}

#[test]
fn a_puzzle_to_hand_on_is_an_archive_without_the_truth() {
    let cut = cut(&demo_picture(60, 80, 1), shape(20, 20)).unwrap();
    let puzzle_type = PuzzleType::Type2;
    let Scrambled { pieces, grid, truth } =
        scramble(&cut, &ScrambleSettings::new(puzzle_type, 4)).unwrap();
    let truth = TruthFile { truth, info: TruthInfo::default() };
    let layout = Layout::square_sheet(&pieces);
    let scramble = |layout, grid| Scramble {
        pieces: &pieces,
        puzzle_type,
        grid,
        layout,
        constant_alpha: None,
        truth: &truth,
    };
    let path = Path::new("puzzle.zip");
    let bytes = encode_scramble(path, &scramble(layout, None)).unwrap();
    let archive = zip::ZipArchive::new(Cursor::new(bytes.clone())).unwrap();
    let names: Vec<_> = archive.file_names().map(Result::unwrap).collect();
    assert_eq!(names, ["puzzle.json", "sheet.png"]);
    let input = read_files(vec![("puzzle.zip".into(), bytes)], &InputOptions::default()).unwrap();
    assert_eq!(*input.pieces, pieces);
    let declared = input.declared.unwrap();
    assert_eq!((declared.puzzle_type, declared.grid), (puzzle_type, None));

    let shown = encode_scramble(path, &scramble(layout, Some(grid))).unwrap();
    let input = read_files(vec![("puzzle.zip".into(), shown)], &InputOptions::default()).unwrap();
    assert_eq!(input.declared.unwrap().grid, Some(grid));
    let refused = encode_scramble(path, &scramble(Layout::Folder, None)).unwrap_err();
    assert!(refused.to_string().contains("ask for a sheet"), "{refused}");
}

/// A JPEG file with a note (EXIF) of its orientation after its first marker.
fn noting_orientation(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01".to_vec();
    // The tag of the orientation, one short number, and no further directory.
    exif.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, &exif, &jpeg[2..]].concat()
}

#[test]
fn pieces_that_note_different_orientations_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> =
        (1..=4).map(|number| dir.path().join(format!("{number}.jpg"))).collect();
    for (seed, path) in paths.iter().enumerate() {
        write_picture(path, &demo_picture(16, 16, seed as u64), None).unwrap();
    }
    let note = |path: &Path, orientation| {
        let noting = noting_orientation(&fs::read(path).unwrap(), orientation);
        fs::write(path, noting).unwrap();
    };
    assert_warnings(&read(dir.path()).unwrap(), &[]);
    note(&paths[2], 6);
    let input = read(dir.path()).unwrap();
    let words = "orientation (EXIF) than 1.jpg, and so do 1 of 4 pieces";
    assert_warnings(&input, &[(&paths[2], words)]);
    // What all note alike turns none against the others.
    [0, 1, 3].into_iter().for_each(|place| note(&paths[place], 6));
    assert_warnings(&read(dir.path()).unwrap(), &[]);
}

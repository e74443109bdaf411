//! `fretsaw-lab kill`: kills solves at random moments, and looks at the files that are left.

use clap::Args as ClapArgs;
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::Table;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{
    CHECKPOINT_MAGIC, Layout, Limits, Scramble, TruthFile, TruthInfo, check_output_folder,
    checkpoint_checksum, read_picture, read_solution, write_scramble, write_text,
};
use rand::{Rng, SeedableRng};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab kill --out kill --times 200

Solves a drawn puzzle with every output. Then it solves it again and again, each time kills the program (SIGKILL) after \
a random time, and checks that each output is the old file or a whole new one, and that no input has changed. Every \
second time there are old files. Fails if any file is broken.")]
pub(crate) struct KillArgs {
    /// The folder to work in; must be new or empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How often to kill
    #[arg(long, value_name = "N", default_value_t = 200)]
    times: u32,
    /// The seed of the puzzle and of the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program to kill [default: fretsaw beside this program]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// The outputs of a solve.
const OUTPUTS: [&str; 5] = ["s.png", "s.json", "s.html", "s.gif", "saved"];
/// The content of an old file. That of an old checkpoint must begin as one.
const OLD: &str = "fretsawC, an old file";

const PIECE_PX: u32 = 28;

fn system(error: std::io::Error) -> Failure {
    Failure::Failed(error.to_string())
}

/// What was found after a kill.
#[derive(Clone, Copy, Default)]
struct Found {
    absent: u32,
    old: u32,
    new: u32,
    broken: u32,
}

pub(super) fn run(args: &KillArgs, verbosity: Verbosity) -> Result<(), Failure> {
    check_output_folder(&args.out)?;
    let program = match &args.program {
        Some(program) => program.clone(),
        None => std::env::current_exe().map_err(system)?.with_file_name("fretsaw"),
    };
    fs::create_dir_all(&args.out).map_err(system)?;
    make_puzzle(&args.out.join("puzzle"), args.seed)?;
    let inputs = contents(&args.out.join("puzzle"))?;
    let start = Instant::now();
    let status = solve(&program, &args.out)?.wait().map_err(system)?;
    let whole_secs = start.elapsed().as_secs_f64();
    if !status.success() {
        return Err(Failure::Failed(format!("{}: the solve failed: {status}", program.display())));
    }
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(args.seed);
    let mut found = [Found::default(); OUTPUTS.len()];
    let (mut num_killed, mut num_left) = (0, 0);
    for time in 0..args.times {
        for name in OUTPUTS {
            let path = args.out.join(name);
            if time % 2 == 0 {
                write_text(&path, OLD)?;
            } else if path.exists() {
                fs::remove_file(path).map_err(system)?;
            }
        }
        let mut child = solve(&program, &args.out)?;
        std::thread::sleep(Duration::from_secs_f64(random.random_range(0.0..1.1 * whole_secs)));
        child.kill().map_err(system)?;
        num_killed += u32::from(child.wait().map_err(system)?.code().is_none());
        for (found, name) in found.iter_mut().zip(OUTPUTS) {
            count(found, &args.out.join(name), verbosity);
        }
        num_left += remove_temporaries(&args.out)?;
    }
    if contents(&args.out.join("puzzle"))? != inputs {
        return Err(Failure::Failed("an input has changed".into()));
    }
    print_line(format!(
        "{} solves of about {whole_secs:.2} s, {num_killed} of them killed; {num_left} temporary files were left",
        args.times
    ))?;
    let mut table = Table::new(&["output", "absent", "old", "new and whole", "broken"]);
    for (name, found) in OUTPUTS.into_iter().zip(&found) {
        let counts = [found.absent, found.old, found.new, found.broken];
        table.push(std::iter::once(name.into()).chain(counts.map(|it| it.to_string())).collect());
    }
    print_line(table)?;
    match found.iter().map(|found| found.broken).sum::<u32>() {
        0 => Ok(()),
        broken => Err(Failure::Failed(format!("{broken} files were broken"))),
    }
}

/// Writes a scramble folder of a drawn picture.
fn make_puzzle(dir: &Path, seed: u64) -> Result<(), Failure> {
    let puzzle_type = PuzzleType::Type2;
    let picture = demo_picture(8 * PIECE_PX as usize, 10 * PIECE_PX as usize, seed);
    let shape =
        PieceShape::new(PIECE_PX, PIECE_PX).map_err(|error| Failure::Failed(error.to_string()))?;
    let cut = cut(&picture, shape).map_err(|error| Failure::cutting(dir, error))?;
    let puzzle = scramble(&cut, &ScrambleSettings::new(puzzle_type, seed))
        .map_err(|error| Failure::scrambling(dir, error))?;
    let scramble = Scramble {
        pieces: &puzzle.pieces,
        puzzle_type,
        grid: Some(puzzle.grid),
        layout: Layout::Folder,
        constant_alpha: None,
        truth: &TruthFile { truth: puzzle.truth, info: TruthInfo::default() },
    };
    write_scramble(dir, &scramble)?;
    Ok(())
}

/// A solve with every output that has begun.
fn solve(program: &Path, dir: &Path) -> Result<std::process::Child, Failure> {
    let program = std::path::absolute(program).map_err(system)?;
    let child = Command::new(&program)
        .args(
            "solve puzzle --out s.png --solution s.json --report s.html --animation s.gif"
                .split(' '),
        )
        .args("--checkpoint saved --checkpoint-interval 0.01 --quiet".split(' '))
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    child.map_err(|error| Failure::Usage(format!("{}: {error}; give --program", program.display())))
}

/// Counts what an output is.
fn count(found: &mut Found, path: &Path, verbosity: Verbosity) {
    match fs::read(path) {
        Err(_) => found.absent += 1,
        Ok(bytes) if bytes == OLD.as_bytes() => found.old += 1,
        Ok(bytes) if is_whole(path, &bytes) => found.new += 1,
        Ok(bytes) => {
            verbosity.warn(format!("{}: {} bytes are broken", path.display(), bytes.len()));
            found.broken += 1;
        }
    }
}

/// Whether an output is complete, by the means of its format.
fn is_whole(path: &Path, bytes: &[u8]) -> bool {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("png") => read_picture(path, &Limits::default()).is_ok(),
        Some("json") => read_solution(path, &Limits::default()).is_ok(),
        Some("html") => bytes.trim_ascii_end().ends_with(b"</html>"),
        Some("gif") => bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"),
        _ => bytes.split_last_chunk().is_some_and(|(content, checksum)| {
            bytes.starts_with(&CHECKPOINT_MAGIC) && checkpoint_checksum(content) == *checksum
        }),
    }
}

/// Removes what a killed program left under temporary names; returns how many.
fn remove_temporaries(dir: &Path) -> Result<u32, Failure> {
    let mut num_left = 0;
    for entry in fs::read_dir(dir).map_err(system)? {
        let entry = entry.map_err(system)?;
        if entry.file_name().to_string_lossy().starts_with(".fretsaw-") {
            fs::remove_file(entry.path()).map_err(system)?;
            num_left += 1;
        }
    }
    Ok(num_left)
}

/// The files below a folder and their content.
fn contents(dir: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).map_err(system)? {
            let path = entry.map_err(system)?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.clone(), fs::read(path).map_err(system)?));
            }
        }
    }
    files.sort();
    Ok(files)
}

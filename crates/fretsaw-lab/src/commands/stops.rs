//! `fretsaw-lab stops`: how soon a solve heeds a stop, at moments spread over the whole solve.

use crate::puzzle_args::check_positive;
use crate::stage::check_pieces;
use crate::stage::matching::board_of;
use clap::{Args as ClapArgs, ValueEnum};
use fretsaw::observer::{Observer, Stage};
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{PieceSet, PuzzleType, Samples};
use fretsaw::{Effort, Method, Puzzle, Settings, solve};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::parse::parse_time_limit;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::Table;
use fretsaw_cli::threads::with_threads;
use rand::{Rng, SeedableRng};
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stops --pieces 432,3300 --material drawn,noise --times 10

Solves puzzles of type 2 whose board is unknown, first to the end, and then again and again, each time stopped at another \
moment. 'solve s' is the time to the end. 'longest silence s' is the longest time in which that solve did not ask whether to \
stop, and 'in' the stage that was reported last. 'delay s' are the mean and the longest time from a stop to the answer, and \
'from' the stage in which the stop of the longest came. On Linux all times are processor time, so that other programs \
do not count; give --threads 1 to compare them with a clock.")]
pub(crate) struct StopsArgs {
    /// Numbers of pieces
    #[arg(long, value_delimiter = ',', default_values = ["432", "3300"])]
    pieces: Vec<u32>,
    /// What the pieces show
    #[arg(long, value_delimiter = ',', default_values = ["drawn"])]
    material: Vec<Material>,
    /// How many moments; 0 only asks for the longest silence
    #[arg(long, value_name = "N", default_value_t = 8)]
    times: u32,
    /// These moments instead, each in a row of its own; nothing is solved to the end
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', conflicts_with = "times",
          value_parser = parse_time_limit)]
    at: Vec<Duration>,
    /// Pixels along a side of a piece
    #[arg(long, value_name = "PIXELS", default_value_t = 28)]
    piece: u32,
    /// fast, normal or high
    #[arg(long, default_value = "normal", value_parser = by_name(Effort::ALL, Effort::name))]
    effort: Effort,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// What the pieces of a puzzle show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Material {
    /// A drawn landscape.
    Drawn,
    /// Nothing that goes on across seams: no answer is better than another.
    Noise,
}

pub(super) fn run(args: &StopsArgs) -> Result<(), Failure> {
    check_pieces(&args.pieces)?;
    check_positive("--piece", args.piece)?;
    print_line(with_threads(args.threads, || delays(args))??)
}

fn delays(args: &StopsArgs) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "pieces | material | solve s | longest silence s | in | stops | mean delay s | longest delay s | from",
    );
    let settings =
        Settings { method: Method::Fretsaw(args.effort), seed: 1, ..Settings::default() };
    for &num_pieces in &args.pieces {
        for &material in &args.material {
            let puzzle = Puzzle::new(pieces(num_pieces, args.piece, material)?);
            let timed = |stop_after: Option<f64>| -> anyhow::Result<(Watch, f64)> {
                let watch = Watch::new(stop_after);
                solve(&puzzle, &settings, &watch)?;
                let seconds = watch.elapsed();
                watch.is_stopped();
                Ok((watch, seconds))
            };
            let seconds =
                |seconds: Option<f64>| seconds.map_or_else(|| "-".into(), |it| format!("{it:.2}"));
            let mut push = |whole: Option<(f64, (f64, &str))>, moments: &[f64]| {
                let mut stops: Vec<(f64, &str)> = Vec::new();
                for &moment in moments {
                    let (watch, secs) = timed(Some(moment))?;
                    if let Some(stage) = watch.seen().stopped_in {
                        stops.push((secs - moment, stage));
                    }
                }
                let longest = stops.iter().copied().max_by(|x, y| x.0.total_cmp(&y.0));
                let mean = stops.iter().map(|stop| stop.0).sum::<f64>() / stops.len() as f64;
                table.push(row! {
                    num_pieces, if material == Material::Drawn { "drawn" } else { "noise" },
                    seconds(whole.map(|it| it.0)), seconds(whole.map(|it| it.1.0)),
                    whole.map_or("-", |it| it.1.1),
                    stops.len(), seconds(longest.map(|_| mean)), seconds(longest.map(|it| it.0)),
                    longest.map_or("-", |it| it.1),
                });
                anyhow::Ok(())
            };
            for moment in &args.at {
                push(None, &[moment.as_secs_f64()])?;
            }
            if args.at.is_empty() {
                let (watch, whole_secs) = timed(None)?;
                let share = |time| (f64::from(time) + 0.5) / f64::from(args.times);
                let moments: Vec<f64> =
                    (0..args.times).map(|time| whole_secs * share(time)).collect();
                push(Some((whole_secs, watch.seen().longest_silence)), &moments)?;
            }
        }
    }
    Ok(table)
}

fn pieces(num_pieces: u32, piece_px: u32, material: Material) -> anyhow::Result<PieceSet> {
    let (rows, cols) = board_of(num_pieces);
    let (pieces, ..) = synthetic::puzzle(rows, cols, piece_px, PuzzleType::Type2, 1);
    Ok(match material {
        Material::Drawn => pieces,
        Material::Noise => {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
            let mut values = vec![0; pieces.num_pieces() * pieces.samples_per_piece()];
            random.fill(&mut values[..]);
            PieceSet::new(pieces.shape(), pieces.channels(), Samples::U8(values))?
        }
    })
}

/// The processor time of this process, where the system tells it as Linux does, and otherwise the time since `start`.
fn seconds_since(start: Instant) -> f64 {
    /// Of these the times in `/proc/self/stat` are multiples, on every usual machine.
    const TICKS_PER_SECOND: f64 = 100.0;
    let ticks = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        // The name of the program, in parentheses, may hold spaces. User and system time are fields 14 and 15.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    };
    ticks().map_or_else(|| start.elapsed().as_secs_f64(), |ticks| ticks as f64 / TICKS_PER_SECOND)
}

/// Stops after some time, and sees when it is asked.
struct Watch {
    clock: Instant,
    start: f64,
    stop_after: Option<f64>,
    seen: Mutex<Seen>,
}

#[derive(Clone, Copy)]
struct Seen {
    last_question: f64,
    /// How long the solve did not ask, and the stage that was reported last.
    longest_silence: (f64, &'static str),
    stage: &'static str,
    /// The stage in which the solve first heard of the stop.
    stopped_in: Option<&'static str>,
}

impl Watch {
    fn new(stop_after: Option<f64>) -> Self {
        let clock = Instant::now();
        let start = seconds_since(clock);
        let seen = Seen {
            last_question: start,
            longest_silence: (0.0, "-"),
            stage: "before",
            stopped_in: None,
        };
        Self { clock, start, stop_after, seen: Mutex::new(seen) }
    }

    /// Seconds since the beginning of the solve.
    fn elapsed(&self) -> f64 {
        seconds_since(self.clock) - self.start
    }

    fn seen(&self) -> Seen {
        *self.lock()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Observer for Watch {
    fn stage_started(&self, stage: Stage, _total: u64) {
        self.lock().stage = stage.name();
    }

    fn is_stopped(&self) -> bool {
        let now = self.elapsed() + self.start;
        let is_over = self.stop_after.is_some_and(|after| now - self.start >= after);
        let mut seen = self.lock();
        // Threads ask at the same time; one of them may have waited for the lock.
        let silence = now - seen.last_question;
        if silence > seen.longest_silence.0 {
            seen.longest_silence = (silence, seen.stage);
        }
        seen.last_question = seen.last_question.max(now);
        if is_over && seen.stopped_in.is_none() {
            seen.stopped_in = Some(seen.stage);
        }
        is_over
    }
}

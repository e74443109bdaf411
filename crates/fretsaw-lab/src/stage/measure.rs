//! The measure stage against its floor: the k best per side, a bare matrix product of the same
//! shape, and a plain double-precision loop, in one run.

use super::{PIECE_PX, check_boards};
use crate::memory;
use crate::puzzle_args::check_positive;
use clap::Args as ClapArgs;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{PuzzleType, SideId, TurnSet};
use fretsaw::unstable::dissimilarity::{
    Dissimilarity, Measure, NearestSettings, TILE, find_nearest,
};
use fretsaw::unstable::linalg::packed_product::{PackedProduct, TILE_QUANTUM};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::parse::parse_size;
use fretsaw_cli::table::Table;
use fretsaw_io::StageClock;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::time::Instant;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage measure --boards 24x18,35x23 --measures mgc --threads 1,2")]
pub(crate) struct MeasureArgs {
    /// Boards, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["24x18", "35x23", "66x50"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_values = ["1", "2"])]
    pub(crate) threads: Vec<usize>,
    /// Measures
    #[arg(long, value_delimiter = ',', default_values = ["mgc", "seam"],
          value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measures: Vec<Measure>,
    /// Candidates per side
    #[arg(long, default_value_t = 10)]
    pub(crate) candidates: usize,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
}

/// The plain loop is timed on about this many pairs and scaled up.
const PLAIN_LOOP_PAIRS: usize = 2_000_000;

/// What one measure took on one board and so many threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct MeasureTimes {
    pub(crate) pieces: usize,
    pub(crate) measure: Measure,
    pub(crate) candidates: usize,
    pub(crate) threads: usize,
    /// Seconds to prepare the measure, on one thread.
    pub(crate) prepare: f64,
    /// Seconds to find the k best.
    pub(crate) k_best: f64,
    /// Seconds of the bare product in tiles of the same size, if the measure is one.
    pub(crate) bare: Option<f64>,
    /// Operations of the bare product, which are those of all pairs.
    pub(crate) flops: Option<f64>,
    /// Seconds of a plain loop over all pairs.
    pub(crate) plain: f64,
    /// `None` if the system does not report it.
    pub(crate) peak_bytes: Option<u64>,
}

impl MeasureTimes {
    /// The rate at which the stage does what all pairs need, as a share of the rate of the product
    /// alone.
    pub(crate) fn share_of_bare(&self) -> Option<f64> {
        self.bare.map(|bare| bare / self.k_best)
    }

    /// How many times as fast it is as the same on one thread, if that was measured.
    pub(crate) fn speed_up(&self, all: &[Self]) -> Option<f64> {
        let is_alone = |other: &&Self| {
            other.threads == 1
                && (other.pieces, other.measure, other.candidates)
                    == (self.pieces, self.measure, self.candidates)
        };
        all.iter().find(is_alone).map(|alone| alone.k_best / self.k_best)
    }
}

pub(crate) fn run(args: &MeasureArgs) -> Result<Table, Failure> {
    check_boards(&args.boards)?;
    check_positive("--candidates", args.candidates)?;
    check_positive("--repeats", args.repeats)?;
    check_positive("--threads", args.threads.iter().copied().min().unwrap_or(1))?;
    Ok(table(&times(args)?))
}

pub(crate) fn table(all: &[MeasureTimes]) -> Table {
    let mut table = Table::with_columns(
        "pieces | measure | threads | prepare s | k best s | bare product s | \
         ratio | share % | speed-up | GFLOP/s bare | plain f64 loop s | peak MB",
    );
    let or_none = |figure: Option<String>| figure.unwrap_or_else(|| "-".into());
    for times in all {
        let MeasureTimes { k_best, bare, flops, .. } = *times;
        table.push(row! {
            times.pieces, times.measure.name(), times.threads, format!("{:.3}", times.prepare),
            format!("{k_best:.3}"), or_none(bare.map(|bare| format!("{bare:.3}"))),
            or_none(bare.map(|bare| format!("{:.2}", k_best / bare))),
            or_none(times.share_of_bare().map(|share| format!("{:.0}", 100.0 * share))),
            or_none(times.speed_up(all).map(|speed_up| format!("{speed_up:.2}"))),
            or_none(bare.zip(flops).map(|(bare, flops)| format!("{:.0}", flops / bare / 1e9))),
            format!("{:.2}", times.plain),
            or_none(times.peak_bytes.map(|bytes| (bytes / 1_000_000).to_string())),
        });
    }
    table
}

pub(crate) fn times(args: &MeasureArgs) -> anyhow::Result<Vec<MeasureTimes>> {
    let mut all = Vec::new();
    for &(cols, rows) in &args.boards {
        let (pieces, _, _) = synthetic::puzzle(rows, cols, PIECE_PX, PuzzleType::Type2, 1);
        for &measure in &args.measures {
            for &threads in &args.threads {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                memory::reset_peak();
                let start = Instant::now();
                let dissimilarity = Dissimilarity::new(&pieces, measure)?;
                let prepare = start.elapsed().as_secs_f64();
                let settings = NearestSettings {
                    num_candidates: args.candidates,
                    ..NearestSettings::default()
                };
                let find = || {
                    let clock = StageClock::default();
                    pool.install(|| {
                        find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &clock)
                    })
                };
                find()?;
                let peak_bytes = memory::peak_bytes();
                let depth = product_depth(measure, pieces.channels(), PIECE_PX as usize);
                let sides = 4 * pieces.num_pieces();
                let product = depth.map(|depth| bare_product(sides, depth));
                // In turns, so that the load of the machine affects both alike.
                let (mut k_best, mut bare) =
                    (f64::INFINITY, product.as_ref().map(|_| f64::INFINITY));
                for _ in 0..args.repeats {
                    k_best = k_best.min(seconds(find));
                    if let (Some(bare), Some(product)) = (&mut bare, &product) {
                        let multiply = || pool.install(|| multiply_all(product, sides));
                        *bare = bare.min(seconds(multiply));
                    }
                }
                all.push(MeasureTimes {
                    pieces: pieces.num_pieces(),
                    measure,
                    candidates: args.candidates,
                    threads,
                    prepare,
                    k_best,
                    bare,
                    flops: depth.map(|depth| 2.0 * (sides as f64).powi(2) * depth as f64),
                    plain: plain_loop_secs(&dissimilarity),
                    peak_bytes,
                });
            }
        }
    }
    Ok(all)
}

fn seconds<T>(run: impl Fn() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(run());
    start.elapsed().as_secs_f64()
}

/// Numbers per pair and direction that the measure needs as a matrix product: for k channels and s
/// pixels k(k+1)/2 for the covariance, k s for the profile, and one constant; for the seam measure
/// the same again, one pixel shorter, for the derivative along the side.
fn product_depth(measure: Measure, k: usize, s: usize) -> Option<usize> {
    let term = |length: usize| k * (k + 1) / 2 + k * length;
    match measure {
        Measure::Mgc | Measure::Ssd => Some(term(s) + 1),
        Measure::Seam => Some(term(s) + term(s - 1) + 1),
        Measure::Lpq => None,
    }
}

fn bare_product(sides: usize, depth: usize) -> PackedProduct {
    let fill = |row: usize, values: &mut [f32]| {
        for (col, value) in values.iter_mut().enumerate() {
            *value = ((row * 31 + col * 17) % 101) as f32 / 50.0 - 1.0;
        }
    };
    PackedProduct::pack(sides, sides, depth, fill, fill)
}

/// The whole square in tiles as the measure stage has them, each thrown away: no result to store, nothing
/// to compare.
fn multiply_all(product: &PackedProduct, sides: usize) {
    let padded = sides.next_multiple_of(TILE_QUANTUM);
    let blocks: Vec<std::ops::Range<usize>> =
        (0..padded).step_by(TILE).map(|start| start..(start + TILE).min(padded)).collect();
    let tiles: Vec<_> = blocks
        .iter()
        .flat_map(|rows| blocks.iter().map(move |cols| (rows.clone(), cols.clone())))
        .collect();
    tiles.par_iter().for_each_init(Vec::new, |tile, (rows, cols)| {
        tile.resize(rows.len() * cols.len(), 0.0_f32);
        product.multiply_tile(rows.clone(), cols.clone(), tile);
        std::hint::black_box(&tile);
    });
}

/// Seconds of a plain loop over all pairs by the exact formula on one thread, scaled up from a
/// sample.
fn plain_loop_secs(dissimilarity: &Dissimilarity) -> f64 {
    let sides = dissimilarity.num_sides();
    let all_pairs = sides * (sides - 1) / 2;
    let num_rows = (PLAIN_LOOP_PAIRS / sides).clamp(1, sides);
    let step = (sides / num_rows).max(1);
    let start = Instant::now();
    let mut pairs = 0;
    let mut sum = 0.0;
    for a in (0..sides).step_by(step).map(SideId::from_index) {
        for b in (0..sides).map(SideId::from_index) {
            sum += dissimilarity.value(a, b);
            pairs += 1;
        }
    }
    std::hint::black_box(sum);
    start.elapsed().as_secs_f64() * all_pairs as f64 / f64::from(pairs)
}

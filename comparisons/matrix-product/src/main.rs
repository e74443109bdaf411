//! fretsaw's matrix product against those of other libraries, in one run.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use fretsaw::linalg::packed_product::PackedProduct;
use ndarray::Array2;
use std::hint::black_box;
use std::time::Instant;

/// Rows of A, rows of B, depth: the tile of the measure stage and larger ones. All are whole tiles of
/// ours, which would otherwise multiply padding.
const SHAPES: [(usize, usize, usize); 5] =
    [(192, 192, 95), (192, 192, 186), (288, 1056, 95), (576, 1056, 95), (1728, 1728, 186)];
/// Each figure is the best of so many rounds; rounds of the libraries alternate.
const ROUNDS: usize = 15;

fn value(row: usize, col: usize, salt: usize) -> f32 {
    ((row * 31 + col * 17 + salt * 7919) % 1009) as f32 / 500.0 - 1.0
}

/// Billions of floating-point operations a second.
fn gflops((m, n, k): (usize, usize, usize), run: &mut dyn FnMut()) -> f64 {
    let flops = 2.0 * (m * n * k) as f64;
    let repeats = (2e8 / flops).ceil() as usize;
    let start = Instant::now();
    for _ in 0..repeats {
        run();
    }
    flops * repeats as f64 / start.elapsed().as_secs_f64() / 1e9
}

fn main() {
    println!("| shape | fretsaw | faer | ndarray |");
    println!("|---|---|---|---|");
    for shape in SHAPES {
        let (m, n, k) = shape;
        let row = |salt: usize| {
            move |row: usize, values: &mut [f32]| {
                for (col, slot) in values.iter_mut().enumerate() {
                    *slot = value(row, col, salt);
                }
            }
        };
        let packed = PackedProduct::pack(m, n, k, row(1), row(2));
        let mut tile = vec![0.0_f32; m * n];
        let mut ours = || {
            packed.multiply_tile(0..m, 0..n, &mut tile);
            black_box(&tile);
        };

        let a = Mat::from_fn(m, k, |row, col| value(row, col, 1));
        let b = Mat::from_fn(n, k, |row, col| value(row, col, 2));
        let mut c = Mat::<f32>::zeros(m, n);
        let mut faers = || {
            matmul(c.as_mut(), Accum::Replace, a.as_ref(), b.transpose(), 1.0_f32, Par::Seq);
            black_box(&c);
        };

        let left = Array2::from_shape_fn((m, k), |(row, col)| value(row, col, 1));
        let right = Array2::from_shape_fn((n, k), |(row, col)| value(row, col, 2));
        let mut ndarrays = || {
            black_box(left.dot(&right.t()));
        };

        let mut best = [0.0_f64; 3];
        for _ in 0..ROUNDS {
            let runs: [&mut dyn FnMut(); 3] = [&mut ours, &mut faers, &mut ndarrays];
            for (best, run) in best.iter_mut().zip(runs) {
                *best = best.max(gflops(shape, run));
            }
        }
        let [ours, faers, ndarrays] = best;
        println!("| {m} x {n} x {k} | {ours:.0} | {faers:.0} | {ndarrays:.0} |");
    }
}

//! Tiles of a large single-precision matrix product `A Bᵀ`, one thread each.
//!
//! Both factors are packed once into panels in the order in which the inner loop reads them, so
//! that computing a tile only multiplies. The inner loop keeps `MICRO_ROWS` x two
//! vectors of sums in registers; `pulp` picks the vector width of the machine at run time
//! (AVX-512, AVX2 or scalar), without `unsafe` and without special compiler flags.
//!
//! Why not a library: `docs/decisions/0001-matrix-product.md`.
//!
//! # Rounding
//! Every element is one chain of multiply-adds over the depth, fused where the machine has an instruction for that. Its
//! error is at most `depth * 2^-24 * sum |a||b|` to first order, fused or not: unfused, each product is rounded once
//! more, but the first is added to zero, which is exact. [`rounding_bound`] gives
//! that factor with its higher-order terms; callers build certified bounds on it.

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Rows of the register tile if the machine has 32 vector registers (AVX-512).
const MICRO_ROWS: usize = 12;
/// Rows of the register tile if it has 16 (AVX2).
const MICRO_ROWS_SMALL: usize = 6;
/// Rows of the register tile on WebAssembly, where browsers keep some of 16 registers for themselves.
const MICRO_ROWS_TINY: usize = 4;
/// Vectors in a row of the register tile.
const MICRO_VECTORS: usize = 2;

/// Numbers of rows and columns in tiles are whole multiples of this, on every machine.
///
/// It is a common multiple of all panel widths: 4, 6, 12 rows; 2, 8, 16, 32 columns.
pub const TILE_QUANTUM: usize = 96;

/// A factor `f` with `|computed - exact| <= f * sum |a||b|` for products of this depth whose
/// inputs were themselves rounded to single precision.
pub fn rounding_bound(depth: usize) -> f64 {
    let unit = f64::from(f32::EPSILON) / 2.0;
    // As many roundings as multiply-adds in any term, one per rounded input; 1 % covers the products of errors,
    // which stay below (depth * unit)^2 for any depth that fits memory.
    1.01 * (depth as f64 + 2.0) * unit
}

struct RegisterTileRows;

impl WithSimd for RegisterTileRows {
    type Output = (usize, usize);
    fn with_simd<S: Simd>(self, _: S) -> (usize, usize) {
        (micro_rows::<S>(), MICRO_VECTORS * S::F32_LANES)
    }
}

const fn micro_rows<S: Simd>() -> usize {
    match S::F32_LANES {
        16.. => MICRO_ROWS,
        4 if cfg!(target_family = "wasm") => MICRO_ROWS_TINY,
        _ => MICRO_ROWS_SMALL,
    }
}

/// Rows of a factor in panels: for each group of rows, for each column, the group's values.
#[derive(Clone, Debug)]
struct Panels {
    depth: usize,
    values: Vec<f32>,
}

impl Panels {
    /// Packs `num_rows` rows that `fill(row, values)` writes into zeros, and zero rows after them up to
    /// a whole `quantum`, a multiple of the panels' width. Once `goes_on` says no, rows stay zero.
    fn pack_while(
        num_rows: usize,
        depth: usize,
        width: usize,
        quantum: usize,
        fill: impl Fn(usize, &mut [f32]) + Sync,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let padded = num_rows.next_multiple_of(quantum);
        let mut values = vec![0.0; padded * depth];
        let panels = values.par_chunks_exact_mut((width * depth).max(1)).enumerate();
        panels.for_each_init(
            || vec![0.0; depth],
            |row_values, (panel, values)| {
                if !goes_on() {
                    return;
                }
                for row in (panel * width..(panel + 1) * width).take_while(|&row| row < num_rows) {
                    row_values.fill(0.0);
                    fill(row, row_values);
                    let lane = values[row % width..].iter_mut().step_by(width);
                    for (slot, value) in lane.zip(&*row_values) {
                        *slot = *value;
                    }
                }
            },
        );
        Self { depth, values }
    }

    fn panels(&self, rows: std::ops::Range<usize>) -> &[f32] {
        &self.values[rows.start * self.depth..rows.end * self.depth]
    }
}

/// Both factors of a product, packed.
#[derive(Clone, Debug)]
pub struct PackedProduct {
    arch: Arch,
    left: Panels,
    right: Panels,
}

impl PackedProduct {
    /// Packs factors of `num_left` and `num_right` rows of `depth` values; `left(row, values)` and
    /// `right(row, values)` write a row's values.
    pub fn pack(
        num_left: usize,
        num_right: usize,
        depth: usize,
        left: impl Fn(usize, &mut [f32]) + Sync,
        right: impl Fn(usize, &mut [f32]) + Sync,
    ) -> Self {
        Self::pack_while(num_left, num_right, depth, left, right, &|| true)
    }

    /// Packs as [`Self::pack`] does as long as `goes_on` says so, which is asked often. Factors that were not packed to the
    /// end are of no use.
    pub fn pack_while(
        num_left: usize,
        num_right: usize,
        depth: usize,
        left: impl Fn(usize, &mut [f32]) + Sync,
        right: impl Fn(usize, &mut [f32]) + Sync,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let arch = Arch::new();
        let (rows, cols) = arch.dispatch(RegisterTileRows);
        Self {
            arch,
            left: Panels::pack_while(num_left, depth, rows, TILE_QUANTUM, left, goes_on),
            right: Panels::pack_while(num_right, depth, cols, TILE_QUANTUM, right, goes_on),
        }
    }

    /// The tile of `left_rows` x `right_rows`, row by row, into `tile`.
    ///
    /// # Panics
    /// If a range does not start and end at multiples of [`TILE_QUANTUM`], or `tile` has another
    /// size than the two ranges span.
    pub fn multiply_tile(
        &self,
        left_rows: std::ops::Range<usize>,
        right_rows: std::ops::Range<usize>,
        tile: &mut [f32],
    ) {
        for edge in [left_rows.start, left_rows.end, right_rows.start, right_rows.end] {
            assert!(edge.is_multiple_of(TILE_QUANTUM), "tiles start and end at TILE_QUANTUM");
        }
        assert_eq!(tile.len(), left_rows.len() * right_rows.len(), "tile of another size");
        self.arch.dispatch(MultiplyTile {
            depth: self.left.depth,
            num_cols: right_rows.len(),
            left: self.left.panels(left_rows),
            right: self.right.panels(right_rows),
            tile,
        });
    }
}

/// One factor, packed once, for products with many small left factors that are stored row by row.
#[derive(Clone, Debug)]
pub struct PackedFactor {
    arch: Arch,
    panel_rows: usize,
    right: Panels,
}

impl PackedFactor {
    /// Packs a factor of `num_rows` rows of `depth` values; `fill(row, values)` writes a row's values.
    pub fn pack(num_rows: usize, depth: usize, fill: impl Fn(usize, &mut [f32]) + Sync) -> Self {
        let arch = Arch::new();
        let (panel_rows, cols) = arch.dispatch(RegisterTileRows);
        Self {
            arch,
            panel_rows,
            right: Panels::pack_while(num_rows, depth, cols, cols, fill, &|| true),
        }
    }

    /// Values in a row of this factor.
    pub const fn depth(&self) -> usize {
        self.right.depth
    }

    /// Values in a row of the product: one per row of this factor, and some padding.
    pub fn stride(&self) -> usize {
        self.right.values.len() / self.right.depth
    }

    /// `left` times this factor transposed, row by row, [`stride`](Self::stride) values each, into
    /// `product`. `packed` is a buffer to reuse between calls. Rows of `product` beyond those of `left`
    /// are padding.
    pub fn multiply(&self, left: &[f32], packed: &mut Vec<f32>, product: &mut Vec<f32>) {
        let depth = self.right.depth;
        let num_rows = left.len() / depth;
        let padded = num_rows.next_multiple_of(self.panel_rows);
        packed.resize(padded * depth, 0.0);
        match self.panel_rows {
            MICRO_ROWS => pack_rows::<MICRO_ROWS>(left, depth, packed),
            MICRO_ROWS_TINY => pack_rows::<MICRO_ROWS_TINY>(left, depth, packed),
            _ => pack_rows::<MICRO_ROWS_SMALL>(left, depth, packed),
        }
        product.resize(padded * self.stride(), 0.0);
        self.arch.dispatch(MultiplyTile {
            depth,
            num_cols: self.stride(),
            left: packed,
            right: &self.right.values,
            tile: product,
        });
    }
}

/// Packs rows of `depth` values into panels of `ROWS` rows, and pads the last panel with zeros.
fn pack_rows<const ROWS: usize>(rows: &[f32], depth: usize, packed: &mut [f32]) {
    let panels = packed.chunks_exact_mut((ROWS * depth).max(1));
    for (values, rows) in panels.zip(rows.chunks((ROWS * depth).max(1))) {
        let values = values.as_chunks_mut::<ROWS>().0;
        if rows.len() == ROWS * depth {
            // Writes in order, reading all rows at once.
            let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &rows[row * depth..][..depth]);
            let values = &mut values[..depth];
            for at in 0..depth {
                for row in 0..ROWS {
                    values[at][row] = rows[row][at];
                }
            }
        } else {
            values.fill([0.0; ROWS]);
            for (lane, row) in rows.chunks_exact(depth).enumerate() {
                for (values, value) in values.iter_mut().zip(row) {
                    values[lane] = *value;
                }
            }
        }
    }
}

struct MultiplyTile<'a> {
    depth: usize,
    num_cols: usize,
    left: &'a [f32],
    right: &'a [f32],
    tile: &'a mut [f32],
}

impl MultiplyTile<'_> {
    #[inline(always)]
    fn run<S: Simd, const ROWS: usize>(self, simd: S) {
        let cols = MICRO_VECTORS * S::F32_LANES;
        for (j, right) in self.right.chunks_exact(cols * self.depth).enumerate() {
            let right = pulp::as_arrays::<MICRO_VECTORS, _>(S::as_simd_f32s(right).0).0;
            for (i, left) in self.left.chunks_exact(ROWS * self.depth).enumerate() {
                let left = left.as_chunks::<ROWS>().0;
                let mut sums = [[simd.splat_f32s(0.0); MICRO_VECTORS]; ROWS];
                for (left, right) in left.iter().zip(right) {
                    for (sums, left) in sums.iter_mut().zip(left) {
                        let left = simd.splat_f32s(*left);
                        for (sum, right) in sums.iter_mut().zip(right) {
                            *sum = simd.mul_add_e_f32s(left, *right, *sum);
                        }
                    }
                }
                for (row, sums) in sums.iter().enumerate() {
                    let start = (i * ROWS + row) * self.num_cols + j * cols;
                    let out = S::as_mut_simd_f32s(&mut self.tile[start..start + cols]).0;
                    out.copy_from_slice(sums);
                }
            }
        }
    }
}

impl WithSimd for MultiplyTile<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match micro_rows::<S>() {
            MICRO_ROWS => self.run::<S, MICRO_ROWS>(simd),
            MICRO_ROWS_TINY => self.run::<S, MICRO_ROWS_TINY>(simd),
            _ => self.run::<S, MICRO_ROWS_SMALL>(simd),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_factor_agrees_with_the_obvious_product() {
        let value = |row: usize, col: usize| ((row * 31 + col * 17) % 23) as f32 - 11.0;
        for (num_left, num_right, depth) in [(1, 1, 1), (5, 64, 36), (12, 3, 7), (40, 70, 64)] {
            let factor = PackedFactor::pack(num_right, depth, |row, values| {
                for (col, slot) in values.iter_mut().enumerate() {
                    *slot = value(row + 3, col);
                }
            });
            let left: Vec<f32> =
                (0..num_left * depth).map(|at| value(at / depth, at % depth)).collect();
            // Old values in the buffers must not affect the product.
            let (mut packed, mut product) = (vec![f32::NAN; 9], vec![f32::NAN; 10_000]);
            factor.multiply(&left, &mut packed, &mut product);
            for i in 0..num_left {
                for j in 0..num_right {
                    // Whole numbers below 2^24 are exact.
                    let sum: f32 = (0..depth).map(|d| value(i, d) * value(j + 3, d)).sum();
                    assert_eq!(product[i * factor.stride() + j], sum);
                }
            }
        }
    }

    #[test]
    fn tiles_agree_with_the_obvious_product_within_the_stated_bound() {
        let depth = 53;
        let value = |row: usize, col: usize, salt: usize| {
            ((row * 31 + col * 17 + salt * 7919) % 1009) as f32 / 100.0 - 5.0
        };
        let row = |salt: usize| {
            move |row: usize, values: &mut [f32]| {
                for (col, slot) in values.iter_mut().enumerate() {
                    *slot = value(row, col, salt);
                }
            }
        };
        let product = PackedProduct::pack(150, 200, depth, row(1), row(2));
        let mut tile = vec![f32::NAN; 96 * 192];
        for (rows, cols) in [(0..96, 0..192), (96..192, 96..288)] {
            product.multiply_tile(rows.clone(), cols.clone(), &mut tile);
            for row in rows.clone().filter(|&row| row < 150) {
                for col in cols.clone().filter(|&col| col < 200) {
                    let terms = (0..depth)
                        .map(|d| f64::from(value(row, d, 1)) * f64::from(value(col, d, 2)));
                    let (mut sum, mut size) = (0.0, 0.0);
                    for term in terms {
                        sum += term;
                        size += term.abs();
                    }
                    let got = f64::from(tile[(row - rows.start) * 192 + col - cols.start]);
                    assert!((got - sum).abs() <= rounding_bound(depth) * size);
                }
            }
        }
    }
}

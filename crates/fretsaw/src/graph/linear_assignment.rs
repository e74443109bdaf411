//! Linear assignment: every row gets a column of its own, at the least total cost.
//!
//! The method of Jonker and Volgenant for dense costs \[JV87\]: column reduction and augmenting row reduction assign most
//! rows and give all rows and columns a price (dual value); the other rows are assigned along shortest augmenting
//! paths. The prices prove the answer: no cost is below the sum of the prices of its row and column, and the
//! costs that are paid equal that sum.
//!
//! How we differ: augmenting row reduction has a budget, as it may cycle in floating point. There may be more columns
//! than rows: columns then start at price 0, and unassigned columns keep it, as duality requires. Cost: O(rows^2 x
//! columns) at worst, about rows x columns for random costs; memory O(rows + columns) besides the costs.

/// The largest absolute value of a cost, so that no sum of costs overflows.
const MAX_COST: f64 = 1e150;

/// Passes of augmenting row reduction, as in \[JV87\].
const NUM_REDUCTIONS: usize = 2;

/// The most rows that a pass of augmenting row reduction handles, for each row that is free at its start. Random costs
/// stay far below; costs with many ties would take long and gain little.
const STEPS_PER_FREE_ROW: usize = 8;

const NONE: usize = usize::MAX;

/// Columns of least total cost, with prices that prove it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assignment {
    /// The column of every row; no two are equal.
    pub column_of_row: Vec<usize>,
    /// The sum of the costs paid.
    pub total: f64,
    /// Prices of the rows. `row_duals[r] + col_duals[c]` is at most the cost of (r, c), and equal to
    /// it where r is assigned to c, up to rounding.
    pub row_duals: Vec<f64>,
    /// Prices of the columns. If there are more columns than rows none is above 0, and those of
    /// columns without a row are 0.
    pub col_duals: Vec<f64>,
}

/// Why there is no assignment: too many rows, or invalid costs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AssignmentError(String);

/// The assignment of least total cost for `num_rows` x `num_cols` costs, given row by row.
///
/// Deterministic; of equally good assignments the one returned depends on the order of rows and columns. To solve many,
/// [`AssignmentSolver`] saves allocations.
///
/// # Errors
/// If there are more rows than columns, if there are not `num_rows * num_cols` costs, or if a cost is not a finite
/// number of moderate size.
pub fn solve_assignment(
    costs: &[f64],
    num_rows: usize,
    num_cols: usize,
) -> Result<Assignment, AssignmentError> {
    let mut solver = AssignmentSolver::default();
    solver.solve(costs, num_rows, num_cols)?;
    Ok(solver.assignment)
}

/// Solves assignments one after another and reuses its memory.
#[derive(Clone, Debug, Default)]
pub struct AssignmentSolver {
    assignment: Assignment,
    row_of_column: Vec<usize>,
    /// Rows without a column, and those that are left for the next pass.
    free: Vec<usize>,
    still_free: Vec<usize>,
    path: PathBuffers,
}

/// State of the search for one shortest augmenting path.
#[derive(Clone, Debug, Default)]
struct PathBuffers {
    /// Per column, the length of the shortest path to it found so far.
    distances: Vec<f64>,
    /// Per column, the row from which that path enters it.
    rows_before: Vec<usize>,
    /// Columns whose shortest path is known come first.
    columns: Vec<usize>,
}

impl AssignmentSolver {
    /// As [`solve_assignment`].
    pub fn solve(
        &mut self,
        costs: &[f64],
        num_rows: usize,
        num_cols: usize,
    ) -> Result<&Assignment, AssignmentError> {
        let costs = Costs::new(costs, num_rows, num_cols)?;
        let Self { assignment, row_of_column, .. } = self;
        refill(&mut assignment.column_of_row, num_rows, NONE);
        refill(&mut assignment.row_duals, num_rows, 0.0);
        refill(&mut assignment.col_duals, num_cols, 0.0);
        refill(row_of_column, num_cols, NONE);
        if num_rows == num_cols {
            self.reduce_columns(&costs);
        }
        self.free.clear();
        let columns = &self.assignment.column_of_row;
        self.free.extend((0..num_rows).filter(|&row| columns[row] == NONE));
        // A single column has no second best; its path assigns it at once.
        if num_cols > 1 {
            for _ in 0..NUM_REDUCTIONS {
                self.reduce_rows(&costs);
            }
        }
        for index in 0..self.free.len() {
            self.augment(&costs, self.free[index]);
        }
        let Assignment { column_of_row, total, row_duals, col_duals } = &mut self.assignment;
        *total = 0.0;
        for (row, &col) in column_of_row.iter().enumerate() {
            let cost = costs.row(row)[col];
            *total += cost;
            row_duals[row] = cost - col_duals[col];
        }
        Ok(&self.assignment)
    }

    /// Column reduction and reduction transfer: the price of every column becomes its least cost, and the column is
    /// assigned to that row if the row is free.
    fn reduce_columns(&mut self, costs: &Costs<'_>) {
        let Assignment { column_of_row, col_duals, .. } = &mut self.assignment;
        // The row of each column's least cost, found row by row as costs are stored.
        let cheapest = &mut self.path.rows_before;
        refill(cheapest, costs.num_cols, 0);
        col_duals.copy_from_slice(costs.row(0));
        for row in 1..costs.num_rows {
            for (col, &cost) in costs.row(row).iter().enumerate() {
                if cost < col_duals[col] {
                    col_duals[col] = cost;
                    cheapest[col] = row;
                }
            }
        }
        // From the last column to the first, as in the original.
        let num_cheapest = &mut self.path.columns;
        refill(num_cheapest, costs.num_rows, 0);
        for col in (0..costs.num_cols).rev() {
            let row = cheapest[col];
            num_cheapest[row] += 1;
            if column_of_row[row] == NONE {
                column_of_row[row] = col;
                self.row_of_column[col] = row;
            }
        }
        // A row that is cheapest for exactly one column can raise its own price at the expense of that column, up to
        // its second best.
        for row in (0..costs.num_rows).filter(|&row| num_cheapest[row] == 1) {
            let own = column_of_row[row];
            let second = costs
                .row(row)
                .iter()
                .zip(&*col_duals)
                .enumerate()
                .filter(|&(col, _)| col != own)
                .map(|(_, (cost, dual))| cost - dual)
                .fold(f64::INFINITY, f64::min);
            // Its own reduced cost is 0.
            if second.is_finite() {
                col_duals[own] -= second;
            }
        }
    }

    /// Augmenting row reduction: a free row takes its best column and lowers the column's dual value until the second
    /// best column is as good; the row that had the column becomes free and continues.
    fn reduce_rows(&mut self, costs: &Costs<'_>) {
        let Assignment { column_of_row, col_duals, .. } = &mut self.assignment;
        self.still_free.clear();
        let mut budget = STEPS_PER_FREE_ROW * self.free.len();
        for &first in &self.free {
            let mut next = Some(first);
            while let Some(row) = next.take() {
                if budget == 0 {
                    self.still_free.push(row);
                    break;
                }
                budget -= 1;
                let TwoBest { mut col, least, second_col, second } =
                    two_best(costs.row(row), col_duals);
                let lowered = col_duals[col] - (second - least);
                // In floating point the gap may vanish against the price; then it counts as a tie.
                let is_clear = lowered < col_duals[col];
                if is_clear {
                    col_duals[col] = lowered;
                } else if self.row_of_column[col] != NONE {
                    col = second_col;
                }
                let evicted = std::mem::replace(&mut self.row_of_column[col], row);
                column_of_row[row] = col;
                if evicted != NONE {
                    column_of_row[evicted] = NONE;
                    if is_clear {
                        next = Some(evicted);
                    } else {
                        self.still_free.push(evicted);
                    }
                }
            }
        }
        std::mem::swap(&mut self.free, &mut self.still_free);
    }

    /// Assigns a free row along the shortest augmenting path, by Dijkstra's algorithm on the reduced costs, and updates
    /// the prices of the columns that it settled.
    fn augment(&mut self, costs: &Costs<'_>, free_row: usize) {
        let Assignment { column_of_row, col_duals, .. } = &mut self.assignment;
        let PathBuffers { distances, rows_before, columns } = &mut self.path;
        refill(distances, costs.num_cols, f64::INFINITY);
        refill(rows_before, costs.num_cols, free_row);
        columns.clear();
        columns.extend(0..costs.num_cols);
        let mut num_settled = 0;
        let mut row = free_row;
        // The length of the path to `row`, less the price of `row`.
        let mut offset = 0.0;
        let (end, length) = loop {
            let costs_of_row = costs.row(row);
            let (mut nearest, mut at) = (f64::INFINITY, num_settled);
            for index in num_settled..columns.len() {
                let col = columns[index];
                let through = costs_of_row[col] - col_duals[col] + offset;
                if through < distances[col] {
                    distances[col] = through;
                    rows_before[col] = row;
                }
                let distance = distances[col];
                // Of equally near columns, one without a row is preferred, as it ends the search.
                if distance < nearest || (distance == nearest && self.row_of_column[col] == NONE) {
                    (nearest, at) = (distance, index);
                }
            }
            let col = columns[at];
            if self.row_of_column[col] == NONE {
                break (col, nearest);
            }
            columns.swap(num_settled, at);
            num_settled += 1;
            row = self.row_of_column[col];
            offset = nearest - (costs.row(row)[col] - col_duals[col]);
        };
        for &col in &columns[..num_settled] {
            // Never upward: rounding must not make a price infeasible.
            col_duals[col] += (distances[col] - length).min(0.0);
        }
        let mut col = end;
        loop {
            let row = rows_before[col];
            self.row_of_column[col] = row;
            std::mem::swap(&mut column_of_row[row], &mut col);
            if row == free_row {
                break;
            }
        }
    }
}

/// The two best columns of a row.
struct TwoBest {
    col: usize,
    least: f64,
    second_col: usize,
    second: f64,
}

fn two_best(costs: &[f64], col_duals: &[f64]) -> TwoBest {
    let mut best = TwoBest { col: 0, least: f64::INFINITY, second_col: 0, second: f64::INFINITY };
    for (col, (cost, dual)) in costs.iter().zip(col_duals).enumerate() {
        let reduced = cost - dual;
        if reduced < best.second {
            if reduced < best.least {
                best = TwoBest { col, least: reduced, second_col: best.col, second: best.least };
            } else {
                best = TwoBest { second_col: col, second: reduced, ..best };
            }
        }
    }
    best
}

fn refill<T: Copy>(buffer: &mut Vec<T>, len: usize, value: T) {
    buffer.clear();
    buffer.resize(len, value);
}

/// A checked matrix of costs.
struct Costs<'a> {
    values: &'a [f64],
    num_rows: usize,
    num_cols: usize,
}

impl<'a> Costs<'a> {
    fn new(values: &'a [f64], num_rows: usize, num_cols: usize) -> Result<Self, AssignmentError> {
        let given = values.len();
        if num_rows.checked_mul(num_cols) != Some(given) {
            return Err(AssignmentError(format!(
                "{given} costs were given for {num_rows} rows x {num_cols} columns"
            )));
        }
        if num_rows > num_cols {
            return Err(AssignmentError(format!(
                "{num_rows} rows cannot be assigned to {num_cols} columns; there must be at least as many columns"
            )));
        }
        // NaN is in no range.
        match values.iter().position(|cost| !(-MAX_COST..=MAX_COST).contains(cost)) {
            Some(at) => Err(AssignmentError(format!(
                "the cost of row {}, column {} is {}; costs must be between -{MAX_COST:e} and {MAX_COST:e}",
                at / num_cols,
                at % num_cols,
                values[at]
            ))),
            None => Ok(Self { values, num_rows, num_cols }),
        }
    }

    fn row(&self, row: usize) -> &'a [f64] {
        &self.values[row * self.num_cols..][..self.num_cols]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The least total over all ways to assign free columns to the rows from `row` on.
    fn least_total(costs: &[f64], num_cols: usize, row: usize, taken: &mut [bool]) -> f64 {
        if (row + 1) * num_cols > costs.len() {
            return 0.0;
        }
        let mut least = f64::INFINITY;
        for col in 0..num_cols {
            if !taken[col] {
                taken[col] = true;
                let rest = least_total(costs, num_cols, row + 1, taken);
                least = least.min(costs[row * num_cols + col] + rest);
                taken[col] = false;
            }
        }
        least
    }

    /// Asserts that the prices prove the assignment; `rounding` is the tolerance.
    fn assert_proven(costs: &[f64], assignment: &Assignment, rounding: f64) {
        let Assignment { column_of_row, total, row_duals, col_duals } = assignment;
        let (num_rows, num_cols) = (row_duals.len(), col_duals.len());
        let mut is_taken = vec![false; num_cols];
        for &col in column_of_row {
            assert!(!std::mem::replace(&mut is_taken[col], true), "column {col} twice");
        }
        for row in 0..num_rows {
            for col in 0..num_cols {
                let slack = costs[row * num_cols + col] - row_duals[row] - col_duals[col];
                assert!(slack >= -rounding, "({row}, {col}): {slack}");
                if column_of_row[row] == col {
                    assert!(slack <= rounding, "({row}, {col}): {slack}");
                }
            }
        }
        if num_rows < num_cols {
            for col in 0..num_cols {
                assert!(col_duals[col] <= 0.0 && (is_taken[col] || col_duals[col] == 0.0));
            }
        }
        let dual: f64 = row_duals.iter().chain(col_duals).sum();
        assert!((total - dual).abs() <= rounding * (num_rows + num_cols) as f64);
    }

    #[test]
    fn small_assignments_are_optimal() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut solver = AssignmentSolver::default();
        for case in 0..6000 {
            let num_rows = rng.random_range(1..7_usize);
            let num_cols = num_rows + if case % 3 == 0 { rng.random_range(0..3) } else { 0 };
            // Few levels make ties; integers make sums exact.
            let levels = [1, 2, 4, 100][case % 4];
            let mut costs: Vec<f64> = (0..num_rows * num_cols)
                .map(|_| f64::from(rng.random_range(-levels..=levels)))
                .collect();
            if case % 5 == 0 && num_rows > 1 {
                costs.copy_within(..num_cols, num_cols);
            }
            let assignment = solver.solve(&costs, num_rows, num_cols).unwrap();
            let best = least_total(&costs, num_cols, 0, &mut vec![false; num_cols]);
            assert_eq!(assignment.total, best, "{num_rows} x {num_cols}: {costs:?}");
            assert_proven(&costs, assignment, 0.0);
        }
    }

    #[test]
    fn assignments_of_seven_rows_are_optimal() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for case in 0..100 {
            let largest = if case % 2 == 0 { 1 } else { 1000 };
            let costs: Vec<f64> =
                (0..49).map(|_| f64::from(rng.random_range(-largest..=largest))).collect();
            let assignment = solve_assignment(&costs, 7, 7).unwrap();
            assert_eq!(assignment.total, least_total(&costs, 7, 0, &mut [false; 7]));
            assert_proven(&costs, &assignment, 0.0);
        }
    }

    #[test]
    fn dual_prices_prove_that_large_assignments_are_optimal() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut solver = AssignmentSolver::default();
        for (num_rows, num_cols) in [(300, 300), (100, 130), (257, 257), (1, 50), (50, 51)] {
            let len = num_rows * num_cols;
            let uniform: Vec<f64> = (0..len).map(|_| rng.random_range(-1.0..1.0)).collect();
            let few: Vec<f64> = (0..len).map(|_| f64::from(rng.random_range(0..3))).collect();
            let equal = vec![0.1; len];
            // The worst case of many methods: the costs of a multiplication table.
            let table: Vec<f64> =
                (0..len).map(|at| ((at / num_cols + 1) * (at % num_cols + 1)) as f64).collect();
            let far: Vec<f64> = uniform.iter().map(|cost| (cost * 40.0).exp()).collect();
            for costs in [uniform, few, equal, table, far] {
                let largest = costs.iter().fold(0.0f64, |largest, cost| largest.max(cost.abs()));
                let assignment = solver.solve(&costs, num_rows, num_cols).unwrap();
                assert_proven(&costs, assignment, 1e-11 * largest);
                assert_eq!(*assignment, solve_assignment(&costs, num_rows, num_cols).unwrap());
            }
        }
    }

    #[test]
    fn invalid_problems_are_refused() {
        let refused = |costs: &[f64], num_rows: usize, num_cols: usize| {
            solve_assignment(costs, num_rows, num_cols).unwrap_err().to_string()
        };
        for cost in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
            let error = refused(&[0.0, 1.0, 2.0, cost], 2, 2);
            assert!(error.starts_with("the cost of row 1, column 1 is "), "{error}");
        }
        assert!(refused(&[0.0; 2], 2, 1).starts_with("2 rows cannot be assigned to 1 columns"));
        for (num_rows, num_cols) in [(1, 2), (usize::MAX, 3)] {
            let expected = format!("3 costs were given for {num_rows} rows x {num_cols} columns");
            assert_eq!(refused(&[0.0; 3], num_rows, num_cols), expected);
        }
        assert_eq!(solve_assignment(&[], 0, 0).unwrap(), Assignment::default());
        assert_eq!(solve_assignment(&[-3.0], 1, 1).unwrap().total, -3.0);
    }
}

//! The problem as a linear program, in positions and absolute errors.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT::NonnegativeConeT,
};
use fretsaw::graph::l1_layout::LayoutEdge;
use microlp::{ComparisonOp, OptimizationDirection, Problem};

pub fn by_microlp(num_vertices: usize, edges: &[LayoutEdge]) -> Option<f64> {
    let mut program = Problem::new(OptimizationDirection::Minimize);
    let x: Vec<_> = (0..num_vertices)
        .map(|_| program.add_var(0.0, (f64::NEG_INFINITY, f64::INFINITY)))
        .collect();
    for edge in edges {
        let error = program.add_var(f64::from(edge.weight), (0.0, f64::INFINITY));
        let wanted = edge.difference as f64;
        let above = [(error, 1.0), (x[edge.to], -1.0), (x[edge.from], 1.0)];
        let below = [(error, 1.0), (x[edge.to], 1.0), (x[edge.from], -1.0)];
        program.add_constraint(above, ComparisonOp::Ge, -wanted);
        program.add_constraint(below, ComparisonOp::Ge, wanted);
    }
    Some(program.solve().ok()?.into_solution().ok()?.objective())
}

pub fn by_clarabel(num_vertices: usize, edges: &[LayoutEdge]) -> Option<f64> {
    let num_columns = num_vertices + edges.len();
    let (mut rows, mut columns, mut values, mut bounds) = (vec![], vec![], vec![], vec![]);
    for (number, edge) in edges.iter().enumerate() {
        for (row, sign) in [(2 * number, 1.0), (2 * number + 1, -1.0)] {
            // sign (x[to] - x[from]) - error <= sign difference
            for (column, value) in
                [(edge.to, sign), (edge.from, -sign), (num_vertices + number, -1.0)]
            {
                rows.push(row);
                columns.push(column);
                values.push(value);
            }
            bounds.push(sign * edge.difference as f64);
        }
    }
    let constraints =
        CscMatrix::new_from_triplets(2 * edges.len(), num_columns, rows, columns, values);
    let mut prices = vec![0.0; num_vertices];
    prices.extend(edges.iter().map(|edge| f64::from(edge.weight)));
    let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
    let quadratic = CscMatrix::zeros((num_columns, num_columns));
    let cones = [NonnegativeConeT(2 * edges.len())];
    let mut solver =
        DefaultSolver::new(&quadratic, &prices, &constraints, &bounds, &cones, settings).ok()?;
    solver.solve();
    let is_solved =
        matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    is_solved.then_some(solver.solution.obj_val)
}

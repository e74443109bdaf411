//! Layouts are optimal: small ones are compared with an independent linear programming solver, large ones
//! are checked by their certificate.

#![expect(clippy::unwrap_used, reason = "a test that cannot set up its problem has failed")]

use fretsaw::picture::synthetic::layout::{
    LayoutSettings, LayoutWeights, SyntheticLayout, layout_problem,
};
use fretsaw::puzzle::Grid;
use fretsaw::unstable::graph::l1_layout::{
    BodyPlace, LayoutEdge, LayoutProblem, is_optimal, layout_cost, solve_layout,
};
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A [`LayoutProblem`] that owns its parts.
#[derive(Debug)]
struct Case {
    num_vertices: usize,
    edges: Vec<LayoutEdge>,
    bodies: Option<Vec<BodyPlace>>,
}

impl Case {
    fn problem(&self) -> LayoutProblem<'_> {
        LayoutProblem {
            num_vertices: self.num_vertices,
            edges: &self.edges,
            bodies: self.bodies.as_deref(),
        }
    }

    fn place(&self, vertex: usize) -> BodyPlace {
        self.bodies.as_ref().map_or(BodyPlace { body: vertex, offset: 0 }, |bodies| bodies[vertex])
    }

    /// A random problem: few or many vertices and edges, self-loops, repeated edges, weights of 0, equal
    /// weights, and bodies.
    fn draw(rng: &mut ChaCha8Rng, max_vertices: usize, max_difference: i64) -> Self {
        let num_vertices = rng.random_range(1..=max_vertices);
        let num_edges = rng.random_range(0..=40);
        let max_weight = [1, 3, 1000][rng.random_range(0..3)];
        let mut edges: Vec<LayoutEdge> = Vec::new();
        for _ in 0..num_edges {
            let least_weight = u32::from(rng.random_bool(0.8));
            let repeats = !edges.is_empty() && rng.random_bool(0.2);
            edges.push(if repeats {
                let mut edge = edges[rng.random_range(0..edges.len())];
                if rng.random_bool(0.5) {
                    edge = LayoutEdge {
                        from: edge.to,
                        to: edge.from,
                        difference: -edge.difference,
                        ..edge
                    };
                }
                edge
            } else {
                LayoutEdge {
                    from: rng.random_range(0..num_vertices),
                    to: rng.random_range(0..num_vertices),
                    difference: rng.random_range(-max_difference..=max_difference),
                    weight: rng.random_range(least_weight..=max_weight),
                }
            });
        }
        let bodies = rng.random_bool(0.4).then(|| {
            let num_bodies = rng.random_range(1..=num_vertices);
            let place = |_| BodyPlace {
                body: rng.random_range(0..num_bodies),
                offset: rng.random_range(-max_difference..=max_difference),
            };
            (0..num_vertices).map(place).collect()
        });
        Self { num_vertices, edges, bodies }
    }

    /// The least cost, by a general linear programming solver.
    fn cost_by_linear_program(&self) -> f64 {
        let mut program = Problem::new(OptimizationDirection::Minimize);
        let anywhere = (f64::NEG_INFINITY, f64::INFINITY);
        let bodies: Vec<_> =
            (0..self.num_vertices).map(|_| program.add_var(0.0, anywhere)).collect();
        let mut inside = 0.0;
        for edge in &self.edges {
            let (from, to) = (self.place(edge.from), self.place(edge.to));
            let wanted = (edge.difference + from.offset - to.offset) as f64;
            if from.body == to.body {
                inside += f64::from(edge.weight) * wanted.abs();
                continue;
            }
            let error = program.add_var(f64::from(edge.weight), (0.0, f64::INFINITY));
            let (from, to) = (bodies[from.body], bodies[to.body]);
            // error >= |x[to] - x[from] - wanted|
            let above = [(error, 1.0), (to, -1.0), (from, 1.0)];
            let below = [(error, 1.0), (to, 1.0), (from, -1.0)];
            program.add_constraint(above, ComparisonOp::Ge, -wanted);
            program.add_constraint(below, ComparisonOp::Ge, wanted);
        }
        inside + program.solve().unwrap().into_solution().unwrap().objective()
    }
}

/// Solves from several starts, checks the certificates, and returns the cost.
fn solved_cost(case: &Case, rng: &mut ChaCha8Rng) -> u128 {
    let problem = case.problem();
    let layout = solve_layout(&problem, None).unwrap();
    assert!(is_optimal(&problem, &layout), "{case:?}");
    assert_eq!(layout, solve_layout(&problem, None).unwrap());
    let noise: Vec<i64> = (0..case.num_vertices).map(|_| rng.random_range(-9..9)).collect();
    let near: Vec<i64> = layout.positions.iter().zip(&noise).map(|(x, e)| x + e / 8).collect();
    for start in [&layout.positions, &noise, &near] {
        let again = solve_layout(&problem, Some(start)).unwrap();
        assert!(is_optimal(&problem, &again), "{case:?}");
        assert_eq!(again.cost, layout.cost);
    }
    layout.cost
}

#[test]
fn small_layouts_cost_as_much_as_by_a_linear_program() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..1500 {
        let max_difference = [1, 2, 10, 1000][round % 4];
        let case = Case::draw(&mut rng, 12, max_difference);
        let cost = solved_cost(&case, &mut rng) as f64;
        let expected = case.cost_by_linear_program();
        assert!((cost - expected).abs() < 1e-6 * (1.0 + expected), "{cost} {expected} {case:?}");
    }
}

#[test]
fn tiny_layouts_cost_as_much_as_by_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..1500 {
        let mut case = Case::draw(&mut rng, 3, 2);
        case.bodies = None;
        let cost = solved_cost(&case, &mut rng);
        // Some optimum is connected by edges that hold exactly, with paths of at most two edges.
        let mut least = u128::MAX;
        for second in -4..=4 {
            for third in -4..=4 {
                least = least.min(layout_cost(&case.edges, &[0, second, third]));
            }
        }
        assert_eq!(cost, least, "{case:?}");
    }
}

#[test]
fn thousands_of_small_layouts_have_valid_certificates() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for round in 0..20_000 {
        let case = Case::draw(&mut rng, 12, [1, 3, 100, 1 << 40][round % 4]);
        solved_cost(&case, &mut rng);
    }
}

fn grid(rows: u64, cols: u64, wrong_share: f64, weights: LayoutWeights) -> SyntheticLayout {
    let grid = Grid::new(rows, cols).unwrap();
    layout_problem(&LayoutSettings { grid, wrong_share, weights, seed: 1 }).unwrap()
}

const fn free(num_vertices: usize, edges: &[LayoutEdge]) -> LayoutProblem<'_> {
    LayoutProblem { num_vertices, edges, bodies: None }
}

#[test]
fn layouts_of_large_grids_have_valid_certificates() {
    for (wrong_share, weights) in
        [(0.0, LayoutWeights::Random), (0.15, LayoutWeights::Random), (0.15, LayoutWeights::Equal)]
    {
        let drawn = grid(50, 60, wrong_share, weights);
        for (edges, truth) in [(&drawn.row_edges, &drawn.rows), (&drawn.col_edges, &drawn.cols)] {
            let problem = free(3000, edges);
            let layout = solve_layout(&problem, None).unwrap();
            assert!(is_optimal(&problem, &layout));
            if wrong_share == 0.0 {
                assert_eq!(&layout.positions, truth);
            }
        }
    }
}

#[test]
fn differences_of_any_size_are_laid_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let num_vertices = 500;
    for scale in [1_i64, 1 << 10, 1 << 30] {
        let edges: Vec<LayoutEdge> = (0..2000)
            .map(|_| LayoutEdge {
                from: rng.random_range(0..num_vertices),
                to: rng.random_range(0..num_vertices),
                difference: rng.random_range(-scale..=scale),
                weight: rng.random_range(1..=1000),
            })
            .collect();
        let problem = free(num_vertices, &edges);
        assert!(is_optimal(&problem, &solve_layout(&problem, None).unwrap()));
    }
}

#[test]
fn the_order_of_vertices_and_edges_does_not_change_the_cost() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let drawn = grid(12, 15, 0.1, LayoutWeights::Random);
    let num_vertices = drawn.rows.len();
    let cost = solve_layout(&free(num_vertices, &drawn.col_edges), None).unwrap().cost;
    for _ in 0..20 {
        let mut name: Vec<usize> = (0..num_vertices).collect();
        name.shuffle(&mut rng);
        let mut edges = drawn.col_edges.clone();
        edges.shuffle(&mut rng);
        for edge in &mut edges {
            (edge.from, edge.to) = (name[edge.from], name[edge.to]);
        }
        assert_eq!(solve_layout(&free(num_vertices, &edges), None).unwrap().cost, cost);
    }
}

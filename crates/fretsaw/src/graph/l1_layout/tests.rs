use super::*;

fn edge(from: usize, to: usize, difference: i64, weight: u32) -> LayoutEdge {
    LayoutEdge { from, to, difference, weight }
}

const fn free(num_vertices: usize, edges: &[LayoutEdge]) -> LayoutProblem<'_> {
    LayoutProblem { num_vertices, edges, bodies: None }
}

fn solve(problem: &LayoutProblem<'_>) -> Layout {
    let layout = solve_layout(problem, None).unwrap();
    assert!(is_optimal(problem, &layout));
    layout
}

#[test]
fn the_heavier_side_of_a_contradiction_wins() {
    let edges = [edge(0, 1, 1, 3), edge(1, 2, 1, 3), edge(0, 2, 5, 1)];
    let layout = solve(&free(3, &edges));
    assert_eq!(layout.positions, [0, 1, 2]);
    assert_eq!(layout.cost, 3);
}

#[test]
fn empty_and_tiny_problems_are_laid_out() {
    assert!(solve(&free(0, &[])).positions.is_empty());
    assert_eq!(solve(&free(3, &[])).positions, [0, 0, 0]);
    let idle = [edge(0, 0, 7, 2), edge(0, 1, 5, 0), edge(1, 1, 0, 9), edge(0, 0, -1, 1)];
    let layout = solve(&free(2, &idle));
    assert_eq!((layout.positions, layout.cost), (vec![0, 0], 15));
}

#[test]
fn every_component_starts_at_zero() {
    let edges = [edge(0, 1, -4, 1), edge(2, 3, 3, 1), edge(5, 4, 2, 1)];
    let layout = solve(&free(7, &edges));
    assert_eq!(layout.positions, [4, 0, 0, 3, 2, 0, 0]);
}

#[test]
fn bodies_move_as_one() {
    let place = |body, offset| BodyPlace { body, offset };
    let bodies = [place(3, 10), place(3, 12), place(0, 0), place(0, -5)];
    let edges = [edge(0, 2, 1, 1), edge(1, 3, 1, 2), edge(0, 1, 1, 4)];
    let problem = LayoutProblem { bodies: Some(&bodies), ..free(4, &edges) };
    let layout = solve(&problem);
    // The second edge outweighs the first; the third is inside a body and off by one for good.
    assert_eq!(layout.positions, [0, 2, 8, 3]);
    assert_eq!(layout.cost, 7 + 4);
}

fn refused(problem: &LayoutProblem<'_>) -> String {
    solve_layout(problem, None).unwrap_err().to_string()
}

#[test]
fn missing_vertices_bodies_and_entries_are_refused() {
    let edges = [edge(0, 2, 0, 1)];
    assert_eq!(refused(&free(2, &edges)), "an edge names vertex 2, but there are 2");
    let bodies = [BodyPlace { body: 0, offset: 0 }, BodyPlace { body: 2, offset: 0 }];
    let problem = LayoutProblem { bodies: Some(&bodies), ..free(2, &[]) };
    assert_eq!(refused(&problem), "vertex 1 is in body 2, but bodies are numbered below 2");
    let short = LayoutProblem { num_vertices: 3, ..problem };
    assert_eq!(refused(&short), "the list of bodies has 2 entries for 3 vertices");
    let error = solve_layout(&free(2, &[]), Some(&[0])).unwrap_err();
    assert_eq!(error.to_string(), "the start has 1 entries for 2 vertices");
}

#[test]
fn numbers_too_large_are_refused_and_large_ones_are_not() {
    for difference in [i64::MAX, i64::MIN, MAX_POSITION + 1] {
        let edges = [edge(0, 1, difference, 1)];
        assert_eq!(refused(&free(2, &edges)), "a difference is too large for exact arithmetic");
    }
    let chain: Vec<LayoutEdge> = (0..40).map(|at| edge(at, at + 1, MAX_POSITION, 1)).collect();
    let error = refused(&free(41, &chain));
    assert!(error.ends_with("too large for exact arithmetic"), "{error}");
    let large = 1 << 50;
    let edges = [edge(0, 1, large, u32::MAX), edge(1, 2, large, 7), edge(2, 0, large, u32::MAX)];
    let layout = solve(&free(3, &edges));
    assert_eq!(layout.cost, 21 * (1 << 50));
    // A start may be anything.
    for start in [[i64::MAX, i64::MIN, 0], [i64::MIN; 3], [3, 1, 2]] {
        if let Ok(again) = solve_layout(&free(3, &edges), Some(&start)) {
            assert_eq!(again.cost, layout.cost);
        }
    }
}

#[test]
fn the_certificate_detects_every_change() {
    let edges = [edge(0, 1, 1, 3), edge(1, 2, 1, 3), edge(0, 2, 5, 1)];
    let problem = free(3, &edges);
    let layout = solve(&problem);
    assert!(!is_optimal(&problem, &Layout { cost: layout.cost - 1, ..layout.clone() }));
    let mut moved = layout.clone();
    moved.positions[1] += 1;
    moved.cost = layout_cost(&edges, &moved.positions);
    assert!(!is_optimal(&problem, &moved));
    for place in 0..3 {
        let mut changed = layout.clone();
        changed.flows[place] += 1;
        assert!(!is_optimal(&problem, &changed));
    }
}

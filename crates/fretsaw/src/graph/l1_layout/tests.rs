use super::*;

fn edge(from: usize, to: usize, difference: i64, weight: u32) -> LayoutEdge {
    LayoutEdge { from, to, difference, weight }
}

#[test]
fn the_heavier_side_of_a_contradiction_wins() {
    let edges = [edge(0, 1, 1, 3), edge(1, 2, 1, 3), edge(0, 2, 5, 1)];
    let problem = LayoutProblem { num_vertices: 4, edges: &edges, bodies: None, fixed: &[] };
    let layout = solve_layout(&problem, None).unwrap();
    assert_eq!(layout.positions, [0, 1, 2, 0]);
    assert_eq!(layout.cost, 3);
    assert!(is_optimal(&problem, &layout));
}

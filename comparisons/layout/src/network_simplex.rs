//! A plain network simplex on the same circulation: block pricing, strongly feasible trees, and
//! potentials relabelled on the side that is hung elsewhere.

use fretsaw::graph::l1_layout::LayoutEdge;
use fretsaw::graph::maximum_spanning_forest;

const NONE: usize = usize::MAX;

struct Tree {
    parent: Vec<usize>,
    /// The edge to the parent.
    edge: Vec<usize>,
    depth: Vec<usize>,
    children: Vec<Vec<usize>>,
}

/// The least cost, and the number of pivots.
pub fn solve(num_vertices: usize, edges: &[LayoutEdge]) -> (u128, usize) {
    let weighted: Vec<(usize, usize, f64)> =
        edges.iter().map(|edge| (edge.from, edge.to, f64::from(edge.weight))).collect();
    let mut tree_neighbors = vec![Vec::new(); num_vertices];
    for number in maximum_spanning_forest(num_vertices, &weighted) {
        let edge = edges[number];
        tree_neighbors[edge.from].push((edge.to, number));
        tree_neighbors[edge.to].push((edge.from, number));
    }
    let mut tree = Tree {
        parent: vec![NONE; num_vertices],
        edge: vec![NONE; num_vertices],
        depth: vec![0; num_vertices],
        children: vec![Vec::new(); num_vertices],
    };
    let mut x = vec![0_i64; num_vertices];
    let mut is_seen = vec![false; num_vertices];
    let mut stack = Vec::new();
    for root in 0..num_vertices {
        if !is_seen[root] {
            is_seen[root] = true;
            stack.push(root);
        }
        while let Some(vertex) = stack.pop() {
            for &(child, number) in &tree_neighbors[vertex] {
                if !is_seen[child] {
                    is_seen[child] = true;
                    tree.parent[child] = vertex;
                    tree.edge[child] = number;
                    tree.depth[child] = tree.depth[vertex] + 1;
                    tree.children[vertex].push(child);
                    let edge = edges[number];
                    x[child] = x[vertex]
                        + if edge.to == child { edge.difference } else { -edge.difference };
                    stack.push(child);
                }
            }
        }
    }

    let mut flow = vec![0_i64; edges.len()];
    let weight = |number: usize| i64::from(edges[number].weight);
    let block = ((edges.len() as f64).sqrt() as usize).max(1);
    let mut at = 0;
    let mut num_pivots = 0;
    loop {
        // The edge farthest from what it wants, among the first block that has one.
        let mut best = (0, NONE);
        let mut num_scanned = 0;
        while num_scanned < edges.len() {
            for _ in 0..block {
                let edge = edges[at];
                let error = x[edge.to] - x[edge.from] - edge.difference;
                let is_full = flow[at] == weight(at) * error.signum();
                if error.abs() > best.0 && !is_full {
                    best = (error.abs(), at);
                }
                at = (at + 1) % edges.len();
            }
            num_scanned += block;
            if best.1 != NONE {
                break;
            }
        }
        let entering = best.1;
        if entering == NONE {
            break;
        }
        num_pivots += 1;
        let edge = edges[entering];
        let sign = (x[edge.to] - x[edge.from] - edge.difference).signum();
        let (u, v) = if sign > 0 { (edge.from, edge.to) } else { (edge.to, edge.from) };
        // Room for flow from a vertex up to its parent, or down.
        let room = |flow: &[i64], tree: &Tree, vertex: usize, is_up: bool| {
            let number = tree.edge[vertex];
            let is_forth = (edges[number].from == vertex) == is_up;
            weight(number) - if is_forth { flow[number] } else { -flow[number] }
        };
        let mut amount = weight(entering) - sign * flow[entering];
        let mut leaving = NONE;
        let mut is_on_u_side = false;
        let (mut a, mut b) = (u, v);
        let mut from_v = Vec::new();
        while a != b {
            if tree.depth[a] >= tree.depth[b] {
                let room = room(&flow, &tree, a, false);
                if room < amount {
                    (amount, leaving, is_on_u_side) = (room, a, true);
                }
                a = tree.parent[a];
            } else {
                from_v.push(b);
                b = tree.parent[b];
            }
        }
        // The last full arc of the cycle leaves: those on the side of v come after all others.
        for vertex in from_v {
            let room = room(&flow, &tree, vertex, true);
            if room <= amount {
                (amount, leaving, is_on_u_side) = (room, vertex, false);
            }
        }
        if amount > 0 {
            flow[entering] += sign * amount;
            let apex = a;
            for (start, is_up) in [(u, false), (v, true)] {
                let mut vertex = start;
                while vertex != apex {
                    let number = tree.edge[vertex];
                    let is_forth = (edges[number].from == vertex) == is_up;
                    flow[number] += if is_forth { amount } else { -amount };
                    vertex = tree.parent[vertex];
                }
            }
        }
        if leaving == NONE {
            continue;
        }
        let (inside, outside) = if is_on_u_side { (u, v) } else { (v, u) };
        // Turn the way from `inside` up to the leaving edge upside down.
        let (mut vertex, mut parent, mut number) = (inside, outside, entering);
        loop {
            let (old_parent, old_number) = (tree.parent[vertex], tree.edge[vertex]);
            tree.children[old_parent].retain(|&child| child != vertex);
            tree.parent[vertex] = parent;
            tree.edge[vertex] = number;
            tree.children[parent].push(vertex);
            if vertex == leaving {
                break;
            }
            (vertex, parent, number) = (old_parent, vertex, old_number);
        }
        let wanted = if edge.to == inside { edge.difference } else { -edge.difference };
        let shift = x[outside] + wanted - x[inside];
        stack.push(inside);
        while let Some(vertex) = stack.pop() {
            x[vertex] += shift;
            tree.depth[vertex] = tree.depth[tree.parent[vertex]] + 1;
            stack.extend_from_slice(&tree.children[vertex]);
        }
    }
    (fretsaw::graph::l1_layout::layout_cost(edges, &x), num_pivots)
}

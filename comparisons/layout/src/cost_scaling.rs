//! Push-relabel with scaled costs: ours, but from the coarsest scale to the finest, and with a plain
//! heap in the global updates.

use crate::residual::Residual;
use fretsaw::graph::l1_layout::LayoutEdge;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The least cost, and the number of relabels. Each scale is `factor` times finer than the last.
pub fn solve(num_vertices: usize, edges: &[LayoutEdge], factor: i64) -> (u128, usize) {
    let unit = num_vertices as i64 + 1;
    let mut graph = Residual::new(num_vertices, edges, unit);
    let mut num_relabels = 0;
    let mut epsilon = unit;
    loop {
        num_relabels += refine(&mut graph, epsilon);
        if epsilon == 1 {
            return (graph.cost(unit), num_relabels);
        }
        epsilon = (epsilon / factor).max(1);
    }
}

fn refine(graph: &mut Residual, epsilon: i64) -> usize {
    let num_vertices = graph.num_vertices();
    for vertex in 0..num_vertices {
        for number in graph.arcs_of(vertex) {
            let arc = graph.arcs[number];
            if arc.residual > 0 && arc.cost + graph.potentials[vertex] < graph.potentials[arc.head]
            {
                graph.send(number, arc.residual);
            }
        }
    }
    let mut active: VecDeque<usize> =
        (0..num_vertices).filter(|&vertex| graph.surplus[vertex] > 0).collect();
    let mut num_relabels = 0;
    let mut next_update = 0;
    while let Some(vertex) = active.pop_front() {
        if num_relabels >= next_update {
            update_potentials(graph, epsilon);
            next_update = num_relabels + num_vertices;
        }
        while graph.surplus[vertex] > 0 {
            for number in graph.arcs_of(vertex) {
                let arc = graph.arcs[number];
                let is_open = arc.cost + graph.potentials[vertex] < graph.potentials[arc.head];
                if arc.residual > 0 && is_open {
                    let amount = arc.residual.min(graph.surplus[vertex]);
                    let before = graph.surplus[arc.head];
                    graph.send(number, amount);
                    if before <= 0 && before + amount > 0 {
                        active.push_back(arc.head);
                    }
                    if graph.surplus[vertex] == 0 {
                        break;
                    }
                }
            }
            if graph.surplus[vertex] > 0 {
                let arcs = graph.arcs[graph.arcs_of(vertex)].iter();
                let highest = arcs
                    .filter(|arc| arc.residual > 0)
                    .map(|arc| graph.potentials[arc.head] - arc.cost)
                    .max();
                graph.potentials[vertex] = highest.expect("some arc has room") - epsilon;
                num_relabels += 1;
            }
        }
    }
    num_relabels
}

fn update_potentials(graph: &mut Residual, epsilon: i64) {
    let num_vertices = graph.num_vertices();
    let mut distances = vec![i64::MAX; num_vertices];
    let mut heap = BinaryHeap::new();
    let mut num_sought = 0;
    for vertex in 0..num_vertices {
        if graph.surplus[vertex] < 0 {
            distances[vertex] = 0;
            heap.push(Reverse((0, vertex)));
        }
        num_sought += usize::from(graph.surplus[vertex] > 0);
    }
    let mut farthest = 0;
    while let Some(Reverse((distance, vertex))) = heap.pop() {
        if distances[vertex] != distance {
            continue;
        }
        farthest = distance;
        if graph.surplus[vertex] > 0 {
            num_sought -= 1;
            if num_sought == 0 {
                break;
            }
        }
        for arc in &graph.arcs[graph.arcs_of(vertex)] {
            if graph.arcs[arc.twin].residual > 0 {
                let reduced = graph.potentials[arc.head] - arc.cost - graph.potentials[vertex];
                let far = distance + reduced.div_euclid(epsilon) + 1;
                if far < distances[arc.head] {
                    distances[arc.head] = far;
                    heap.push(Reverse((far, arc.head)));
                }
            }
        }
    }
    for (potential, &distance) in graph.potentials.iter_mut().zip(&distances) {
        *potential -= epsilon * distance.min(farthest);
    }
}

//! The primal-dual method: shortest ways from all surpluses, then as much flow as will go along
//! them (Dinic's blocking flow), and again.

use crate::residual::Residual;
use fretsaw::graph::l1_layout::LayoutEdge;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The least cost, and the number of searches.
pub fn solve(num_vertices: usize, edges: &[LayoutEdge]) -> (u128, usize) {
    let mut graph = Residual::new(num_vertices, edges, 1);
    let mut num_searches = 0;
    loop {
        let sources: Vec<usize> = (0..num_vertices).filter(|&v| graph.surplus[v] > 0).collect();
        if sources.is_empty() {
            return (graph.cost(1), num_searches);
        }
        num_searches += 1;
        let hops = shortest_ways(&mut graph, &sources);
        block(&mut graph, &sources, &hops);
    }
}

/// Numbers of arcs of the shortest ways, up to the nearest vertices that lack flow, whose ways are
/// exact afterwards.
fn shortest_ways(graph: &mut Residual, sources: &[usize]) -> Vec<usize> {
    let mut hops = vec![usize::MAX; graph.num_vertices()];
    let mut distances = vec![i64::MAX; graph.num_vertices()];
    let mut heap = BinaryHeap::new();
    let mut level = sources.to_vec();
    for &source in sources {
        hops[source] = 0;
        distances[source] = 0;
    }
    let mut distance = 0;
    let mut is_found = false;
    loop {
        while !level.is_empty() && !is_found {
            let mut next_level = Vec::new();
            for &vertex in &level {
                for arc in &graph.arcs[graph.arcs_of(vertex)] {
                    let length = arc.cost + graph.potentials[vertex] - graph.potentials[arc.head];
                    if arc.residual == 0 || distances[arc.head] <= distance + length {
                        continue;
                    }
                    distances[arc.head] = distance + length;
                    hops[arc.head] = hops[vertex] + 1;
                    if length == 0 {
                        is_found |= graph.surplus[arc.head] < 0;
                        next_level.push(arc.head);
                    } else {
                        heap.push(Reverse((distance + length, arc.head)));
                    }
                }
            }
            level = next_level;
        }
        if is_found {
            break;
        }
        while let Some(&Reverse((far, vertex))) = heap.peek() {
            if !level.is_empty() && far > distance {
                break;
            }
            heap.pop();
            if distances[vertex] == far {
                distance = far;
                level.push(vertex);
                is_found |= graph.surplus[vertex] < 0;
            }
        }
    }
    for (potential, &of) in graph.potentials.iter_mut().zip(&distances) {
        *potential += of.min(distance);
    }
    hops
}

fn block(graph: &mut Residual, sources: &[usize], hops: &[usize]) {
    let mut current: Vec<usize> =
        (0..graph.num_vertices()).map(|v| graph.arcs_of(v).start).collect();
    for &source in sources {
        let mut path: Vec<usize> = Vec::new();
        while graph.surplus[source] > 0 {
            let vertex = path.last().map_or(source, |&arc| graph.arcs[arc].head);
            if graph.surplus[vertex] < 0 {
                let room = path.iter().map(|&arc| graph.arcs[arc].residual).min().unwrap_or(0);
                let amount = room.min(graph.surplus[source]).min(-graph.surplus[vertex]);
                for &arc in &path {
                    graph.send(arc, amount);
                }
                let full = path.iter().position(|&arc| graph.arcs[arc].residual == 0);
                path.truncate(full.unwrap_or(0));
                continue;
            }
            let next = (current[vertex]..graph.arcs_of(vertex).end).find(|&number| {
                let arc = graph.arcs[number];
                arc.residual > 0
                    && hops[arc.head] == hops[vertex] + 1
                    && arc.cost + graph.potentials[vertex] == graph.potentials[arc.head]
            });
            if let Some(number) = next {
                current[vertex] = number;
                path.push(number);
            } else {
                current[vertex] = graph.arcs_of(vertex).end;
                let Some(arc) = path.pop() else { break };
                current[graph.arcs[graph.arcs[arc].twin].head] += 1;
            }
        }
    }
}

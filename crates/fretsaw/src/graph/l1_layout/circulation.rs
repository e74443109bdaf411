//! The circulation of least cost that proves a layout optimal.

use super::contraction::BodyEdge;
use super::{LayoutError, MAX_POSITION};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Half an edge, as seen from the vertex it leaves: flow may be sent along it to `head`.
///
/// The other half, `twin`, leaves `head`. Sending flow along one takes it back from the other.
#[derive(Clone, Copy, Debug)]
struct Arc {
    head: u32,
    twin: u32,
    /// What the edge wants `x[head]` to be ahead of the tail's.
    difference: i64,
    /// How much more may be sent.
    residual: i64,
    /// The residuals of both halves together.
    capacity: i64,
}

#[derive(Clone, Copy, Debug)]
struct Label {
    /// Search in which the label was set.
    search: u32,
    /// The arc by which the vertex was reached, in the direction of the flow.
    arc: u32,
    distance: i64,
}

#[derive(Clone, Debug)]
pub(super) struct Circulation {
    /// Arcs of vertex v are `arcs[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    arcs: Vec<Arc>,
    /// Per edge, its first half.
    first_half: Vec<u32>,
    positions: Vec<i64>,
    /// What flows in and not out.
    surplus: Vec<i64>,
    labels: Vec<Label>,
    search: u32,
    level: Vec<u32>,
    touched: Vec<u32>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
}

impl Circulation {
    pub(super) fn new(edges: &[BodyEdge], positions: Vec<i64>) -> Self {
        let num_vertices = positions.len();
        let mut starts = vec![0_u32; num_vertices + 1];
        for edge in edges {
            starts[edge.a as usize + 1] += 1;
            starts[edge.b as usize + 1] += 1;
        }
        for vertex in 0..num_vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let blank = Arc { head: 0, twin: 0, difference: 0, residual: 0, capacity: 0 };
        let mut arcs = vec![blank; 2 * edges.len()];
        let mut first_half = Vec::with_capacity(edges.len());
        let mut surplus = vec![0; num_vertices];
        for &BodyEdge { a, b, difference, weight } in edges {
            let (forth, back) = (next[a as usize], next[b as usize]);
            next[a as usize] += 1;
            next[b as usize] += 1;
            let error = positions[b as usize] - positions[a as usize] - difference;
            let flow = weight * error.signum();
            arcs[forth as usize] = Arc {
                head: b,
                twin: back,
                difference,
                residual: weight - flow,
                capacity: 2 * weight,
            };
            arcs[back as usize] = Arc {
                head: a,
                twin: forth,
                difference: -difference,
                residual: weight + flow,
                capacity: 2 * weight,
            };
            surplus[a as usize] -= flow;
            surplus[b as usize] += flow;
            first_half.push(forth);
        }
        Self {
            starts,
            arcs,
            first_half,
            positions,
            surplus,
            labels: vec![Label { search: 0, arc: 0, distance: 0 }; num_vertices],
            search: 0,
            level: Vec::new(),
            touched: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    pub(super) fn positions(&self) -> &[i64] {
        &self.positions
    }

    pub(super) fn flows(&self) -> Vec<i64> {
        let flow = |&half: &u32| {
            let arc = self.arcs[half as usize];
            arc.capacity / 2 - arc.residual
        };
        self.first_half.iter().map(flow).collect()
    }

    pub(super) fn solve(&mut self) -> Result<usize, LayoutError> {
        let mut num_paths = 0;
        for vertex in (0_u32..).take(self.positions.len()) {
            while self.surplus[vertex as usize] > 0 {
                let target = self.search_from(vertex)?;
                self.send(vertex, target);
                num_paths += 1;
            }
        }
        Ok(num_paths)
    }

    /// Finds the nearest vertex that lacks flow, and moves vertices so that the way is exact.
    fn search_from(&mut self, source: u32) -> Result<u32, LayoutError> {
        self.search += 1;
        let search = self.search;
        self.level.clear();
        self.touched.clear();
        self.heap.clear();
        self.level.push(source);
        self.touched.push(source);
        self.labels[source as usize] = Label { search, arc: u32::MAX, distance: 0 };
        let mut distance = 0;
        let mut next = 0;
        let target = 'search: loop {
            while next < self.level.len() {
                let vertex = self.level[next];
                next += 1;
                let at = self.positions[vertex as usize];
                let range = self.starts[vertex as usize] as usize
                    ..self.starts[vertex as usize + 1] as usize;
                for (number, arc) in (self.starts[vertex as usize]..).zip(&self.arcs[range]) {
                    if arc.residual == 0 {
                        continue;
                    }
                    let head = arc.head as usize;
                    let length = arc.difference + at - self.positions[head];
                    debug_assert!(length >= 0);
                    let label = &mut self.labels[head];
                    let is_new = label.search != search;
                    if !is_new && label.distance <= distance + length {
                        continue;
                    }
                    *label = Label { search, arc: number, distance: distance + length };
                    if is_new {
                        self.touched.push(arc.head);
                    }
                    if length == 0 {
                        if self.surplus[head] < 0 {
                            break 'search arc.head;
                        }
                        self.level.push(arc.head);
                    } else {
                        self.heap.push(Reverse((distance + length, arc.head)));
                    }
                }
            }
            self.level.clear();
            next = 0;
            loop {
                let Some(Reverse((key, vertex))) = self.heap.pop() else {
                    return Err(LayoutError::Stuck);
                };
                if self.labels[vertex as usize].distance == key {
                    distance = key;
                    if self.surplus[vertex as usize] < 0 {
                        break 'search vertex;
                    }
                    self.level.push(vertex);
                    break;
                }
            }
        };
        if distance > 0 {
            for &vertex in &self.touched {
                let behind = distance - self.labels[vertex as usize].distance;
                if behind > 0 {
                    let at = self.positions[vertex as usize] - behind;
                    if at < -MAX_POSITION {
                        return Err(LayoutError::TooLarge { what: "a position is" });
                    }
                    self.positions[vertex as usize] = at;
                }
            }
        }
        Ok(target)
    }

    fn send(&mut self, source: u32, target: u32) {
        let mut amount = self.surplus[source as usize].min(-self.surplus[target as usize]);
        let mut vertex = target;
        while vertex != source {
            let arc = self.arcs[self.labels[vertex as usize].arc as usize];
            amount = amount.min(arc.residual);
            vertex = self.arcs[arc.twin as usize].head;
        }
        let mut vertex = target;
        while vertex != source {
            let arc = &mut self.arcs[self.labels[vertex as usize].arc as usize];
            arc.residual -= amount;
            let twin = arc.twin as usize;
            self.arcs[twin].residual += amount;
            vertex = self.arcs[twin].head;
        }
        self.surplus[source as usize] -= amount;
        self.surplus[target as usize] += amount;
    }
}

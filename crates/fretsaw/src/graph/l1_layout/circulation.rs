//! The circulation of least cost that proves a layout optimal, by pushing and relabelling.
//!
//! A flow `f` in `[-w, w]` on every edge that is balanced at every vertex, and positions `x`, are both optimal if
//! `f = w` wherever `x[b] - x[a]` is more than wanted and `f = -w` wherever it is less. Any positions give such a flow,
//! except for the balance: exact edges carry nothing, the others their full weight. The surplus of a vertex is then
//! pushed along exact edges with residual capacity towards vertices with a deficit. A vertex that cannot push its
//! surplus is moved down until an edge becomes exact (\[GT90\]).
//!
//! *Exact* has a tolerance of less than 1 / n: potentials are positions times `unit = n + 1`, and flow may be pushed
//! along an arc if its reduced cost is at least -1. This slack makes progress on paths of many arcs without a search.
//! No cycle of residual arcs has a negative cost then, as its cost is a multiple of `unit` and at least `-n`. So the
//! flow is optimal, and [`Circulation::round`] derives integral positions from the potentials.
//!
//! Unlike in \[GT90\] costs are not scaled: from near-optimal positions, one round of the finest scale was several
//! times faster than all scales. The global update of \[Gol97\] replaces scaling: it sets all potentials to
//! distances from the vertices with a deficit. The numbers of pushes and relabels are finite: a vertex with surplus has
//! a path to a vertex with a deficit, which has never moved, so no potential falls by more than the sum of all errors at
//! the start.

use super::LayoutError;
use super::contraction::BodyEdge;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The largest absolute value of a potential, so that reduced costs, which are sums of three, fit too.
const MAX_POTENTIAL: i64 = 1 << 60;
/// What may exceed it, in words.
const SCALED_POSITION: &str = "a position times the number of vertices is";
/// Relabels between two global updates, as a multiple of the number of vertices. Between 1 / 2 and 2 it makes little
/// difference.
const RELABELS_PER_UPDATE: usize = 1;
/// Distances less than this ahead of the current one are in a ring of buckets, larger ones in a heap.
const RING: usize = 64;

/// Half an edge, as seen from the vertex it leaves: flow may be pushed along it to `head`.
///
/// The other half, `twin`, leaves `head`. Pushing along one makes room on the other.
#[derive(Clone, Copy, Debug)]
struct Arc {
    head: u32,
    twin: u32,
    /// The wanted potential of the head minus that of the tail.
    cost: i64,
    /// How much more may be pushed.
    residual: i64,
}

/// Edges, a flow that may be out of balance, and potentials.
#[derive(Clone, Debug)]
pub(super) struct Circulation {
    /// Potentials are positions times this: the number of vertices plus 1.
    unit: i64,
    /// The arcs of vertex v are `arcs[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    arcs: Vec<Arc>,
    /// For each edge, the arc from `a` to `b`.
    forth: Vec<u32>,
    potentials: Vec<i64>,
    /// No potential of a vertex with surplus can fall below this.
    lowest: i64,
    /// The flow into a vertex minus the flow out of it.
    surplus: Vec<i64>,
    /// For each vertex: flow cannot be pushed along any arc before this one.
    current: Vec<u32>,
    /// Vertices with surplus, in the order in which they got it.
    active: VecDeque<u32>,
    distances: Distances,
    num_pushes: usize,
}

/// The memory of a search for distances.
#[derive(Clone, Debug)]
struct Distances {
    /// By vertex; `i64::MAX` if unknown.
    of: Vec<i64>,
    ring: Vec<Vec<u32>>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
}

impl Circulation {
    /// The flow that `positions` give, which must be in bounds as [`BodyEdge`]s are.
    pub(super) fn new(edges: &[BodyEdge], positions: &[i64]) -> Result<Self, LayoutError> {
        let num_vertices = positions.len();
        let too_large = || LayoutError::too_large(SCALED_POSITION);
        let unit = i64::try_from(num_vertices).map_err(|_| too_large())? + 1;
        let errors: i128 = edges.iter().map(|edge| i128::from(edge.error(positions)).abs()).sum();
        let farthest: i128 =
            positions.iter().map(|&position| i128::from(position).abs()).max().unwrap_or(0);
        let lowest = i64::try_from(-i128::from(unit) * (farthest + errors + 1))
            .ok()
            .filter(|&lowest| lowest >= -MAX_POTENTIAL)
            .ok_or_else(too_large)?;

        let mut starts = vec![0_u32; num_vertices + 1];
        for edge in edges {
            starts[edge.a as usize + 1] += 1;
            starts[edge.b as usize + 1] += 1;
        }
        for vertex in 0..num_vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let blank = Arc { head: 0, twin: 0, cost: 0, residual: 0 };
        let mut arcs = vec![blank; 2 * edges.len()];
        let mut surplus = vec![0; num_vertices];
        let forth = edges
            .iter()
            .map(|edge| {
                let &BodyEdge { a, b, difference, weight } = edge;
                let (forth, back) = (next[a as usize], next[b as usize]);
                next[a as usize] += 1;
                next[b as usize] += 1;
                let flow = weight * edge.error(positions).signum();
                let cost = difference * unit;
                arcs[forth as usize] = Arc { head: b, twin: back, cost, residual: weight - flow };
                arcs[back as usize] =
                    Arc { head: a, twin: forth, cost: -cost, residual: weight + flow };
                surplus[a as usize] -= flow;
                surplus[b as usize] += flow;
                forth
            })
            .collect();
        let active =
            (0_u32..).take(num_vertices).filter(|&vertex| surplus[vertex as usize] > 0).collect();
        Ok(Self {
            unit,
            current: starts[..num_vertices].to_vec(),
            starts,
            arcs,
            forth,
            potentials: positions.iter().map(|&position| position * unit).collect(),
            lowest,
            surplus,
            active,
            distances: Distances {
                of: vec![0; num_vertices],
                ring: vec![Vec::new(); RING],
                heap: BinaryHeap::new(),
            },
            num_pushes: 0,
        })
    }

    /// Balances the flow. Positions and flow are optimal afterwards.
    pub(super) fn solve(&mut self) -> Result<(), LayoutError> {
        let interval = RELABELS_PER_UPDATE * self.potentials.len();
        let mut num_relabels = interval;
        while let Some(vertex) = self.active.pop_front() {
            if num_relabels >= interval {
                self.update_potentials()?;
                num_relabels = 0;
            }
            num_relabels += self.discharge(vertex as usize)?;
        }
        Ok(())
    }

    pub(super) const fn num_pushes(&self) -> usize {
        self.num_pushes
    }

    /// Per edge, the flow from `a` to `b`.
    pub(super) fn flows(&self) -> Vec<i64> {
        let flow = |&forth: &u32| {
            let arc = &self.arcs[forth as usize];
            (self.arcs[arc.twin as usize].residual - arc.residual) / 2
        };
        self.forth.iter().map(flow).collect()
    }

    /// Integral positions.
    ///
    /// Residual arcs from u to v have `potential[v] <= potential[u] + cost + 1`, and `cost` is a multiple of `unit`.
    /// Division by `unit` and rounding down removes the 1, unless the potential of u is one less than a multiple of
    /// `unit`. There are more residues than vertices, so a common shift of all potentials avoids that residue.
    pub(super) fn round(&self) -> Vec<i64> {
        let mut residues: Vec<i64> =
            self.potentials.iter().map(|&potential| potential.rem_euclid(self.unit)).collect();
        residues.sort_unstable();
        residues.dedup();
        let used = residues.into_iter().chain([self.unit]);
        let free = (0..).zip(used).find(|(residue, used)| residue != used);
        let free = free.map_or(self.unit - 1, |(residue, _)| residue);
        let shift = self.unit - 1 - free;
        self.potentials.iter().map(|&potential| (potential + shift).div_euclid(self.unit)).collect()
    }

    /// Pushes the surplus of a vertex to others and moves the vertex as often as needed. Returns how often it moved.
    fn discharge(&mut self, vertex: usize) -> Result<usize, LayoutError> {
        let (begin, end) = (self.starts[vertex], self.starts[vertex + 1]);
        let mut surplus = std::mem::take(&mut self.surplus[vertex]);
        let mut num_relabels = 0;
        loop {
            let at = self.potentials[vertex];
            for number in self.current[vertex]..end {
                let arc = &mut self.arcs[number as usize];
                let head = arc.head as usize;
                if arc.residual == 0 || at + arc.cost >= self.potentials[head] {
                    continue;
                }
                let amount = surplus.min(arc.residual);
                self.num_pushes += 1;
                arc.residual -= amount;
                surplus -= amount;
                let before = self.surplus[head];
                self.surplus[head] = before + amount;
                if before <= 0 && before + amount > 0 {
                    self.active.push_back(arc.head);
                }
                let twin = arc.twin as usize;
                self.arcs[twin].residual += amount;
                if surplus == 0 {
                    self.current[vertex] = number;
                    return Ok(num_relabels);
                }
            }
            // The highest potential from which some arc may be pushed along, and the first such arc.
            let mut highest = i64::MIN;
            for number in begin..end {
                let arc = &self.arcs[number as usize];
                if arc.residual > 0 {
                    let below = self.potentials[arc.head as usize] - arc.cost;
                    if below > highest {
                        highest = below;
                        self.current[vertex] = number;
                    }
                }
            }
            if highest <= self.lowest {
                return Err(LayoutError::Stuck);
            }
            self.potentials[vertex] = highest - 1;
            num_relabels += 1;
        }
    }

    /// Lowers every potential by the distance of its vertex to one with a deficit, where the length of an arc is its
    /// reduced cost plus 1. These are the largest potentials, none higher than now, at which every surplus has a path to a
    /// deficit. Stops when all vertices with surplus are reached; the others are lowered by the last distance.
    fn update_potentials(&mut self) -> Result<(), LayoutError> {
        let Distances { of, ring, heap } = &mut self.distances;
        of.fill(i64::MAX);
        ring.iter_mut().for_each(Vec::clear);
        heap.clear();
        let mut num_sought = 0;
        let mut num_in_ring = 0;
        for (vertex, &surplus) in (0_u32..).zip(&self.surplus) {
            if surplus < 0 {
                of[vertex as usize] = 0;
                ring[0].push(vertex);
                num_in_ring += 1;
            } else if surplus > 0 {
                num_sought += 1;
            }
        }
        let mut distance = 0_i64;
        let mut slot = 0;
        'search: loop {
            while let Some(&Reverse((far, vertex))) = heap.peek() {
                if num_in_ring == 0 {
                    distance = far;
                } else if far > distance {
                    break;
                }
                heap.pop();
                ring[slot].push(vertex);
                num_in_ring += 1;
            }
            if num_in_ring == 0 {
                break;
            }
            while let Some(vertex) = ring[slot].pop() {
                num_in_ring -= 1;
                let vertex = vertex as usize;
                // Outdated, or settled already: settled distances are stored as their complement.
                if of[vertex] != distance {
                    continue;
                }
                of[vertex] = !distance;
                if self.surplus[vertex] > 0 {
                    num_sought -= 1;
                    if num_sought == 0 {
                        break 'search;
                    }
                }
                let at = self.potentials[vertex];
                let arcs = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
                for arc in &self.arcs[arcs] {
                    let head = arc.head as usize;
                    if of[head] <= distance || self.arcs[arc.twin as usize].residual == 0 {
                        continue;
                    }
                    // The length of the arc from head to vertex, whose cost is `-arc.cost`.
                    let length = self.potentials[head] - arc.cost - at + 1;
                    let far = distance + length;
                    if far < of[head] {
                        of[head] = far;
                        match usize::try_from(length) {
                            Ok(length) if length < RING => {
                                ring[(slot + length) % RING].push(arc.head);
                                num_in_ring += 1;
                            }
                            _ => heap.push(Reverse((far, arc.head))),
                        }
                    }
                }
            }
            distance += 1;
            slot = (slot + 1) % RING;
        }
        if num_sought > 0 {
            return Err(LayoutError::Stuck);
        }
        for (potential, &of) in self.potentials.iter_mut().zip(&*of) {
            *potential -= if of < 0 { !of } else { distance };
            if *potential < -MAX_POTENTIAL {
                return Err(LayoutError::too_large(SCALED_POSITION));
            }
        }
        self.current.copy_from_slice(&self.starts[..self.potentials.len()]);
        Ok(())
    }
}

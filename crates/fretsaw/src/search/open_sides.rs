//! The set of open sides of a board, from which moves draw.

use super::cells::CellIndex;
use crate::puzzle::Side;
use crate::random::Stream;

/// A side is open if its seam or border costs more than this: if something else is about as likely.
pub(super) const OPEN_COST: f32 = 0.5;

/// One number for a cell and a direction.
pub(super) const fn side_key(cell: CellIndex, direction: Side) -> u32 {
    4 * cell + direction as u32
}

/// A set of sides with insertion, removal and random draws in constant time.
#[derive(Debug)]
pub(super) struct OpenSides {
    /// The keys in the set, in no particular order.
    keys: Vec<u32>,
    /// By key its place in `keys`, or [`ABSENT`].
    places: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl OpenSides {
    pub(super) fn new(num_cells: usize) -> Self {
        Self { keys: Vec::new(), places: vec![ABSENT; 4 * num_cells] }
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.places.fill(ABSENT);
    }

    pub(super) const fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub(super) fn set(&mut self, key: u32, is_open: bool) {
        let place = self.places[key as usize];
        if is_open && place == ABSENT {
            #[expect(clippy::cast_possible_truncation, reason = "no more than sides")]
            let last = self.keys.len() as u32;
            self.places[key as usize] = last;
            self.keys.push(key);
        } else if !is_open && place != ABSENT {
            self.keys.swap_remove(place as usize);
            if let Some(&moved) = self.keys.get(place as usize) {
                self.places[moved as usize] = place;
            }
            self.places[key as usize] = ABSENT;
        }
    }

    pub(super) fn draw(&self, random: &mut Stream) -> Option<(CellIndex, Side)> {
        if self.keys.is_empty() {
            return None;
        }
        let key = self.keys[random.below(self.keys.len())];
        Some((key / 4, Side::from_index(key as usize % 4)))
    }
}

//! How much of a sheet's own order an answer repeats.
//!
//! The answer of a scrambled sheet joins pieces that lay side by side on it about as often as chance has it. An
//! answer that does so far more often is suspect: traces of compression run across the borders of pieces on the
//! sheet, and a solver that follows them puts the scrambled sheet together again.

use crate::puzzle::{Assembly, Join, PieceId, Side, SideId};
use std::fmt;

/// The fewest repeated adjacencies that are suspect. A random order has about two, and ten or more once in twenty
/// thousand times.
const MIN_SUSPECT: usize = 10;

/// The least share of an answer's seams that is suspect. A few traces on a large board are too few to warn of.
const MIN_SUSPECT_SHARE: f64 = 0.05;

/// The adjacencies of a sheet that an answer repeats.
///
/// Its text names both explanations: the sheet was not scrambled, or its pieces bear traces of their neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetOrder {
    /// The seams of the answer.
    pub num_seams: usize,
    /// Those of them that join the same sides as on the sheet.
    pub num_repeated: usize,
}

impl SheetOrder {
    /// Compares an answer with the sheet that its pieces lay on, row by row, so many in a row.
    pub fn new(assembly: &Assembly, columns: u32) -> Self {
        let columns = columns.max(1) as usize;
        let is_on_sheet = |Join { first, second }: Join| {
            let (one, other) = (first.piece().index(), second.piece().index());
            let join = |side: Side| {
                let side_of = |piece, side| SideId::new(PieceId::new(piece), side);
                Join::new(side_of(one, side), side_of(other, side.opposite()))
            };
            let is_beside = other == one + 1 && other % columns != 0;
            let is_below = other == one + columns;
            let same = Join { first, second };
            (is_beside && same == join(Side::Right)) || (is_below && same == join(Side::Bottom))
        };
        Self {
            num_seams: assembly.joins().count(),
            num_repeated: assembly.joins().filter(|&join| is_on_sheet(join)).count(),
        }
    }

    /// Whether chance does not explain the number of repeated adjacencies.
    pub fn is_suspect(&self) -> bool {
        self.num_repeated >= MIN_SUSPECT
            && self.num_repeated as f64 >= MIN_SUSPECT_SHARE * self.num_seams as f64
    }
}

impl fmt::Display for SheetOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { num_seams, num_repeated } = self;
        write!(
            f,
            "{num_repeated} of {num_seams} seams of the answer join pieces as they lie on the sheet; after \
             scrambling there would be about 2. Either the sheet is not scrambled, or only in part, or the answer \
             follows traces that compression left across the borders of pieces, and is wrong there"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic;
    use crate::picture::{ScrambleSettings, cut, scramble};
    use crate::puzzle::{Grid, PieceShape, Place, Placement, PuzzleType, QuarterTurn};

    /// Pieces in their order on a board, all of them turned.
    fn in_order(num_pieces: usize, grid: Grid, turn: QuarterTurn) -> Assembly {
        let upright = Assembly::new(
            num_pieces,
            vec![grid],
            (0..num_pieces).map(|piece| Placement {
                piece: PieceId::new(piece),
                place: Place { board: 0, cell: grid.cell_at(piece), turn: QuarterTurn::ZERO },
            }),
        );
        upright.unwrap().turned(turn)
    }

    #[test]
    fn an_answer_in_the_order_of_the_sheet_is_suspect_whichever_way_it_is_turned() {
        let grid = Grid::new(6, 8).unwrap();
        for turn in QuarterTurn::ALL {
            let order = SheetOrder::new(&in_order(48, grid, turn), 8);
            assert_eq!(order, SheetOrder { num_seams: 5 * 8 + 6 * 7, num_repeated: 5 * 8 + 6 * 7 });
            assert!(order.is_suspect());
            let text = order.to_string();
            assert!(text.contains("not scrambled") && text.contains("compression"), "{text}");
        }
        // On a sheet of other columns the pieces of a row lie beside each other, too, but not those of a column.
        let other = SheetOrder::new(&in_order(48, grid, QuarterTurn::ZERO), 48);
        assert_eq!(other.num_repeated, 6 * 7);
    }

    #[test]
    fn the_answer_of_a_scrambled_sheet_is_not_suspect() {
        let picture = synthetic::demo_picture(20 * 8, 30 * 8, 1);
        let cut = cut(&picture, PieceShape::new(8, 8).unwrap()).unwrap();
        for seed in 0..20 {
            let settings = ScrambleSettings::new(PuzzleType::Type1, seed);
            let scrambled = scramble(&cut, &settings).unwrap();
            let order = SheetOrder::new(scrambled.truth.assembly(), 30);
            assert!(!order.is_suspect() && order.num_repeated < 9, "{order:?}");
        }
    }

    #[test]
    fn a_few_repeated_seams_of_many_or_all_of_very_few_are_not_suspect() {
        let order = |num_repeated, num_seams| SheetOrder { num_seams, num_repeated };
        assert!(order(10, 200).is_suspect() && !order(9, 9).is_suspect());
        assert!(!order(49, 1000).is_suspect() && order(50, 1000).is_suspect());
    }
}

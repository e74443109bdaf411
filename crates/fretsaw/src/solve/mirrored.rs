//! Mirrored pieces: which of them were flipped, like tiles laid upside down or negatives seen from behind.
//!
//! Every piece is compared as it is and as its mirror image, both as pieces of their own. Likely matches connect pieces
//! of the same kind: together they show the picture, and their mirror images show the mirrored picture. So each match
//! says of two pieces whether one of them is flipped against the other, which is synchronization over the
//! group of two elements. Matches are believed from the likeliest on, unless they contradict earlier ones.

use super::{Measured, Puzzle, Settings, SolveError, dissimilarity_of};
use crate::dissimilarity::{NearestSides, find_nearest};
use crate::graph::UnionFind;
use crate::matching::MatchModel;
use crate::observer::{Cancelled, Muted, Observer};
use crate::puzzle::{PairCost, PieceId, SideId, TurnSet};
use crate::turn_choice::TurnEvidence;
use std::sync::Arc;

impl Puzzle {
    /// The puzzle with mirrored pieces flipped back, left to right, and these pieces.
    ///
    /// No one can tell a picture from its mirror image, so those pieces count as mirrored that are fewer. A piece that
    /// matches nothing is left as it is.
    ///
    /// ```
    /// use fretsaw::puzzle::PieceId;
    /// use fretsaw::{Puzzle, PuzzleType, Settings, Silent};
    ///
    /// let (pieces, grid, _) = fretsaw::synthetic::puzzle(6, 8, 28, PuzzleType::Type2, 1);
    /// let mirrored = pieces.mirrored(|piece| piece.index() % 3 == 0);
    /// let puzzle = Puzzle::new(mirrored).board(grid);
    /// let (puzzle, found) = puzzle.unmirrored(&Settings::default(), &Silent)?;
    /// assert_eq!(found, (0..48).step_by(3).map(PieceId::new).collect::<Vec<_>>());
    /// assert_eq!(*puzzle.pieces, pieces);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the pieces cannot be measured, there are too many, or the observer cancels.
    pub fn unmirrored(
        &self,
        settings: &Settings,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<PieceId>), SolveError> {
        let pieces = self.pieces.with_mirror_images().ok_or(SolveError::TooManyToMirror)?;
        let both = Self { pieces: Arc::new(pieces), ..self.clone() };
        let measured = measured_without_own_images(&both, settings, &Muted(observer))?;
        let model = measured.matched(settings, &Muted(observer))?;
        let mirrored = mirrored_pieces(&model, self.pieces.num_pieces());
        let is_mirrored = |piece| mirrored.binary_search(&piece).is_ok();
        let pieces = Arc::new(self.pieces.mirrored(is_mirrored));
        Ok((Self { pieces, ..self.clone() }, mirrored))
    }
}

/// Measures pieces and the mirror images that follow them. No piece touches its own image, which would continue it
/// without a seam.
fn measured_without_own_images(
    both: &Puzzle,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Measured, SolveError> {
    let num_pieces = both.pieces.num_pieces() / 2;
    let is_same =
        |a: SideId, b: SideId| a.piece().index() % num_pieces == b.piece().index() % num_pieces;
    let dissimilarity = dissimilarity_of(both, settings, observer)?;
    let nearest_with = |turns: TurnSet| {
        let found = find_nearest(&dissimilarity, turns, &settings.candidates(), observer)?;
        let list = |side: SideId| {
            let others = found.of(side).iter().filter(|other| !is_same(side, other.side));
            (side, others.copied().collect(), found.next_best(side))
        };
        let sides = (0..found.num_sides()).map(SideId::from_index);
        Ok::<_, Cancelled>(NearestSides::of_some(found.num_sides(), sides.map(list).collect()))
    };
    let widest = both.possible_turns();
    let mut nearest = nearest_with(widest)?;
    let mut turns = widest;
    if both.turns.is_none() && widest != TurnSet::None {
        turns = TurnEvidence::new(&nearest, widest).choice(widest);
        if turns != widest {
            nearest = nearest_with(turns)?;
        }
    }
    Ok(Measured { dissimilarity, turns, nearest })
}

/// The mirrored ones of `num_pieces` pieces, by the matches of these and of their mirror images, which follow them.
fn mirrored_pieces(model: &MatchModel<'_>, num_pieces: usize) -> Vec<PieceId> {
    let mirror_image = |piece: usize| (piece + num_pieces) % (2 * num_pieces);
    let mut matches: Vec<PairCost> = model.side_table().matches().to_vec();
    matches.sort_by(|x, y| x.cost.total_cmp(&y.cost).then((x.a, x.b).cmp(&(y.a, y.b))));
    let mut groups = UnionFind::new(2 * num_pieces);
    for PairCost { a, b, .. } in matches {
        let (a, b) = (a.piece().index(), b.piece().index());
        if groups.find(a) != groups.find(mirror_image(b)) {
            groups.union(a, b);
            groups.union(mirror_image(a), mirror_image(b));
        }
    }
    // Of each group and its mirror image, the one with more pieces as they are is the picture.
    let mut num_as_they_are = vec![0_usize; 2 * num_pieces];
    for piece in 0..num_pieces {
        num_as_they_are[groups.find(piece)] += 1;
    }
    let mut mirrored = Vec::new();
    for piece in 0..num_pieces {
        let (group, image) = (groups.find(piece), groups.find(mirror_image(piece)));
        // With equal numbers the group of the first piece decides.
        let rank = |group: usize| (num_as_they_are[group], std::cmp::Reverse(group));
        if rank(image) > rank(group) {
            mirrored.push(PieceId::new(piece));
        }
    }
    mirrored
}

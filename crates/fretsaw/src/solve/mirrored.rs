//! Mirrored pieces: which of them were flipped, like tiles laid upside down or negatives seen from behind.
//!
//! Every piece is compared as it is and as its mirror image, both as pieces of their own. Likely matches connect pieces
//! of the same kind: together they show the picture, and their mirror images show the mirrored picture. So each match
//! says of two pieces whether one of them is flipped against the other, which is synchronization over the
//! group of two elements. Matches are believed from the likeliest on, unless they contradict earlier ones.

use super::{Measured, Puzzle, Settings, SolveError, dissimilarity_of};
use crate::dissimilarity::{NearestSides, find_nearest};
use crate::graph::UnionFind;
use crate::matching::{MatchModel, Matcher};
use crate::observer::{Cancelled, Muted, Observer};
use crate::puzzle::{PairCost, PieceId, SideId, TurnSet};
use crate::turn_choice::TurnEvidence;
use std::sync::Arc;

/// A match that costs less is likelier than not.
const LIKELY: f32 = std::f32::consts::LN_2;

/// Pieces seem to be mirrored if at least so many likely matches, and this share of them, are between a piece and an image.
const MIN_ACROSS: usize = 8;
const MIN_SHARE_ACROSS: f64 = 0.1;

/// If more than this share of them contradict likelier matches, they are ruled or blank sides that look alike in a mirror.
const MAX_SHARE_CONTRADICTED: f64 = 0.5;

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
    /// let (pieces, grid, _) = fretsaw::picture::synthetic::puzzle(6, 8, 28, PuzzleType::Type2, 1);
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
        let num_pieces = self.pieces.num_pieces();
        let mirrored =
            self.with_images(settings, observer, |model| mirrored_pieces(model, num_pieces))?;
        let is_mirrored = |piece| mirrored.binary_search(&piece).is_ok();
        let pieces = Arc::new(self.pieces.mirrored(is_mirrored));
        Ok((Self { pieces, ..self.clone() }, mirrored))
    }

    /// Whether some pieces seem to be mirrored: many of the likely matches of all pieces and all mirror images are
    /// between a piece and the image of another. Takes several times as long as matching the puzzle.
    ///
    /// # Errors
    /// If the pieces cannot be measured, there are too many, or the observer cancels.
    pub fn seems_mirrored(
        &self,
        settings: &Settings,
        observer: &dyn Observer,
    ) -> Result<bool, SolveError> {
        if self.positions_known || settings.matcher() == Matcher::Ratio {
            return Ok(false);
        }
        let num_pieces = self.pieces.num_pieces();
        let is_image = |side: SideId| side.piece().index() >= num_pieces;
        self.with_images(settings, observer, |model| {
            let matches = model.side_table().matches().iter();
            let likely: Vec<&PairCost> = matches.filter(|found| found.cost < LIKELY).collect();
            let num_across = likely.iter().filter(|it| is_image(it.a) != is_image(it.b)).count();
            num_across >= MIN_ACROSS
                && num_across as f64 >= MIN_SHARE_ACROSS * likely.len() as f64
                && num_contradicted(&likely, num_pieces) as f64
                    <= MAX_SHARE_CONTRADICTED * num_across as f64
        })
    }

    /// What a match model of all pieces, and after them their mirror images, says.
    fn with_images<T>(
        &self,
        settings: &Settings,
        observer: &dyn Observer,
        say: impl FnOnce(&MatchModel<'_>) -> T,
    ) -> Result<T, SolveError> {
        let pieces = self.pieces.with_mirror_images().ok_or(SolveError::TooManyToMirror)?;
        let both = Self { pieces: Arc::new(pieces), ..self.clone() };
        let measured = measured_without_own_images(&both, settings, &Muted(observer))?;
        Ok(say(&measured.matched_in_time(settings, &Muted(observer))?.0))
    }
}

/// How many of these matches between a piece and the image of another contradict likelier ones, by which the other belongs
/// to the same picture as it is.
fn num_contradicted(likely: &[&PairCost], num_pieces: usize) -> usize {
    let mirror_image = |piece: usize| (piece + num_pieces) % (2 * num_pieces);
    let mut sorted = likely.to_vec();
    sorted.sort_by(|x, y| x.cost.total_cmp(&y.cost).then((x.a, x.b).cmp(&(y.a, y.b))));
    let mut groups = UnionFind::new(2 * num_pieces);
    let mut count = 0;
    for PairCost { a, b, .. } in sorted {
        let (a, b) = (a.piece().index(), b.piece().index());
        if groups.find(a) != groups.find(mirror_image(b)) {
            groups.union(a, b);
            groups.union(mirror_image(a), mirror_image(b));
        } else if (a < num_pieces) != (b < num_pieces) {
            count += 1;
        }
    }
    count
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Side;

    #[test]
    fn matches_with_images_are_contradicted_by_likelier_ones_of_the_same_pieces() {
        let pair = |a: usize, b: usize, cost: f32| PairCost {
            a: SideId::new(PieceId::new(a), Side::Right),
            b: SideId::new(PieceId::new(b), Side::Left),
            cost,
        };
        // Three pieces, and their images 3, 4 and 5.
        let (first, second, third) = (pair(0, 1, 0.1), pair(1, 2, 0.2), pair(0, 5, 0.3));
        assert_eq!(num_contradicted(&[&third, &first, &second], 3), 1);
        assert_eq!(num_contradicted(&[&third, &first], 3), 0);
        // The likelier match decides which of them contradicts.
        let surest = pair(0, 5, 0.0);
        assert_eq!(num_contradicted(&[&first, &second, &surest], 3), 0);
    }
}

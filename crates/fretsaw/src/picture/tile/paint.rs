//! Painting a tiling.

use super::{Tile, TileError, Tiling};
use crate::picture::{OutOfMemory, Picture, gather};
use crate::puzzle::Samples;
use std::borrow::Borrow;

impl Tiling {
    /// Paint the board.
    ///
    /// `picture_of` is called once for each picture that is used, in order. Pictures are not kept, so a
    /// caller who reads them from files needs memory for only one of them beside the board.
    ///
    /// # Errors
    /// The errors of `picture_of`; if a picture differs from the first in channels or depth, or from the
    /// size given to [`Tiling::new`]; or if the board does not fit into memory.
    pub fn paint<P: Borrow<Picture>, E: From<TileError>>(
        &self,
        mut picture_of: impl FnMut(usize) -> Result<P, E>,
    ) -> Result<Picture, E> {
        let mut board: Option<(usize, Picture)> = None;
        for tile in &self.tiles {
            let picture = picture_of(tile.picture)?;
            let picture = picture.borrow();
            if picture.size() != self.sizes[tile.picture] {
                let size = picture.size();
                return Err(TileError::OtherSize { picture: tile.picture, size }.into());
            }
            let (first, board) = match &mut board {
                Some(board) => board,
                None => board.insert((tile.picture, self.blank_like(picture)?)),
            };
            self.copy_tile(tile, picture, *first, board)?;
        }
        Ok(board.expect("a board has at least one tile").1)
    }

    /// A board of zeros with the channels and the depth of a picture.
    fn blank_like(&self, picture: &Picture) -> Result<Picture, TileError> {
        let height_px = self.grid.rows() as usize * self.shape.height_px() as usize;
        let width_px = self.grid.cols() as usize * self.shape.width_px() as usize;
        let channels = picture.channels();
        let blank_rows = std::iter::repeat_n(None, height_px);
        let samples = gather(picture.samples(), width_px * channels, height_px, blank_rows)
            .map_err(|OutOfMemory| TileError::OutOfMemory)?;
        Ok(Picture { height_px, width_px, channels, samples })
    }

    fn copy_tile(
        &self,
        tile: &Tile,
        picture: &Picture,
        first: usize,
        board: &mut Picture,
    ) -> Result<(), TileError> {
        let different = TileError::DifferentKinds {
            picture: tile.picture,
            channels: picture.channels(),
            bits: picture.samples().bits(),
            first,
            first_channels: board.channels(),
            first_bits: board.samples().bits(),
        };
        if picture.channels() != board.channels() {
            return Err(different);
        }
        let piece_height_px = self.shape.height_px() as usize;
        let piece_width_px = self.shape.width_px() as usize;
        let len = tile.cols * piece_width_px * board.channels();
        for row in 0..tile.rows * piece_height_px {
            let from = picture.offset_of(row, 0);
            let to = board.offset_of(tile.top * piece_height_px + row, tile.left * piece_width_px);
            match (&mut board.samples, picture.samples()) {
                (Samples::U8(board), Samples::U8(values)) => {
                    board[to..to + len].copy_from_slice(&values[from..from + len]);
                }
                (Samples::U16(board), Samples::U16(values)) => {
                    board[to..to + len].copy_from_slice(&values[from..from + len]);
                }
                _ => return Err(different),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{one_px, size, some, telling, tile};
    use super::*;

    #[test]
    fn pictures_of_another_kind_or_size_are_named() {
        let grey = Picture::new(2, 2, 1, Samples::U16(vec![0; 4])).unwrap();
        let shallow = Picture::new(2, 2, 3, Samples::U8(vec![0; 12])).unwrap();
        for (other, channels, bits) in [(grey, 1, 16), (shallow, 3, 8)] {
            let pictures = [telling(0, 2, 2), telling(1, 2, 2), other];
            let expected = TileError::DifferentKinds {
                picture: 2,
                channels,
                bits,
                first: 0,
                first_channels: 3,
                first_bits: 16,
            };
            assert_eq!(tile(&pictures, one_px(), some(2), None), Err(expected));
        }
        let tiling = Tiling::new(&[size(2, 2)], one_px(), None, None).unwrap();
        let painted = tiling.paint(|_| Ok::<_, TileError>(telling(0, 2, 3)));
        let expected = TileError::OtherSize { picture: 0, size: size(2, 3) };
        assert_eq!(painted, Err(expected));
    }

    #[test]
    fn errors_of_the_caller_are_returned() {
        #[derive(Debug, PartialEq)]
        enum Trouble {
            Tile(TileError),
            Reading(usize),
        }
        impl From<TileError> for Trouble {
            fn from(error: TileError) -> Self {
                Self::Tile(error)
            }
        }
        let tiling = Tiling::new(&[size(2, 2), size(2, 2)], one_px(), some(4), None).unwrap();
        let read = |picture| match picture {
            0 => Ok(telling(0, 2, 2)),
            other => Err(Trouble::Reading(other)),
        };
        assert_eq!(tiling.paint(read), Err(Trouble::Reading(1)));
        assert_eq!(
            tiling.paint(|_| Ok::<_, Trouble>(telling(0, 1, 1))),
            Err(Trouble::Tile(TileError::OtherSize { picture: 0, size: size(1, 1) }))
        );
    }
}

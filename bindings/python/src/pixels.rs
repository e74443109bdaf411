//! Pixels from and to arrays.

use crate::failure::Failure;
use fretsaw::picture::{Picture, PictureSize};
use fretsaw::puzzle::{PieceSet, PieceShape, Samples};
use fretsaw::unstable::allocation::try_reserve_exact;
use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Pictures of the same depth and channels, one after the other.
pub(crate) struct Pixels {
    pub(crate) sizes: Vec<PictureSize>,
    pub(crate) channels: usize,
    pub(crate) samples: Samples,
}

/// The values of arrays of height x width x channels of 8 or 16 bits. The Python side has checked them.
pub(crate) fn gather(arrays: &[Bound<'_, PyAny>]) -> PyResult<Pixels> {
    let mut sizes = Vec::with_capacity(arrays.len());
    let mut channels = 0;
    let mut num_values = 0;
    for array in arrays {
        let array = array.cast::<PyUntypedArray>()?;
        let &[height_px, width_px, depth] = array.shape() else {
            return Err(Failure::internal("an array that is not of three dimensions").into());
        };
        channels = depth;
        num_values += height_px * width_px * depth;
        sizes.push(PictureSize { height_px, width_px });
    }
    let is_byte = arrays.first().is_none_or(|first| first.cast::<PyArrayDyn<u8>>().is_ok());
    let samples = match is_byte {
        true => Samples::U8(values_of(arrays, num_values)?),
        false => Samples::U16(values_of(arrays, num_values)?),
    };
    Ok(Pixels { sizes, channels, samples })
}

fn values_of<T: Element + Copy>(arrays: &[Bound<'_, PyAny>], num: usize) -> PyResult<Vec<T>> {
    let mut values = Vec::new();
    let reserved = try_reserve_exact(&mut values, num);
    reserved.map_err(|_| Failure::input("the pixels need more memory than there is"))?;
    for array in arrays {
        let array = array.cast::<PyArrayDyn<T>>()?.readonly();
        match array.as_slice() {
            Ok(slice) => values.extend_from_slice(slice),
            Err(_) => values.extend(array.as_array().iter().copied()),
        }
    }
    Ok(values)
}

/// The picture of one such array.
pub(crate) fn picture(array: &Bound<'_, PyAny>) -> PyResult<Picture> {
    let Pixels { sizes, channels, samples } = gather(std::slice::from_ref(array))?;
    let PictureSize { height_px, width_px } = sizes[0];
    Ok(Picture::new(height_px, width_px, channels, samples).map_err(Failure::input)?)
}

/// The pieces of such arrays, which have one size.
pub(crate) fn piece_set(arrays: &[Bound<'_, PyAny>]) -> PyResult<PieceSet> {
    let Pixels { sizes, channels, samples } = gather(arrays)?;
    let px = |length: usize| u32::try_from(length).map_err(Failure::input);
    let first = sizes.first().ok_or_else(|| Failure::input("there are no pieces"))?;
    let shape = PieceShape::new(px(first.height_px)?, px(first.width_px)?);
    let pieces = PieceSet::new(shape.map_err(Failure::input)?, channels, samples);
    Ok(pieces.map_err(Failure::input)?)
}

fn array<'py>(py: Python<'py>, dims: &[usize], samples: &Samples) -> PyResult<Bound<'py, PyAny>> {
    fn of<'py, T: Element + Copy>(
        py: Python<'py>,
        dims: &[usize],
        values: &[T],
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = ArrayD::from_shape_vec(IxDyn(dims), values.to_vec());
        let array = array.map_err(Failure::internal)?;
        Ok(PyArrayDyn::from_owned_array(py, array).into_any())
    }
    match samples {
        Samples::U8(values) => of(py, dims, values),
        Samples::U16(values) => of(py, dims, values),
    }
}

/// The pixels of a picture: height x width x channels, without the channels if there is one.
pub(crate) fn picture_array<'py>(
    py: Python<'py>,
    picture: &Picture,
) -> PyResult<Bound<'py, PyAny>> {
    let dims = [picture.height_px(), picture.width_px(), picture.channels()];
    array(py, if dims[2] == 1 { &dims[..2] } else { &dims }, picture.samples())
}

/// The pixels of pieces: number x height x width x channels.
pub(crate) fn piece_array<'py>(py: Python<'py>, pieces: &PieceSet) -> PyResult<Bound<'py, PyAny>> {
    let shape = pieces.shape();
    let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
    array(py, &[pieces.num_pieces(), height_px, width_px, pieces.channels()], pieces.samples())
}

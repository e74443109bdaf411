//! Algorithm 1: the eigenvectors of a component's matrix.

use super::component::Component;
use super::{ComponentInfo, Eigenvector, RotationSettings};
use crate::linalg::{Complex, EigenSettings, top_eigenpairs};

/// How far below the wanted eigenvector the others are pushed in its faint entries, see
/// [`EigenSettings::sharpening`]. On a grid of 185 x 123 with 5 % wrong edges entries range over
/// dozens of orders of magnitude, and all have to be rounded.
const SHARPENING: f64 = 1e20;

/// The eigenvector of C = D^-1 S (normalized) or of S, \[HLW20\] Algorithm 1, and how it was found.
pub(crate) fn eigenvector_of(
    component: &Component,
    normalized: bool,
    eigenvector: Eigenvector,
    settings: &RotationSettings,
) -> (Vec<Complex>, ComponentInfo) {
    let num_pairs = match eigenvector {
        Eigenvector::First => 1,
        Eigenvector::Second => 2,
    };
    let mut start = component.spanning_tree_vector();
    let (matrix, bounds) = if normalized {
        for (entry, degree) in start.iter_mut().zip(&component.degrees) {
            *entry *= degree.sqrt();
        }
        (component.normalized_matrix(), (-1.0, 1.0))
    } else {
        let matrix = component.adjacency_matrix(&vec![0.0; component.num_vertices()]);
        let bounds = matrix.eigenvalue_bounds();
        (matrix, bounds)
    };
    let eigen_settings = EigenSettings {
        num_pairs,
        tolerance: settings.tolerance,
        max_products: settings.max_products,
        seed: settings.seed,
        sharpening: SHARPENING,
    };
    let mut top = top_eigenpairs(&matrix, bounds, &[start], &eigen_settings);
    // A component has at least two vertices, so both vectors exist.
    let mut vector = top.vectors.pop().unwrap_or_default();
    if normalized {
        for (entry, degree) in vector.iter_mut().zip(&component.degrees) {
            *entry *= 1.0 / degree.sqrt();
        }
    }
    let info = ComponentInfo {
        vertices: component.vertices.clone(),
        eigenvalues: top.values,
        residuals: top.residuals,
        next_eigenvalue: top.next_value,
        num_iterations: top.num_rounds,
        num_products: top.num_products,
        converged: top.converged,
        ..ComponentInfo::default()
    };
    (vector, info)
}

//! Complex numbers: the few operations the eigenvector methods need.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A complex number in double precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Complex {
    /// 0.
    pub const ZERO: Self = Self { re: 0.0, im: 0.0 };
    /// 1.
    pub const ONE: Self = Self { re: 1.0, im: 0.0 };

    /// `re + i im`.
    pub const fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// `exp(i angle)`.
    pub fn from_angle(angle: f64) -> Self {
        Self { re: angle.cos(), im: angle.sin() }
    }

    /// The conjugate.
    #[must_use]
    pub const fn conj(self) -> Self {
        Self { re: self.re, im: -self.im }
    }

    /// The squared modulus.
    pub const fn norm_sqr(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// The modulus.
    pub fn norm(self) -> f64 {
        self.re.hypot(self.im)
    }

    /// The argument, in (-pi, pi]; 0 for zero.
    pub fn angle(self) -> f64 {
        self.im.atan2(self.re)
    }
}

impl Add for Complex {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl AddAssign for Complex {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Complex {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

impl Mul for Complex {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl Mul<f64> for Complex {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self { re: self.re * factor, im: self.im * factor }
    }
}

//! Enums whose variants have names, on the command line and in files.

/// An enum whose variants have names. [`named_enum!`](crate::named_enum) implements it.
pub trait Named: Copy + 'static {
    /// All variants.
    const VARIANTS: &'static [Self];

    /// The name of the variant.
    #[must_use]
    fn name(self) -> &'static str;

    /// The variant with this name, if there is one.
    #[must_use]
    fn from_name(name: &str) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|variant| variant.name() == name)
    }
}

/// Give the variants of an enum their names: `named_enum!(Measure { Mgc: "mgc", Seam: "seam" });`.
///
/// Defines `ALL`, an array of all variants, and `const fn name`, and implements [`Named`](crate::Named).
#[macro_export]
macro_rules! named_enum {
    ($Enum:ident { $($Variant:ident: $name:literal),+ $(,)? }) => {
        impl $Enum {
            /// All variants.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// The name used on the command line and in files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name),+
                }
            }
        }

        impl $crate::Named for $Enum {
            const VARIANTS: &'static [Self] = &Self::ALL;

            fn name(self) -> &'static str {
                self.name()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::Named;
    use crate::dissimilarity::Measure;

    #[test]
    fn every_variant_is_found_by_its_name() {
        for measure in Measure::ALL {
            assert_eq!(Measure::from_name(measure.name()), Some(measure));
        }
        assert_eq!(Measure::from_name("MGC"), None);
    }
}

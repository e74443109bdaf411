//! Names of the variants of an enum.

/// Give the variants of an enum their names: `named_enum!(Measure { Mgc: "mgc", Seam: "seam" });`.
///
/// Defines `ALL`, an array of all variants, and `const fn name`.
#[doc(hidden)]
#[macro_export]
macro_rules! named_enum {
    ($Enum:ident { $($Variant:ident: $name:literal),+ $(,)? }) => {
        impl $Enum {
            /// All variants.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// The name used on the command line and in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name),+
                }
            }
        }
    };
}

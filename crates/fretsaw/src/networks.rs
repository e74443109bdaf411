//! The trained networks: compiled in, or brought by the program.
//!
//! They take more space than the code. With the feature `networks-at-run-time` none is compiled in, and each is asked for
//! when it is first needed: a page in the browser loads only those of the pictures at hand.

/// A file of trained networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NetworkFile {
    /// The matcher's, for photographs.
    Photographs,
    /// The matcher's, for graphics.
    Graphics,
    /// The pixel network, for graphics.
    GraphicPixels,
    /// The matcher's, for worn pieces.
    Worn,
    /// The pixel network, for worn pieces and for those of compressed sheets.
    WornPixels,
    /// The matcher's, for pieces of compressed sheets.
    Bled,
    /// That which tells which way up a picture is.
    Upright,
}

crate::named_enum!(NetworkFile {
    Photographs: "matching/networks.bin",
    Graphics: "matching/graphic_networks.bin",
    GraphicPixels: "matching/pixel_network.bin",
    Worn: "matching/worn_networks.bin",
    WornPixels: "matching/worn_pixel_network.bin",
    Bled: "matching/bled_networks.bin",
    Upright: "upright/network.bin",
});

#[cfg(not(feature = "networks-at-run-time"))]
mod source {
    use super::NetworkFile;
    use std::borrow::Cow;

    pub(crate) fn bytes_of(file: NetworkFile) -> Cow<'static, [u8]> {
        Cow::Borrowed(match file {
            NetworkFile::Photographs => include_bytes!("matching/networks.bin"),
            NetworkFile::Graphics => include_bytes!("matching/graphic_networks.bin"),
            NetworkFile::GraphicPixels => include_bytes!("matching/pixel_network.bin"),
            NetworkFile::Worn => include_bytes!("matching/worn_networks.bin"),
            NetworkFile::WornPixels => include_bytes!("matching/worn_pixel_network.bin"),
            NetworkFile::Bled => include_bytes!("matching/bled_networks.bin"),
            NetworkFile::Upright => include_bytes!("upright/network.bin"),
        })
    }
}

#[cfg(feature = "networks-at-run-time")]
mod source {
    use super::NetworkFile;
    use std::borrow::Cow;
    use std::sync::OnceLock;

    static SOURCE: OnceLock<fn(NetworkFile) -> Vec<u8>> = OnceLock::new();

    /// Says where networks come from: `source` returns the content of the file of that [name](NetworkFile::name) in the
    /// sources of this crate. To be called once, before anything is solved; later calls change nothing.
    pub fn bring_networks(source: fn(NetworkFile) -> Vec<u8>) {
        SOURCE.get_or_init(|| source);
    }

    #[expect(clippy::expect_used, reason = "a mistake of the program, not of its input")]
    pub(crate) fn bytes_of(file: NetworkFile) -> Cow<'static, [u8]> {
        let source = SOURCE.get();
        source.expect("a program without compiled networks calls `bring_networks` first")(file)
            .into()
    }
}

#[cfg(feature = "networks-at-run-time")]
pub use source::bring_networks;
pub(crate) use source::bytes_of;

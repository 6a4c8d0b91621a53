//! Packed output: gzip and zstd. What is written is packed in pieces that stand on their own, so that a file can be gone
//! on with behind any piece; [`Reader`](crate::Reader) reads them as one.

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Write};

/// Bytes of text in a piece at least, but for the last (4 MiB).
const PIECE_BYTES: usize = 4 << 20;

/// How a file is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    #[default]
    None,
    /// With gzip.
    Gzip,
    /// With zstd, at its fastest level.
    Zstd,
}

impl Packing {
    /// All of them.
    pub const ALL: [Self; 3] = [Packing::None, Packing::Gzip, Packing::Zstd];

    /// Its name, such as `gzip`.
    pub fn name(self) -> &'static str {
        match self {
            Packing::None => "none",
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// What a file's name ends with, such as `.gz`.
    pub fn ending(self) -> &'static str {
        match self {
            Packing::None => "",
            Packing::Gzip => ".gz",
            Packing::Zstd => ".zst",
        }
    }

    /// Packs a text as one piece.
    ///
    /// # Errors
    /// What writing to memory fails with, which is nothing.
    pub fn piece(self, text: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Packing::None => Ok(text.to_vec()),
            Packing::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(text)?;
                encoder.finish()
            }
            Packing::Zstd => Ok(compress_to_vec(text, CompressionLevel::Fastest)),
        }
    }
}

/// Packs what is written to it.
pub struct Packer<W: Write> {
    out: W,
    packing: Packing,
    waiting: Vec<u8>,
    is_empty: bool,
}

impl<W: Write> Packer<W> {
    /// Packs into `out`.
    pub fn new(out: W, packing: Packing) -> Self {
        Packer {
            out,
            packing,
            waiting: Vec::new(),
            is_empty: true,
        }
    }

    /// Ends the piece at hand: what was written until now is in `out`, and whole without what follows.
    ///
    /// # Errors
    /// What `out` says.
    pub fn end_piece(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            self.out.write_all(&self.packing.piece(&self.waiting)?)?;
            self.waiting.clear();
            self.is_empty = false;
        }
        self.out.flush()
    }

    /// Ends the file. One of nothing is a packed nothing.
    ///
    /// # Errors
    /// What `out` says.
    pub fn finish(mut self) -> io::Result<W> {
        self.end_piece()?;
        if self.is_empty {
            self.out.write_all(&self.packing.piece(&[])?)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.packing == Packing::None {
            self.is_empty = false;
            return self.out.write(bytes);
        }
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= PIECE_BYTES {
            self.end_piece()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unpack::unpack;
    use std::io::Read as _;

    #[test]
    fn what_was_packed_in_pieces_is_unpacked_as_one() {
        let line = "Größe,\"1\n2\"\n";
        for packing in Packing::ALL {
            for count in [0, 1, 1000, 2 * PIECE_BYTES / line.len()] {
                let mut packer = Packer::new(Vec::new(), packing);
                for index in 0..count {
                    packer.write_all(line.as_bytes()).unwrap();
                    if index == 7 {
                        packer.end_piece().unwrap();
                    }
                }
                let packed = packer.finish().unwrap();
                let packed_bytes = packed.len();
                let mut text = String::new();
                let (mut source, found) =
                    unpack(Box::new(io::Cursor::new(packed)), u64::MAX).unwrap();
                source.read_to_string(&mut text).unwrap();
                // nothing is nothing, however it was to be packed
                assert!(found == packing || packed_bytes == 0, "{packing:?} {count}");
                assert!(text == line.repeat(count), "{packing:?} {count}");
            }
        }
    }
}

//! Packed input, found by its first bytes: gzip and zstd. Anything else is passed on as it is; it looks at no
//! file's name.

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// Bytes from anywhere.
pub(crate) type Source = Box<dyn Read + Send>;

const GZIP: &[u8] = &[0x1F, 0x8B];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

/// The content of the source.
///
/// # Errors
/// What the source says, or that it is no zstd after all.
pub(crate) fn unpack(mut source: Source) -> io::Result<Source> {
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head)?;
    let is_gzip = head.starts_with(GZIP);
    let is_zstd = head.starts_with(ZSTD);
    let whole = Cursor::new(head).chain(source);
    if is_gzip {
        return Ok(Box::new(MultiGzDecoder::new(whole)));
    }
    if is_zstd {
        return Ok(Box::new(ZstdFrames::Between(Box::new(BufReader::new(
            whole,
        )))));
    }
    Ok(Box::new(whole))
}

type Packed = Box<dyn BufRead + Send>;

/// One zstd frame after the other: programs that pack in parallel write many.
enum ZstdFrames {
    Between(Packed),
    Within(Box<StreamingDecoder<Packed, ruzstd::decoding::FrameDecoder>>),
    Ended,
}

impl Read for ZstdFrames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, ZstdFrames::Ended) {
                ZstdFrames::Ended => return Ok(0),
                ZstdFrames::Between(mut source) => {
                    if source.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    let frame = StreamingDecoder::new(source).map_err(io::Error::other)?;
                    *self = ZstdFrames::Within(Box::new(frame));
                }
                ZstdFrames::Within(mut frame) => {
                    let count = frame.read(into)?;
                    if count > 0 || into.is_empty() {
                        *self = ZstdFrames::Within(frame);
                        return Ok(count);
                    }
                    *self = ZstdFrames::Between(frame.into_inner());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        let mut source = unpack(Box::new(Cursor::new(bytes))).unwrap();
        source.read_to_end(&mut out).unwrap();
        out
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text).unwrap();
        packer.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        ruzstd::encoding::compress_to_vec(text, level)
    }

    #[test]
    fn what_is_packed_in_several_pieces_is_read_to_its_end() {
        let text = "Größe,Zahl\n1,2\n".repeat(1000).into_bytes();
        let (one, two) = text.split_at(7001);
        assert_eq!(unpacked(text.clone()), text);
        assert_eq!(unpacked([gzip(one), gzip(two)].concat()), text);
        assert_eq!(unpacked([zstd(one), zstd(two)].concat()), text);
    }

    #[test]
    fn what_is_cut_off_is_an_error_and_not_the_end() {
        let text = "a,b\n".repeat(1000).into_bytes();
        for packed in [gzip(&text), zstd(&text)] {
            let cut = packed[..packed.len() - 5].to_vec();
            let read = unpack(Box::new(Cursor::new(cut))).and_then(|mut source| {
                let mut out = Vec::new();
                source.read_to_end(&mut out)
            });
            assert!(read.is_err());
        }
    }

    #[test]
    fn a_short_file_is_itself() {
        for text in ["", "a", "\u{1F}", "abc"] {
            assert_eq!(unpacked(text.into()), text.as_bytes());
        }
    }
}

//! Packed input, found by its first bytes: gzip and zstd. Anything else is passed on as it is; it looks at no
//! file's name. What is not as it was packed is an error: both have checksums, which are compared.

use crate::damage::Damage;
use crate::gzip::GzipParts;
use crate::pack::Packing;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// Bytes from anywhere.
pub(crate) type Source = Box<dyn Read + Send>;
/// Bytes that are looked at before they are taken.
pub(crate) type Packed = Box<dyn BufRead + Send>;

const GZIP: &[u8] = &[0x1F, 0x8B];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
const ZIP: &[u8] = b"PK\x03\x04";

/// The largest window of zstd, all of which is held in memory: that of `zstd --long=25`, and of its levels up to 20.
const WINDOW_BYTES_MAX: u64 = 32 << 20;
/// The part of what a file may unpack to that its window may have.
const WINDOW_PART: u64 = 4;

/// The largest window of a file that may unpack to so many bytes.
pub(crate) fn window_bytes_max(bytes_max: u64) -> u64 {
    WINDOW_BYTES_MAX.min(bytes_max / WINDOW_PART)
}

/// Whether a file that begins so unpacks to more bytes than it has: it is packed, or an Excel file, which is an archive.
pub fn is_packed(file: &[u8]) -> bool {
    let head = &file[..file.len().min(4)];
    packing_of(head) != Packing::None || head == ZIP
}

/// How a file is packed that begins with these bytes, of which there are four.
fn packing_of(head: &[u8]) -> Packing {
    if head.starts_with(GZIP) {
        return Packing::Gzip;
    }
    // programs that pack in parallel begin with a frame that is to be skipped
    if head.starts_with(ZSTD) || matches!(*head, [0x50..=0x5F, 0x2A, 0x4D, 0x18]) {
        return Packing::Zstd;
    }
    Packing::None
}

/// The content of the source, and how it is packed. A frame of zstd with a larger window is not read.
///
/// # Errors
/// What the source says, or that it is no zstd after all.
pub(crate) fn unpack(mut source: Source, window_bytes_max: u64) -> io::Result<(Source, Packing)> {
    let mut head = Vec::new();
    source.by_ref().take(4).read_to_end(&mut head)?;
    let packing = packing_of(&head);
    let whole = Cursor::new(head).chain(source);
    let content: Source = match packing {
        Packing::Gzip => Box::new(GzipParts::new(Box::new(BufReader::new(whole)))),
        Packing::Zstd => Box::new(ZstdFrames {
            at: Frame::First(Box::new(BufReader::new(whole))),
            window_bytes_max,
        }),
        Packing::None => Box::new(whole),
    };
    Ok((content, packing))
}

/// The same, of which so many bytes may come.
pub(crate) fn within(source: Source, bytes_max: u64) -> Source {
    if bytes_max == u64::MAX {
        return source;
    }
    Box::new(Within {
        source,
        bytes: 0,
        bytes_max,
    })
}

/// Counts what comes of a source.
struct Within {
    source: Source,
    bytes: u64,
    bytes_max: u64,
}

impl Read for Within {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(into)?;
        self.bytes += count as u64;
        if self.bytes > self.bytes_max {
            let text = format!(
                "it unpacks to more than {} bytes; send it in parts",
                self.bytes_max
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(count)
    }
}

/// One zstd frame after the other: programs that pack in parallel write many.
struct ZstdFrames {
    at: Frame,
    window_bytes_max: u64,
}

enum Frame {
    First(Packed),
    Between(Packed),
    Within(Box<(Packed, FrameDecoder)>),
    Ended,
}

impl Read for ZstdFrames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let window = self.window_bytes_max;
        loop {
            match std::mem::replace(&mut self.at, Frame::Ended) {
                Frame::Ended => return Ok(0),
                Frame::First(source) => self.at = next_frame(source, false, window)?,
                Frame::Between(mut source) => {
                    if source.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    self.at = next_frame(source, true, window)?;
                }
                Frame::Within(mut frame) => {
                    let count = read_frame(&mut frame, into)?;
                    if count > 0 || into.is_empty() {
                        self.at = Frame::Within(frame);
                        return Ok(count);
                    }
                    let (source, frame) = *frame;
                    require_whole(&frame)?;
                    self.at = Frame::Between(source);
                }
            }
        }
    }
}

/// Begins a frame, or passes one that holds nothing of the text; whether it is behind another one.
fn next_frame(mut source: Packed, is_behind: bool, window_bytes_max: u64) -> io::Result<Frame> {
    let mut frame = FrameDecoder::new();
    frame.set_max_window_size(window_bytes_max);
    match frame.init(&mut source) {
        Ok(()) => {}
        Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
            length,
            ..
        })) => {
            let length = u64::from(length);
            if io::copy(&mut source.by_ref().take(length), &mut io::sink())? < length {
                return Err(Damage::CutOff.into());
            }
            return Ok(Frame::Between(source));
        }
        Err(error) => return Err(Damage::of_zstd(&error, is_behind)),
    }
    Ok(Frame::Within(Box::new((source, frame))))
}

/// What of a frame comes next; nothing at its end.
fn read_frame((source, frame): &mut (Packed, FrameDecoder), into: &mut [u8]) -> io::Result<usize> {
    while frame.can_collect() == 0 && !frame.is_finished() {
        let decoded = frame.decode_blocks(&mut *source, BlockDecodingStrategy::UptoBlocks(1));
        decoded.map_err(|error| Damage::of_zstd(&error, false))?;
    }
    frame.read(into)
}

/// Compares a frame with its checksum, if it has one.
fn require_whole(frame: &FrameDecoder) -> io::Result<()> {
    match frame.get_checksum_from_data() {
        Some(sum) if frame.get_calculated_checksum() != Some(sum) => Err(Damage::Spoiled.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        let (mut source, _) = unpack(Box::new(Cursor::new(bytes)), WINDOW_BYTES_MAX).unwrap();
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

    /// Why bytes can't be unpacked.
    fn told(bytes: &[u8]) -> String {
        let source = Box::new(Cursor::new(bytes.to_vec()));
        let read = unpack(source, WINDOW_BYTES_MAX)
            .and_then(|(mut source, _)| source.read_to_end(&mut Vec::new()));
        read.unwrap_err().to_string()
    }

    #[test]
    fn what_is_cut_off_is_an_error_and_not_the_end() {
        let text = "a,b\n".repeat(1000).into_bytes();
        for packed in [gzip(&text), zstd(&text)] {
            for length in [6, packed.len() / 2, packed.len() - 5] {
                let told = told(&packed[..length]);
                assert!(told.contains("cut off before its end"), "{length}: {told}");
            }
        }
    }

    #[test]
    fn each_damage_is_told_in_a_sentence() {
        let packed = [gzip(b"a,b\n1,2\n"), zstd(b"a,b\n1,2\n")];
        for behind in [&b"\n"[..], b"more than any head of a part", &[0, 0, 1]] {
            for packed in &packed {
                let told = told(&[&packed[..], behind].concat());
                assert!(told.contains("stands behind what is"), "{behind:?}: {told}");
            }
        }
        let odd_part = [&packed[0][..], &[0x1F, 0x8B, 7], &[1; 20]].concat();
        assert!(told(&odd_part).contains("stands behind what is"));
        let mut reserved = packed[0].clone();
        reserved[3] = 0xE0;
        assert!(told(&reserved).contains("damaged"));
        // a frame that names a dictionary, and one whose window is two tebibytes
        let dictionary = [0x28, 0xB5, 0x2F, 0xFD, 0x21, 5, 0, 1, 0, 0];
        assert!(told(&dictionary).contains("with a dictionary"));
        let window = [0x28, 0xB5, 0x2F, 0xFD, 0, 0xF8, 1, 0, 0];
        assert!(told(&window).contains("too large a window"));
    }

    #[test]
    fn a_window_is_no_larger_than_it_may_be_of_what_the_file_may_unpack_to() {
        let read = |bytes_max, window: u8| {
            // a frame without a byte
            let frame = [0x28, 0xB5, 0x2F, 0xFD, 0, window, 1, 0, 0];
            let window_max = window_bytes_max(bytes_max);
            let (mut source, _) = unpack(Box::new(Cursor::new(frame)), window_max).unwrap();
            source.read_to_end(&mut Vec::new())
        };
        // 32 MiB, and an eighth more; 8 MiB, and an eighth more
        for (bytes_max, most) in [(u64::MAX, 0x78), (32 << 20, 0x68)] {
            assert_eq!(read(bytes_max, most).unwrap(), 0);
            let told = read(bytes_max, most + 1).unwrap_err().to_string();
            assert!(told.contains("too large a window"), "{told}");
        }
    }

    #[test]
    fn zeros_behind_a_gzip_file_are_its_end() {
        let text = b"a,b\n1,2\n";
        let padded = [gzip(text), gzip(text), vec![0; 20_000]].concat();
        assert_eq!(unpacked(padded), text.repeat(2));
    }

    #[test]
    fn what_is_not_as_it_was_packed_is_an_error() {
        // no two bytes in a row that can be packed: the text stands in the frame as it is
        let text: Vec<u8> = (0..2000_u32)
            .map(|at| b' ' + (at * at % 89) as u8)
            .collect();
        for packed in [gzip(&text), zstd(&text)] {
            let at = packed.len() / 2;
            let mut spoiled = packed;
            spoiled[at] ^= 1;
            // where the mark of its end is what is spoiled, it has none
            let told = told(&spoiled);
            let is_told = told.contains("damaged") || told.contains("cut off");
            assert!(is_told, "{told}");
        }
    }

    #[test]
    fn frames_that_are_to_be_skipped_are() {
        let skipped = [&[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0][..], b"size"].concat();
        let text = b"a,b\n1,2\n";
        let all = [&skipped[..], &zstd(text), &skipped, &zstd(text)].concat();
        assert_eq!(unpacked(all), text.repeat(2));
        let cut = unpack(
            Box::new(Cursor::new(skipped[..10].to_vec())),
            WINDOW_BYTES_MAX,
        );
        assert!(
            cut.and_then(|(mut source, _)| source.read_to_end(&mut Vec::new()))
                .is_err()
        );
    }

    #[test]
    fn what_unpacks_to_more_than_it_may_is_an_error() {
        let text = "a,b\n".repeat(1000).into_bytes();
        let read = |bytes_max| {
            let (source, _) = unpack(Box::new(Cursor::new(gzip(&text))), WINDOW_BYTES_MAX).unwrap();
            within(source, bytes_max).read_to_end(&mut Vec::new())
        };
        assert_eq!(read(4000).unwrap(), 4000);
        let told = read(3999).unwrap_err().to_string();
        assert!(told.contains("more than 3999 bytes"), "{told}");
    }

    #[test]
    fn a_short_file_is_itself() {
        for text in ["", "a", "\u{1F}", "abc"] {
            assert_eq!(unpacked(text.into()), text.as_bytes());
        }
    }
}

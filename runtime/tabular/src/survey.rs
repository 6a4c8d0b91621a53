//! Which encoding a text is in, by its byte-order mark or its looks. A survey goes through the whole text: one odd byte at its
//! beginning says nothing against UTF-8 that comes later, and plain ASCII says nothing for it.

use crate::bracket::format_of;
use crate::encoding::Encoding;
use crate::format::Format;
use crate::found::RowFault;
use crate::unpack::{Source, is_packed, unpack, window_bytes_max, within};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use std::io::{self, Read};

/// How many bytes are read to find out what a text is.
pub(crate) const SAMPLE_BYTES: usize = 64 << 10;
/// Bytes that are compared with what is usual in each encoding; more of them tell no more.
const DETECTED_BYTES_MAX: usize = 16 << 20;
/// How a file of rows that an import left out calls the reason, and among which bytes at its head.
const REASON: &[u8] = b"_reason";
const MARKS_BYTES: usize = 64;
/// What stands before each change of the character set in ISO-2022-JP.
const ESCAPE: u8 = 0x1B;

/// The encoding that the whole of a file speaks for, which goes through it once; `None` where it is no text, or its beginning
/// names one. What can't be read is reported when its rows are read.
///
/// # Errors
/// [`FileTooLarge`](io::ErrorKind::FileTooLarge) for a file that unpacks to more than so many bytes.
pub(crate) fn survey(
    file: Source,
    format: Option<Format>,
    bytes_max: u64,
) -> io::Result<Option<Encoding>> {
    let unpacked = unpack(file, window_bytes_max(bytes_max));
    let Ok((source, _)) = unpacked else {
        return Ok(None);
    };
    match survey_text(within(source, bytes_max), format) {
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Err(error),
        surveyed => Ok(surveyed.ok().flatten()),
    }
}

fn survey_text(mut source: Source, format: Option<Format>) -> io::Result<Option<Encoding>> {
    let mut sample = Vec::new();
    source
        .by_ref()
        .take(SAMPLE_BYTES as u64)
        .read_to_end(&mut sample)?;
    if mark(&sample).0.is_some() || is_packed(&sample) {
        return Ok(None);
    }
    if let Some(encoding) = plain_guess(&sample, format) {
        return Ok(Some(encoding));
    }
    let mut evidence = Evidence::default();
    while !sample.is_empty() {
        evidence.add(&mut sample);
        let room = SAMPLE_BYTES as u64;
        if source.by_ref().take(room).read_to_end(&mut sample)? == 0 {
            break;
        }
    }
    Ok(Some(evidence.encoding()))
}

/// The encoding that a text's first bytes name, and how many they are.
pub(crate) fn mark(sample: &[u8]) -> (Option<Encoding>, u64) {
    match sample {
        [0xEF, 0xBB, 0xBF, ..] => (Some(Encoding::UTF_8), 3),
        [0xFF, 0xFE, ..] => (Some(Encoding::UTF_16LE), 2),
        [0xFE, 0xFF, ..] => (Some(Encoding::UTF_16BE), 2),
        _ => (None, 0),
    }
}

/// What a text without a mark looks like by its beginning alone.
pub(crate) fn guess(sample: &[u8]) -> Encoding {
    plain_guess(sample, None).unwrap_or_else(|| {
        let mut evidence = Evidence::default();
        evidence.add(&mut sample.to_vec());
        evidence.encoding()
    })
}

/// What the beginning of a text shows without any doubt. JSON is never taken for another encoding: it is UTF-8 with a mistake in it.
fn plain_guess(sample: &[u8], format: Option<Format>) -> Option<Encoding> {
    let zeros = |from: usize| {
        sample
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    // separators and digits alone make a fifth of any table
    if odd * 10 > sample.len() && even * 10 < odd {
        return Some(Encoding::UTF_16LE);
    }
    if even * 10 > sample.len() && odd * 10 < even {
        return Some(Encoding::UTF_16BE);
    }
    let is_json = format.is_none() && format_of(sample, false) != Format::Csv;
    (is_json || reports_encoding(sample)).then_some(Encoding::UTF_8)
}

/// Whether a text is one of rows that were left out because they were not in the encoding of their file: these come as they
/// were between others that were, so no other is guessed.
fn reports_encoding(sample: &[u8]) -> bool {
    let message = RowFault::NotUtf8.to_string();
    // where an apostrophe is a quote, it stands there twice
    let message = message.split('\'').next().unwrap_or_default();
    let has_marks = memchr::memmem::find(&sample[..sample.len().min(MARKS_BYTES)], REASON);
    has_marks.is_some() && memchr::memmem::find(sample, message.as_bytes()).is_some()
}

/// What the bytes of a text say of its encoding. What is no UTF-8 hardly ever has characters of several bytes by chance, so a text
/// that has more of them than mistakes is UTF-8: its rows with mistakes are rejected, and all others are as they were meant.
#[derive(Default)]
struct Evidence {
    characters: usize,
    mistakes: usize,
    /// Whether it has an escape: ISO-2022-JP has no other byte beyond those of ASCII.
    has_escape: bool,
    /// Compares with other encodings, from the first mistake or escape on.
    detector: Option<EncodingDetector>,
    detected_bytes: usize,
}

impl Evidence {
    /// Takes the next bytes, but for the beginning of a character that may end in those after them.
    fn add(&mut self, bytes: &mut Vec<u8>) {
        self.has_escape |= memchr::memchr(ESCAPE, bytes).is_some();
        if bytes.is_ascii() && !self.has_escape {
            bytes.clear();
            return;
        }
        let mut rest = 0;
        for chunk in bytes.utf8_chunks() {
            // characters of several bytes, by their first
            self.characters += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
            rest = chunk.invalid().len();
            self.mistakes += usize::from(rest > 0);
        }
        let is_cut = |bytes: &[u8]| {
            std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
        };
        let mut end = bytes.len();
        if rest > 0 && is_cut(&bytes[end - rest..]) {
            self.mistakes -= 1;
            end -= rest;
        }
        let is_doubtful = self.mistakes > 0 || self.has_escape;
        if is_doubtful && self.detected_bytes < DETECTED_BYTES_MAX {
            let new = || EncodingDetector::new(Iso2022JpDetection::Allow);
            self.detector
                .get_or_insert_with(new)
                .feed(&bytes[..end], false);
            self.detected_bytes += end;
        }
        bytes.drain(..end);
    }

    fn encoding(self) -> Encoding {
        match self.detector {
            Some(detector) if self.characters <= self.mistakes => {
                let utf_8 = if self.mistakes == 0 {
                    Utf8Detection::Allow
                } else {
                    Utf8Detection::Deny
                };
                let standard = detector.guess(None, utf_8);
                Encoding::of_standard(standard).unwrap_or(Encoding::WINDOWS_1252)
            }
            _ => Encoding::UTF_8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{Packer, Packing};
    use std::io::{Cursor, Write as _};

    fn surveyed(bytes: &[u8]) -> Option<&'static str> {
        let file = Box::new(Cursor::new(bytes.to_vec()));
        let found = survey(file, None, u64::MAX).expect("there is no bound");
        found.map(Encoding::name)
    }

    /// Rows of plain ASCII, more than a beginning that is looked at.
    fn plain() -> Vec<u8> {
        b"a1,plain\n".repeat(SAMPLE_BYTES / 8)
    }

    #[test]
    fn one_odd_byte_before_much_utf_8_makes_no_other_encoding() {
        let zurich = "u,Z\u{fc}rich\n".repeat(500);
        let odd = b"No,Name\nb1,M\xFCller\n";
        let plain = plain();
        for parts in [
            [&odd[..], &plain, zurich.as_bytes()],
            [zurich.as_bytes(), &plain, odd],
        ] {
            assert_eq!(surveyed(&parts.concat()), Some("utf-8"));
        }
    }

    #[test]
    fn umlauts_that_come_late_are_found_in_packed_files_too() {
        let late = [&plain()[..], b"M\xFCller,Gr\xF6\xDFe\n"].concat();
        assert_eq!(surveyed(&late), Some("windows-1252"));
        let mut packed = Packer::new(Vec::new(), Packing::Gzip);
        packed.write_all(&late).expect("it is packed");
        let packed = packed.finish().expect("it is packed");
        assert_eq!(surveyed(&packed), Some("windows-1252"));
    }

    #[test]
    fn characters_that_chunks_cut_are_no_mistakes() {
        for shift in 0..4 {
            let text = [
                b"x".repeat(shift),
                "\u{1F980}".repeat(SAMPLE_BYTES).into_bytes(),
            ]
            .concat();
            assert_eq!(surveyed(&text), Some("utf-8"), "{shift}");
        }
    }

    #[test]
    fn encodings_of_other_countries_are_found_by_enough_text() {
        let of = |name: &str, text: &str| {
            let standard = encoding_rs::Encoding::for_label(name.as_bytes()).expect(name);
            let (bytes, ..) = standard.encode(text);
            surveyed(&bytes).expect("a guess").to_owned()
        };
        for (name, text) in [
            (
                "windows-1250",
                "No,Name\n1,Łódź\n2,Kraków\n3,Wrocław\n4,Gdańsk\n5,Częstochowa\n6,Białystok\n",
            ),
            (
                "windows-1251",
                "No,Name\n1,Калуга\n2,Москва\n3,Нижний Новгород\n",
            ),
            (
                "windows-1254",
                "No,Name\n1,Şanlıurfa\n2,İstanbul\n3,Diyarbakır\n4,Kırşehir\n5,Muğla\n",
            ),
            ("shift_jis", "No,Name\n1,東京都\n2,大阪府\n3,カタカナ\n"),
            ("gbk", "No,Name\n1,北京市\n2,上海市\n3,广州市\n"),
            ("euc-kr", "No,Name\n1,서울특별시\n2,부산광역시\n"),
            ("iso-2022-jp", "No,Name\n1,東京都\n2,大阪府\n3,カタカナ\n"),
        ] {
            assert_eq!(of(name, text), name);
        }
    }

    #[test]
    fn what_is_ascii_alone_is_read_by_its_escapes_wherever_they_stand() {
        let tokyo = b"\x1B$B";
        let town = [&tokyo[..], &b"El5~".repeat(40_000), b"\x1B(B\n"].concat();
        for shift in 0..4 {
            let parts = [&b"x".repeat(shift)[..], &plain(), b"j1,", &town, &plain()];
            assert_eq!(surveyed(&parts.concat()), Some("iso-2022-jp"), "{shift}");
        }
        for text in [
            &b"No,Name\n1,\x1B[31mred\x1B[0m\n"[..],
            b"No,Name\n1,\x1B\n",
            "No,Name\n1,\u{1b}[31mMünchen\n".as_bytes(),
        ] {
            assert_eq!(surveyed(text), Some("utf-8"), "{text:?}");
        }
    }

    #[test]
    fn what_says_its_encoding_is_not_surveyed() {
        for bytes in [
            &b"\xEF\xBB\xBFa,\xFC\n"[..],
            b"PK\x03\x04\xFC",
            b"\x1F\x8Bno gzip",
        ] {
            assert_eq!(surveyed(bytes), None, "{bytes:?}");
        }
        assert_eq!(surveyed(b"{\"a\":\"\xF6\"}\n"), Some("utf-8"));
    }
}

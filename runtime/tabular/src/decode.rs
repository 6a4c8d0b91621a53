//! Text in whatever encoding, as UTF-8 without a byte-order mark, piece by piece.

use crate::encoding::{Decoder, Encoding};
use crate::survey::{SAMPLE_BYTES, guess, mark};
use crate::unpack::Source;
use std::io::{self, Cursor, Read};

const CHUNK_BYTES: usize = 64 << 10;

/// Text as UTF-8 without a byte-order mark.
pub(crate) struct Decoded {
    pub(crate) source: Source,
    pub(crate) encoding: Encoding,
    /// Whether it began with the mark of its encoding.
    pub(crate) has_mark: bool,
    /// Whether nothing but the looks of the text speak for its encoding.
    pub(crate) is_guessed: bool,
}

/// Decodes a source. An encoding that is given is not doubted, but by the mark of UTF-8, which no text in another encoding begins
/// with. Without one, the mark counts, then what a survey of the whole text found, then the beginning of the text.
///
/// # Errors
/// What the source says.
pub(crate) fn decode(
    mut source: Source,
    given: Option<Encoding>,
    surveyed: Option<Encoding>,
) -> io::Result<Decoded> {
    let mut sample = Vec::new();
    source
        .by_ref()
        .take(SAMPLE_BYTES as u64)
        .read_to_end(&mut sample)?;
    let (marked, mark) = mark(&sample);
    let given = given.filter(|_| marked != Some(Encoding::UTF_8));
    let known = given.or(marked);
    let encoding = known.or(surveyed).unwrap_or_else(|| guess(&sample));
    // a mark of another encoding than the one given is text
    let has_mark = marked == Some(encoding);
    let passed = if has_mark { mark } else { 0 };
    let mut whole = Cursor::new(sample);
    whole.set_position(passed);
    let whole = whole.chain(source);
    Ok(Decoded {
        source: match encoding.decoder() {
            Some(decoder) => Box::new(Decoding::new(whole, decoder)),
            None => Box::new(whole),
        },
        encoding,
        has_mark,
        is_guessed: known.is_none(),
    })
}

/// A text on its way to UTF-8.
struct Decoding<R> {
    source: R,
    decoder: Decoder,
    input: Piece,
    output: Piece,
    /// Whether the source has no more, and whether the decoder has no more.
    ended: bool,
    done: bool,
}

/// A buffer, of which the part from `start` to `end` is of use.
struct Piece {
    bytes: Box<[u8]>,
    start: usize,
    end: usize,
}

impl Piece {
    fn new() -> Self {
        Piece {
            bytes: vec![0; CHUNK_BYTES].into(),
            start: 0,
            end: 0,
        }
    }

    fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

impl<R: Read> Decoding<R> {
    fn new(source: R, decoder: Decoder) -> Self {
        Decoding {
            source,
            decoder,
            input: Piece::new(),
            output: Piece::new(),
            ended: false,
            done: false,
        }
    }

    /// Decodes the next piece. The decoder must not be asked again after its last answer.
    fn step(&mut self) -> io::Result<()> {
        let Piece { bytes, start, end } = &mut self.input;
        if start == end && !self.ended {
            (*start, *end) = (0, self.source.read(bytes)?);
            self.ended = *end == 0;
        }
        let (goes_on, read, wrote) =
            self.decoder
                .decode(&bytes[*start..*end], &mut self.output.bytes, self.ended);
        *start += read;
        (self.output.start, self.output.end) = (0, wrote);
        self.done = !goes_on;
        Ok(())
    }
}

impl<R: Read> Read for Decoding<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.output.is_empty() {
            if self.done {
                return Ok(0);
            }
            self.step()?;
        }
        let Piece { bytes, start, end } = &mut self.output;
        let rest = &bytes[*start..*end];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        *start += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::found::RowFault;

    fn decoded(bytes: &[u8], given: Option<Encoding>) -> Vec<u8> {
        let mut out = Vec::new();
        let source: Source = Box::new(Cursor::new(bytes.to_vec()));
        decode(source, given, None)
            .unwrap()
            .source
            .read_to_end(&mut out)
            .unwrap();
        out
    }

    fn utf16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn each_encoding_is_found_with_a_mark_and_without() {
        let text = "Name;Größe\nJörg 🦀;1\n".repeat(9000);
        let with_mark = format!("\u{feff}{text}");
        let found = |bytes: &[u8]| String::from_utf8(decoded(bytes, None)).unwrap();
        assert_eq!(found(text.as_bytes()), text);
        assert_eq!(found(with_mark.as_bytes()), text);
        for one in [&text, &with_mark] {
            assert_eq!(found(&utf16(one, u16::to_le_bytes)), text);
            assert_eq!(found(&utf16(one, u16::to_be_bytes)), text);
        }
        assert_eq!(found(b"Gr\xF6\xDFe;\x80\n"), "Größe;€\n");
    }

    #[test]
    fn json_is_never_taken_for_windows_1252_unless_it_is_said() {
        let text = b"{\"a\":\"\xF6\"}\n";
        assert_eq!(decoded(text, None), text);
        let said = decoded(text, Some(Encoding::WINDOWS_1252));
        assert_eq!(said, "{\"a\":\"ö\"}\n".as_bytes());
        let names = decoded(b"[Gr\xF6\xDFe],[Name]\n", None);
        assert_eq!(names, "[Größe],[Name]\n".as_bytes());
    }

    #[test]
    fn a_mistake_in_utf_8_does_not_make_it_another_encoding() {
        let text = ["Größe;Straße\n".as_bytes(), b"Gr\xF6n;1\n"].concat();
        assert_eq!(decoded(&text, None), text);
        // and what looks like a character of UTF-8 by chance does not make it that
        let other = b"Gr\xF6\xDFe;\xC3\xA9\nStra\xDFe;\xFCber\n";
        assert_eq!(decoded(other, None), "Größe;Ã©\nStraße;über\n".as_bytes());
    }

    #[test]
    fn rows_that_were_not_in_utf_8_are_taken_for_nothing_else_when_they_come_again() {
        let row = b"k1,x\xFC\n";
        let marked = format!("_line,_reason,K,B\n2,{},", RowFault::NotUtf8);
        let text = [marked.as_bytes(), row].concat();
        assert_eq!(decoded(&text, None), text);
        let unmarked = [&b"K,B\n"[..], row].concat();
        assert_eq!(decoded(&unmarked, None), "K,B\nk1,xü\n".as_bytes());
    }

    #[test]
    fn the_mark_of_utf_8_counts_whatever_is_given() {
        let text = "\u{feff}Größe\n";
        for given in Encoding::ALL {
            assert_eq!(decoded(text.as_bytes(), Some(given)), &text.as_bytes()[3..]);
        }
    }

    #[test]
    fn half_a_character_stays_a_mistake() {
        let lone = utf16("a,b\n", u16::to_le_bytes);
        let lone = [&lone[..], &[0x00, 0xD8], &lone[..]].concat();
        let out = decoded(&lone, Some(Encoding::UTF_16LE));
        assert_eq!(out, b"a,b\n\xFFa,b\n");
        assert_eq!(
            decoded(&[b'a', 0, b'b'], Some(Encoding::UTF_16LE)),
            b"a\xFF"
        );
    }

    #[test]
    fn a_byte_that_an_encoding_does_not_define_is_no_text() {
        for (encoding, bytes, expected) in [
            (
                Encoding::WINDOWS_1252,
                &b"M\x81ller,\x80\xAB\n"[..],
                &[b"M\xFFller,", "€«\n".as_bytes()].concat()[..],
            ),
            (
                Encoding::named("iso-8859-2").unwrap(),
                b"\x85\xB3",
                &[&b"\xFF"[..], "ł".as_bytes()].concat(),
            ),
            (
                Encoding::named("windows-1253").unwrap(),
                b"a\xD2b",
                b"a\xFFb",
            ),
            (Encoding::UTF_16LE, b"\x81\0", "\u{81}".as_bytes()),
        ] {
            assert_eq!(decoded(bytes, Some(encoding)), expected, "{encoding:?}");
        }
    }

    #[test]
    fn code_pages_of_dos_and_encodings_of_the_standard_are_read_by_name() {
        for (name, bytes, expected) in [
            ("cp850", &b"M\x81ller\x9B\xFF"[..], "Müllerø\u{a0}"),
            ("CP437", b"M\x81ller\x9B\xE0", "Müller¢α"),
            ("ibm850", b"\xB5", "Á"),
            ("windows-1250", b"\xA3\xF3d\x9F", "Łódź"),
            ("windows-1251", b"\xCA\xE0\xEB\xF3\xE3\xE0", "Калуга"),
            ("macintosh", b"M\x9Fller", "Müller"),
            ("shift_jis", b"\x93\x8C\x8B\x9E", "東京"),
            ("gb18030", b"\xB1\xB1\xBE\xA9", "北京"),
            ("latin1", b"M\xFCller", "Müller"),
        ] {
            let text = bytes.repeat(30_000);
            let found = decoded(&text, Some(Encoding::named(name).expect(name)));
            assert_eq!(found, expected.repeat(30_000).as_bytes(), "{name}");
        }
    }
}

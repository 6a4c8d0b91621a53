//! Text in whatever encoding, as UTF-8: the encodings, by name, and the way from them. Which one a text is in, `survey.rs`
//! finds. What is not in the encoding becomes a byte that UTF-8 does not have, so that its row is rejected.

use crate::code_page::CodePage;
use crate::survey::{SAMPLE_BYTES, guess, mark};
use crate::unpack::Source;
use encoding_rs::DecoderResult;
use std::io::{self, Cursor, Read};

const CHUNK_BYTES: usize = 64 << 10;
/// Stands in no UTF-8 text.
const NO_TEXT: u8 = 0xFF;

/// An encoding of text: one of the WHATWG's Encoding Standard, or a code page of DOS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    name: &'static str,
}

impl Encoding {
    /// UTF-8, with or without a byte-order mark.
    pub const UTF_8: Self = Encoding::of("utf-8");
    /// UTF-16 whose lower byte comes first.
    pub const UTF_16LE: Self = Encoding::of("utf-16le");
    /// UTF-16 whose higher byte comes first.
    pub const UTF_16BE: Self = Encoding::of("utf-16be");
    /// Windows-1252, which holds ISO-8859-1.
    pub const WINDOWS_1252: Self = Encoding::of("windows-1252");
    /// The code page of DOS in America.
    pub const CP437: Self = Encoding::of("cp437");
    /// The code page of DOS in Western Europe.
    pub const CP850: Self = Encoding::of("cp850");

    /// All encodings.
    pub const ALL: [Self; 40] = [
        Encoding::UTF_8,
        Encoding::UTF_16LE,
        Encoding::UTF_16BE,
        Encoding::WINDOWS_1252,
        Encoding::of("ibm866"),
        Encoding::of("iso-8859-2"),
        Encoding::of("iso-8859-3"),
        Encoding::of("iso-8859-4"),
        Encoding::of("iso-8859-5"),
        Encoding::of("iso-8859-6"),
        Encoding::of("iso-8859-7"),
        Encoding::of("iso-8859-8"),
        Encoding::of("iso-8859-8-i"),
        Encoding::of("iso-8859-10"),
        Encoding::of("iso-8859-13"),
        Encoding::of("iso-8859-14"),
        Encoding::of("iso-8859-15"),
        Encoding::of("iso-8859-16"),
        Encoding::of("koi8-r"),
        Encoding::of("koi8-u"),
        Encoding::of("macintosh"),
        Encoding::of("windows-874"),
        Encoding::of("windows-1250"),
        Encoding::of("windows-1251"),
        Encoding::of("windows-1253"),
        Encoding::of("windows-1254"),
        Encoding::of("windows-1255"),
        Encoding::of("windows-1256"),
        Encoding::of("windows-1257"),
        Encoding::of("windows-1258"),
        Encoding::of("x-mac-cyrillic"),
        Encoding::of("gbk"),
        Encoding::of("gb18030"),
        Encoding::of("big5"),
        Encoding::of("euc-jp"),
        Encoding::of("iso-2022-jp"),
        Encoding::of("shift_jis"),
        Encoding::of("euc-kr"),
        Encoding::CP437,
        Encoding::CP850,
    ];

    const fn of(name: &'static str) -> Self {
        Encoding { name }
    }

    /// Its name, such as `utf-16le`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The encoding with this name, or with a label that the Encoding Standard has for it, such as `latin1`.
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |own: &Self, name: &str| own.name.eq_ignore_ascii_case(name);
        let code_pages = [Encoding::CP437, Encoding::CP850];
        let alias = name.trim().to_ascii_lowercase().replace("ibm", "cp");
        if let Some(code_page) = code_pages.into_iter().find(|own| is_named(own, &alias)) {
            return Some(code_page);
        }
        let standard = encoding_rs::Encoding::for_label(name.as_bytes())?;
        Self::of_standard(standard)
    }

    /// The encoding that the Encoding Standard has; none where text is only replaced, or is no text.
    pub(crate) fn of_standard(standard: &encoding_rs::Encoding) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|own| own.name.eq_ignore_ascii_case(standard.name()))
    }

    /// Whether it is a form of Unicode, in which each character is one that was meant.
    pub(crate) fn is_unicode(self) -> bool {
        self.name.starts_with("utf-")
    }

    /// The way from it to UTF-8; `None` where it is that.
    fn decoder(self) -> Option<Decoder> {
        if self == Encoding::UTF_8 {
            return None;
        }
        if let Some(code_page) = CodePage::of(self) {
            return Some(Decoder::CodePage(code_page));
        }
        let standard = encoding_rs::Encoding::for_label(self.name.as_bytes())
            .expect("each name is a label of the standard");
        let decoder = standard.new_decoder_without_bom_handling();
        Some(Decoder::Standard {
            decoder,
            has_controls: self.is_unicode(),
        })
    }
}

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

/// What turns bytes of an encoding into UTF-8.
enum Decoder {
    Standard {
        decoder: encoding_rs::Decoder,
        /// Whether controls above ASCII are characters; in any other encoding they stand for bytes that it does not define.
        has_controls: bool,
    },
    CodePage(CodePage),
}

impl Decoder {
    /// Decodes what there is room for. Yields whether more is to come, how much was read, and how much was written.
    fn decode(&mut self, input: &[u8], output: &mut [u8], is_last: bool) -> (bool, usize, usize) {
        match self {
            Decoder::CodePage(code_page) => {
                let (read, wrote) = code_page.decode(input, output);
                (read < input.len() || !is_last, read, wrote)
            }
            Decoder::Standard {
                decoder,
                has_controls,
            } => {
                let room = output.len() - 1;
                let (result, read, mut wrote) = decoder.decode_to_utf8_without_replacement(
                    input,
                    &mut output[..room],
                    is_last,
                );
                if !*has_controls {
                    wrote = without_controls(&mut output[..wrote]);
                }
                let goes_on = match result {
                    DecoderResult::Malformed(..) => {
                        output[wrote] = NO_TEXT;
                        wrote += 1;
                        true
                    }
                    DecoderResult::InputEmpty => !is_last,
                    DecoderResult::OutputFull => true,
                };
                (goes_on, read, wrote)
            }
        }
    }
}

/// Puts a byte that is no text in the place of each control above ASCII; yields how much text is left.
fn without_controls(text: &mut [u8]) -> usize {
    let Some(first) = memchr::memchr(0xC2, text) else {
        return text.len();
    };
    let (mut from, mut to) = (first, first);
    while from < text.len() {
        let is_control = text[from] == 0xC2 && matches!(text.get(from + 1), Some(0x80..=0x9F));
        text[to] = if is_control { NO_TEXT } else { text[from] };
        from += if is_control { 2 } else { 1 };
        to += 1;
    }
    to
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
        assert_eq!(decoded(&[b'a', 0, b'b'], Some(Encoding::UTF_16LE)), b"a\xFF");
    }

    #[test]
    fn a_byte_that_an_encoding_does_not_define_is_no_text() {
        for (encoding, bytes, expected) in [
            (Encoding::WINDOWS_1252, &b"M\x81ller,\x80\xAB\n"[..], &[b"M\xFFller,", "€«\n".as_bytes()].concat()[..]),
            (Encoding::named("iso-8859-2").unwrap(), b"\x85\xB3", &[&b"\xFF"[..], "ł".as_bytes()].concat()),
            (Encoding::named("windows-1253").unwrap(), b"a\xD2b", b"a\xFFb"),
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

    #[test]
    fn names_and_encodings_are_one_to_one() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::named(encoding.name()), Some(encoding));
        }
        for none in ["", "replacement", "x-user-defined", "utf-7", "cp"] {
            assert_eq!(Encoding::named(none), None, "{none}");
        }
    }
}

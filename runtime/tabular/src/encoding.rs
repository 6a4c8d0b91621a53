//! Text in whatever encoding, as UTF-8: which one it is, by its byte-order mark or its looks, and the way from it.
//! What is not in the encoding becomes a byte that UTF-8 does not have, so that the row it stands in is told of.

use crate::bracket::format_of;
use crate::format::Format;
use crate::found::RowFault;
use crate::unpack::Source;
use encoding_rs::{DecoderResult, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::io::{self, Cursor, Read};

/// How many bytes are looked at to find out what a text is.
pub(crate) const SAMPLE_BYTES: usize = 64 << 10;
const CHUNK_BYTES: usize = 64 << 10;
/// How a file of rows that an import left out calls the reason, and among which bytes at its head.
const REASON: &[u8] = b"_reason";
const MARKS_BYTES: usize = 64;
/// Stands in no UTF-8 text.
const NO_TEXT: u8 = 0xFF;

/// An encoding of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte-order mark.
    Utf8,
    /// UTF-16 whose lower byte comes first.
    Utf16Le,
    /// UTF-16 whose higher byte comes first.
    Utf16Be,
    /// Windows-1252, which holds ISO-8859-1.
    Windows1252,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 4] = [
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Windows1252,
    ];

    /// Its name, such as `utf-16le`.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Windows1252 => "windows-1252",
        }
    }

    /// The encoding with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The source as UTF-8 without a byte-order mark, the encoding that it has, and whether it had the mark. An encoding that is given is not doubted, but
/// by the mark of UTF-8, which no text in another encoding begins with.
///
/// # Errors
/// What the source says.
pub(crate) fn decode(
    mut source: Source,
    given: Option<Encoding>,
) -> io::Result<(Source, Encoding, bool)> {
    let mut sample = Vec::new();
    source
        .by_ref()
        .take(SAMPLE_BYTES as u64)
        .read_to_end(&mut sample)?;
    let is_whole = sample.len() < SAMPLE_BYTES;
    let (marked, mark) = mark(&sample);
    let given = given.filter(|_| marked != Some(Encoding::Utf8));
    let encoding = given.or(marked).unwrap_or_else(|| guess(&sample, is_whole));
    // a mark of another encoding than the one given is text
    let has_mark = marked == Some(encoding);
    let passed = if has_mark { mark } else { 0 };
    let mut whole = Cursor::new(sample);
    whole.set_position(passed);
    let whole = whole.chain(source);
    let decoder = match encoding {
        Encoding::Utf8 => return Ok((Box::new(whole), encoding, has_mark)),
        Encoding::Utf16Le => UTF_16LE,
        Encoding::Utf16Be => UTF_16BE,
        Encoding::Windows1252 => WINDOWS_1252,
    };
    let decoder = decoder.new_decoder_without_bom_handling();
    Ok((Box::new(Decoding::new(whole, decoder)), encoding, has_mark))
}

/// The encoding that the text's first bytes name, and how many they are.
fn mark(sample: &[u8]) -> (Option<Encoding>, u64) {
    match sample {
        [0xEF, 0xBB, 0xBF, ..] => (Some(Encoding::Utf8), 3),
        [0xFF, 0xFE, ..] => (Some(Encoding::Utf16Le), 2),
        [0xFE, 0xFF, ..] => (Some(Encoding::Utf16Be), 2),
        _ => (None, 0),
    }
}

/// What a text without a mark looks like. JSON is never taken for Windows-1252: it is UTF-8 with a mistake in it.
fn guess(sample: &[u8], is_whole: bool) -> Encoding {
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
        return Encoding::Utf16Le;
    }
    if even * 10 > sample.len() && odd * 10 < even {
        return Encoding::Utf16Be;
    }
    let is_json = format_of(sample, false) != Format::Csv;
    if is_json || is_utf8(sample, is_whole) || tells_of_encoding(sample) {
        Encoding::Utf8
    } else {
        Encoding::Windows1252
    }
}

/// Whether a text is one of rows that were left out because they were not in the encoding of their file: these come as they
/// were between others that were, so no other is guessed.
fn tells_of_encoding(sample: &[u8]) -> bool {
    let told = RowFault::NotUtf8.to_string();
    // where an apostrophe is a quote, it stands there twice
    let told = told.split('\'').next().unwrap_or_default();
    let has_marks = memchr::memmem::find(&sample[..sample.len().min(MARKS_BYTES)], REASON);
    has_marks.is_some() && memchr::memmem::find(sample, told.as_bytes()).is_some()
}

/// Whether a text is UTF-8, maybe with a mistake in it: what is none hardly ever has characters of several bytes, so a
/// text that has more of them than mistakes is. Its rows with mistakes are told of, and all others are as they were meant.
fn is_utf8(sample: &[u8], is_whole: bool) -> bool {
    let (mut characters, mut mistakes) = (0_usize, 0_usize);
    let mut chunks = sample.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        characters += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        // the sample may end within a character
        let is_cut = chunks.peek().is_none() && !is_whole && chunk.invalid().len() < 4;
        mistakes += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    mistakes == 0 || characters > mistakes
}

/// A text on its way to UTF-8.
struct Decoding<R> {
    source: R,
    decoder: encoding_rs::Decoder,
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
    fn new(source: R, decoder: encoding_rs::Decoder) -> Self {
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
        let room = CHUNK_BYTES - 1;
        let (result, read, wrote) = self.decoder.decode_to_utf8_without_replacement(
            &bytes[*start..*end],
            &mut self.output.bytes[..room],
            self.ended,
        );
        *start += read;
        (self.output.start, self.output.end) = (0, wrote);
        match result {
            DecoderResult::Malformed(..) => {
                self.output.bytes[wrote] = NO_TEXT;
                self.output.end += 1;
            }
            DecoderResult::InputEmpty => self.done = self.ended,
            DecoderResult::OutputFull => {}
        }
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

    fn decoded(bytes: &[u8], given: Option<Encoding>) -> Vec<u8> {
        let mut out = Vec::new();
        let source: Source = Box::new(Cursor::new(bytes.to_vec()));
        decode(source, given)
            .unwrap()
            .0
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
        let said = decoded(text, Some(Encoding::Windows1252));
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
        let out = decoded(&lone, Some(Encoding::Utf16Le));
        assert_eq!(out, b"a,b\n\xFFa,b\n");
        assert_eq!(decoded(&[b'a', 0, b'b'], Some(Encoding::Utf16Le)), b"a\xFF");
    }

    #[test]
    fn names_and_encodings_are_one_to_one() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::named(encoding.name()), Some(encoding));
        }
    }
}

//! What an Excel file may unpack to. It is an archive, a thousandth of its content at times, and the library keeps all
//! texts and styles of it in memory and each cell while it reads it: each is bounded here before it is asked to. It
//! reads no cell.

use super::{CUT_OFF, damaged};
use crate::found::ROW_BYTES_MAX;
use std::io::{self, Read, Seek};
use std::path::Path;
use zip::ZipArchive;
use zip::result::ZipError;

/// Bytes of all texts that cells share (128 MiB), and what each of them costs beside its own: its place in a list that grows by
/// doubling, and what memory is given out in.
const SHARED_BYTES_MAX: u64 = 128 << 20;
const SHARED_TEXT_BYTES: u64 = 96;
/// Bytes of the styles (8 MiB), and of any other part but a sheet (32 MiB).
const STYLE_BYTES_MAX: u64 = 8 << 20;
const PART_BYTES_MAX: u64 = 32 << 20;
/// Parts of an archive.
const PARTS_MAX: usize = 10_000;
/// The part of an Excel file that says where its others are.
const ROOT: &[u8] = b"_rels/.rels";
const CHUNK_BYTES: usize = 64 << 10;
/// Says how much memory the library is to take for shared texts.
const COUNT: &[u8] = b"uniqueCount";
/// The longest that is looked at as one: the word, `="`, ten digits, and what ends them.
const COUNT_BYTES: usize = COUNT.len() + 13;

/// Looks through a file none of whose sheets may have more than so many bytes, and leaves it at its beginning.
///
/// # Errors
/// A file that is no archive, or unpacks to more than can be read.
pub(super) fn hold(file: &mut (impl Read + Seek), sheet_bytes_max: u64) -> io::Result<()> {
    let mut archive = ZipArchive::new(&mut *file).map_err(unread)?;
    if archive.len() > PARTS_MAX {
        return Err(damaged("it has too many parts"));
    }
    if !archive.file_names_raw().any(is_root) {
        return Err(damaged(
            "it is none but an archive of another kind, as .ods and .zip are; save the sheet as .xlsx",
        ));
    }
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(unread)?;
        let name = part.name().map_err(unread)?.to_ascii_lowercase();
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_sheet = last.starts_with("sheet") && name.contains("worksheets");
        let bytes_max = match last {
            _ if is_sheet => sheet_bytes_max,
            "sharedstrings.xml" => SHARED_BYTES_MAX,
            "styles.xml" => STYLE_BYTES_MAX,
            _ => PART_BYTES_MAX,
        };
        look_through(
            part,
            bytes_max,
            Path::new(last)
                .extension()
                .is_some_and(|end| end == "xml" || end == "rels"),
        )
        .map_err(|error| {
            let text = format!("{name}: {error}; export the sheet as CSV");
            damaged(&text)
        })?;
    }
    drop(archive);
    file.rewind()
}

/// Whether a part is the one that says where the others of an Excel file are; some programs write other slashes.
fn is_root(name: &[u8]) -> bool {
    let mut name = name.iter().map(|byte| match byte {
        b'\\' => b'/',
        byte => byte.to_ascii_lowercase(),
    });
    let mut root = ROOT.iter().copied();
    root.by_ref().all(|byte| name.next() == Some(byte)) && name.next().is_none()
}

fn unread(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        ZipError::InvalidArchive(_) => damaged(CUT_OFF),
        error => damaged(&error.to_string()),
    }
}

/// Reads a part to its end.
fn look_through(mut part: impl Read, bytes_max: u64, is_xml: bool) -> io::Result<()> {
    let mut bytes = vec![0; CHUNK_BYTES];
    let (mut total, mut held) = (0_u64, 0);
    let mut run = Run::default();
    loop {
        let count = match part.read(&mut bytes[held..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // what unpacks it tells of blocks and sums
            Err(error) if error.raw_os_error().is_none() => {
                return Err(io::Error::new(error.kind(), "is damaged"));
            }
            outcome => outcome?,
        };
        total += count as u64;
        if total > bytes_max {
            return Err(io::Error::other(format!(
                "unpacks to more than {bytes_max} bytes"
            )));
        }
        let (known, end) = (held, held + count);
        if is_xml {
            run.see(&bytes[known..end])?;
            if total + run.texts * SHARED_TEXT_BYTES > bytes_max.max(SHARED_BYTES_MAX) {
                return Err(io::Error::other("shares more texts than can be read"));
            }
            counts_are_true(&bytes[..end], count == 0, bytes_max)?;
        }
        if count == 0 {
            return Ok(());
        }
        // a word may be cut by the end of what is at hand
        let keep = end.min(COUNT_BYTES);
        bytes.copy_within(end - keep..end, 0);
        held = keep;
    }
}

/// Memory is taken for as many texts as are counted: there can't be more than their places have room for.
fn counts_are_true(bytes: &[u8], is_end: bool, bytes_max: u64) -> io::Result<()> {
    for at in memchr::memmem::find_iter(bytes, COUNT) {
        let rest = &bytes[at + COUNT.len()..];
        if rest.len() + COUNT.len() < COUNT_BYTES && !is_end {
            // it comes again with what follows
            continue;
        }
        let digits = rest.strip_prefix(b"=\"").or(rest.strip_prefix(b"='"));
        let digits = digits.unwrap_or_default();
        let end = digits.iter().position(|byte| !byte.is_ascii_digit());
        let text = std::str::from_utf8(&digits[..end.unwrap_or(digits.len())]);
        let count = text.ok().and_then(|text| text.parse::<u64>().ok());
        if count.is_none_or(|count| count > bytes_max.min(SHARED_BYTES_MAX) / SHARED_TEXT_BYTES) {
            return Err(io::Error::other("counts more texts than it can hold"));
        }
    }
    Ok(())
}

/// How much the library has in memory of a part at a time: a tag or a text, or all that a cell's value has in it.
/// Comments and sections of plain text are refused, as no spreadsheet writes them and each could hide a tag, and so is
/// what is not in UTF-8.
#[derive(Default)]
struct Run {
    bytes: usize,
    within: Within,
    /// The name of the tag at hand, with a `/` before it where it ends an element.
    name: Vec<u8>,
    /// The element that the value at hand ends with.
    value: Option<Vec<u8>>,
    /// How many texts began that cells share.
    texts: u64,
}

/// Where the last byte was.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Text,
    Name,
    /// Behind the name; whether the last byte was `/`.
    Tag(bool),
    Quote(u8),
}

impl Run {
    fn see(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            // texts and quotes go on to what ends them
            let end = match self.within {
                Within::Text => memchr::memchr2(b'<', 0, rest),
                Within::Quote(quote) => memchr::memchr2(quote, 0, rest),
                Within::Name | Within::Tag(_) => Some(0),
            };
            let passed = end.map_or(rest.len(), |end| end + 1);
            self.bytes += passed;
            if self.bytes > ROW_BYTES_MAX {
                return Err(io::Error::other("has a cell of more than 16 MiB"));
            }
            if end.is_some() {
                self.byte(rest[passed - 1])?;
            }
            rest = &rest[passed..];
        }
        Ok(())
    }

    fn byte(&mut self, byte: u8) -> io::Result<()> {
        self.within = match (self.within, byte) {
            (_, 0) => return Err(io::Error::other("is not in UTF-8")),
            (Within::Text, _) => {
                self.begin();
                Within::Name
            }
            (Within::Name, b'!') if self.name.is_empty() => {
                let text = "has a comment or a section of plain text";
                return Err(io::Error::other(text));
            }
            (Within::Name, b'>') => self.end(self.name.last() == Some(&b'/')),
            (Within::Name, b' ' | b'\t' | b'\r' | b'\n') | (Within::Quote(_), _) => {
                Within::Tag(false)
            }
            (Within::Name, _) if self.name.len() < 64 => {
                self.name.push(byte);
                Within::Name
            }
            (Within::Name, _) => return Err(io::Error::other("has a tag with a long name")),
            (Within::Tag(is_empty), b'>') => self.end(is_empty),
            (Within::Tag(_), b'"' | b'\'') => Within::Quote(byte),
            (Within::Tag(_), _) => Within::Tag(byte == b'/'),
        };
        Ok(())
    }

    /// A tag begins.
    fn begin(&mut self) {
        self.name.clear();
        if self.value.is_none() {
            self.bytes = 0;
        }
    }

    /// A tag ends.
    fn end(&mut self, is_empty: bool) -> Within {
        let local = self.name.rsplit(|byte| *byte == b':').next();
        let is_text = matches!(local, Some(b"si" | b"si/")) && !self.name.starts_with(b"/");
        self.texts += u64::from(is_text);
        match (&self.value, self.name.strip_prefix(b"/")) {
            (Some(value), Some(name)) if value == name => self.value = None,
            (None, None) if !is_empty => {
                let local = self.name.rsplit(|byte| *byte == b':').next();
                if matches!(local, Some(b"is" | b"v" | b"f" | b"t")) {
                    self.value = Some(self.name.clone());
                }
            }
            _ => {}
        }
        if self.value.is_none() {
            self.bytes = 0;
        }
        Within::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(xml: &[u8], bytes_max: u64) -> String {
        let result = look_through(io::Cursor::new(xml.to_vec()), bytes_max, true);
        result.map_or_else(|error| error.to_string(), |()| "none".to_owned())
    }

    #[test]
    fn a_large_sheet_of_small_cells_is_read_and_a_large_cell_is_not() {
        let cell = r#"<row r="1"><c r="A1" t="inlineStr"><is><t>a &gt; b</t></is></c></row>"#;
        assert_eq!(fault(cell.repeat(500_000).as_bytes(), u64::MAX), "none");
        let large = "has a cell of more than 16 MiB";
        let text = "x".repeat(ROW_BYTES_MAX);
        assert_eq!(fault(format!("<t>{text}</t>").as_bytes(), u64::MAX), large);
        assert_eq!(
            fault(format!("<c r=\"{text}\">").as_bytes(), u64::MAX),
            large
        );
        // the library puts all of it together, whatever stands between
        let parts = "<t>aaaaaaaaaaaaaaaaa</t></c><c r=\"<\"/><v/>".repeat(500_000);
        assert_eq!(
            fault(format!("<x:is>{parts}</x:is>").as_bytes(), u64::MAX),
            large
        );
        assert_eq!(
            fault(b"<is/><v></v>aaaaa", 8),
            "unpacks to more than 8 bytes"
        );
    }

    #[test]
    fn what_could_hide_a_large_cell_is_refused() {
        let hidden = "has a comment or a section of plain text";
        assert_eq!(fault(b"<c><!-- > -->", 100), hidden);
        assert_eq!(fault(b"<t><![CDATA[x]]></t>", 100), hidden);
        assert_eq!(fault(b"\xFF\xFE<\0c\0", 100), "is not in UTF-8");
        let name = format!("<{}>", "x".repeat(65));
        assert_eq!(fault(name.as_bytes(), 100), "has a tag with a long name");
    }

    #[test]
    fn many_small_texts_cost_more_than_their_bytes() {
        let text = "<si><t>a</t></si>";
        let many = SHARED_BYTES_MAX / (SHARED_TEXT_BYTES + text.len() as u64);
        let shared = |count: u64| {
            let count = usize::try_from(count).expect("it is small");
            fault(text.repeat(count).as_bytes(), SHARED_BYTES_MAX)
        };
        assert_eq!(shared(many), "none");
        assert_eq!(shared(many + 1), "shares more texts than can be read");
    }

    #[test]
    fn memory_is_taken_for_no_more_texts_than_there_can_be() {
        let counted = |count: &str| fault(format!("<sst {count}></sst>").as_bytes(), 5000);
        let wrong = "counts more texts than it can hold";
        assert_eq!(counted("uniqueCount=\"52\""), "none");
        for count in [
            "=\"53\"",
            "='99999999999999999999'",
            " = \"1\"",
            "=\"x\"",
            "",
        ] {
            assert_eq!(counted(&format!("uniqueCount{count}")), wrong, "{count}");
        }
        // the end of what is at hand cuts it at any place
        for space in CHUNK_BYTES - 40..CHUNK_BYTES + 40 {
            let xml = format!("<a{}uniqueCount=\"9999999\">", " ".repeat(space));
            assert_eq!(fault(xml.as_bytes(), 1 << 20), wrong, "{space}");
        }
    }
}

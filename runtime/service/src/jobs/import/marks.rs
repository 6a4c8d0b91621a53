//! The marks of a row that could not be stored: its line and the reason, before everything else in the row, so that it
//! can be mended where it stands and sent again. Here they are put on and taken off.
//!
//! | row | marked |
//! | - | - |
//! | `{"Code":"1"}` | `{"_line":7,"_reason":"…","Code":"1"}` |
//! | `{"Code":"1` | `{"_line":7,"_reason":"…","Code":"1` |
//! | `hello` | `{"_line":7,"_reason":"…","_row":"hello"}` |
//!
//! The last one is no object: as long as its text stands there alone, it is that row again.

use schema::json::write_string;
use tabular::{LINE_COLUMN, REASON_COLUMN};

/// The name of the member that holds a row which is no object.
const ROW: &str = "_row";
/// How many there are.
pub(super) const MARKS: usize = 2;

/// Appends a row of JSON with its marks. Bytes that are no text stay as they are, so that it is left out again unless it is
/// mended.
pub(super) fn mark(row: &[u8], line: u64, reason: &str, out: &mut Vec<u8>) {
    let row = row.trim_ascii_start();
    let mut marks = format!("{{\"_line\":{line},\"_reason\":");
    write_string(&mut marks, reason);
    if let Some(rest) = row.strip_prefix(b"{") {
        let rest = rest.trim_ascii_start();
        if !rest.starts_with(b"}") {
            marks.push(',');
        }
        out.extend_from_slice(marks.as_bytes());
        out.extend_from_slice(rest);
    } else {
        marks.push(',');
        write_string(&mut marks, ROW);
        marks.push(':');
        write_string(&mut marks, &String::from_utf8_lossy(row));
        marks.push('}');
        out.extend_from_slice(marks.as_bytes());
    }
}

/// What stands behind the first cells of a row of CSV; all of it, where one of them has no end.
pub(super) fn behind_cells(row: &[u8], count: usize, delimiter: u8, quote: u8) -> &[u8] {
    let mut rest = row;
    for _ in 0..count {
        let mut is_quoted = false;
        let end = rest.iter().enumerate().position(|(at, byte)| {
            if *byte == quote && (at == 0 || is_quoted || rest[at - 1] == quote) {
                is_quoted = !is_quoted;
            }
            *byte == delimiter && !is_quoted
        });
        let Some(end) = end else {
            return if is_quoted { row } else { &[] };
        };
        rest = &rest[end + 1..];
    }
    rest
}

/// A row of JSON without its marks: what stands behind them, to which an opening brace belongs; `None` for one that has
/// none.
pub(super) fn behind_marks(row: &[u8]) -> Option<&[u8]> {
    let rest = row.strip_prefix(b"{")?.trim_ascii_start();
    let rest = behind_name(rest, LINE_COLUMN)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = rest[digits..].trim_ascii_start().strip_prefix(b",")?;
    let rest = behind_name(rest.trim_ascii_start(), REASON_COLUMN)?;
    let text = rest.strip_prefix(b"\"")?;
    let mut at = 0;
    while *text.get(at)? != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    let rest = text[at + 1..].trim_ascii_start();
    Some(match rest.strip_prefix(b",") {
        Some(rest) => rest.trim_ascii_start(),
        None => rest,
    })
}

/// The row that stands behind marks as a text, since it is no object; `None` where members stand there.
pub(super) fn held_row(behind: &[u8]) -> Option<Vec<u8>> {
    let text = behind_name(behind, ROW)?.trim_ascii_end();
    let text: String = serde_json::from_slice(text.strip_suffix(b"}")?).ok()?;
    Some(text.into_bytes())
}

fn behind_name<'t>(text: &'t [u8], name: &str) -> Option<&'t [u8]> {
    let rest = text.strip_prefix(b"\"")?.strip_prefix(name.as_bytes())?;
    let rest = rest.strip_prefix(b"\"")?.trim_ascii_start();
    Some(rest.strip_prefix(b":")?.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_off_as_they_were_put_on() {
        for row in [
            r#"{"Code":"1","Name":"a\"b"}"#,
            "{}",
            r#"{"Code":"1"#,
            "{ \"a\" : 1 }",
            "{",
        ] {
            let mut marked = Vec::new();
            mark(row.as_bytes(), 7, "it is \"wrong\" \\ so", &mut marked);
            let rest = behind_marks(&marked).expect("marks");
            let rest = std::str::from_utf8(rest).unwrap();
            assert_eq!(
                format!("{{{rest}"),
                row.replacen("{ ", "{", 1),
                "{marked:?}"
            );
        }
    }

    #[test]
    fn what_is_no_object_is_kept_as_a_text() {
        let mut marked = Vec::new();
        mark(b"[1,\"x\"]", 3, "no object", &mut marked);
        let expected = r#"{"_line":3,"_reason":"no object","_row":"[1,\"x\"]"}"#;
        assert_eq!(marked, expected.as_bytes());
        let behind = behind_marks(&marked).expect("marks");
        assert_eq!(held_row(behind).as_deref(), Some(&b"[1,\"x\"]"[..]));
        for more in [
            r#""_row":"[1]","Code":"4"}"#,
            r#""Code":"4","_row":"[1]"}"#,
            r#""_row":7}"#,
            r#""_row":"[1]""#,
        ] {
            assert_eq!(held_row(more.as_bytes()), None, "{more}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_stay_in_a_row() {
        let mut marked = Vec::new();
        mark(b"{\"a\":\"\xFC\"}", 3, "no text", &mut marked);
        assert!(marked.ends_with(b",\"a\":\"\xFC\"}"), "{marked:?}");
    }

    #[test]
    fn marks_of_a_row_of_cells_come_off_whatever_is_in_them() {
        for (row, rest) in [
            (&b"7,why,a,b"[..], &b"a,b"[..]),
            (b"7,\"why, so\",a,\xFC", b"a,\xFC"),
            (b"7,\"a \"\"b\"\", c\",a", b"a"),
            (b"7,,\"a", b"\"a"),
            (b"7,\"why", b"7,\"why"),
            (b"7", b""),
        ] {
            assert_eq!(behind_cells(row, MARKS, b',', b'"'), rest, "{row:?}");
        }
        assert_eq!(behind_cells(b"'7';'it''s; so';'a'", 2, b';', b'\''), b"'a'");
    }

    #[test]
    fn a_row_without_marks_has_none() {
        for row in [
            "",
            "{}",
            r#"{"Code":"1","_line":7}"#,
            r#"{"_line":7}"#,
            r#"{"_line":7,"_reason":"x"#,
            r#"{"_line":7,"_reason":"x\"#,
        ] {
            assert_eq!(behind_marks(row.as_bytes()), None, "{row}");
        }
    }
}

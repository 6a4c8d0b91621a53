//! What a change was of, as the trail shows it: ids of what the visitor may see stand there by name, and those of what it
//! may not see are left out, as they are on every other page.
//!
//! ```text
//! {"roles":["r-1"],"grants":[{"area":"a-1","verbs":["view"]}]}
//! {"roles":["MEMBER"],"grants":[{"area":not shown to you,"verbs":["view"]}]}
//! ```

use super::seen_names::{Known, known};
use super::texts::Texts;
use serde_json::value::RawValue;
use service::Caller;
use service::manage::Kind;
use std::ops::Range;

/// Characters of a document that are shown at most; management shows it whole.
const SHOWN_CHARS_MAX: usize = 600;
/// Characters of it that are looked at for them, since a name may be shorter than its id.
const READ_CHARS_MAX: usize = 4096;
/// The members that hold ids of other things, one or a list of them.
const MEMBERS: [(&str, Kind); 8] = [
    ("area", Kind::Area),
    ("businessAreaId", Kind::Area),
    ("dataDomainId", Kind::Domain),
    ("dataSetId", Kind::Dataset),
    ("dataset", Kind::Dataset),
    ("datasets", Kind::Dataset),
    ("roles", Kind::Role),
    ("schemaId", Kind::Schema),
];

/// A part of a document as it is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// The id that a name stands for.
    pub(super) id: Option<String>,
}

impl Piece {
    fn plain(text: &str) -> Self {
        Piece {
            text: text.to_owned(),
            id: None,
        }
    }
}

/// What is shown of a document of the trail.
pub(super) fn shown(document: Option<&RawValue>, caller: &Caller, texts: &Texts) -> Vec<Piece> {
    let Some(document) = document else {
        return Vec::new();
    };
    pieces(document.get(), |kind, id| match known(caller, kind, id) {
        Known::Seen(name) => Some(Piece {
            text: serde_json::Value::from(name).to_string(),
            id: Some(id.to_owned()),
        }),
        Known::Unseen => Some(Piece::plain(texts.access.audit_unseen)),
        Known::Gone => None,
    })
}

/// The parts of a document, with what stands in place of its ids.
fn pieces(text: &str, stands_for: impl Fn(Kind, &str) -> Option<Piece>) -> Vec<Piece> {
    let end = text.char_indices().nth(READ_CHARS_MAX);
    let (ids, end) = ids(end.map_or(text, |(at, _)| &text[..at]));
    let (mut all, mut from) = (Vec::new(), 0);
    for (kind, at) in ids {
        if let Some(piece) = stands_for(kind, &text[at.start + 1..at.end - 1]) {
            all.push(Piece::plain(&text[from..at.start]));
            all.push(piece);
            from = at.end;
        }
    }
    all.push(Piece::plain(&text[from..end]));
    if end < text.len() {
        all.push(Piece::plain(" …"));
    }
    shortened(all)
}

/// Where texts stand that are ids, by what they are of, and how far the document was read: not into a text that is cut off.
fn ids(text: &str) -> (Vec<(Kind, Range<usize>)>, usize) {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    // the members that hold what is open
    let mut outer = Vec::new();
    let (mut member, mut at) = ("", 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let Some(end) = end_of_text(bytes, at) else {
                    break;
                };
                let is_name = bytes[end..].trim_ascii_start().starts_with(b":");
                let holds_ids = MEMBERS.iter().find(|(name, _)| *name == member);
                if is_name {
                    member = &text[at + 1..end - 1];
                } else if let Some((_, kind)) = holds_ids {
                    found.push((*kind, at..end));
                }
                at = end;
                continue;
            }
            b'{' | b'[' => outer.push(member),
            b'}' | b']' => member = outer.pop().unwrap_or_default(),
            _ => {}
        }
        at += 1;
    }
    (found, at)
}

/// Where a text ends that begins with this quote, if it does.
fn end_of_text(bytes: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// As much of it as is shown.
fn shortened(all: Vec<Piece>) -> Vec<Piece> {
    let mut left = SHOWN_CHARS_MAX;
    let mut shown = Vec::new();
    for mut piece in all {
        if let Some((at, _)) = piece.text.char_indices().nth(left) {
            piece.text.truncate(at);
            piece.text.push_str(" …");
            shown.push(piece);
            return shown;
        }
        left -= piece.text.chars().count();
        if !piece.text.is_empty() {
            shown.push(piece);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document as it is read, with names in brackets.
    fn read(text: &str) -> String {
        let all = pieces(text, |kind, id| {
            id.starts_with("id").then(|| Piece {
                text: format!("[{kind} {id}]"),
                id: Some(id.to_owned()),
            })
        });
        all.into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn ids_are_found_by_the_members_that_hold_them() {
        for (text, shown) in [
            (
                r#"{"name":"id1","roles":[]}"#,
                r#"{"name":"id1","roles":[]}"#,
            ),
            (
                r#"{"roles":["id1","x","id2"],"name":"id3"}"#,
                r#"{"roles":[[role id1],"x",[role id2]],"name":"id3"}"#,
            ),
            (
                r#"{"grants":[{"area": "id1","verbs":["id2"]},{"area" : "id3"}],"note":"id4"}"#,
                r#"{"grants":[{"area": [area id1],"verbs":["id2"]},{"area" : [area id3]}],"note":"id4"}"#,
            ),
            (
                r#"{"note":"\"roles\":\"id1\"","schemaId":"id2","_n":1.50}"#,
                r#"{"note":"\"roles\":\"id1\"","schemaId":[schema id2],"_n":1.50}"#,
            ),
            (r#""id1""#, r#""id1""#),
            ("null", "null"),
        ] {
            assert_eq!(read(text), shown);
        }
    }

    #[test]
    fn no_more_is_shown_than_has_a_place_and_no_part_of_an_id() {
        let whole = "x".repeat(SHOWN_CHARS_MAX - 11);
        let whole = format!(r#"{{"name":"{whole}"}}"#);
        assert_eq!(read(&whole), whole);
        let long = format!(r#"{{"name":"{}ä"}}"#, "ä".repeat(SHOWN_CHARS_MAX - 11));
        let shown = read(&long);
        assert_eq!(shown.chars().count(), SHOWN_CHARS_MAX + 2);
        assert!(shown.ends_with(" …"), "{shown}");
        // ids of no name, the last of which is cut off where reading ends
        let many = vec![format!(r#""id{}""#, "x".repeat(38)); READ_CHARS_MAX].join(",");
        let all = pieces(&format!(r#"{{"roles":[{many}]}}"#), |_, _| {
            Some(Piece::plain(""))
        });
        let read: String = all.into_iter().map(|piece| piece.text).collect();
        assert!(read.starts_with(r#"{"roles":[,,,"#) && read.ends_with(", …"));
        assert!(!read.contains("id") && !read.contains('x'), "{read}");
    }
}

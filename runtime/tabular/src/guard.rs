//! The guard against spreadsheets, which take text for a formula: a `'` before it, and away again. It looks at no
//! field.
//!
//! | text | guarded |
//! | - | - |
//! | `=1+1` | `'=1+1` |
//! | `'=1+1` | `''=1+1` |
//! | `'s Gravenhage`, `a=b` | as it is |

use crate::cells::Cells;
use std::borrow::Cow;

/// What makes a spreadsheet take a cell for a formula, also as wide as some write it, or pass over what stands before one.
const FORMULA: [char; 11] = [
    '=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
];
const MARK: char = '\'';

/// Whether a text gets a mark. One with marks before a formula does, too, or nobody could tell it from the other.
fn is_guarded(text: &str) -> bool {
    text.trim_start_matches(MARK).starts_with(FORMULA)
}

/// The text of a cell with the mark that it needs.
pub(crate) fn with(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_guarded(&text) {
        Cow::Owned(format!("{MARK}{text}"))
    } else {
        text
    }
}

/// The text of a cell that may have a mark.
pub(crate) fn without(text: &str) -> &str {
    match text.strip_prefix(MARK) {
        Some(rest) if is_guarded(rest) => rest,
        _ => text,
    }
}

/// The text of a cell with the mark that it needs, which it may have already.
pub(crate) fn kept(text: Cow<'_, str>) -> Cow<'_, str> {
    if without(&text).len() < text.len() {
        text
    } else {
        with(text)
    }
}

impl Cells {
    /// The text of a cell as [`get`](Self::get) has it, with the mark that it needs in a file for spreadsheets. A number of a sheet
    /// needs none, whatever its sign.
    pub fn guarded(&self, index: usize) -> Option<Cow<'_, str>> {
        let text = self.get(index).map(Cow::Borrowed);
        if self.is_number(index) {
            text
        } else {
            text.map(kept)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_guarded_comes_back_and_no_other_text_loses_a_mark() {
        for (text, guarded) in [
            ("=1", "'=1"),
            ("'=1", "''=1"),
            ("''\t", "'''\t"),
            ("-", "'-"),
            ("\n=1", "'\n=1"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("'s", "'s"),
            ("''", "''"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(with(text.into()), guarded);
            assert_eq!(without(guarded), text);
            assert_eq!(kept(guarded.into()), guarded);
            assert_eq!(without(&kept(text.into())), without(text));
        }
    }
}

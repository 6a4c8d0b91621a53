//! What is easily overlooked in a faulty text, told in parentheses behind its fault: characters that nobody sees, and a text where
//! a truth value belongs. It names the character and nothing else of the value.
//!
//! ```text
//! {"dataType": "picklist", "picklistType": "static", "staticPicklist": [{"code": "New York", "description": ""}]}
//! "New\u00a0York"  must be one of New York (the value contains U+00A0, a no-break space)
//! "New York "      must be one of New York (the value ends with a blank)
//! ```

use super::pattern::values_within;
use std::fmt::{Display, Formatter, Result};

/// What a fault tells of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    BlankBefore,
    BlankAfter,
    /// A character that nobody sees, or takes for another one.
    Unseen(char),
    /// `true` or `false` in quotes.
    Text,
}

/// The name of a remark, and its text, in which `{}` stands for the character.
type Wording = (&'static str, &'static str);

/// Every wording of a remark.
pub(super) const WORDINGS: &[Wording] = &[
    ("blank_before", "the value begins with a blank"),
    ("blank_after", "the value ends with a blank"),
    ("truth_as_text", "the value is a text"),
    ("tab", "the value contains {}, a tab"),
    ("line_break", "the value contains {}, a line break"),
    ("no_break_space", "the value contains {}, a no-break space"),
    (
        "wide_space",
        "the value contains {}, a blank of another width",
    ),
    (
        "zero_width_space",
        "the value contains {}, a zero-width space",
    ),
    (
        "byte_order_mark",
        "the value contains {}, a byte-order mark",
    ),
    ("soft_hyphen", "the value contains {}, a soft hyphen"),
    (
        "direction",
        "the value contains {}, a mark of writing direction",
    ),
    ("control", "the value contains {}, a control character"),
    (
        "decomposed",
        "the value contains {}, an accent that is not composed with its letter",
    ),
    ("unseen", "the value contains {}, an invisible character"),
];

impl Remark {
    /// What there is to tell of a faulty text.
    pub(super) fn of(text: &str) -> Option<Self> {
        let is_special = |c: &char| (c.is_whitespace() && *c != ' ') || is_accent(*c);
        if text.starts_with(' ') {
            return Some(Remark::BlankBefore);
        }
        let special = schema::unseen_in(text).or_else(|| text.chars().find(is_special));
        special
            .map(Remark::Unseen)
            .or_else(|| text.ends_with(' ').then_some(Remark::BlankAfter))
    }

    fn wording(self) -> &'static str {
        let c = match self {
            Remark::BlankBefore => return "blank_before",
            Remark::BlankAfter => return "blank_after",
            Remark::Text => return "truth_as_text",
            Remark::Unseen(c) => c,
        };
        match c {
            '\t' => "tab",
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => "line_break",
            '\u{A0}' | '\u{202F}' => "no_break_space",
            '\u{200B}' => "zero_width_space",
            '\u{FEFF}' => "byte_order_mark",
            '\u{AD}' => "soft_hyphen",
            '\u{61C}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}' => "direction",
            c if c.is_control() => "control",
            c if c.is_whitespace() => "wide_space",
            c if is_accent(c) => "decomposed",
            _ => "unseen",
        }
    }
}

/// An accent that stands behind its letter as a character of its own, as macOS writes names of files.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

impl Display for Remark {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let name = self.wording();
        let wording = WORDINGS.iter().find(|(own, _)| *own == name);
        // INVARIANT: each name is one of a wording
        let pattern = wording.map_or("", |(_, pattern)| pattern);
        match self {
            Remark::Unseen(c) => {
                let character = format!("U+{:04X}", u32::from(*c));
                f.write_str(&pattern.replace("{}", &character))
            }
            _ => f.write_str(pattern),
        }
    }
}

/// What stands behind the text of a fault, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemarkParts<'t> {
    /// Which wording it is.
    pub wording: &'static str,
    /// The character that it names, as `U+00A0`.
    pub character: Option<&'t str>,
    /// The remark as it stands there, without parentheses.
    pub text: &'t str,
}

/// A text of a fault without its remark, and the remark.
pub(super) fn remarked(text: &str) -> (&str, Option<RemarkParts<'_>>) {
    let parts = text
        .strip_suffix(')')
        .and_then(|it| it.rsplit_once(" (the value "));
    let Some((fault, _)) = parts else {
        return (text, None);
    };
    let remark = &text[fault.len() + 2..text.len() - 1];
    let mut known = WORDINGS
        .iter()
        .filter_map(|(name, pattern)| Some((*name, values_within(pattern, remark)?)));
    let is_code = |it: &&str| {
        let digits = it.strip_prefix("U+").unwrap_or_default();
        digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    match known.next() {
        Some((wording, values)) if values.iter().all(is_code) => {
            let character = values.first().copied();
            let told = RemarkParts {
                wording,
                character,
                text: remark,
            };
            (fault, Some(told))
        }
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_named() {
        for (text, told) in [
            (
                "New\u{A0}York",
                "the value contains U+00A0, a no-break space",
            ),
            (
                "1\u{202F}000",
                "the value contains U+202F, a no-break space",
            ),
            (
                "New\u{200B} York",
                "the value contains U+200B, a zero-width space",
            ),
            ("\u{FEFF}a", "the value contains U+FEFF, a byte-order mark"),
            (
                "a\u{3000}b",
                "the value contains U+3000, a blank of another width",
            ),
            (
                "Ka\u{308}se",
                "the value contains U+0308, an accent that is not composed with its letter",
            ),
            ("co\u{AD}op", "the value contains U+00AD, a soft hyphen"),
            (
                "a\u{200E}",
                "the value contains U+200E, a mark of writing direction",
            ),
            ("a\tb", "the value contains U+0009, a tab"),
            ("a\n", "the value contains U+000A, a line break"),
            ("a\u{7}", "the value contains U+0007, a control character"),
            (
                "a\u{2060}b",
                "the value contains U+2060, an invisible character",
            ),
            (" a", "the value begins with a blank"),
            ("a ", "the value ends with a blank"),
        ] {
            let remark = Remark::of(text).expect(told);
            assert_eq!(remark.to_string(), told, "{text:?}");
            let (fault, read) = remarked("value 2 must be one of a (b)");
            assert_eq!((fault, read), ("value 2 must be one of a (b)", None));
            let whole = format!("must be one of a (b) ({told})");
            let (fault, read) = remarked(&whole);
            assert_eq!(fault, "must be one of a (b)");
            let read = read.expect(told);
            assert_eq!((read.wording, read.text), (remark.wording(), told));
            assert_eq!(read.character.is_some(), told.contains("U+"));
        }
        for text in ["New York", "Käse", "👩\u{200D}🔬", "می\u{200C}خواهم", ""] {
            assert_eq!(Remark::of(text), None, "{text:?}");
        }
        let other = "must be one of a (the value contains Smith, a tab)";
        assert_eq!(remarked(other), (other, None));
    }

    #[test]
    fn every_remark_has_one_wording_and_stands_in_the_docs() {
        let docs = include_str!("../../../docs/messages.md");
        for (name, pattern) in WORDINGS {
            let same = WORDINGS.iter().filter(|(own, _)| own == name);
            assert_eq!(same.count(), 1, "{name}");
            let row = format!("| {} |", pattern.replace("{}", "U+…"));
            assert!(docs.contains(&row), "{row}");
        }
    }
}

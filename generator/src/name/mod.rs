//! Identifiers for display names: total (every text gets one), one to one (no two in a scope are
//! equal) and independent of any order, because a name that collides gets a suffix from the stable
//! id of what it names. It decides letters only; what is named, and in which scope, is `plan`'s.

mod collide;
mod words;

pub(crate) use collide::{Taken, assign};
pub(crate) use words::{camel, snake, words};

use std::fmt;

/// The longest identifier made from a display name, before a suffix.
pub(crate) const LENGTH_MAX: usize = 60;

/// What an identifier is for: its case, and the names it must not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Module,
    Type,
    Field,
    Variant,
}

/// Why an identifier is not simply its display name in the usual case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Letters that identifiers should not have were written with ASCII ones.
    Transliterated,
    /// A symbol was spelled out, such as `+` as `plus`.
    Spelled,
    /// It would begin with a digit.
    Digit,
    /// No letter and no digit is left of it.
    Empty,
    /// It was too long.
    Shortened,
    /// It is a Rust keyword.
    Keyword,
    /// Something else that generated code uses has that name.
    Reserved,
    /// Others in the same place would have the same name; their display names.
    Collision(Vec<String>),
    /// The configuration says so.
    Renamed,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Transliterated => f.write_str("letters were written with ASCII ones"),
            Cause::Spelled => f.write_str("symbols were spelled out"),
            Cause::Digit => f.write_str("an identifier can't begin with a digit"),
            Cause::Empty => f.write_str("it has no letters and no digits"),
            Cause::Shortened => write!(f, "it is longer than {LENGTH_MAX} characters"),
            Cause::Keyword => f.write_str("it is a Rust keyword"),
            Cause::Reserved => f.write_str("generated code uses the name for something else"),
            Cause::Collision(others) => {
                let shown: Vec<_> = others
                    .iter()
                    .take(3)
                    .map(|o| crate::error::quoted(o))
                    .collect();
                write!(f, "it collides with {}", shown.join(", "))?;
                match others.len().saturating_sub(3) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Cause::Renamed => f.write_str("the configuration says so"),
        }
    }
}

/// A name to be found: what it is for, the display name, and the stable id of what has it.
#[derive(Clone, Debug)]
pub(crate) struct Wanted<'a> {
    pub kind: Kind,
    /// What stands before the display name: the record, for the enum of one of its fields.
    pub owner: &'a str,
    pub text: &'a str,
    pub id: &'a str,
    /// What the configuration calls it; already judged by [`refuse`].
    pub rename: Option<&'a str>,
}

/// An identifier and what had to be done for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// Without `r#`.
    pub text: String,
    pub causes: Vec<Cause>,
}

/// An identifier as code: raw where it is a keyword.
pub(crate) fn ident(text: &str) -> String {
    let raw = if is_keyword(text) { "r#" } else { "" };
    format!("{raw}{text}")
}

/// Strict and reserved keywords of every edition.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that can't be raw identifiers either.
const NEVER_RAW: &[&str] = &["crate", "self", "super", "Self"];

/// Types, traits and variants of the prelude, and what generated code imports or may import.
const TYPES: &[&str] = &[
    // the prelude and what is never a good idea to hide
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "Error",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    // the runtime and serde
    "Decimal",
    "Deserialize",
    "Email",
    "FileRef",
    "LatLng",
    "Latitude",
    "Longitude",
    "NaiveDate",
    "NaiveDateTime",
    "NaiveTime",
    "Phone",
    "Picklist",
    "Record",
    "Serialize",
    "Stored",
    "Url",
];

/// Module names that mean a file of ours, a crate every module may name, or a file name that
/// Windows does not allow.
const MODULES: &[&str] = &[
    "alloc",
    "aux",
    "con",
    "core",
    "lib",
    "main",
    "nul",
    "prn",
    "proc_macro",
    "runtime",
    "std",
];

pub(crate) fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}

impl Kind {
    /// A suffix to make this name usable, and why; `None` when it is usable as it is.
    pub(crate) fn refusal(self, text: &str) -> Option<(&'static str, Cause)> {
        match self {
            Kind::Type if TYPES.contains(&text) => Some(("Record", Cause::Reserved)),
            Kind::Module if text == "mod" => Some(("_", Cause::Keyword)),
            Kind::Module if MODULES.contains(&text) || is_port(text) => {
                Some(("_", Cause::Reserved))
            }
            _ if NEVER_RAW.contains(&text) => Some(("_", Cause::Keyword)),
            _ => None,
        }
    }

    /// What begins a name that would begin with a digit.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Kind::Module => "schema_",
            Kind::Type => "Schema",
            Kind::Field => "field_",
            Kind::Variant => "Code",
        }
    }

    /// Whether names are written `LikeThis`.
    pub(crate) fn is_camel(self) -> bool {
        matches!(self, Kind::Type | Kind::Variant)
    }

    /// The suffix that tells names apart.
    pub(crate) fn suffixed(self, base: &str, suffix: &str) -> String {
        if self.is_camel() {
            format!("{base}X{suffix}")
        } else {
            format!("{base}_{suffix}")
        }
    }
}

/// `com1` and its like, which Windows keeps for devices.
fn is_port(text: &str) -> bool {
    let rest = text
        .strip_prefix("com")
        .or_else(|| text.strip_prefix("lpt"));
    rest.is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Why `text` cannot be an identifier of this kind in warning-free code.
pub(crate) fn refuse(kind: Kind, text: &str) -> Option<&'static str> {
    let plain = text.strip_prefix("r#").unwrap_or(text);
    let ascii = plain
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let first = plain.as_bytes().first().copied().unwrap_or(b'0');
    if !ascii || plain.is_empty() || plain.bytes().all(|b| b == b'_') {
        return Some("an identifier has ASCII letters, digits and `_` only, and a letter");
    }
    if first.is_ascii_digit() || first == b'_' {
        return Some("an identifier here begins with a letter");
    }
    if kind.refusal(plain).is_some() {
        return Some("generated code or Rust itself uses this name");
    }
    let camel = first.is_ascii_uppercase() && !joins_letters(plain) && !words::is_acronym(plain);
    let snake = !plain.bytes().any(|b| b.is_ascii_uppercase()) && !plain.contains("__");
    match kind.is_camel() {
        true if !camel => Some("types and variants are written `LikeThis`"),
        false if !snake => Some("fields and modules are written `like_this`"),
        _ => None,
    }
}

/// Whether an underscore inside the name touches a letter.
fn joins_letters(text: &str) -> bool {
    let bytes = text.trim_end_matches('_').as_bytes();
    bytes.windows(2).any(|pair| match pair {
        [b'_', other] | [other, b'_'] => !other.is_ascii_digit(),
        _ => false,
    })
}

#[cfg(test)]
mod tests;

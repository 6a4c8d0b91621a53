//! What an identifier of each kind may be: its case, and the names it must not have.

use super::cause::Cause;
use super::reserved::{KEYWORDS, MODULES, NEVER_RAW, TYPES};
use crate::device_names::is_device;

/// Whether a text can stand as an identifier at all, be it raw.
pub(crate) fn is_usable(text: &str) -> bool {
    let first = text.bytes().next();
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    first.is_some_and(|byte| !byte.is_ascii_digit())
        && text.bytes().all(letters)
        && text != "_"
        && !NEVER_RAW.contains(&text)
}

/// What an identifier is for: its case, and the names it must not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdentifierKind {
    Module,
    Type,
    Field,
    Variant,
}

/// An identifier as code: raw where it is a keyword.
pub(crate) fn ident(text: &str) -> String {
    let raw = if is_keyword(text) { "r#" } else { "" };
    format!("{raw}{text}")
}

/// Whether some edition has it as a keyword.
pub(crate) fn is_keyword(text: &str) -> bool {
    KEYWORDS.contains(&text)
}

impl IdentifierKind {
    /// A suffix to make this name usable, and why; `None` when it is usable as it is.
    pub(crate) fn refusal(self, text: &str) -> Option<(&'static str, Cause)> {
        match self {
            IdentifierKind::Type if TYPES.contains(&text) => Some(("Record", Cause::Reserved)),
            IdentifierKind::Module if text == "mod" => Some(("_", Cause::Keyword)),
            IdentifierKind::Module if MODULES.contains(&text) || is_device(text) => {
                Some(("_", Cause::Reserved))
            }
            _ if NEVER_RAW.contains(&text) => Some(("_", Cause::Keyword)),
            _ => None,
        }
    }

    /// What begins a name that would begin with a digit.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            IdentifierKind::Module => "schema_",
            IdentifierKind::Type => "Schema",
            IdentifierKind::Field => "field_",
            IdentifierKind::Variant => "Code",
        }
    }

    /// Whether names are written `LikeThis`.
    pub(crate) fn is_camel(self) -> bool {
        matches!(self, IdentifierKind::Type | IdentifierKind::Variant)
    }

    /// The suffix that tells names apart.
    pub(crate) fn with_suffix(self, base: &str, suffix: &str) -> String {
        if self.is_camel() {
            format!("{base}X{suffix}")
        } else {
            format!("{base}_{suffix}")
        }
    }
}

/// Why `text` cannot be an identifier of this kind in warning-free code.
pub(crate) fn refuse(kind: IdentifierKind, text: &str) -> Option<&'static str> {
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
    let camel = first.is_ascii_uppercase() && !joins_letters(plain) && !is_acronym(plain);
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

/// Whether the name is written `LIKE`, which names of types and variants are not.
pub(super) fn is_acronym(text: &str) -> bool {
    text.len() > 2 && text.bytes().all(|b| b.is_ascii_uppercase())
}

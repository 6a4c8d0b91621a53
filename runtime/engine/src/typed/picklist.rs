//! Static picklists as Rust enums.

use crate::validate::message::write_codes;
use schema::PicklistEntry;
use schema::json::{Scanner, Token, compact};
use serde::de::Error as _;
use std::fmt;

/// How many characters of an unknown code are shown.
const SHOWN_MAX: usize = 60;

/// An enum of the codes of a static picklist. Derive it: `#[derive(Picklist)]`.
// of a type that no field has, the compiler asks for this in the end
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no value of a field, and is no enum with `#[derive(Picklist)]`",
    note = "fields have types such as `String`, `i64`, `f64` or `Decimal`, or enums with `#[derive(Picklist)]`"
)]
pub trait Picklist: Copy + 'static {
    /// The codes with their descriptions, in the order of the variants.
    const ENTRIES: &'static [Entry];

    /// All variants.
    const ALL: &'static [Self];

    /// This variant's place.
    fn index(self) -> usize;

    /// The code as it stands in records.
    fn code(self) -> &'static str {
        Self::ENTRIES[self.index()].code
    }

    /// What the code means.
    fn description(self) -> Option<&'static str> {
        Self::ENTRIES[self.index()].description
    }

    /// The variant of a code (exact case).
    fn from_code(code: &str) -> Option<Self> {
        let index = Self::ENTRIES.iter().position(|entry| entry.code == code)?;
        Self::ALL.get(index).copied()
    }
}

/// One code of a static picklist, as the derive writes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: &'static str,
    /// What it means.
    pub description: Option<&'static str>,
    /// Properties that have no attribute: the text of a JSON object, or nothing.
    pub extra: &'static str,
}

impl Entry {
    pub(crate) fn to_picklist_entry(self: &Entry) -> PicklistEntry {
        PicklistEntry {
            code: self.code.to_owned(),
            description: self.description.map(str::to_owned),
            extra: members(self.extra),
        }
    }
}

/// The members of an object, as JSON text.
fn members(object: &str) -> schema::Extra {
    let mut scanner = Scanner::new(object);
    let mut members = Vec::new();
    if !matches!(scanner.token(), Ok(Token::ObjectStart)) {
        return members;
    }
    loop {
        scanner.skip_space();
        scanner.take(b',');
        scanner.skip_space();
        let Ok(key) = scanner.string() else {
            return members;
        };
        scanner.skip_space();
        scanner.take(b':');
        scanner.skip_space();
        let start = scanner.offset();
        // INVARIANT: the derive has parsed this text
        if scanner.skip_value().is_err() {
            return members;
        }
        let mut json = String::new();
        compact(&mut json, scanner.slice(start, scanner.offset()));
        members.push((key.decode().into_owned(), json));
    }
}

/// Serializes a code.
///
/// # Errors
/// The serializer's.
pub fn serialize_code<P: Picklist, S: serde::Serializer>(
    code: P,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.code())
}

/// Deserializes a code.
///
/// # Errors
/// The codes that there are; never the value.
pub fn deserialize_code<'de, P: Picklist, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<P, D::Error> {
    let code = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer);
    // the deserializer's own error does not know the codes
    let code = code.map_err(|_| D::Error::custom(Codes(P::ENTRIES)))?;
    // a value of serde may be personal, so its error names the codes alone
    P::from_code(&code).ok_or_else(|| D::Error::custom(Codes(P::ENTRIES)))
}

/// Reads a code, exact case.
///
/// # Errors
/// When the picklist does not have it.
pub fn parse_code<P: Picklist>(code: &str) -> Result<P, UnknownCode> {
    P::from_code(code).ok_or_else(|| UnknownCode {
        code: code.into(),
        entries: P::ENTRIES,
    })
}

/// A text that is no code of a picklist. Its message repeats the text, of which a long one is cut short, and lists the
/// codes, or tells how many there are.
///
/// It is for whoever has given the text. A record's own faults never hold a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCode {
    code: Box<str>,
    entries: &'static [Entry],
}

impl UnknownCode {
    /// The text that was given.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The codes that the picklist has.
    pub fn allowed(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.code)
    }
}

impl fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code.char_indices().nth(SHOWN_MAX) {
            Some((at, _)) => write!(f, "\"{}…\"", self.code[..at].escape_debug())?,
            None => write!(f, "{:?}", self.code)?,
        }
        write!(f, " is no code of the picklist: {}", Codes(self.entries))
    }
}

impl std::error::Error for UnknownCode {}

/// The codes as a fault tells them.
struct Codes(&'static [Entry]);

impl fmt::Display for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<&str> = self.0.iter().map(|entry| entry.code).collect();
        write_codes(f, &codes)
    }
}

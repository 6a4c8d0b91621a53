//! Static picklists as Rust enums.

use schema::PicklistEntry;
use schema::json::{Scanner, Token, compact};
use serde::de::Error as _;

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
/// When the text is no code of the picklist; the message does not hold it.
pub fn deserialize_code<'de, P: Picklist, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<P, D::Error> {
    // the deserializer's own error would repeat a value of another type
    let refused = || D::Error::custom("not a code of the picklist");
    let code = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer);
    P::from_code(&code.map_err(|_| refused())?).ok_or_else(refused)
}

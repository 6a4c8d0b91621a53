//! Why a body is refused as a whole: it is not one flat JSON object of the schema's active fields.
//! A rejection is an error, unlike a fault: nothing was judged and nothing can be stored.
//! docs/rules.md, "Bodies".

use super::size::{BODY_BYTES_MAX, PRIMARY_KEY_BYTES_MAX};
use schema::json::SyntaxKind;
use std::fmt;

/// One reason, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reason.
    pub code: RejectionCode,
    /// Byte offset in the input of what it is about.
    pub offset: usize,
    /// The key or field it is about, where there is one.
    pub name: Option<String>,
}

/// The reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RejectionCode {
    /// The text is not JSON.
    Syntax(SyntaxKind),
    /// The bytes are not UTF-8.
    Utf8,
    /// The text begins with a byte-order mark.
    ByteOrderMark,
    /// The text holds U+0000.
    Nul,
    /// The body is JSON but no object.
    NotAnObject,
    /// Something follows the object.
    Trailing,
    /// The body is larger than [`BODY_BYTES_MAX`].
    TooLarge,
    /// A key stands twice.
    DuplicateKey,
    /// The schema has no such field.
    UnknownKey,
    /// The field is not active.
    InactiveField,
    /// The key begins with `_` and is not the client's to set.
    SystemProperty,
    /// A value is an object, or an array holds more than scalars.
    NestedValue,
    /// The primary key's text is longer than [`PRIMARY_KEY_BYTES_MAX`].
    PrimaryKeyTooLong,
    /// The stored record of an update can't be read under this schema: it has to be re-keyed first.
    Stored,
}

use RejectionCode as C;

impl RejectionCode {
    /// The reason's code: stable, for programs.
    pub fn name(self) -> &'static str {
        match self {
            C::Syntax(_) => "syntax",
            C::Utf8 => "utf8",
            C::ByteOrderMark => "byte_order_mark",
            C::Nul => "nul",
            C::NotAnObject => "not_an_object",
            C::Trailing => "trailing",
            C::TooLarge => "too_large",
            C::DuplicateKey => "duplicate_key",
            C::UnknownKey => "unknown_key",
            C::InactiveField => "inactive_field",
            C::SystemProperty => "system_property",
            C::NestedValue => "nested_value",
            C::PrimaryKeyTooLong => "primary_key_too_long",
            C::Stored => "stored",
        }
    }
}

impl Rejection {
    /// What is wrong and where, as a sentence that reads well beside [`name`](Rejection::name) and does not repeat
    /// it.
    pub fn text(&self) -> String {
        match self.code {
            C::TooLarge => self.reason(),
            C::Syntax(kind) => {
                let error = schema::json::SyntaxError {
                    kind,
                    offset: self.offset,
                };
                format!("the body is not JSON: {error}")
            }
            _ => format!("{}{} at byte {}", self.reason(), self.see(), self.offset),
        }
    }

    /// What is wrong, without where: for a body that nobody sees as a text.
    fn reason(&self) -> String {
        let text = match self.code {
            C::TooLarge => return format!("the body is larger than {BODY_BYTES_MAX} bytes"),
            C::PrimaryKeyTooLong => {
                return format!("the primary key has more than {PRIMARY_KEY_BYTES_MAX} bytes");
            }
            C::Syntax(_) => "the body is not JSON",
            C::Utf8 => "the body is not UTF-8",
            C::ByteOrderMark => "leave out the byte-order mark",
            C::Nul => "U+0000 cannot be stored",
            C::NotAnObject => "the body must be one JSON object",
            C::Trailing => "nothing may follow the object",
            C::DuplicateKey => "the key stands twice",
            C::UnknownKey => "the schema has no field of this name",
            C::InactiveField => "the field is not active",
            C::SystemProperty => "the property is set by the service alone",
            C::NestedValue => "a value must be a scalar or an array of scalars",
            C::Stored => "the stored record does not follow this schema version",
        };
        text.to_owned()
    }

    /// What stands at its place.
    fn see(&self) -> &'static str {
        match self.code {
            C::Syntax(_) | C::TooLarge | C::ByteOrderMark => "",
            C::Nul => ", see the character",
            C::DuplicateKey => ", see the second one",
            C::UnknownKey | C::InactiveField | C::SystemProperty => ", see the key",
            C::Utf8
            | C::PrimaryKeyTooLong
            | C::NotAnObject
            | C::Trailing
            | C::NestedValue
            | C::Stored => ", see what begins",
        }
    }
}

/// The name in quotes, where there is one, and the text.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name:?}: ")?;
        }
        f.write_str(&self.text())
    }
}

/// All reasons; never empty. Mistakes of keys are collected; one that ends the reading stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    items: Vec<Rejection>,
}

impl Rejected {
    pub(crate) fn one(code: RejectionCode, offset: usize) -> Self {
        Rejected {
            items: vec![Rejection {
                code,
                offset,
                name: None,
            }],
        }
    }

    pub(crate) fn all(mut items: Vec<Rejection>) -> Self {
        // INVARIANT: callers hand over at least one
        debug_assert!(!items.is_empty());
        items.sort_by_key(|item| item.offset);
        Rejected { items }
    }

    /// The reasons, in the order of the input.
    pub fn items(&self) -> &[Rejection] {
        &self.items
    }

    /// The reasons without their places: for a body that nobody sees as a text.
    pub(crate) fn without_places(&self) -> String {
        let reasons = self.items.iter().map(|item| match &item.name {
            Some(name) => format!("{name:?}: {}", item.reason()),
            None => item.reason(),
        });
        reasons.collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Rejected {}

impl From<schema::json::SyntaxError> for Rejected {
    fn from(error: schema::json::SyntaxError) -> Self {
        let code = match error.kind {
            SyntaxKind::Nul => C::Nul,
            kind => C::Syntax(kind),
        };
        Rejected::one(code, error.offset)
    }
}

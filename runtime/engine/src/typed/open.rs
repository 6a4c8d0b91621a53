//! Static picklists that may grow: a code that the enum does not know is kept as it came. The schema stays the enum's
//! own, so whoever sends such a record is judged by the service as before.
//!
//! ```text
//! kind: Kind          "Z" is a fault
//! kind: Open<Kind>    "Z" is `Open::Other`, and is written as "Z" again
//! ```

use super::field_value::{FieldType, FieldValue};
use super::picklist::Picklist;
use super::slot_ref::SlotRef;
use crate::value::Value;
use serde::de::Error as _;
use std::fmt;
use std::marker::PhantomData;

/// A code of a static picklist, or one that the enum does not have: `Open<Kind>` in the place of `Kind` makes a type
/// read the records of a schema that has more codes by now.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Open<P> {
    /// A code of the enum.
    Known(P),
    /// A code that the enum does not have.
    Other(OtherCode<P>),
}

/// A code that the enum `P` does not have: it cannot be made of one that it has, but by [`OtherCode::new`], which looks.
///
/// ```compile_fail,E0451
/// fn made<P>(code: Box<str>) -> engine::typed::OtherCode<P> {
///     engine::typed::OtherCode { code, list: std::marker::PhantomData }
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OtherCode<P> {
    code: Box<str>,
    list: PhantomData<P>,
}

impl<P: Picklist> OtherCode<P> {
    /// The code as an unknown one; `None` where the enum has it, and of white space alone, which is no value
    /// (docs/rules.md, "Missing values").
    pub fn new(code: impl Into<Box<str>>) -> Option<Self> {
        let code = code.into();
        let is_other = P::from_code(&code).is_none() && !code.chars().all(char::is_whitespace);
        is_other.then_some(OtherCode {
            code,
            list: PhantomData,
        })
    }
}

impl<P> OtherCode<P> {
    /// The code, as it came.
    pub fn as_str(&self) -> &str {
        &self.code
    }
}

impl<P> fmt::Debug for OtherCode<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.code, f)
    }
}

impl<P: Picklist> Open<P> {
    /// The variant of a code, or the code as an unknown one; `None` of white space alone, which is no value.
    pub fn from_code(code: &str) -> Option<Self> {
        match P::from_code(code) {
            Some(known) => Some(Open::Known(known)),
            None => OtherCode::new(code).map(Open::Other),
        }
    }

    /// The code as it stands in records.
    pub fn code(&self) -> &str {
        match self {
            Open::Known(known) => known.code(),
            Open::Other(other) => other.as_str(),
        }
    }

    /// The variant, where the enum has the code.
    pub fn known(&self) -> Option<P> {
        match self {
            Open::Known(known) => Some(*known),
            Open::Other(_) => None,
        }
    }
}

impl<P: Picklist> From<P> for Open<P> {
    fn from(known: P) -> Self {
        Open::Known(known)
    }
}

/// Whether it is this code of the enum.
impl<P: Picklist + PartialEq> PartialEq<P> for Open<P> {
    fn eq(&self, other: &P) -> bool {
        matches!(self, Open::Known(known) if known == other)
    }
}

impl<P: Picklist> fmt::Display for Open<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl<P: Picklist> FieldValue for Open<P> {
    fn value(&self) -> Value<'_> {
        match self {
            Open::Known(known) => Value::Code(known.code()),
            Open::Other(other) => Value::Text(&other.code),
        }
    }

    fn from_slot(slot: SlotRef<'_>) -> Option<Self> {
        match slot.code() {
            Some(index) => P::ALL.get(index).copied().map(Open::Known),
            None => OtherCode::new(slot.text()?).map(Open::Other),
        }
    }
}

impl<P: Picklist> FieldType for Open<P> {
    const HOLDS: u32 = <P as FieldType>::HOLDS;
}

impl<P: Picklist> serde::Serialize for Open<P> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de, P: Picklist> serde::Deserialize<'de> for Open<P> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // the deserializer's own error would repeat a value of another type
        let refused = || D::Error::custom("not a code of a picklist");
        let code = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer);
        Open::from_code(&code.map_err(|_| refused())?).ok_or_else(refused)
    }
}

//! Records as Rust structs: the typed doors of the engine. Every reading goes through the same
//! [`Checker`](crate::validate::Checker) as the server's, so both give the same verdict; the derive
//! only says which slot becomes which field.

mod error;
mod field_value;
mod literal;
mod open;
mod outcome;
mod patch;
mod picklist;
mod record;
mod serde;
mod slot_ref;
mod slots;
mod stored;

#[doc(hidden)]
pub use self::serde::{deserialize, serialize, serialize_patch};
pub use error::{FromJsonError, StoredError};
#[doc(hidden)]
pub use field_value::{FieldType, FieldValue};
pub(crate) use literal::is_same;
#[doc(hidden)]
pub use literal::{Kind, Literal, judge_literal};
pub use open::{Open, OtherCode};
pub use outcome::Typed;
pub use patch::{Change, Patch};
#[doc(hidden)]
pub use patch::{Changing, FieldChange, debug_patch, is_lost, refuse_lost};
pub use picklist::{Entry, Picklist, UnknownCode};
#[doc(hidden)]
pub use picklist::{deserialize_code, parse_code, serialize_code};
pub use record::Record;
#[doc(hidden)]
pub use record::debug;
#[doc(hidden)]
pub use slot_ref::SlotRef;
#[doc(hidden)]
pub use slots::Slots;
pub use stored::Stored;

//! The engine: what a record does contain, and whether that is what its schema asks for. One judgement
//! for every door: a server's bodies, a client's answers and structs built by hand go through the same
//! [`validate::Checker`]. It stores nothing and knows no HTTP.
//!
//! | room | what it is for |
//! | - | - |
//! | [`value`] | e-mail addresses, places, money, dates: valid by construction |
//! | [`validate`] | the one judgement: [`Checker`](validate::Checker), faults, look-ups |
//! | [`typed`] | records as Rust structs: [`Record`], [`Picklist`], [`Stored`] |

pub mod typed;
pub mod validate;
pub mod value;

mod field_error;
mod integrations;

#[doc(hidden)]
pub mod __private;

pub use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
pub use field_error::FieldError;
pub use rust_decimal::Decimal;
pub use typed::{Change, FromJsonError, Patch, Picklist, Record, Stored, Typed};
pub use typed::{Open, OtherCode, UnknownCode};
pub use value::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Url};

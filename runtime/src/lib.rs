//! Fieldstone's engine, and the ground that generated types stand on.
//!
//! | room | what it is for |
//! | - | - |
//! | [`schema`] | what a record may contain: the model, its one reader, the check |
//! | [`value`] | what it does contain: e-mail addresses, places, money, dates |
//! | [`wire`] | JSON shapes both ends of the interface share |
//! | [`validate`] | the one judgement: [`Checker`](validate::Checker), faults, look-ups |
//! | [`typed`] | records as Rust structs: [`Record`], [`Picklist`], [`Stored`] |
//! | `client` | typed handles on a service's data, over HTTP (feature `client`) |
//! | `embed` | the service in one's own program, with the same handles (feature `embed`) |
//!
//! A generated or hand-written struct derives [`Record`] and has everything: it reads JSON and gives
//! itself or every fault, writes itself in its fields' formats, judges itself, and carries the schema
//! it came from.
//!
//! ```
//! use runtime::{Decimal, NaiveDate, Record};
//!
//! /// Someone who buys from us.
//! #[derive(Record)]
//! struct Customer {
//!     #[field(name = "Customer No", primary_key, alphanumeric, max = 10)]
//!     number: String,
//!     #[field(name = "Credit Limit", min = 0)]
//!     credit_limit: Option<Decimal>,
//!     #[field(name = "Customer Since", date_format = "DD$MM$YYYY", date_separator = ".")]
//!     since: NaiveDate,
//! }
//!
//! let body = br#"{"Customer No": " C1 ", "Credit Limit": 1.50, "Customer Since": "2020-02-29"}"#;
//! let customer = Customer::from_json(body)?;
//! assert_eq!(customer.number, "C1");
//! assert_eq!(
//!     customer.to_json(),
//!     r#"{"Customer No":"C1","Credit Limit":1.5,"Customer Since":"29.02.2020"}"#
//! );
//!
//! let faults = Customer::from_json(br#"{"Customer No": "C-1", "Credit Limit": -1}"#).unwrap_err();
//! assert_eq!(faults.errors().len(), 3);
//! # Ok::<(), runtime::FromJsonError>(())
//! ```

#[cfg(feature = "server")]
pub mod admin;
#[cfg(any(feature = "client", feature = "embed"))]
pub mod client;
#[cfg(feature = "embed")]
pub mod embed;
#[cfg(feature = "server")]
pub mod http;
#[cfg(feature = "server")]
pub mod openapi;
#[cfg(feature = "service")]
pub mod service;
#[cfg(feature = "store")]
pub mod store;
pub mod typed;
pub mod validate;
pub mod value;
pub mod wire;

#[doc(hidden)]
pub mod __private;

pub use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
#[cfg(feature = "derive")]
pub use macros::{Picklist, Record};
pub use rust_decimal::Decimal;
pub use schema;
pub use typed::{FromJsonError, Picklist, Record, Stored, Typed};
pub use value::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Url};

/// Pulls in the file that `generator::Config` wrote from a `build.rs`:
/// `runtime::include_records!("airport")` stands for the contents of `airport.rs` in `OUT_DIR`.
#[macro_export]
macro_rules! include_records {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}

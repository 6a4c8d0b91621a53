//! Fieldstone as its users see it: the one crate they name. What stands behind each name is a package of
//! its own; this one only says which of them a feature brings.
//!
//! | name | what it is for | feature |
//! | - | - | - |
//! | [`Record`], [`Patch`], [`Picklist`], [`Open`], [`Stored`], [`Typed`] | records as Rust structs, and their changes; the derives of the same names | always; `derive` (on by default) |
//! | [`value`] | what a record contains: e-mail addresses, coordinates, links to files | always |
//! | [`validate`] | the one judgement: [`Checker`](validate::Checker), faults, look-ups | always |
//! | [`schema`] | what a record may contain: the model, its one reader, the check | always |
//! | `client` | typed handles on a service's data, over HTTP | `client` |
//! | `embed` | the service in one's own program, with the same handles | `embed` |
//! | `sample` | records that nobody wrote, and strategies of typed ones | `sample`; `proptest`, `arbitrary` |
//! | [`value`], [`Picklist`], [`Record`] | as types of other libraries: columns of databases, JSON Schema, OpenAPI | `rusqlite`, `sqlx`; `schemars`, `utoipa` |
//! | `tabular` | rows of data files (CSV, JSON) as judged records | `tabular` |
//! | `http`, `admin`, `openapi` | routers of the data and management interfaces, and their description | `server` |
//! | `service`, `store` | the service over any store; the contracts of stores, and SQLite (feature `sqlite`), PostgreSQL (feature `postgres`) | `service` |
//!
//! `s3` lets the service keep uploaded files in S3-compatible storage, `webhooks` lets it send changes to addresses, and
//! `full` is everything but what makes records up.
//!
//! With default features it has no async runtime, no database and no HTTP: what generated types pull in
//! stays light.
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

#[doc(hidden)]
pub use engine::__private;

pub use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
pub use engine::literal;
pub use engine::{Change, FromJsonError, Patch, Picklist, Record, Stored, Typed};
pub use engine::{Email, FileRef, LatLng, Latitude, Longitude, Phone, Url};
pub use engine::{Open, OtherCode, UnknownCode};
pub use engine::{typed, validate};
#[cfg(feature = "derive")]
pub use macros::{Picklist, Record};
pub use rust_decimal::Decimal;
#[cfg(feature = "sample")]
pub use sample;
pub use schema;
#[cfg(feature = "service")]
pub use service;
#[cfg(feature = "tabular")]
pub use tabular;

/// What a record does contain: types whose values are valid by construction; and time and chance, which a
/// service is given.
pub mod value {
    pub use engine::value::*;
    #[cfg(feature = "service")]
    pub use {
        ::wire::{Day, Timestamp},
        service::{Clock, Entropy, SystemClock, SystemEntropy},
    };
}

/// JSON shapes that both ends of the interface share.
pub mod wire {
    #[cfg(any(feature = "client", feature = "service"))]
    pub use ::wire::*;
    pub use engine::FieldError;
}

/// What is kept: the contracts of catalog, records, files and index, and SQLite behind them.
#[cfg(feature = "service")]
pub mod store {
    #[cfg(feature = "postgres")]
    pub use ::postgres;
    #[cfg(feature = "sqlite")]
    pub use ::sqlite;
    pub use ::store::*;

    /// The full-text index's contract.
    pub mod search {
        #[cfg(feature = "sqlite")]
        pub use ::sqlite::SqliteSearch;
        pub use ::store::search::*;
    }
}

#[cfg(feature = "server")]
pub use server::admin;

/// The data interface over HTTP.
#[cfg(feature = "server")]
pub mod http {
    pub use server::{DoorSettings, Network, router, router_with};
}

/// The OpenAPI document of both interfaces.
#[cfg(feature = "server")]
pub mod openapi {
    pub use server::document;
}

/// Typed handles on a service's data, over HTTP (feature `client`) or in process (feature `embed`).
///
/// ```no_run
/// # #[cfg(all(feature = "client", feature = "derive"))]
/// # async fn example() -> Result<(), runtime::client::ClientError> {
/// use runtime::client::{Client, Credential};
/// use runtime::Record;
///
/// #[derive(Record)]
/// struct City {
///     #[field(name = "Name", primary_key)]
///     name: String,
///     #[field(name = "Population", min = 0)]
///     population: Option<i64>,
/// }
///
/// let client = Client::new("https://data.example.org", Credential::api_key("fst_…"))?;
/// let cities = client.dataset::<City>("Places", "City", "Cities of the world").await?;
/// let made = cities.create(&City { name: "Riga".into(), population: None }).await?;
/// cities.change("Riga", |city| city.population = Some(605_273)).await?;
/// let mut all = cities.list();
/// while let Some(stored) = all.next().await {
///     println!("{:?}", stored?.record);
/// }
/// cities.delete(&made.id).await?;
/// # Ok(())
/// # }
/// ```
#[cfg(any(feature = "client", feature = "embed"))]
pub mod client {
    pub use ::client::*;
}

/// The service inside one's own program, with the client's handles.
///
/// ```no_run
/// # #[cfg(feature = "derive")]
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use runtime::{Record, embed::Embedded};
///
/// #[derive(Record)]
/// struct City {
///     #[field(name = "Name", primary_key)]
///     name: String,
/// }
///
/// let embedded = Embedded::open("data".as_ref(), "My Company").await?;
/// let cities = embedded.register::<City>("Places", "Cities").await?;
/// cities.create(&City { name: "Riga".into() }).await?;
/// embedded.close().await?;
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "embed")]
pub mod embed {
    pub use ::embed::*;
}

/// Pulls in the file that `generator::Config` wrote from a `build.rs`:
/// `runtime::include_records!("airport")` stands for the contents of `airport.rs` in `OUT_DIR`, the file of the schema
/// "Airport": it is called as the schema is, in snake case, and `mod.rs` there names all of them.
#[macro_export]
macro_rules! include_records {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}

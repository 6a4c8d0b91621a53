//! Typed handles on a service's data: records of any [`Record`](engine::Record) type, and the lists that
//! lead to them. A handle speaks through a [`transport`]: over HTTP (feature `http`) or in process (package
//! `fieldstone-embed`), and means the same through both. This package judges nothing: the service does, and
//! what it says comes back as data or as a [`ClientError`]. Files go up before the records that name them
//! ([`Dataset::upload`]) and come back by the links that records show ([`Dataset::download`]).

pub mod transport;

mod catalog;
mod chance;
mod changes;
mod client;
mod compatibility;
mod content;
mod dataset;
mod error;
mod files;
#[cfg(feature = "http")]
mod http;
mod listing;
mod loop_watch;
mod members;
mod path;
mod query;
mod raw;
mod search;

pub use bytes::Bytes;
pub use changes::{Change, ChangeAction, Changes};
pub use client::Client;
pub use compatibility::{TypeCheck, differences};
pub use content::{Content, Download};
pub use dataset::Dataset;
pub use error::{Cause, ClientError, ServiceRefusal};
#[cfg(feature = "http")]
pub use http::{ClientBuilder, Credential};
pub use listing::Listing;
pub use path::{DatasetLocation, DatasetPath};
pub use query::Search;
pub use raw::{RawDataset, RawRecord};
pub use search::{SearchHit, SearchResults};
pub use wire::{FileItem, Timestamp};

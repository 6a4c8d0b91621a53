//! Typed handles on a service's data: records of any [`Record`] type, and the lists that lead to them.
//! A handle speaks through a [`door`]: over HTTP (feature `http`) or in process (package
//! `fieldstone-embed`), and means the same through both. This package judges nothing: the service does, and
//! what it says comes back as data or as a [`ClientError`]. Files go up before the records that name them
//! ([`Dataset::upload`]) and come back by the links that records show ([`Dataset::download`]).

pub mod door;

mod catalog;
mod compatibility;
mod dataset;
mod error;
mod files;
#[cfg(feature = "http")]
mod http;
mod listing;
mod raw;
mod search;

pub use bytes::Bytes;
pub use catalog::{Located, Place};
pub use compatibility::differences;
pub use dataset::Dataset;
pub use error::{Cause, ClientError, Refused};
pub use files::{Content, Download};
#[cfg(feature = "http")]
pub use http::{ClientBuilder, Credential};
pub use listing::Listing;
pub use raw::{RawDataset, RawRecord};
pub use search::{Found, Hit, Search};
pub use wire::FileItem;

use door::{Ask, Door};
use engine::Record;
use std::sync::Arc;

/// A way into a service's data, for one credential. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    door: Arc<dyn Door>,
}

/// Tells nothing: what is behind it holds a credential.
impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// A client that goes through a door.
    pub fn through(door: Arc<dyn Door>) -> Self {
        Client { door }
    }

    /// The records of a dataset as a type. Area, schema and dataset are told by id or by name, each
    /// within the one before; an id wins over a name.
    ///
    /// # Errors
    /// [`ClientError::Unknown`] when one of them is not there or not to be seen.
    pub async fn dataset<R: Record>(
        &self,
        area: &str,
        schema: &str,
        dataset: &str,
    ) -> Result<Dataset<R>, ClientError> {
        Ok(Dataset::of(self.records(area, schema, dataset).await?))
    }

    /// The records of a dataset as a type, without asking the service for the place.
    pub fn dataset_at<R: Record>(&self, place: Place) -> Dataset<R> {
        Dataset::of(self.records_at(place))
    }

    /// The records of a dataset as JSON text, for programs that have no type for them. The place is
    /// told as for [`dataset`](Self::dataset).
    ///
    /// # Errors
    /// As [`dataset`](Self::dataset).
    pub async fn records(
        &self,
        area: &str,
        schema: &str,
        dataset: &str,
    ) -> Result<RawDataset, ClientError> {
        let located = self.find_dataset(area, schema, dataset).await?;
        Ok(RawDataset::new(
            self.clone(),
            located.place.clone(),
            Some(located),
        ))
    }

    /// The records of a dataset as JSON text, without asking the service for the place.
    pub fn records_at(&self, place: Place) -> RawDataset {
        RawDataset::new(self.clone(), place, None)
    }
}

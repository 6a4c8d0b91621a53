//! Typed handles on a service's data: records of any [`Record`] type, and the lists that lead to them.
//! A handle speaks through a door: over HTTP ([`ClientBuilder`], feature `client`) or in process
//! ([`embed`](crate::embed), feature `embed`), and means the same through both. This room judges
//! nothing: the service does, and what it says comes back as data or as a [`ClientError`]. Files go up
//! before the records that name them ([`Dataset::upload`]) and come back by the links that records show
//! ([`Dataset::download`]).
//!
//! ```no_run
//! # #[cfg(all(feature = "client", feature = "derive"))]
//! # async fn example() -> Result<(), runtime::client::ClientError> {
//! use runtime::client::{Client, Credential};
//! use runtime::Record;
//!
//! #[derive(Record)]
//! struct City {
//!     #[field(name = "Name", primary_key)]
//!     name: String,
//!     #[field(name = "Population", min = 0)]
//!     population: Option<i64>,
//! }
//!
//! let client = Client::new("https://data.example.org", Credential::api_key("fst_…"))?;
//! let cities = client.dataset::<City>("Places", "City", "Cities of the world").await?;
//! let made = cities.create(&City { name: "Riga".into(), population: None }).await?;
//! cities.change("Riga", |city| city.population = Some(605_273)).await?;
//! let mut all = cities.list();
//! while let Some(stored) = all.next().await {
//!     println!("{:?}", stored?.record);
//! }
//! cities.delete(&made.id).await?;
//! # Ok(())
//! # }
//! ```

mod catalog;
mod dataset;
mod door;
mod error;
mod files;
mod fit;
mod listing;
mod raw;
mod search;

#[cfg(feature = "client")]
mod address;
#[cfg(feature = "client")]
mod builder;
#[cfg(feature = "client")]
mod credential;
#[cfg(feature = "client")]
mod form;
#[cfg(feature = "client")]
mod http;
#[cfg(feature = "client")]
mod patience;
#[cfg(feature = "client")]
mod request;

pub use crate::wire::FileItem;
#[cfg(feature = "client")]
pub use builder::ClientBuilder;
pub use bytes::Bytes;
pub use catalog::{Located, Place};
#[cfg(feature = "client")]
pub use credential::Credential;
pub use dataset::Dataset;
pub use error::{Cause, ClientError, Refused};
pub use files::{Content, Download};
pub use fit::differences;
pub use listing::Listing;
pub use raw::{RawDataset, RawRecord};
pub use search::{Found, Hit, Search};

#[cfg(feature = "embed")]
pub(crate) use door::Answer;
pub(crate) use door::{Ask, Door};
#[cfg(feature = "embed")]
pub(crate) use files::{ContentKind, NewFile};

use crate::Record;
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
    /// A client of the service at `base_url`, with the defaults of [`ClientBuilder`]. It connects with
    /// the first request.
    ///
    /// # Errors
    /// When the address or the credential can't be used.
    #[cfg(feature = "client")]
    pub fn new(base_url: &str, credential: Credential) -> Result<Self, ClientError> {
        ClientBuilder::new(base_url, credential).build()
    }

    /// A client that goes through a door.
    pub(crate) fn through(door: Arc<dyn Door>) -> Self {
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

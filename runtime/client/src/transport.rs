//! What a handle can have done, and what carries it to the service. Every answer is JSON text, so that the
//! transport over HTTP and the one in process give the same to whoever reads it.

pub use crate::content::{BoxError, ContentKind, NewFile, Pieces};

use crate::ClientError;
use crate::content::Download;
use crate::path::DatasetPath;
use crate::query::Search;
use std::pin::Pin;
use std::sync::Arc;

/// What the service is asked to do.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Lists the areas.
    Areas,
    /// Lists the schemas of an area.
    Schemas {
        /// The area's id.
        area: String,
    },
    /// Shows one schema with its fields.
    Schema {
        /// The area's id.
        area: String,
        /// Its id.
        schema: String,
    },
    /// Lists the datasets of a schema.
    Datasets {
        /// The area's id.
        area: String,
        /// The schema's id.
        schema: String,
    },
    /// Lists the records of a dataset.
    Records(Arc<DatasetPath>),
    /// Shows the record with a primary key.
    ByKey(Arc<DatasetPath>, String),
    /// Makes a record in a dataset, of a body.
    Create(Arc<DatasetPath>, String),
    /// Changes a record: dataset, record id, body.
    Update(Arc<DatasetPath>, String, String),
    /// Deletes a record: dataset, record id.
    Delete(Arc<DatasetPath>, String),
    /// Tells what changed in a dataset; waits for the next change where there is none yet.
    Changes {
        /// The dataset.
        dataset: Arc<DatasetPath>,
        /// The position behind which to go on; the beginning, without.
        after: Option<String>,
        /// Seconds to wait at most.
        wait: u32,
    },
    /// Searches.
    Search(Arc<Search>),
}

/// The future of an answer; boxed, so that transports can stand behind one trait object.
pub type TransportFuture<T> = Pin<Box<dyn Future<Output = Result<T, ClientError>> + Send>>;

/// A way to the service, with one credential. `page_key` continues a list. `None` is an answer without a
/// body: done, or, by key, not there.
pub trait Transport: Send + Sync {
    /// Carries an operation to the service and its answer back.
    fn run(
        self: Arc<Self>,
        operation: Operation,
        page_key: Option<String>,
    ) -> TransportFuture<Option<String>>;

    /// Uploads a file; answers what it is, as JSON.
    fn upload(self: Arc<Self>, file: NewFile) -> TransportFuture<String>;

    /// Follows a link: what stands in it behind `/v1/files/`.
    fn download(self: Arc<Self>, link: String) -> TransportFuture<Download>;
}

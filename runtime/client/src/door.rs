//! What a handle can ask for, and who answers. Every answer is JSON text, so that the door over HTTP
//! and the one in process give the same to whoever reads it.

pub use crate::files::{ContentKind, NewFile, Pieces, Source};

use crate::{ClientError, Download, Place, Search};
use std::pin::Pin;
use std::sync::Arc;

/// One question.
#[derive(Clone, Debug)]
pub enum Ask {
    /// The areas.
    Areas,
    /// The schemas of an area.
    Schemas {
        /// The area's id.
        area: String,
    },
    /// One schema with its fields.
    Schema {
        /// The area's id.
        area: String,
        /// Its id.
        schema: String,
    },
    /// The datasets of a schema.
    Datasets {
        /// The area's id.
        area: String,
        /// The schema's id.
        schema: String,
    },
    /// The records of a dataset.
    Records(Arc<Place>),
    /// The record with a primary key.
    ByKey(Arc<Place>, String),
    /// Makes a record of a body.
    Create(Arc<Place>, String),
    /// Changes a record: place, record id, body.
    Update(Arc<Place>, String, String),
    /// Deletes a record: place, record id.
    Delete(Arc<Place>, String),
    /// Searches.
    Search(Arc<Search>),
}

/// A future of an answer; boxed, so that doors can stand behind one trait object.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, ClientError>> + Send>>;

/// Who answers. `page_key` continues a list. `None` is an answer without a body: done, or, by key, not
/// there.
pub trait Door: Send + Sync {
    /// Answers a question.
    fn ask(self: Arc<Self>, ask: Ask, page_key: Option<String>) -> Answer<Option<String>>;

    /// Uploads a file; answers what it is, as JSON.
    fn upload(self: Arc<Self>, file: NewFile) -> Answer<String>;

    /// Follows a link: what stands in it behind `/v1/files/`.
    fn download(self: Arc<Self>, link: String) -> Answer<Download>;
}

//! What a handle can ask for, and who answers. Every answer is JSON text, so that the door over HTTP
//! and the one in process give the same to whoever reads it.

use super::files::NewFile;
use super::{ClientError, Download, Place, Search};
use std::pin::Pin;
use std::sync::Arc;

/// One question.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    Areas,
    Schemas {
        area: String,
    },
    Schema {
        area: String,
        schema: String,
    },
    Datasets {
        area: String,
        schema: String,
    },
    Records(Arc<Place>),
    ByKey(Arc<Place>, String),
    Create(Arc<Place>, String),
    /// Place, record id, body.
    Update(Arc<Place>, String, String),
    /// Place, record id.
    Delete(Arc<Place>, String),
    Search(Arc<Search>),
}

/// A future of an answer; boxed, so that doors can stand behind one trait object.
pub(crate) type Answer<T> = Pin<Box<dyn Future<Output = Result<T, ClientError>> + Send>>;

/// Who answers. `page_key` continues a list. `None` is an answer without a body: done, or, by key, not
/// there.
pub(crate) trait Door: Send + Sync {
    fn ask(self: Arc<Self>, ask: Ask, page_key: Option<String>) -> Answer<Option<String>>;

    /// Uploads a file; answers what it is, as JSON.
    fn upload(self: Arc<Self>, file: NewFile) -> Answer<String>;

    /// Follows a link: what stands in it behind [`FILES_PATH`](super::files::FILES_PATH).
    fn download(self: Arc<Self>, link: String) -> Answer<Download>;
}

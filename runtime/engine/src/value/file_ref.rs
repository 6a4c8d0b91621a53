//! References to uploaded files.

/// A reference to an uploaded file: its id, or a download address the service issued for it. Whether
/// the file exists is for the service to say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileRef(String);

impl FileRef {
    /// A reference by id or download address.
    pub fn new(reference: impl Into<String>) -> Self {
        FileRef(reference.into())
    }

    /// The id or address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

//! Uploaded files. docs/interface.md, "Files".

use engine::FileRef;
use serde::{Deserialize, Serialize};

/// A file as the interface shows it after its upload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileItem {
    /// What a record's field takes.
    pub file_id: String,
    /// Its name.
    pub name: String,
    /// What its content is.
    pub media_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its width in pixels, where it is an image that can be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u64>,
    /// Its height in pixels, where it is an image that can be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
    /// SHA-256 of its content, in hex.
    pub sha256: String,
    /// A fresh download link.
    pub url: String,
}

impl FileItem {
    /// The file as a field of a record names it.
    pub fn reference(&self) -> FileRef {
        FileRef::new(&self.file_id)
    }
}

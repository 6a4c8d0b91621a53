//! Uploaded files: what is known of them. Their content is kept elsewhere.

use crate::value::Timestamp;
use serde::{Deserialize, Serialize};

/// One uploaded file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Its id.
    pub id: String,
    /// The dataset it was uploaded to.
    pub dataset: String,
    /// The name it was uploaded under.
    pub name: String,
    /// The media type of its content, sniffed.
    pub media_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its width in pixels, where it is an image that can be measured.
    pub width: Option<u64>,
    /// Its height in pixels, where it is an image that can be measured.
    pub height: Option<u64>,
    /// SHA-256 of its content, in hex.
    pub sha256: String,
    /// When it was uploaded.
    pub created_at: Timestamp,
}

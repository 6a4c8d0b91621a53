//! What a schema alone does not tell: the codes of dynamic domains and the facts of uploaded files.
//! Whoever knows them hands them to every door through this one trait.

/// What a look-up of a code found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeLookup {
    /// The domain has the code.
    Known,
    /// The domain exists and does not have the code.
    Unknown,
    /// There is no such domain.
    NoDomain,
}

/// What is known of an uploaded file, from its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// Its id: what is stored.
    pub id: String,
    /// The media type of its content, sniffed, such as `image/png`.
    pub media_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its width in pixels, where it is an image that can be measured.
    pub width: Option<u64>,
    /// Its height in pixels, where it is an image that can be measured.
    pub height: Option<u64>,
}

/// Look-ups at the moment of validation.
pub trait Lookups {
    /// Whether the data domain has the code (exact case).
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup;

    /// What people call the data domain, which faults then name instead of its id; `None` where that is not known.
    fn domain_name(&self, domain_id: &str) -> Option<String> {
        let _ = domain_id;
        None
    }

    /// The file that an id, or a download address this service issued, refers to.
    fn file(&self, reference: &str) -> Option<FileFacts>;

    /// Whether files are known at all. Where they are not, fields of files are not judged, and the verdict says that
    /// it is not full.
    fn knows_files(&self) -> bool {
        true
    }
}

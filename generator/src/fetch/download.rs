//! A schema document as the service served it.

use generator::Input;

/// One schema, and where it came from.
pub(crate) struct Download {
    /// The address of its document.
    pub(crate) address: String,
    /// `schemaId`
    pub(crate) id: String,
    /// `name`
    pub(crate) name: String,
    /// `version`, as it was written; empty when the document has none.
    pub(crate) version: String,
    /// The document as the service served it.
    pub(crate) text: String,
}

impl Download {
    /// The document for the generator.
    pub(crate) fn input(&self) -> Input {
        Input::new(&self.address, &self.text)
    }
}

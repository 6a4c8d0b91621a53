//! What `description` says: a text, that there is none, or nothing, so that the docs tell it.

/// What an attribute says of a description.
#[derive(Default)]
pub(crate) enum Described {
    /// Nothing.
    #[default]
    ByDocs,
    /// `description = false`: there is none, whatever the docs say.
    Never,
    /// `description = "…"`.
    As(String),
}

impl Described {
    /// The text, where there are no docs.
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Described::As(text) => Some(text),
            Described::ByDocs | Described::Never => None,
        }
    }
}

//! What a document tells of the server that shows it: where clients reach it, and what its operator has set. It
//! decides nothing of it.

/// A server, as documents describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The address that clients use, without a slash at the end; where it is not known, addresses are relative.
    pub(crate) url: Option<String>,
    /// Whether a credential may have the prefix `Bearer`, so that stock OAuth clients fit.
    pub(crate) accept_bearer: bool,
    /// Where the application's pages are, for people; `None` where they are not served.
    pub(crate) pages: Option<String>,
    /// How many items a page has when the request does not say.
    pub(crate) page_size: usize,
    /// How many items a page has at most.
    pub(crate) page_size_max: usize,
}

impl Default for Site {
    fn default() -> Self {
        let settings = service::Settings::default();
        Site {
            url: None,
            accept_bearer: false,
            pages: None,
            page_size: settings.page_size,
            page_size_max: settings.page_size_max,
        }
    }
}

impl Site {
    /// The address of a path of the server.
    pub(super) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url.as_deref().unwrap_or_default())
    }
}

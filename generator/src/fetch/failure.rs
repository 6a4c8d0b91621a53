//! Why nothing was fetched, and what to do. No text holds a credential.

use generator::Palette;

/// A failure to fetch.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: String,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            help: help.into(),
        }
    }

    /// The failure as it is printed.
    pub(crate) fn render(&self, palette: &Palette) -> String {
        let Palette {
            error, note, reset, ..
        } = palette;
        let Failure { message, help } = self;
        format!("{error}error{reset}: {message}\n  = {note}help{reset}: {help}\n")
    }
}

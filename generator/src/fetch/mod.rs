//! Fetching: schema-detail documents from a running service, by the data interface alone. It finds
//! areas and schemas by id or name, and writes what the service served, a member a line, or hands it to
//! the generator. Records are read for `diff --records` only. It changes
//! nothing at the service.

mod arguments;
mod catalog;
mod client;
mod credential;
mod dataset;
mod download;
mod error;
mod files;
mod layout;
mod names;
mod sources;
mod trust;

pub(crate) use arguments::Arguments;
pub(crate) use dataset::records;
pub(crate) use download::Download;
pub(crate) use error::FetchError;
pub(crate) use files::{compare, save};

use client::Client;

/// Fetches what the arguments ask for.
pub(crate) fn fetch(arguments: &Arguments) -> Result<Vec<Download>, FetchError> {
    let client = Client::open(&arguments.url, arguments.ca_file.as_deref())?;
    let all = catalog::schemas(&client, arguments.area.as_deref())?;
    let chosen = if arguments.all {
        if all.is_empty() {
            return Err(FetchError::new(
                "the credential sees no schema",
                "grant it a business area, and a role that may view SCHEMA MODELS",
            ));
        }
        all.iter().collect()
    } else {
        catalog::choose(&all, &arguments.schemas)?
    };
    chosen
        .into_iter()
        .map(|summary| catalog::document(&client, summary))
        .collect()
}

/// Every schema that the credential sees at a service.
pub(crate) fn all(url: &str) -> Result<Vec<Download>, FetchError> {
    let client = Client::open(url, None)?;
    let all = catalog::schemas(&client, None)?;
    all.iter()
        .map(|summary| catalog::document(&client, summary))
        .collect()
}

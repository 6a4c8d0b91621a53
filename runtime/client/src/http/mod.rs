//! The way over HTTP: addresses, credentials and their renewal, requests and when they are sent again.
//! What is to be done and what an answer means is the handles' to say.

mod address;
mod broken;
mod builder;
mod connection;
mod credential;
mod download;
mod multipart;
mod proxy;
mod refusal;
mod request;
mod retry;

pub use builder::ClientBuilder;
pub use credential::Credential;

use crate::{Client, ClientError};

impl Client {
    /// A client of the service at `base_url`, with the defaults of [`ClientBuilder`]. It connects with
    /// the first request.
    ///
    /// # Errors
    /// When the address or the credential can't be used.
    pub fn new(base_url: &str, credential: Credential) -> Result<Self, ClientError> {
        ClientBuilder::new(base_url, credential).build()
    }
}

//! What an operator can set about the doors: whose pages may ask, how often, how a credential may be sent, and what
//! the log has of it.

use crate::web_address;
use clap::{ArgAction, Args};
use server::{DoorSettings, Network};
use std::num::NonZeroU32;

#[derive(Args)]
pub(crate) struct DoorOptions {
    /// An origin (scheme, host and port) whose pages may ask the service; several, separated by commas. Without one,
    /// no other site's pages may
    #[arg(
        long,
        env = "FIELDSTONE_CORS_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ',',
        value_parser = web_address::origin
    )]
    cors_origin: Vec<String>,

    /// Requests a second that one credential may make of the data interface on average; without it, there is no limit
    #[arg(
        long,
        env = "FIELDSTONE_REQUESTS_PER_SECOND_MAX",
        value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    requests_per_second_max: Option<u32>,

    /// A network (10.1.0.0/16) or address of proxies that are trusted to say whose request they pass on
    /// (X-Forwarded-For); several, separated by commas. Without one, a request counts as that of whoever connects
    #[arg(
        long,
        env = "FIELDSTONE_TRUSTED_PROXY",
        value_name = "CIDR",
        value_delimiter = ','
    )]
    trusted_proxy: Vec<Network>,

    /// The path under which the application's pages are, for people; `none` serves none
    #[arg(
        long,
        env = "FIELDSTONE_PAGES_PATH",
        value_name = "PATH",
        default_value = server::admin::pages::PATH,
        value_parser = pages_path
    )]
    pages_path: String,

    /// Also accept `Bearer <credential>` in Authorization, as common OAuth clients send it; without this, a
    /// credential with a prefix is refused
    #[arg(long, env = "FIELDSTONE_ACCEPT_BEARER", action = ArgAction::SetTrue)]
    accept_bearer: bool,

    /// Log one in so many of the reads that succeed; writes, and whatever is refused or fails, are always logged
    #[arg(
        long,
        env = "FIELDSTONE_LOG_SAMPLE",
        value_name = "COUNT",
        default_value_t = NonZeroU32::MIN
    )]
    log_sample: NonZeroU32,
}

impl DoorOptions {
    /// The doors' settings, but for the address that clients use.
    pub(super) fn settings(&self) -> DoorSettings {
        DoorSettings {
            cors_origins: self.cors_origin.clone(),
            requests_per_second_max: self.requests_per_second_max,
            trusted_proxies: self.trusted_proxy.clone(),
            public_url: None,
            accept_bearer: self.accept_bearer,
            pages_path: self.pages_path().map(str::to_owned),
            has_metrics: false,
            log_sample: (self.log_sample > NonZeroU32::MIN).then_some(self.log_sample),
        }
    }

    /// The path under which the application's pages stand, where they do.
    pub(super) fn pages_path(&self) -> Option<&str> {
        Some(&*self.pages_path).filter(|path| *path != NO_PAGES)
    }
}

/// What is said where no pages are wanted.
const NO_PAGES: &str = "none";

/// A path that pages may stand at: no interface has it.
fn pages_path(text: &str) -> Result<String, String> {
    const TAKEN: [&str; 7] = [
        "admin",
        "files",
        "healthz",
        "oauth2",
        "openapi.json",
        "readyz",
        "v1",
    ];
    if text == NO_PAGES {
        return Ok(text.to_owned());
    }
    let name = text.strip_prefix('/').unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(is_plain) || TAKEN.contains(&name) {
        let why = "must be `/` and a word of small letters, digits and `-`, which no interface has, such as /app";
        return Err(why.to_owned());
    }
    Ok(text.to_owned())
}

//! What an operator can set about the doors. All of it is off by default.

use super::client_address::Network;
use std::num::NonZeroU32;

/// Settings of a door.
#[derive(Clone, Debug, Default)]
pub struct DoorSettings {
    /// The origins whose pages may ask, such as `https://app.example.org`; with none there is no CORS.
    pub cors_origins: Vec<String>,
    /// How many requests a second one credential may make, in the mean; more are told when to come back.
    pub requests_per_second_max: Option<u32>,
    /// The proxies that are believed about whose request they pass on (`X-Forwarded-For`); with none, the address
    /// of a request is its peer's.
    pub trusted_proxies: Vec<Network>,
    /// The address under which clients reach the service, without a slash at the end; it stands before the path in
    /// `Location`. Without it, a path alone stands there.
    pub public_url: Option<String>,
    /// Whether a credential may have the prefix `Bearer`, as stock OAuth clients send it; with and without it is
    /// then the same. Without the setting, a prefixed credential is none.
    pub accept_bearer: bool,
    /// The path under which the pages of the application stand, without a slash at the end, such as `/app`; `None`
    /// where they are not served. What `/` says links there.
    pub pages_path: Option<String>,
    /// Whether requests are counted and timed for the recorder of metrics that the process has installed.
    pub has_metrics: bool,
    /// Of so many reads that went well one has its line in the log; `None` for each of them. Writes, and what was refused or
    /// failed, have theirs in any case.
    pub log_sample: Option<NonZeroU32>,
}

//! What an operator can set about the data interface's door. Both are off by default.

/// Settings of the door.
#[derive(Clone, Debug, Default)]
pub struct DoorSettings {
    /// The origins whose pages may ask, such as `https://app.example.org`; with none there is no CORS.
    pub cors_origins: Vec<String>,
    /// How many requests a second one credential may make, in the mean; more are told when to come back.
    pub requests_per_second_max: Option<u32>,
}

//! How a deployment is, as an administrator is told.

use crate::Timestamp;
use serde::Serialize;

/// How the search index stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SearchHealth {
    /// It has what was written, but for the last moments.
    Current,
    /// It is made anew or is far behind what was written: searches wait for it.
    CatchingUp,
    /// It can't go on; the log says why.
    Failed,
    /// There is none.
    Absent,
}

/// How the service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HealthView {
    /// Whether the store is read and takes writes.
    pub is_ready: bool,
    /// How the search index stands.
    pub search: SearchHealth,
    /// When the newest backup was begun that a server of the store made by itself; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_backup_date: Option<Timestamp>,
}

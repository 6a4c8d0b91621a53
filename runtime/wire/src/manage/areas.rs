//! Business areas, as management takes and shows them.

#[cfg(feature = "schemars")]
use super::limits::{DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX};
use super::yes;
use crate::AreaItem;
use serde::{Deserialize, Serialize};

/// What can be said of an area.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AreaContent {
    /// Its name, unique among the tenant's areas.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What it is for.
    #[cfg_attr(feature = "schemars", schemars(length(max = DESCRIPTION_LENGTH_MAX)))]
    #[serde(default)]
    pub description: String,
    /// Whether it is active.
    #[serde(default = "yes")]
    pub active: bool,
    /// In a change: the version it was made from, if that is to be compared.
    #[serde(default)]
    pub version: Option<i64>,
}

/// A business area.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct AreaView {
    /// As the interface lists it.
    #[serde(flatten)]
    pub item: AreaItem,
    /// Whether it was deleted.
    pub deleted: bool,
}

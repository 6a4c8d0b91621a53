//! Saved views: a user's own ways of looking at a dataset, by name. What is kept is what the address of the page says:
//! the query, the order, the columns. They hold no record and give no right.

use super::StampView;
#[cfg(feature = "schemars")]
use super::limits::{NAME_LENGTH_MAX, QUERY_LENGTH_MAX, SORT_LENGTH_MAX, VIEW_COLUMNS_MAX};
use serde::{Deserialize, Serialize};

/// What can be said of a saved view.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SavedViewContent {
    /// Its name, unique among the user's own of the dataset.
    #[cfg_attr(feature = "schemars", schemars(length(min = 1, max = NAME_LENGTH_MAX)))]
    pub name: String,
    /// What is looked for, in the language of the search; empty for all records.
    #[cfg_attr(feature = "schemars", schemars(length(max = QUERY_LENGTH_MAX)))]
    #[serde(default)]
    pub query: String,
    /// The order, as a search takes it; empty for the order of creation.
    #[cfg_attr(feature = "schemars", schemars(length(max = SORT_LENGTH_MAX)))]
    #[serde(default)]
    pub sort: String,
    /// The ids of the fields that are columns; empty for those that are where none are chosen.
    #[cfg_attr(feature = "schemars", schemars(length(max = VIEW_COLUMNS_MAX)))]
    #[serde(default)]
    pub columns: Vec<String>,
}

/// A saved view.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SavedViewView {
    /// Its id.
    pub saved_view_id: String,
    /// The id of the dataset that it is a view of.
    pub data_set_id: String,
    /// Its name.
    pub name: String,
    /// What is looked for; empty for all records.
    pub query: String,
    /// The order; empty for the order of creation.
    pub sort: String,
    /// The ids of the fields that are columns; empty where none were chosen.
    pub columns: Vec<String>,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
}

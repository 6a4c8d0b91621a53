//! Saved views: users' own ways of looking at datasets.

use super::Stamp;
use serde::{Deserialize, Serialize};

/// A saved view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedView {
    /// Its id.
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// The id of the user whose own it is.
    pub user: String,
    /// The id of the dataset.
    pub dataset: String,
    /// Its name, unique among the user's own of the dataset.
    pub name: String,
    /// What is looked for; empty for all records.
    pub query: String,
    /// The order; empty for the order of creation.
    pub sort: String,
    /// The ids of the fields that are columns; empty where none were chosen.
    pub columns: Vec<String>,
    /// Who made and changed it, and when.
    pub stamp: Stamp,
}

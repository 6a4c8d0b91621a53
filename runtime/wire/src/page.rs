//! A page of a list. docs/interface.md, "Paging".

use serde::{Deserialize, Serialize};

/// Some items, and where the next ones are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(rename = "PageOf{T}"))]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// The items; empty when there are none.
    pub items: Vec<T>,
    /// What to send as `pageKey` for the next page; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_page_key: Option<String>,
}

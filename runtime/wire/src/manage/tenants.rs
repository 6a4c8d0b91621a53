//! Tenants, as management takes and shows them.

use super::StampView;
use serde::{Deserialize, Serialize};

/// What can be said of a tenant.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenantContent {
    /// Its name, unique in the store.
    pub name: String,
}

/// A tenant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TenantView {
    /// Its id.
    pub tenant_id: String,
    /// Its name.
    pub name: String,
    /// Who made it and changed it last, and when.
    #[serde(flatten)]
    pub stamp: StampView,
}

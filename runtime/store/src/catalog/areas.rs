//! Tenants and their business areas.

use super::Stamp;
use serde::{Deserialize, Serialize};

/// A tenant: the outermost wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tenant {
    /// Its id.
    pub id: String,
    /// Its display name, unique in the store.
    pub name: String,
    /// Who made it, and when.
    pub stamp: Stamp,
}

/// A business area. docs/interface.md, "Catalog items".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// `businessAreaId`
    pub id: String,
    /// The tenant that holds it.
    pub tenant: String,
    /// `name`, unique among the tenant's areas that are not deleted.
    pub name: String,
    /// `description`
    pub description: String,
    /// `active`
    pub active: bool,
    /// Whether it was deleted: then it is unlisted and not found.
    pub deleted: bool,
    /// `version`, from 1.
    pub version: i64,
    /// Who made and changed it, and when.
    pub stamp: Stamp,
}

//! Roles and area grants: what a caller may do, and where. docs/interface.md, "Rights".

use serde::{Deserialize, Serialize};
use wire::manage::{Permission, Resource, Verbs};

/// A named set of permissions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Role {
    /// Its id.
    pub id: String,
    /// Its tenant.
    pub tenant: String,
    /// Its name, unique within the tenant.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether it came with the tenant and can't be changed or deleted.
    pub built_in: bool,
    /// What it allows.
    pub permissions: Vec<Permission>,
}

impl Role {
    /// What the role allows on a resource.
    pub fn verbs(&self, resource: Resource) -> Verbs {
        let of_resource = self
            .permissions
            .iter()
            .filter(|permission| permission.resource == resource);
        of_resource.fold(Verbs::NONE, |set, permission| set.and(permission.verbs))
    }
}

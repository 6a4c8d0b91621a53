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
    /// Whether users who have it must have a second factor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_factor_required: bool,
}

impl Role {
    /// The built-in role that allows everything.
    pub const ADMINISTRATOR: &'static str = "ACCOUNT ADMINISTRATOR";

    /// What the role allows on a resource. The administrator's allows everything, also on a resource that was not
    /// there yet when its permissions were written down.
    pub fn verbs(&self, resource: Resource) -> Verbs {
        if self.built_in && self.name == Role::ADMINISTRATOR {
            return Verbs::ALL;
        }
        let of_resource = self
            .permissions
            .iter()
            .filter(|permission| permission.resource == resource);
        of_resource.fold(Verbs::NONE, |set, permission| set.and(permission.verbs))
    }
}

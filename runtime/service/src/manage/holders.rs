//! What keys, clients and users have in common: roles and areas. They are given by someone who has them.

use super::draft::Draft;
use super::rights::named_roles;
use super::{Denied, Problem};
use store::catalog::Grant;

/// What is wrong with a name that came before.
const TWICE: &str = "stands here twice; name it once";

/// Refuses roles and areas that are not the tenant's, and those that the caller does not have itself.
pub(super) fn check_access(
    draft: &Draft<'_>,
    roles: &[String],
    grants: &[Grant],
) -> Result<(), Denied> {
    let (catalog, tenant) = (draft.catalog, draft.tenant());
    let mut problems = Vec::new();
    for (index, id) in roles.iter().enumerate() {
        if roles[..index].contains(id) {
            let path = format!("$.roles[{index}]");
            problems.push(Problem::new(path, TWICE));
        }
        if catalog
            .roles
            .get(id)
            .is_none_or(|role| role.tenant != tenant)
        {
            let path = format!("$.roles[{index}]");
            problems.push(Problem::new(
                path,
                "is no role of this tenant; name one by its id",
            ));
        }
    }
    for (index, grant) in grants.iter().enumerate() {
        if grants[..index].iter().any(|other| other.area == grant.area) {
            let path = format!("$.grants[{index}].area");
            problems.push(Problem::new(path, TWICE));
        }
        if catalog
            .areas
            .get(&grant.area)
            .is_none_or(|area| area.tenant != tenant)
        {
            let path = format!("$.grants[{index}].area");
            problems.push(Problem::new(
                path,
                "is no area of this tenant; name one by its id",
            ));
        }
    }
    if !problems.is_empty() {
        return Err(Denied::Invalid(problems));
    }
    cover(draft, roles, grants)
}

/// Refuses a caller that does not itself have all that these roles and areas give: else it could raise
/// itself by taking over who has more.
pub(super) fn cover(draft: &Draft<'_>, roles: &[String], grants: &[Grant]) -> Result<(), Denied> {
    let roles = named_roles(draft.catalog, draft.tenant(), roles);
    draft.rights.cover(&roles, grants)
}

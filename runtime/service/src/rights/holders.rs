//! What keys, clients and users have in common: roles and areas. They are given by someone who has them.

use super::Rights;
use crate::Refusal;
use store::catalog::{Catalog, Grant};
use wire::manage::Problem;

/// What is wrong with a name that came before.
const TWICE: &str = "stands here twice; name it once";

/// Refuses roles and areas that are not the tenant's, and those that the caller does not have itself.
///
/// # Errors
/// [`Refusal::Invalid`] and [`Refusal::Forbidden`].
pub(crate) fn check_access(
    catalog: &Catalog,
    tenant: &str,
    rights: Rights<'_>,
    (roles, grants): (&[String], &[Grant]),
) -> Result<(), Refusal> {
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
        let area = catalog.areas.get(&grant.area);
        if !grant.is_of_all_areas() && area.is_none_or(|area| area.tenant != tenant) {
            let path = format!("$.grants[{index}].area");
            problems.push(Problem::new(
                path,
                "is no area of this tenant; name one by its id, or all by `*`",
            ));
        }
    }
    if !problems.is_empty() {
        return Err(Refusal::Invalid(problems));
    }
    rights.cover(roles, grants)
}

//! The last administrator stays: a change that leaves a tenant without one who can sign in is refused. The
//! operator may do even that.

use super::access::{is_everything, named_roles};
use crate::Refusal;
use std::borrow::Cow;
use std::sync::Arc;
use store::catalog::{Catalog, Role, User};

/// What a change puts in place of a user or a role, as far as administrators are concerned.
#[derive(Clone, Copy)]
pub(crate) enum Replacement<'a> {
    /// The user's id, and what it becomes; `None` when it goes.
    User(&'a str, Option<&'a User>),
    /// What a role becomes.
    Role(&'a Role),
}

/// Refuses a change that leaves a tenant without an administrator that can sign in, if it has one.
///
/// # Errors
/// [`Refusal::Conflict`].
pub(crate) fn keep_an_administrator(
    catalog: &Catalog,
    tenant: &str,
    replacement: Replacement<'_>,
) -> Result<(), Refusal> {
    let had = has_administrator(catalog, tenant, None);
    if had && !has_administrator(catalog, tenant, Some(replacement)) {
        return Err(Refusal::Conflict(Cow::Borrowed(
            "the tenant would be left without an administrator; make another user one first",
        )));
    }
    Ok(())
}

fn has_administrator(
    catalog: &Catalog,
    tenant: &str,
    replacement: Option<Replacement<'_>>,
) -> bool {
    let new_role = match replacement {
        Some(Replacement::Role(role)) => Some(Arc::new(role.clone())),
        _ => None,
    };
    let is_one = |user: &User| {
        let roles = named_roles(catalog, tenant, &user.roles);
        let roles = roles.map(|role| match &new_role {
            Some(new) if new.id == role.id => new,
            _ => role,
        });
        user.active && is_everything(roles)
    };
    let mut users = catalog.users.values().filter(|user| user.tenant == tenant);
    users.any(|user| match replacement {
        Some(Replacement::User(id, new)) if id == user.id => new.is_some_and(is_one),
        _ => is_one(user),
    })
}

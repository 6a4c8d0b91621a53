//! What a holder of roles and areas may do, as of one catalog. Every door and every change asks here. Nobody
//! gives what it does not have.

use crate::Refusal;
use std::sync::Arc;
use store::catalog::{Catalog, Grant, Permission, Resource, Role, Verb, Verbs};

const VERBS: [Verb; 4] = [Verb::View, Verb::Add, Verb::Edit, Verb::Delete];

/// Rights as of one catalog.
#[derive(Clone, Copy)]
pub struct Rights<'c> {
    catalog: &'c Catalog,
    tenant: &'c str,
    /// Roles and areas; the operator has them all.
    access: Option<(&'c [String], &'c [Grant])>,
}

impl<'c> Rights<'c> {
    /// The rights that these roles and areas give in a tenant; all there are, without them.
    pub(super) fn of(
        catalog: &'c Catalog,
        tenant: &'c str,
        access: Option<(&'c [String], &'c [Grant])>,
    ) -> Self {
        Rights {
            catalog,
            tenant,
            access,
        }
    }

    /// Whether they are the operator's.
    pub(crate) fn is_operator(&self) -> bool {
        self.access.is_none()
    }

    /// Whether there is nothing its roles do not allow. Such a caller may give itself any area of its
    /// tenant, so management lets it reach them all.
    pub fn is_administrator(&self) -> bool {
        self.access
            .is_none_or(|(roles, _)| is_everything(named_roles(self.catalog, self.tenant, roles)))
    }

    /// Whether one of the roles allows the verb on the resource.
    pub fn may(&self, resource: Resource, verb: Verb) -> bool {
        let Some((roles, _)) = self.access else {
            return true;
        };
        let mut own = named_roles(self.catalog, self.tenant, roles);
        own.any(|role| role.verbs(resource).has(verb))
    }

    /// What no role allows to see of what leads to a dataset: areas, schemas and datasets.
    pub fn unseen_before_datasets(&self) -> Vec<Resource> {
        let asked = [Resource::Areas, Resource::Schemas, Resource::Datasets];
        let unseen = asked.into_iter().filter(|it| !self.may(*it, Verb::View));
        unseen.collect()
    }

    /// Whether its roles show it datasets: those of the areas that it reaches.
    pub fn sees_datasets(&self) -> bool {
        self.unseen_before_datasets().is_empty()
    }

    /// Whether it may do so with the data of an area, as far as its areas go.
    pub fn reaches(&self, area: &str, verb: Verb) -> bool {
        let Some((_, grants)) = self.access else {
            let own = self.catalog.areas.get(area);
            return own.is_some_and(|area| area.tenant == self.tenant && !area.deleted);
        };
        self.is_granted(grants, area, verb)
    }

    /// Whether it may do so in an area's management: deleted areas count, and an administrator has all.
    pub fn manages(&self, area: &str, verb: Verb) -> bool {
        let Some((_, grants)) = self.access else {
            return true;
        };
        self.is_granted(grants, area, verb) || self.is_administrator()
    }

    /// Whether one of the grants allows it in an area of the tenant: that of the area, or the one of all. What stands for all areas
    /// is granted by the latter alone.
    fn is_granted(&self, grants: &[Grant], area: &str, verb: Verb) -> bool {
        let is_own = || {
            let own = self.catalog.areas.get(area);
            own.is_some_and(|area| area.tenant == self.tenant)
        };
        grants.iter().any(|grant| {
            grant.verbs.has(verb) && (grant.area == area || grant.is_of_all_areas() && is_own())
        })
    }

    /// Asks for a role that allows the verb on the resource.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], which says what is missing.
    pub fn require(&self, resource: Resource, verb: Verb) -> Result<(), Refusal> {
        if self.may(resource, verb) {
            return Ok(());
        }
        let (verb, resource) = (verb_name(verb), resource.name());
        let text = format!("no role of the caller allows to {verb} {resource}");
        Err(Refusal::Forbidden(text.into()))
    }

    /// Asks for the role and for the area.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], which says what is missing.
    pub fn require_in(&self, resource: Resource, verb: Verb, area: &str) -> Result<(), Refusal> {
        self.require(resource, verb)?;
        if self.manages(area, verb) {
            return Ok(());
        }
        Err(not_in_area(verb))
    }

    /// Whether the caller itself has all of these permissions.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], which names one that it does not have.
    pub(crate) fn cover_permissions(&self, permissions: &[Permission]) -> Result<(), Refusal> {
        for permission in permissions {
            for verb in VERBS {
                if permission.verbs.has(verb) && !self.may(permission.resource, verb) {
                    return Err(beyond(&format!(
                        "{} {}",
                        verb_name(verb),
                        permission.resource.name()
                    )));
                }
            }
        }
        Ok(())
    }

    /// Whether the caller itself has all that these roles and areas give: else it could raise itself by
    /// taking over who has more.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], which names what it does not have.
    pub(crate) fn cover(&self, roles: &[String], grants: &[Grant]) -> Result<(), Refusal> {
        for role in named_roles(self.catalog, self.tenant, roles) {
            self.cover_permissions(&role.permissions)?;
        }
        for grant in grants {
            let missing = VERBS
                .into_iter()
                .find(|verb| grant.verbs.has(*verb) && !self.manages(&grant.area, *verb));
            if let Some(verb) = missing {
                let verb = verb_name(verb);
                return Err(beyond(&if grant.is_of_all_areas() {
                    format!("{verb} in all areas, also those that are made later")
                } else {
                    format!("{verb} in the area {}", grant.area)
                }));
            }
        }
        Ok(())
    }
}

/// What is said where the role allows the verb, and no area does.
pub(crate) fn not_in_area(verb: Verb) -> Refusal {
    let text = format!("the caller may not {} in this area", verb_name(verb));
    Refusal::Forbidden(text.into())
}

fn beyond(what: &str) -> Refusal {
    let text = format!("the caller can't give or take what it does not have itself: {what}");
    Refusal::Forbidden(text.into())
}

/// The roles of a tenant that these ids name.
pub(super) fn named_roles<'c>(
    catalog: &'c Catalog,
    tenant: &'c str,
    ids: &'c [String],
) -> impl Iterator<Item = &'c Arc<Role>> {
    let named = ids.iter().filter_map(|id| catalog.roles.get(id));
    named.filter(move |role| role.tenant == tenant)
}

/// Whether there is nothing that these roles together do not allow. Who administers need not see personal values, and
/// can't give what it does not have.
pub(super) fn is_everything<'r>(roles: impl Iterator<Item = &'r Arc<Role>>) -> bool {
    let roles: Vec<_> = roles.collect();
    let mut all = Resource::ALL.into_iter();
    all.all(|resource| {
        if resource == Resource::PersonalData {
            return true;
        }
        let verbs = roles
            .iter()
            .fold(Verbs::NONE, |set, role| set.and(role.verbs(resource)));
        verbs == Verbs::ALL
    })
}

fn verb_name(verb: Verb) -> &'static str {
    match verb {
        Verb::View => "view",
        Verb::Add => "add",
        Verb::Edit => "edit",
        Verb::Delete => "delete",
    }
}

#[cfg(test)]
mod tests;

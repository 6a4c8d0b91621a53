//! Data domains: lists of codes that dynamic picklists of any schema may name.

use super::draft::Draft;
use super::names::{Texts, same_version, taken};
use super::{Denied, DomainView};
use crate::manage::Content;
use crate::manage::DomainContent;
use crate::manage::View;
use crate::{Caller, PageRequest, Service, ids};
use std::sync::Arc;
use store::catalog::{Domain, Resource, Verb};
use wire::Page;
use wire::Timestamp;

impl Content for DomainContent {
    fn judge(&self, _now: Timestamp) -> Result<(), Denied> {
        let mut texts = Texts::default();
        texts.name("$.name", &self.name);
        let mut seen = std::collections::HashSet::new();
        for (index, entry) in self.codes.iter().enumerate() {
            let path = format!("$.codes[{index}].code");
            if entry.code.trim().is_empty() {
                texts.wrong(&path, "is empty; give each code at least one character");
            } else if !seen.insert(&entry.code) {
                texts.wrong(
                    &path,
                    format!("the code {:?} stands here twice; keep one", entry.code),
                );
            }
        }
        texts.judged()
    }
}

/// Sorts the codes.
fn sorted(mut content: DomainContent) -> DomainContent {
    content.codes.sort_by(|a, b| a.code.cmp(&b.code));
    content
}

impl Service {
    /// Makes a domain.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, missing rights.
    pub async fn create_domain(
        &self,
        by: &Caller,
        content: DomainContent,
    ) -> Result<Arc<Domain>, Denied> {
        content.judge(self.now())?;
        let content = sorted(content);
        let id = ids::new_id(self.now(), self.entropy());
        self.change(by, move |draft| {
            draft.require(Resource::Domains, Verb::Add)?;
            free(draft, &content.name, "")?;
            let domain = draft.put(Domain {
                id: id.clone(),
                tenant: draft.tenant().to_owned(),
                name: content.name.clone(),
                codes: content.codes.clone(),
                version: 1,
                stamp: draft.stamp(),
            });
            draft.remember(
                "create",
                ["domain", &id],
                None,
                Some(DomainView::of(&domain)),
            );
            Ok(domain)
        })
        .await
    }

    /// Changes a domain: all its codes are those sent. Records are judged by them from now on.
    ///
    /// # Errors
    /// What is wrong with it, a name that is taken, missing rights.
    pub async fn update_domain(
        &self,
        by: &Caller,
        domain: &str,
        content: DomainContent,
    ) -> Result<Arc<Domain>, Denied> {
        content.judge(self.now())?;
        let content = sorted(content);
        let id = domain.to_owned();
        self.change(by, move |draft| {
            let old = domain_of(draft, &id, Verb::Edit)?;
            same_version(content.version, old.version)?;
            free(draft, &content.name, &id)?;
            let new = draft.put(Domain {
                name: content.name.clone(),
                codes: content.codes.clone(),
                version: old.version + 1,
                stamp: draft.restamp(&old.stamp),
                ..(*old).clone()
            });
            let views = (Some(DomainView::of(&old)), Some(DomainView::of(&new)));
            draft.remember("update", ["domain", &id], views.0, views.1);
            Ok(new)
        })
        .await
    }

    /// Deletes a domain that no schema names. The audit trail keeps its codes.
    ///
    /// # Errors
    /// No such domain, a schema that names it, missing rights.
    pub async fn delete_domain(&self, by: &Caller, domain: &str) -> Result<(), Denied> {
        let id = domain.to_owned();
        self.change(by, move |draft| {
            let old = domain_of(draft, &id, Verb::Delete)?;
            let mut schemas = draft.catalog.schemas.values();
            let user = schemas.find(|entry| {
                let mut fields = entry.current().schema.fields.iter();
                entry.tenant == old.tenant
                    && fields.any(|field| field.data_domain_id.as_deref() == Some(&id))
            });
            if let Some(entry) = user {
                return Err(Denied::Conflict(format!(
                    "the schema {:?} names this domain; change that first",
                    entry.current().schema.name
                )));
            }
            draft.remove("domain", &id);
            draft.remember("delete", ["domain", &id], Some(DomainView::of(&old)), None);
            Ok(())
        })
        .await
    }

    /// The tenant's domains.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub fn domains(&self, by: &Caller, page: &PageRequest) -> Result<Page<DomainView>, Denied> {
        let sight = self.sight(by, Resource::Domains)?;
        let made = |domain: &Domain| domain.stamp.created_at;
        let scope = format!("domains {}", sight.tenant);
        self.noun_page(&scope, page, (&sight.catalog.domains, made), |domain| {
            (domain.tenant == sight.tenant).then(|| DomainView::of(domain))
        })
    }

    /// One domain.
    ///
    /// # Errors
    /// No such domain, missing rights.
    pub fn domain(&self, by: &Caller, id: &str) -> Result<Arc<Domain>, Denied> {
        let sight = self.sight(by, Resource::Domains)?;
        let own = |domain: &&Arc<Domain>| domain.tenant == sight.tenant;
        let domain = sight.catalog.domains.get(id).filter(own);
        domain.cloned().ok_or(Denied::NotFound("domain"))
    }
}

fn domain_of(draft: &Draft<'_>, id: &str, verb: Verb) -> Result<Arc<Domain>, Denied> {
    draft.require(Resource::Domains, verb)?;
    let own = |domain: &&Arc<Domain>| domain.tenant == draft.tenant();
    let domain = draft.catalog.domains.get(id).filter(own);
    domain.cloned().ok_or(Denied::NotFound("domain"))
}

fn free(draft: &Draft<'_>, name: &str, own: &str) -> Result<(), Denied> {
    let mut others = draft.catalog.domains.values();
    if others.any(|it| it.tenant == draft.tenant() && it.name == name && it.id != own) {
        return Err(taken("a data domain", name));
    }
    Ok(())
}

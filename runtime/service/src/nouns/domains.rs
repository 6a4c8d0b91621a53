//! Data domains: lists of codes that dynamic picklists of any schema may name.

use super::change::Change;
use super::content::Texts;
use super::engine::{Nouns, same_version};
use super::noun::{Content, Noun};
use super::views::stamp_view;
use crate::quota::Quota;
use crate::{Caller, Refusal, quota_rooms, quotas};
use store::catalog::{AuditAction, CountedOnce, Domain, DomainCode, Resource, SchemaEntry, Verb};
use wire::Timestamp;
use wire::manage::{DomainContent, DomainView};

impl Content for DomainContent {
    fn judge(&self, _: Timestamp) -> Result<(), Refusal> {
        let mut texts = Texts::default();
        texts.name("$.name", &self.name);
        let mut seen = std::collections::HashSet::new();
        for (index, entry) in self.codes.iter().enumerate() {
            let path = format!("$.codes[{index}].code");
            if entry.code.trim().is_empty() {
                texts.wrong(&path, "is empty; give each code at least one character");
            } else if entry.code.contains('\0') {
                // no record has it, so the code would be nobody's
                texts.wrong(&path, "U+0000 cannot be stored");
            } else if !seen.insert(&entry.code) {
                texts.wrong(
                    &path,
                    format!("the code {:?} stands here twice; keep one", entry.code),
                );
            }
        }
        texts.judged()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> Option<i64> {
        self.version
    }
}

/// The codes in the order in which they are kept.
fn sorted(content: &DomainContent) -> Vec<DomainCode> {
    let mut codes = content.codes.clone();
    codes.sort_by(|a, b| a.code.cmp(&b.code));
    codes
}

/// Refuses more codes than the tenant may have; `before` of them go.
fn require_codes(
    change: &Change<'_>,
    before: usize,
    content: &DomainContent,
) -> Result<(), Refusal> {
    let more = content.codes.len().saturating_sub(before) as u64;
    let used = quotas::domain_codes(change.catalog, change.tenant());
    let quota = change.quotas.domain_codes;
    quota_rooms::require(Quota::DomainCodes, quota, used, more)
}

/// Whether records of a schema are judged by the codes of a domain.
pub(crate) fn is_judged_by(schema: &SchemaEntry, domain: &str) -> bool {
    let mut fields = schema.current().schema.active_fields();
    fields.any(|field| field.data_domain_id.as_deref() == Some(domain))
}

impl Nouns<'_, Domain> {
    /// A domain as a change would make it, judged like the change; nothing is written.
    ///
    /// # Errors
    /// As [`update`](Self::update), but for a name that is taken.
    pub(crate) async fn drafted(
        self,
        by: &Caller,
        id: &str,
        content: DomainContent,
    ) -> Result<Domain, Refusal> {
        content.judge(self.service.now())?;
        let id = id.to_owned();
        let drafted = self.service.change(by, move |change| {
            let old = change.sight().find::<Domain>(&id, Verb::Edit)?;
            same_version(content.version, Some(old.version))?;
            old.with(change, &content)
        });
        drafted.await
    }
}

impl Noun for Domain {
    const RESOURCE: Resource = Resource::Domains;
    const NAME: &'static str = "domain";
    const ONE: &'static str = "a data domain";

    type New = DomainContent;
    type Content = DomainContent;
    type View = DomainView;

    fn view(&self) -> DomainView {
        let domain = self.clone();
        DomainView {
            data_domain_id: domain.id,
            name: domain.name,
            codes: domain.codes,
            version: domain.version,
            stamp: stamp_view(domain.stamp),
        }
    }

    fn make(
        change: &mut Change<'_>,
        id: String,
        _: &str,
        new: &DomainContent,
    ) -> Result<Self, Refusal> {
        require_codes(change, 0, new)?;
        Ok(Domain {
            id,
            tenant: change.tenant().to_owned(),
            name: new.name.clone(),
            codes: sorted(new),
            version: 1,
            stamp: change.stamp(),
            size: CountedOnce::default(),
        })
    }

    fn with(&self, change: &mut Change<'_>, content: &DomainContent) -> Result<Self, Refusal> {
        require_codes(change, self.codes.len(), content)?;
        Ok(Domain {
            name: content.name.clone(),
            codes: sorted(content),
            ..self.clone()
        })
    }

    /// Records that have its codes are judged by what it holds now.
    fn after_change(&self, old: &Self, change: &mut Change<'_>) -> Result<AuditAction, Refusal> {
        if self.codes != old.codes || self.name != old.name {
            change.revalidate(|schema| is_judged_by(schema, &self.id));
        }
        Ok(AuditAction::Update)
    }

    /// A domain that a schema names stays; which one is told to who sees it. The trail keeps the codes of one that goes.
    fn before_delete(&self, change: &mut Change<'_>) -> Result<(), Refusal> {
        let rights = change.rights();
        let users = change.catalog.schemas.values().filter(|entry| {
            let mut fields = entry.current().schema.fields.iter();
            entry.tenant == self.tenant
                && fields.any(|field| field.data_domain_id.as_ref() == Some(&self.id))
        });
        let users = users.map(|entry| {
            let seen = rights.require_in(Resource::Schemas, Verb::View, &entry.area);
            let is_gone = entry.deleted || !entry.is_reachable(change.catalog);
            (seen.is_err(), is_gone, entry)
        });
        // one that is seen and there says most
        let told = users.min_by_key(|(is_unseen, is_gone, _)| (*is_unseen, *is_gone));
        let Some((is_unseen, is_gone, entry)) = told else {
            return Ok(());
        };
        let schema = &entry.current().schema;
        let text = if is_unseen {
            "a schema that you do not see names this domain; have that changed first".to_owned()
        } else if entry.deleted {
            format!(
                "the deleted schema {:?} names this domain; restore that and change it first",
                schema.name
            )
        } else if is_gone {
            format!(
                "the schema {:?} of a deleted area names this domain; restore the area and change the schema first",
                schema.name
            )
        } else {
            format!(
                "the schema {:?} names this domain; change that first",
                schema.name
            )
        };
        Err(Refusal::Conflict(text.into()))
    }
}

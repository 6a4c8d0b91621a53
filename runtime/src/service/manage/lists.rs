//! Lists of management: in order of creation, paged like the interface's.

use super::{Denied, draft::Asker, rights::Rights};
use crate::service::{Caller, PageRequest, Service, ids};
use crate::store::catalog::{Catalog, Resource, Verb};
use crate::value::Timestamp;
use crate::wire::Page;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a reader sees: the newest catalog, with its rights in it.
pub(super) struct Sight {
    pub(super) catalog: Arc<Catalog>,
    pub(super) rights: Rights,
    pub(super) tenant: String,
}

impl Service {
    /// The newest catalog, for someone who may see this resource.
    pub(super) fn sight(&self, by: &Caller, resource: Resource) -> Result<Sight, Denied> {
        let catalog = self.store().catalog();
        let rights = Rights::of(&catalog, &Asker::from(by))?;
        rights.require(resource, Verb::View)?;
        Ok(Sight {
            catalog,
            rights,
            tenant: by.tenant().to_owned(),
        })
    }

    /// Refuses whoever may not do this now, before costly work.
    pub(super) fn may_now(
        &self,
        by: &Caller,
        resource: Resource,
        verb: Verb,
    ) -> Result<(), Denied> {
        Rights::of(&self.store().catalog(), &Asker::from(by))?.require(resource, verb)
    }

    /// A page of nouns in order of creation: all there ever were, when each was made, and which of
    /// them are shown.
    pub(super) fn noun_page<N, T>(
        &self,
        scope: &str,
        page: &PageRequest,
        (nouns, made): (&BTreeMap<String, Arc<N>>, impl Fn(&N) -> Timestamp),
        shown: impl Fn(&N) -> Option<T>,
    ) -> Result<Page<T>, Denied> {
        let scope = format!("manage {scope}");
        let size = self.page_size(page)?;
        let mut all: Vec<_> = nouns.iter().collect();
        all.sort_by_key(|(_, noun)| made(noun));
        let start = match self.page_position(&scope, page)? {
            None => 0,
            Some(last) => all
                .iter()
                .position(|(id, _)| ids::hash(id) == last)
                .map(|at| at + 1)
                .ok_or_else(gone)?,
        };
        let (mut items, mut last) = (Vec::new(), None);
        for (id, noun) in &all[start..] {
            let Some(item) = shown(noun) else { continue };
            if items.len() == size {
                let next_page_key = last.map(|last| self.ids.page_key(&scope, ids::hash(last)));
                return Ok(Page {
                    items,
                    next_page_key,
                });
            }
            items.push(item);
            last = Some(*id);
        }
        Ok(Page {
            items,
            next_page_key: None,
        })
    }
}

/// What a page would go on behind was deleted meanwhile, for good.
fn gone() -> Denied {
    Denied::invalid(
        "pageKey",
        "what it names was deleted meanwhile; start again without it",
    )
}

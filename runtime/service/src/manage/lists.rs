//! Lists of management: in order of creation, paged like the interface's.

use super::{Denied, draft::Asker, rights::Rights};
use crate::{Caller, PageRequest, Service, ids};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::catalog::{Catalog, Resource, Verb};
use wire::Page;
use wire::Timestamp;

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
        let after = self.page_position(&scope, page)?;
        let mut rest: Vec<_> = nouns
            .iter()
            .map(|(id, noun)| (place(made(noun), id), noun))
            .filter(|(place, _)| after.is_none_or(|after| *place > after))
            .collect();
        rest.sort_by_key(|(place, _)| *place);
        let (mut items, mut last) = (Vec::new(), None);
        for (place, noun) in rest {
            let Some(item) = shown(noun) else { continue };
            if items.len() == size {
                let next_page_key = last.map(|last| self.ids.page_key(&scope, last));
                return Ok(Page {
                    items,
                    next_page_key,
                });
            }
            items.push(item);
            last = Some(place);
        }
        Ok(Page {
            items,
            next_page_key: None,
        })
    }
}

/// The place of a noun in its list: when it was made, then bits of its id for those of one moment. It says
/// where a page goes on also when what was there is gone for good.
fn place(made: Timestamp, id: &str) -> u64 {
    const ID_BITS: u32 = 22;
    let millis = u64::try_from(made.millis()).unwrap_or(0);
    (millis << ID_BITS) | (ids::hash(id) >> (64 - ID_BITS))
}

/// When something was made that has no stamp: its id, a UUID of version 7, begins with it.
pub(super) fn made_by_id(id: &str) -> Timestamp {
    let digits: String = id.chars().filter(|c| *c != '-').take(12).collect();
    Timestamp::from_millis(i64::from_str_radix(&digits, 16).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entropy;

    struct Sevens;

    impl Entropy for Sevens {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(7);
        }
    }

    #[test]
    fn an_id_tells_when_it_was_made() {
        let now = Timestamp::from_millis(1_770_000_000_123);
        assert_eq!(made_by_id(&ids::new_id(now, &Sevens)), now);
        assert_eq!(made_by_id("operator's own"), Timestamp::default());
    }

    #[test]
    fn places_are_in_order_of_creation_and_differ_within_a_moment() {
        let at = Timestamp::from_millis;
        assert!(place(at(1_770_000_000_000), "z") < place(at(1_770_000_000_001), "a"));
        assert_ne!(place(at(5), "a"), place(at(5), "b"));
    }
}

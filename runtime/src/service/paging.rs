//! Pages of lists: keys that are opaque, tied to their list, and refused when tampered with.

use super::{Refusal, Service, ids};
use crate::wire::Page;
use std::sync::Arc;

/// Which page is asked for, as it came.
#[derive(Clone, Debug, Default)]
pub struct PageRequest {
    /// `pageKey`
    pub key: Option<String>,
    /// `pageSize`
    pub size: Option<String>,
}

/// A page of records: the JSON text of each, and the key of the next page.
#[derive(Clone)]
pub struct RecordPage {
    /// The body of the answer: an object with `items` and maybe `nextPageKey`.
    pub json: String,
}

impl Service {
    /// How many items the page is to have.
    pub(super) fn page_size(&self, request: &PageRequest) -> Result<usize, Refusal> {
        let Some(size) = &request.size else {
            return Ok(self.settings.page_size);
        };
        let max = self.settings.page_size_max;
        let size = size.parse().ok().filter(|size| (1..=max).contains(size));
        size.ok_or_else(|| {
            Refusal::Parameter(format!("`pageSize` must be a whole number from 1 to {max}"))
        })
    }

    /// Where the page begins; `None` is the start.
    pub(super) fn page_position(
        &self,
        scope: &str,
        request: &PageRequest,
    ) -> Result<Option<u64>, Refusal> {
        let Some(key) = &request.key else {
            return Ok(None);
        };
        let position = self.ids.position_of(scope, key);
        position.map(Some).ok_or_else(bad_key)
    }

    /// A page of a catalog list: `all` holds every item the list ever had, in order of creation, and
    /// `shown` tells which are in it today, so that a walk goes on behind an item that was deleted.
    pub(super) fn catalog_page<N, T>(
        &self,
        scope: &str,
        request: &PageRequest,
        all: &[(&str, &Arc<N>)],
        shown: impl Fn(&N) -> Option<T>,
    ) -> Result<Page<T>, Refusal> {
        let size = self.page_size(request)?;
        let start = match self.page_position(scope, request)? {
            None => 0,
            Some(last) => {
                let at = all.iter().position(|(id, _)| ids::hash(id) == last);
                at.ok_or_else(bad_key)? + 1
            }
        };
        let mut items = Vec::new();
        let mut last = None;
        for (id, noun) in &all[start..] {
            let Some(item) = shown(noun) else { continue };
            if items.len() == size {
                let next_page_key = last.map(|last| self.ids.page_key(scope, ids::hash(last)));
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

fn bad_key() -> Refusal {
    Refusal::Parameter("`pageKey` is not a key of this list; start again without it".to_owned())
}

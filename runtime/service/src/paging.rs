//! Pages of lists: keys that are opaque, tied to their list, and refused when tampered with.

use super::{Refusal, Service, ids};
use bytes::Bytes;
use std::sync::Arc;
use store::catalog::{Area, Dataset, SchemaEntry};
use store::records::PageLimit;
use wire::Page;
use wire::Timestamp;

/// Which page is asked for, as it came.
#[derive(Clone, Debug, Default)]
pub struct PageRequest {
    /// `pageKey`
    pub key: Option<String>,
    /// `pageSize`
    pub size: Option<String>,
}

/// A page of records.
#[derive(Clone)]
pub struct RecordPage {
    /// The body of the answer: an object with `items` and maybe `nextPageKey`, as UTF-8.
    pub json: Bytes,
}

impl Service {
    /// How many items the page is to have.
    pub(super) fn page_size(&self, request: &PageRequest) -> Result<usize, Refusal> {
        let Some(size) = &request.size else {
            return Ok(self.settings.page_size);
        };
        let max = self.settings.page_size_max;
        let digits = size.bytes().all(|byte| byte.is_ascii_digit());
        let size = digits.then(|| size.parse().ok()).flatten();
        size.filter(|size| (1..=max).contains(size)).ok_or_else(|| {
            Refusal::Parameter(format!("`pageSize` must be a whole number from 1 to {max}"))
        })
    }

    /// Where a page of records ends that is to have so many.
    pub(super) fn page_limit(&self, records: usize) -> PageLimit {
        PageLimit {
            records,
            bytes: self.settings.page_bytes,
        }
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
    /// `is_shown` tells which are in it today, so that a walk goes on behind an item that was deleted.
    pub(super) fn catalog_page<'c, N: Listed>(
        &self,
        scope: &str,
        request: &PageRequest,
        all: &[&'c Arc<N>],
        is_shown: impl Fn(&N) -> bool,
    ) -> Result<Page<&'c Arc<N>>, Refusal> {
        let size = self.page_size(request)?;
        let start = match self.page_position(scope, request)? {
            None => 0,
            Some(last) => {
                let at = all.iter().position(|noun| ids::hash(noun.id()) == last);
                at.ok_or_else(bad_key)? + 1
            }
        };
        let rest = all[start..].iter().copied();
        let mut items: Vec<_> = rest.filter(|noun| is_shown(noun)).take(size + 1).collect();
        let has_more = items.len() > size;
        items.truncate(size);
        let last = items.last().filter(|_| has_more);
        let next_page_key = last.map(|last| self.ids.page_key(scope, ids::hash(last.id())));
        Ok(Page {
            items,
            next_page_key,
        })
    }
}

/// What the catalog's lists are made of.
pub(super) trait Listed {
    /// Its id.
    fn id(&self) -> &str;
    /// When it was made: the order of lists.
    fn created_at(&self) -> Timestamp;
}

macro_rules! listed {
    ($($noun:ty),*) => {$(
        impl Listed for $noun {
            fn id(&self) -> &str {
                &self.id
            }
            fn created_at(&self) -> Timestamp {
                self.stamp.created_at
            }
        }
    )*};
}

listed!(Area, SchemaEntry, Dataset);

/// Nouns in order of creation; those of one moment in the order of their ids.
pub(super) fn in_order<'c, N: Listed>(nouns: impl Iterator<Item = &'c Arc<N>>) -> Vec<&'c Arc<N>> {
    let mut all: Vec<_> = nouns.collect();
    all.sort_by(|a, b| (a.created_at(), a.id()).cmp(&(b.created_at(), b.id())));
    all
}

fn bad_key() -> Refusal {
    Refusal::Parameter("`pageKey` is not a key of this list; start again without it".to_owned())
}

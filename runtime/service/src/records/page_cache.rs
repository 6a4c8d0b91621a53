//! Pages of records that were read before, kept as the bytes of their answers. One is used again only while
//! the store says that no record of its stretch was written since: a page from here is what a read would give.

use bytes::Bytes;
use metrics::{Counter, Gauge, counter, gauge};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use store::Records;

/// What a page takes beside its bytes, roughly.
const OVERHEAD: u64 = 128;
/// The part of the memory that one page may have: larger ones would push out all that others ask for.
const PAGE_PART: u64 = 32;
/// How large a page is taken to be before any is known.
const PAGE_BYTES: u64 = 32 << 10;

/// Which page of which dataset, under which schema version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PageName {
    pub(crate) dataset: u32,
    pub(crate) schema_version: i64,
    pub(crate) after: u64,
    pub(crate) size: usize,
}

/// A page, and what it stands on.
#[derive(Clone)]
struct CachedPage {
    json: Bytes,
    /// The last place that it depends on.
    last: u64,
    /// The commits that it has seen.
    commits: u64,
}

/// Pages up to a number of bytes; those asked for most stay.
pub(crate) struct PageCache {
    pages: Option<Cache<PageName, CachedPage, Bytewise>>,
    page_bytes_max: u64,
    hits: Counter,
    misses: Counter,
    bytes: Gauge,
}

#[derive(Clone)]
struct Bytewise;

impl Weighter<PageName, CachedPage> for Bytewise {
    fn weight(&self, _: &PageName, page: &CachedPage) -> u64 {
        page.json.len() as u64 + OVERHEAD
    }
}

impl PageCache {
    /// A cache of so many bytes; with 0 it keeps nothing.
    pub(crate) fn new(bytes_max: u64) -> Self {
        let items = usize::try_from(bytes_max / PAGE_BYTES).unwrap_or(usize::MAX);
        let pages = (bytes_max > 0).then(|| Cache::with_weighter(items, bytes_max, Bytewise));
        PageCache {
            pages,
            page_bytes_max: bytes_max / PAGE_PART,
            hits: counter!("fieldstone_cache_hits_total", "cache" => "pages"),
            misses: counter!("fieldstone_cache_misses_total", "cache" => "pages"),
            bytes: gauge!("fieldstone_cache_bytes", "cache" => "pages"),
        }
    }

    /// The page, if it is still what a read would give.
    pub(crate) fn get(&self, store: &(impl Records + ?Sized), name: &PageName) -> Option<Bytes> {
        let pages = self.pages.as_ref()?;
        let found = pages.get(name).and_then(|cached| {
            let newest = store.changed(name.dataset, name.after + 1, cached.last)?;
            (newest <= cached.commits).then_some(cached.json)
        });
        match &found {
            Some(_) => self.hits.increment(1),
            None => self.misses.increment(1),
        }
        found
    }

    /// Keeps a page that was read after the store had told of `commits` and depends on no place behind
    /// `last`.
    pub(crate) fn put(
        &self,
        store: &(impl Records + ?Sized),
        name: PageName,
        json: &Bytes,
        last: u64,
        commits: u64,
    ) {
        let Some(pages) = &self.pages else { return };
        if json.len() as u64 > self.page_bytes_max {
            return;
        }
        let newest = store.changed(name.dataset, name.after + 1, last);
        if newest.is_some_and(|newest| newest <= commits) {
            let json = json.clone();
            pages.insert(
                name,
                CachedPage {
                    json,
                    last,
                    commits,
                },
            );
            #[allow(clippy::cast_precision_loss, reason = "figures are read by people")]
            self.bytes.set(pages.weight() as f64);
        }
    }
}

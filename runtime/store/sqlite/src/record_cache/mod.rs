//! Records that were looked up by primary key before, as the newest commit left them. In a large store a
//! look-up costs what it touches: two trees of the database, each page of them far from the others. Here it
//! is one bucket and one stretch of memory.
//!
//! Each shard is a ring of bytes with a table beside it: a record goes to the ring's head, over the oldest.
//! So room is never searched for, and nothing is freed one by one. Pages of answers, which are few and large,
//! are kept by a library's cache instead (service's `page_cache`); for a million small records that would be
//! five places in memory a look-up, on small pages. Measured with a million records of 500 bytes and random
//! keys on two cores: a look-up that hands out the record takes 445 ns here and 640 ns from `quick_cache`
//! (505 and 645 ns with two threads at it), a record 621 bytes of memory and 755; to put one in, 510 ns and
//! 530.
//!
//! What is here is never older than a read of the database would be: the writer says which records it changes
//! before it commits, so they are gone from here by then, and who read one meanwhile may not bring it
//! back ([`RecordCache::put`] asks [`Changes`](super::changes::Changes) under the shard's lock).

mod entry;
mod memory;
mod shard;
mod table;

pub(super) use memory::default_bytes;

use metrics::{Counter, Gauge, counter, gauge};
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHasher;
use shard::Shard;
use std::hash::Hasher as _;
use store::records::StoredRecord;

/// Their locks are held for a moment only, so a few are enough for many cores.
const SHARDS: usize = 8;
/// A ring of fewer bytes holds too little to be of use.
const RING_MIN: usize = 64 << 10;
/// The part of its bytes that a shard has for its table at most.
const TABLE_PART: usize = 8;

/// Records up to a number of bytes; the oldest go first.
pub(super) struct RecordCache {
    shards: Vec<Mutex<Shard>>,
    figures: Figures,
}

/// What is told of it in figures; nothing is counted where nobody gathers them.
struct Figures {
    hits: Counter,
    misses: Counter,
    bytes: Gauge,
}

impl Figures {
    fn new() -> Self {
        Figures {
            hits: counter!("fieldstone_cache_hits_total", "cache" => "records"),
            misses: counter!("fieldstone_cache_misses_total", "cache" => "records"),
            bytes: gauge!("fieldstone_cache_bytes", "cache" => "records"),
        }
    }
}

/// What a record is looked up by.
#[derive(Clone, Copy)]
struct Name<'k> {
    dataset: u32,
    key: &'k str,
    hash: u64,
}

impl<'k> Name<'k> {
    fn new(dataset: u32, key: &'k str) -> Self {
        let mut hasher = FxHasher::default();
        hasher.write_u32(dataset);
        hasher.write(key.as_bytes());
        // shard, bucket and slot take different bits, so all must be mixed
        let mut hash = hasher.finish();
        hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
        Name { dataset, key, hash }
    }
}

impl RecordCache {
    /// A cache of about so many bytes, the table included; none when they are too few. Memory is taken as
    /// records come.
    pub(super) fn new(bytes_max: u64) -> Self {
        let a_shard = usize::try_from(bytes_max).unwrap_or(usize::MAX) / SHARDS;
        let table_bytes = a_shard / TABLE_PART;
        let ring_bytes = (a_shard - table_bytes) & !(RING_MIN - 1);
        let shards = (0..SHARDS).map_while(|_| {
            let shard = (ring_bytes > 0).then(|| Shard::new(ring_bytes, table_bytes))?;
            shard.map(Mutex::new)
        });
        RecordCache {
            shards: shards.collect(),
            figures: Figures::new(),
        }
    }

    /// The live record with a primary key, if it is here.
    pub(super) fn get(&self, dataset: u32, key: &str) -> Option<StoredRecord> {
        let name = Name::new(dataset, key);
        let found = self.shard(name)?.get(name);
        match &found {
            Some(_) => self.figures.hits.increment(1),
            None => self.figures.misses.increment(1),
        }
        found
    }

    /// Keeps a live record that was read, if it is still current once nobody can change it unseen.
    pub(super) fn put(
        &self,
        dataset: u32,
        key: &str,
        record: &StoredRecord,
        is_current: impl FnOnce() -> bool,
    ) {
        let name = Name::new(dataset, key);
        if let Some(mut shard) = self.shard(name)
            && is_current()
        {
            let before = shard.taken();
            shard.put(name, record);
            let more = shard.taken() - before;
            if more > 0 {
                self.figures
                    .bytes
                    .increment(f64::from(u32::try_from(more).unwrap_or(u32::MAX)));
            }
        }
    }

    /// Forgets a record that is about to change. Tell [`Changes`](super::changes::Changes) of it first.
    pub(super) fn forget(&self, dataset: u32, key: &str) {
        let name = Name::new(dataset, key);
        if let Some(mut shard) = self.shard(name) {
            shard.forget(name);
        }
    }

    fn shard(&self, name: Name<'_>) -> Option<MutexGuard<'_, Shard>> {
        let shard = usize::try_from(name.hash >> 61).unwrap_or(0);
        let shard = self.shards.get(shard)?;
        Some(shard.lock())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use store::records::{RecordId, RecordPlace};

    /// The least that has rings.
    const SMALL: u64 = (SHARDS * RING_MIN * 8 / 7) as u64;

    fn record(number: u64, length: usize) -> StoredRecord {
        let place = RecordPlace {
            dataset: 1,
            sequence: number,
        };
        let text = |of: &str| of.repeat(usize::try_from(number % 5).unwrap());
        StoredRecord {
            id: RecordId {
                place,
                nonce: u64::MAX - number,
            },
            version: i64::MAX - number.cast_signed(),
            schema_version: number.cast_signed(),
            body: "ü".repeat(length),
            errors: (number % 2 == 1).then(|| text("[fault]")),
            hidden: (number % 3 == 1).then(|| text("{hidden}")),
            deleted: false,
        }
    }

    fn put(cache: &RecordCache, key: &str, record: &StoredRecord) {
        cache.put(1, key, record, || true);
    }

    #[test]
    fn a_record_comes_back_as_it_was_or_not_at_all() {
        let cache = RecordCache::new(SMALL);
        let mut random = 7_u64;
        let mut known = HashMap::new();
        let (mut here, mut gone) = (0, 0);
        for step in 0..200_000_u64 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let key = format!("K {}", (random >> 33) % 4000);
            match (random >> 20) % 4 {
                0 => {
                    let made = record(step, usize::try_from((random >> 40) % 300).unwrap());
                    put(&cache, &key, &made);
                    known.insert(key, made);
                }
                1 if (random >> 50).is_multiple_of(16) => {
                    cache.forget(1, &key);
                    known.remove(&key);
                }
                _ => match cache.get(1, &key) {
                    Some(found) => {
                        assert_eq!(Some(&found), known.get(&key), "{key}");
                        here += 1;
                    }
                    None => gone += u32::from(known.contains_key(&key)),
                },
            }
            assert_eq!(cache.get(2, "K 1"), None, "another dataset's");
        }
        assert!(
            here > 20_000 && gone > 1_000,
            "{here} were here, {gone} gone"
        );
    }

    #[test]
    fn what_fits_stays_and_the_newest_push_out_the_oldest() {
        let cache = RecordCache::new(64 * SMALL);
        let count = 20_000;
        for number in 0..count {
            put(&cache, &number.to_string(), &record(number, 50));
        }
        let here = |numbers: std::ops::Range<u64>| {
            numbers
                .filter(|number| cache.get(1, &number.to_string()).is_some())
                .count()
        };
        let fits = here(0..count);
        assert!(fits > 19_960, "{fits} of {count}");
        for number in count..40 * count {
            put(&cache, &number.to_string(), &record(number, 50));
        }
        assert_eq!(here(0..count), 0);
        let newest = here(40 * count - 50_000..40 * count);
        assert!(newest > 49_900, "{newest} of 50,000");
    }

    #[test]
    fn a_record_that_changed_meanwhile_is_not_kept() {
        let cache = RecordCache::new(SMALL);
        cache.put(1, "A", &record(1, 9), || false);
        assert_eq!(cache.get(1, "A"), None);
        put(&cache, "A", &record(1, 9));
        cache.forget(1, "A");
        assert_eq!(cache.get(1, "A"), None);
    }

    #[test]
    fn a_record_that_would_push_out_many_is_not_kept_and_none_is_without_memory() {
        let cache = RecordCache::new(SMALL);
        put(&cache, "A", &record(1, RING_MIN / 16));
        assert_eq!(cache.get(1, "A"), None);
        let cache = RecordCache::new(1000);
        put(&cache, "A", &record(1, 1));
        assert_eq!(cache.get(1, "A"), None);
    }
}

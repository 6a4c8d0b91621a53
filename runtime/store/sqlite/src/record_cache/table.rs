//! Where the entries of a ring are, by a hash of their names.

use super::memory::scattered;
use memmap2::MmapMut;

/// Slots of a bucket: two lines of the processor's cache, which it fetches together.
const WAYS: usize = 16;
/// Slots in use for each bucket before there are twice as many buckets. Then one name in some ten thousand
/// finds its bucket full, and takes the place of the oldest in it.
const USED_MAX: usize = 6;
const BITS_AT_START: u32 = 6;
/// A slot holds a position of so many bits; above it, a part of the hash. 0 is empty.
const POSITION_BITS: u32 = 44;
/// Positions are below this.
pub(super) const POSITIONS: u64 = 1 << POSITION_BITS;

pub(super) struct Table {
    slots: MmapMut,
    count_max: usize,
    used: usize,
}

/// Where a slot stands.
#[derive(Clone, Copy)]
pub(super) struct At(usize);

/// The part of a hash that a slot keeps: first the bits that tell its bucket once there are more of them.
fn tag(hash: u64) -> u64 {
    (hash >> BITS_AT_START) << POSITION_BITS
}

impl Table {
    /// An empty one that grows to as many bytes at most.
    pub(super) fn new(bytes_max: usize) -> Option<Self> {
        Some(Table {
            slots: scattered((size_of::<u64>() * WAYS) << BITS_AT_START)?,
            count_max: bytes_max / (size_of::<u64>() * WAYS),
            used: 0,
        })
    }

    /// The slots that may be a name's, with their positions.
    pub(super) fn of(&self, hash: u64) -> impl Iterator<Item = (At, u64)> {
        let ways = self.ways(hash).map(|at| (at, self.get(at)));
        ways.filter(move |(_, slot)| *slot != 0 && (slot ^ tag(hash)) >> POSITION_BITS == 0)
            .map(|(at, slot)| (at, slot & (POSITIONS - 1)))
    }

    /// Empties a slot.
    pub(super) fn remove(&mut self, at: At) {
        self.set(at, 0);
        self.used -= 1;
    }

    /// Empties all.
    pub(super) fn clear(&mut self) {
        self.slots.fill(0);
        self.used = 0;
    }

    /// Puts a position, never 0, into a name's bucket: where nothing is, or over the oldest.
    pub(super) fn insert(&mut self, hash: u64, position: u64) {
        if self.used >= USED_MAX * self.count() && self.count() * 2 <= self.count_max {
            self.double();
        }
        let position_at = |at: &At| self.get(*at) & (POSITIONS - 1);
        // an empty slot has the lowest position
        let Some(at) = self.ways(hash).min_by_key(position_at) else {
            return;
        };
        debug_assert!(position > 0 && position < POSITIONS);
        self.used += usize::from(self.get(at) == 0);
        self.set(at, tag(hash) | position);
    }

    /// Twice as many buckets: one more bit of the hash tells a slot's bucket, and its tag has that bit.
    fn double(&mut self) {
        let half = self.slots.len();
        let Some(mut slots) = scattered(half * 2) else {
            return;
        };
        let bit = self.count().trailing_zeros() - BITS_AT_START + POSITION_BITS;
        for (index, bytes) in self.slots.as_chunks().0.iter().enumerate() {
            let start = index * size_of::<u64>();
            let upper = (u64::from_ne_bytes(*bytes) >> bit) & 1 == 1;
            let start = if upper { start + half } else { start };
            slots[start..start + size_of::<u64>()].copy_from_slice(bytes);
        }
        self.slots = slots;
    }

    /// How many buckets there are: a power of 2.
    fn count(&self) -> usize {
        self.slots.len() / (size_of::<u64>() * WAYS)
    }

    fn ways(&self, hash: u64) -> impl Iterator<Item = At> + use<> {
        let bucket = usize::try_from(hash & (self.count() as u64 - 1)).unwrap_or(0);
        (bucket * WAYS..(bucket + 1) * WAYS).map(At)
    }

    fn get(&self, At(at): At) -> u64 {
        self.slots
            .as_chunks()
            .0
            .get(at)
            .copied()
            .map_or(0, u64::from_ne_bytes)
    }

    fn set(&mut self, At(at): At, slot: u64) {
        if let Some(bytes) = self.slots.as_chunks_mut().0.get_mut(at) {
            *bytes = slot.to_ne_bytes();
        }
    }
}

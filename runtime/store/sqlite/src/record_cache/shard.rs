//! One shard: the ring with its entries, and the table that tells where they are.

use super::Name;
use super::entry::{self, CachedRecord};
use super::memory::scattered;
use super::table::{At, POSITIONS, Table};
use memmap2::MmapMut;
use store::records::StoredRecord;

/// Entries begin at multiples of this; the table counts in it.
const UNIT: u64 = 8;
/// A record that takes more than this part of the ring would push out too many others.
const PART_MAX: usize = 16;

pub(super) struct Shard {
    ring: MmapMut,
    /// Where the next entry goes. Positions only rise; the ring has the newest of them.
    head: u64,
    table: Table,
}

impl Shard {
    /// A ring of so many bytes with its table.
    pub(super) fn new(ring_bytes: usize, table_bytes_max: usize) -> Option<Self> {
        Some(Shard {
            ring: scattered(ring_bytes)?,
            head: UNIT,
            table: Table::new(table_bytes_max)?,
        })
    }

    /// A record, if it is here.
    pub(super) fn get(&self, name: Name<'_>) -> Option<StoredRecord> {
        self.find(name)?.1.record()
    }

    /// How many bytes of the ring have something in them, or had.
    pub(super) fn taken(&self) -> u64 {
        self.head.min(self.ring.len() as u64)
    }

    /// Forgets a record.
    pub(super) fn forget(&mut self, name: Name<'_>) {
        if let Some((at, _)) = self.find(name) {
            self.table.remove(at);
        }
    }

    /// Keeps a record.
    pub(super) fn put(&mut self, name: Name<'_>, record: &StoredRecord) {
        let length = entry::length(name, record);
        if length > self.ring.len() / PART_MAX {
            return;
        }
        self.forget(name);
        let at = self.make_room(length as u64);
        let start = self.offset(at);
        entry::write(&mut self.ring[start..start + length], name, record);
        self.table.insert(name.hash, at / UNIT);
    }

    /// Moves the head behind a new entry; where that begins.
    fn make_room(&mut self, length: u64) -> u64 {
        let rest = self.ring.len() as u64 - self.head % self.ring.len() as u64;
        if rest < length {
            // no entry lies across the end
            self.head += rest;
        }
        let at = self.head;
        self.head = (at + length).next_multiple_of(UNIT);
        if self.head / UNIT >= POSITIONS {
            // after weeks: nobody knows what is here, and it begins anew
            self.table.clear();
            self.head = UNIT;
            return self.make_room(length);
        }
        at
    }

    /// A record's slot and entry.
    fn find(&self, name: Name<'_>) -> Option<(At, CachedRecord<'_>)> {
        let oldest = self.head.saturating_sub(self.ring.len() as u64);
        let mut all = self.table.of(name.hash).filter_map(|(at, position)| {
            let position = position * UNIT;
            // the ring has gone over older ones
            let start = (position >= oldest).then(|| self.offset(position))?;
            Some((at, CachedRecord::read(self.ring.get(start..)?)?))
        });
        all.find(|(_, entry)| entry.is_of(name))
    }

    fn offset(&self, at: u64) -> usize {
        usize::try_from(at % self.ring.len() as u64).unwrap_or(0)
    }
}

//! Keys that stand twice, among any number of rows in little memory. Of each key 64 bits are held, and where it
//! stands. When a part of the memory is full, its keys go to a file without a name, in order; at the end the parts
//! are walked side by side. So a key that stands twice in one part is told at once, and one in two parts at the end.
//! Two different keys of 10 million are taken for one with a chance of one in 370,000. It holds no key.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// How many keys are held in memory: the most that a table of 18 MiB has room for.
const HELD_MAX: usize = (1 << 20) / 8 * 7;
/// What all parts together read ahead, in bytes.
const AHEAD_BYTES: usize = 8 << 20;
const ENTRY_BYTES: usize = 16;

/// Passes a hash through.
#[derive(Default)]
struct SameHash(u64);

impl Hasher for SameHash {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The keys so far.
pub struct Keys {
    held: HashMap<u64, u64, BuildHasherDefault<SameHash>>,
    held_max: usize,
    parts: Vec<u64>,
    file: Option<File>,
}

/// A key that stands twice.
#[derive(Debug, PartialEq, Eq)]
pub struct Twice {
    /// Where it stood before.
    pub first: u64,
    /// Where it stands again.
    pub again: u64,
}

impl Default for Keys {
    fn default() -> Self {
        Keys::new()
    }
}

impl Keys {
    /// Keys of which as many are held in memory as a table of 18 MiB has room for.
    pub fn new() -> Self {
        Keys::holding(HELD_MAX)
    }

    /// Keys of which at most this many are held in memory, 20 bytes each.
    pub fn holding(held_max: usize) -> Self {
        Keys {
            held: HashMap::default(),
            held_max,
            parts: Vec::new(),
            file: None,
        }
    }

    /// Takes a key that stands at `place`; yields where it stood before, if that is known already.
    ///
    /// # Errors
    /// When the file of what is put away can't be written.
    pub fn insert(&mut self, key: &str, place: u64) -> io::Result<Option<u64>> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(first) = self.held.get(&hash) {
            return Ok(Some(*first));
        }
        if self.held.len() == self.held_max {
            self.put_away()?;
        }
        self.held.insert(hash, place);
        Ok(None)
    }

    /// Writes the keys that are held to the file, in order.
    fn put_away(&mut self) -> io::Result<()> {
        let mut entries: Vec<(u64, u64)> = self.held.drain().collect();
        entries.sort_unstable();
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        if let Some(file) = &mut self.file {
            let mut out = io::BufWriter::new(file);
            for (hash, place) in &entries {
                out.write_all(&hash.to_le_bytes())?;
                out.write_all(&place.to_le_bytes())?;
            }
            out.flush()?;
            self.parts.push(entries.len() as u64);
        }
        Ok(())
    }

    /// Whether keys were put away, so that some that stand twice may not be told yet.
    pub fn has_more_to_tell(&self) -> bool {
        self.file.is_some()
    }

    /// Tells the keys that stand twice and were not told, as they stand.
    ///
    /// # Errors
    /// When the file of what was put away can't be read.
    pub fn finish(mut self) -> io::Result<Vec<Twice>> {
        if !self.has_more_to_tell() {
            return Ok(Vec::new());
        }
        self.put_away()?;
        drop(std::mem::take(&mut self.held));
        let Some(mut file) = self.file else {
            return Ok(Vec::new());
        };
        let ahead = (AHEAD_BYTES / ENTRY_BYTES / self.parts.len()).max(1);
        let mut start = 0;
        let mut parts: Vec<Part> = Vec::new();
        for count in &self.parts {
            parts.push(Part::new(start, *count, ahead));
            start += count;
        }
        let mut heap = std::collections::BinaryHeap::new();
        for (index, part) in parts.iter_mut().enumerate() {
            heap.extend(
                part.next(&mut file)?
                    .map(|entry| std::cmp::Reverse((entry, index))),
            );
        }
        let (mut twice, mut first): (Vec<Twice>, Option<(u64, u64)>) = (Vec::new(), None);
        while let Some(std::cmp::Reverse(((hash, place), index))) = heap.pop() {
            match first {
                Some((same, first)) if same == hash => twice.push(Twice {
                    first,
                    again: place,
                }),
                _ => first = Some((hash, place)),
            }
            let next = parts[index].next(&mut file)?;
            heap.extend(next.map(|entry| std::cmp::Reverse((entry, index))));
        }
        twice.sort_unstable_by_key(|it| it.again);
        Ok(twice)
    }
}

/// A part of the file, read in pieces.
struct Part {
    /// The next entry to be read from the file, and the last one of the part.
    next: u64,
    end: u64,
    ahead: usize,
    entries: std::vec::IntoIter<(u64, u64)>,
}

impl Part {
    fn new(start: u64, count: u64, ahead: usize) -> Self {
        Part {
            next: start,
            end: start + count,
            ahead,
            entries: Vec::new().into_iter(),
        }
    }

    fn next(&mut self, file: &mut File) -> io::Result<Option<(u64, u64)>> {
        if let Some(entry) = self.entries.next() {
            return Ok(Some(entry));
        }
        let count = (self.end - self.next).min(self.ahead as u64);
        file.seek(SeekFrom::Start(self.next * ENTRY_BYTES as u64))?;
        let mut bytes = Vec::new();
        let wanted = count * ENTRY_BYTES as u64;
        Read::take(&mut *file, wanted).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != wanted {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.next += count;
        let (entries, _) = bytes.as_chunks::<8>();
        let number = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        let entries = entries
            .chunks_exact(2)
            .map(|pair| (number(&pair[0]), number(&pair[1])));
        self.entries = entries.collect::<Vec<_>>().into_iter();
        Ok(self.entries.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The places of keys that stood before, of the keys at 0, 1, 2 …
    fn told(keys: &[&str], held_max: usize) -> Vec<u64> {
        let mut all = Keys::holding(held_max);
        let mut told = Vec::new();
        for (key, place) in keys.iter().zip(0..) {
            let first = all.insert(key, place).unwrap();
            if let Some(first) = first {
                assert_eq!(keys[place_of(first)], *key);
                told.push(place);
            }
        }
        for Twice { first, again } in all.finish().unwrap() {
            assert_eq!(keys[place_of(first)], keys[place_of(again)]);
            told.push(again);
        }
        told.sort_unstable();
        told
    }

    fn place_of(place: u64) -> usize {
        usize::try_from(place).unwrap()
    }

    #[test]
    fn a_key_that_stands_again_is_told_with_where_it_stood_before_however_little_is_held() {
        let keys = ["a", "b", "a", "c", "d", "e", "b", "a", "f", "f"];
        for held_max in 1..12 {
            assert_eq!(told(&keys, held_max), [2, 6, 7, 9], "holding {held_max}");
        }
        assert_eq!(told(&["a", "b"], 1), []);
    }

    #[test]
    fn many_keys_that_are_put_away_are_all_found_again() {
        let names: Vec<String> = (0..5000)
            .map(|number| (number % 4000).to_string())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(told(&names, 300).len(), 1000);
    }
}

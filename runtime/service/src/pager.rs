//! Pages of lists: keys that are opaque, tied to their list, and refused when tampered with. Nouns stand in
//! order of creation, and a walk goes on also when what it stopped at is gone.

use super::{Owner, Refusal, Service, ids};
use crate::memory_budget::PageRoom;
use bytes::Bytes;
use std::ops::Deref;
use std::sync::Arc;
use store::catalog::Row;
use wire::{Page, Timestamp};

/// Which page is asked for, as it came.
#[derive(Clone, Debug, Default)]
pub struct PageRequest {
    /// `pageKey`
    pub key: Option<String>,
    /// `pageSize`
    pub size: Option<String>,
}

/// A list of nouns, and which page of it is asked for by whom.
pub(crate) struct NounList<'a> {
    /// What its keys are tied to.
    pub(crate) scope: &'a str,
    /// The page.
    pub(crate) page: &'a PageRequest,
    /// Whose memory it takes.
    pub(crate) owner: Owner,
}

/// A page with the memory that it takes, for as long as its text is made.
#[derive(Debug)]
pub struct PageInRoom<T> {
    page: Page<T>,
    _room: PageRoom,
}

impl<T> PageInRoom<T> {
    pub(crate) fn new(page: Page<T>, room: PageRoom) -> Self {
        PageInRoom { page, _room: room }
    }

    /// The page alone, for who makes little of it.
    pub fn into_page(self) -> Page<T> {
        self.page
    }
}

impl<T> Deref for PageInRoom<T> {
    type Target = Page<T>;

    fn deref(&self) -> &Page<T> {
        &self.page
    }
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
            let text = format!("`pageSize` must be a whole number from 1 to {max}");
            Refusal::Parameter(text.into())
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

    /// A page of nouns in order of creation, of those that are shown, each as the item that is made of it; `made` tells
    /// when each was. It ends by its number of items, or by their bytes; a key can't point between two nouns of one
    /// position, so it goes on to the last of them.
    pub(crate) fn noun_page<'c, N: Row + 'c, T: serde::Serialize>(
        &self,
        list: &NounList<'_>,
        nouns: impl Iterator<Item = &'c Arc<N>>,
        made: impl Fn(&N) -> Timestamp,
        mut item: impl FnMut(&'c Arc<N>) -> T,
    ) -> Result<Page<T>, Refusal> {
        let size = self.page_size(list.page)?;
        let after = self.page_position(list.scope, list.page)?;
        let mut room = self
            .memory
            .reserve_short_page(list.owner, self.settings.page_bytes)?;
        let mut rest = placed(nouns, made);
        rest.retain(|(position, _)| after.is_none_or(|after| *position > after));
        let (mut items, mut bytes, mut last) = (Vec::new(), 0, None);
        let mut next_page_key = None;
        for (position, noun) in rest {
            let has_room =
                items.len() < size && (bytes < room.bytes() || room.grow() && bytes < room.bytes());
            if let Some(last) = last.filter(|last| !has_room && *last != position) {
                next_page_key = Some(self.ids.page_key(list.scope, last));
                break;
            }
            let item = item(noun);
            bytes += json_bytes(&item);
            items.push(item);
            last = Some(position);
        }
        Ok(Page {
            items,
            next_page_key,
        })
    }
}

/// Nouns in the order of their lists.
pub(crate) fn in_order<'c, N: Row + 'c>(
    nouns: impl Iterator<Item = &'c Arc<N>>,
    made: impl Fn(&N) -> Timestamp,
) -> Vec<&'c Arc<N>> {
    let placed = placed(nouns, made).into_iter();
    placed.map(|(_, noun)| noun).collect()
}

/// Nouns in the order of their lists, each with its position.
fn placed<'c, N: Row + 'c>(
    nouns: impl Iterator<Item = &'c Arc<N>>,
    made: impl Fn(&N) -> Timestamp,
) -> Vec<(u64, &'c Arc<N>)> {
    let mut placed: Vec<_> = nouns
        .map(|noun| (position(made(noun), noun.key()), noun))
        .collect();
    placed.sort_by(|(one, a), (other, b)| (one, a.key()).cmp(&(other, b.key())));
    placed
}

/// How many bytes something has as JSON.
pub(crate) fn json_bytes(value: &impl serde::Serialize) -> usize {
    struct Counter(usize);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // what has no JSON form has no bytes
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// Bits of a position that are the id's.
const ID_BITS: u32 = ids::COUNTER_BITS;

/// Where a noun stands in its list: when it was made, then, for those of one moment, the order of their ids as
/// far as it fits.
fn position(made: Timestamp, id: &str) -> u64 {
    let millis = u64::try_from(made.millis()).unwrap_or(0);
    (millis << ID_BITS) | id_bits(id)
}

/// The counter of a UUID of version 7, which comes in the order of its making; of another id, bits of its hash.
fn id_bits(id: &str) -> u64 {
    let Ok(id) = uuid::Uuid::try_parse(id) else {
        return ids::hash(id) >> (64 - ID_BITS);
    };
    let (high, low) = id.as_u64_pair();
    // behind the time stand four bits of the version and twelve of the counter; then two of the variant, and its rest
    let (first, rest) = (high & 0xfff, (low << 2) >> (64 - (ID_BITS - 12)));
    (first << (ID_BITS - 12)) | rest
}

/// When something was made that has no stamp: its id, a UUID of version 7, begins with it.
pub(crate) fn made_by_id(id: &str) -> Timestamp {
    let digits: String = id.chars().filter(|c| *c != '-').take(12).collect();
    Timestamp::from_millis(i64::from_str_radix(&digits, 16).unwrap_or(0))
}

pub(crate) fn bad_key() -> Refusal {
    Refusal::Parameter("`pageKey` is not a key of this list; start again without it".into())
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
    fn nouns_of_one_moment_stand_in_the_order_of_their_ids() {
        let at = Timestamp::from_millis(1_770_000_000_123);
        let ids = [
            "019c0000-0000-7000-8000-000000000000",
            "019c0000-0000-7000-8040-000000000000",
            "019c0000-0000-7000-bfc0-000000000000",
            "019c0000-0000-7001-8000-000000000000",
            "019c0000-0000-7fff-bfff-ffffffffffff",
        ];
        let positions = ids.map(|id| position(at, id));
        assert!(
            positions.is_sorted() && positions[0] < positions[4],
            "{positions:?}"
        );
        assert!(positions[4] < position(Timestamp::from_millis(at.millis() + 1), ids[0]));
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
        assert!(position(at(1_770_000_000_000), "z") < position(at(1_770_000_000_001), "a"));
        assert_ne!(position(at(5), "a"), position(at(5), "b"));
    }
}

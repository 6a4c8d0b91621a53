//! Pages of lists: keys that are opaque, tied to their list, and refused when tampered with. Nouns stand in
//! order of creation, and a walk goes on also when what it stopped at is gone.

use super::{Refusal, Service, ids};
use bytes::Bytes;
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

    /// A page of nouns in order of creation, of those that are shown; `made` tells when each was.
    pub(crate) fn noun_page<'c, N: Row>(
        &self,
        scope: &str,
        request: &PageRequest,
        nouns: impl Iterator<Item = &'c Arc<N>>,
        made: impl Fn(&N) -> Timestamp,
    ) -> Result<Page<&'c Arc<N>>, Refusal> {
        self.noun_page_while(scope, request, nouns, made, |_| true)
    }

    /// The same, as long as each noun that was taken lets more follow.
    pub(crate) fn noun_page_while<'c, N: Row>(
        &self,
        scope: &str,
        request: &PageRequest,
        nouns: impl Iterator<Item = &'c Arc<N>>,
        made: impl Fn(&N) -> Timestamp,
        mut goes_on: impl FnMut(&N) -> bool,
    ) -> Result<Page<&'c Arc<N>>, Refusal> {
        let size = self.page_size(request)?;
        let after = self.page_position(scope, request)?;
        let mut rest: Vec<_> = nouns
            .map(|noun| (position(made(noun), noun.key()), noun))
            .filter(|(position, _)| after.is_none_or(|after| *position > after))
            .collect();
        rest.sort_by(|(one, a), (other, b)| (one, a.key()).cmp(&(other, b.key())));
        let taken = rest.iter().take(size);
        let full = taken
            .map(|(_, noun)| goes_on(noun))
            .position(|goes_on| !goes_on);
        let shown = page_end(&rest, full.map_or(size, |last| last + 1));
        let has_more = rest.len() > shown;
        rest.truncate(shown);
        let last = rest.last().filter(|_| has_more);
        let next_page_key = last.map(|(position, _)| self.ids.page_key(scope, *position));
        Ok(Page {
            items: rest.into_iter().map(|(_, noun)| noun).collect(),
            next_page_key,
        })
    }
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

/// A page of items, from a page of nouns.
pub(crate) fn map_page<N, T>(page: Page<N>, item: impl FnMut(N) -> T) -> Page<T> {
    Page {
        items: page.items.into_iter().map(item).collect(),
        next_page_key: page.next_page_key,
    }
}

/// How many of these, in order, a page shows: a key can't point between two of one position, so the page goes
/// on to the last of them.
fn page_end<N>(rest: &[(u64, N)], size: usize) -> usize {
    let Some((last, _)) = size.checked_sub(1).and_then(|at| rest.get(at)) else {
        return rest.len().min(size);
    };
    let alike = rest[size..]
        .iter()
        .take_while(|(position, _)| position == last);
    size + alike.count()
}

/// Bits of a position that are the id's.
const ID_BITS: u32 = 22;

/// Where a noun stands in its list: when it was made, then, for those of one moment, the order of their ids as
/// far as it fits.
fn position(made: Timestamp, id: &str) -> u64 {
    let millis = u64::try_from(made.millis()).unwrap_or(0);
    (millis << ID_BITS) | id_bits(id)
}

/// The first random bits of a UUID of version 7, which come in its order; of another id, bits of its hash.
fn id_bits(id: &str) -> u64 {
    let Ok(id) = uuid::Uuid::try_parse(id) else {
        return ids::hash(id) >> (64 - ID_BITS);
    };
    let (high, low) = id.as_u64_pair();
    // behind the time stand four bits of the version and twelve of chance; then two of the variant, and chance
    let (first, rest) = (high & 0xfff, (low << 2) >> (64 - (ID_BITS - 12)));
    (first << (ID_BITS - 12)) | rest
}

/// When something was made that has no stamp: its id, a UUID of version 7, begins with it.
pub(crate) fn made_by_id(id: &str) -> Timestamp {
    let digits: String = id.chars().filter(|c| *c != '-').take(12).collect();
    Timestamp::from_millis(i64::from_str_radix(&digits, 16).unwrap_or(0))
}

fn bad_key() -> Refusal {
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
    fn a_page_never_ends_between_two_of_one_position() {
        let rest = [(1, ()), (2, ()), (2, ()), (2, ()), (3, ())];
        for (size, shown) in [(0, 0), (1, 1), (2, 4), (3, 4), (4, 4), (5, 5), (9, 5)] {
            assert_eq!(page_end(&rest, size), shown, "{size}");
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
        assert!(position(at(1_770_000_000_000), "z") < position(at(1_770_000_000_001), "a"));
        assert_ne!(position(at(5), "a"), position(at(5), "b"));
    }
}

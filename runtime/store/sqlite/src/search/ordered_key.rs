//! Keys as sets and maps have them, so that one is found among very many: a record may have as many in one field as its
//! body has room for. Where keys stand, `Key` says.

use std::borrow::Borrow;
use std::cmp::Ordering;
use store::search::Key;

/// A key that is told from others: two that are equal are one, and a whole number is another than the same one among those
/// that are not.
pub(super) struct OrderedKey<K>(pub(super) K);

impl<K: Borrow<Key>> Ord for OrderedKey<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (one, other): (&Key, &Key) = (self.0.borrow(), other.0.borrow());
        // zero has two signs
        if one == other {
            return Ordering::Equal;
        }
        let is_real = |key: &Key| matches!(key, Key::Real(_));
        one.order(other)
            .then_with(|| is_real(one).cmp(&is_real(other)))
    }
}

impl<K: Borrow<Key>> PartialOrd for OrderedKey<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Borrow<Key>> PartialEq for OrderedKey<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Borrow<Key>> Eq for OrderedKey<K> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_told_apart_as_they_are_when_they_are_compared() {
        let keys = [
            Key::Int(1),
            Key::Real(1.0),
            Key::Real(1.5),
            Key::Real(0.0),
            Key::Real(-0.0),
            Key::Int(0),
            Key::Int(1),
            Key::Text("1".into()),
            Key::Text("".into()),
        ];
        for one in &keys {
            for other in &keys {
                let is_one = OrderedKey(one) == OrderedKey(other);
                assert_eq!(is_one, one == other, "{one:?} {other:?}");
            }
        }
        let all: BTreeSet<_> = keys.iter().map(OrderedKey).collect();
        assert_eq!(all.len(), 7);
    }
}

//! Values in the order of their type: what ranges, sorted pages and counts compare. An index keeps them
//! and never asks what they mean.

use super::name::FieldName;
use crate::records::RecordPlace;
use std::cmp::Ordering;
use std::ops::Bound;
use std::sync::Arc;

/// A value that has a place among others of its field.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A whole number, or what is counted as one: days, seconds, hundredths.
    Int(i64),
    /// Any other number; never NaN.
    Real(f64),
    /// A text, in the order of its bytes.
    Text(Box<str>),
}

impl Key {
    /// How two keys stand: numbers by value and before texts.
    pub fn order(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Int(one), Key::Int(other)) => one.cmp(other),
            // both zeros are one
            (Key::Real(one), Key::Real(other)) => (one + 0.0).total_cmp(&(other + 0.0)),
            (Key::Int(one), Key::Real(other)) => order_of_real(*other, *one).reverse(),
            (Key::Real(one), Key::Int(other)) => order_of_real(*one, *other),
            (Key::Text(one), Key::Text(other)) => one.cmp(other),
            (Key::Text(_), _) => Ordering::Greater,
            (_, Key::Text(_)) => Ordering::Less,
        }
    }
}

/// How a real number stands to a whole one, exactly.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the bounds of i64 are compared first, and its whole part fits then"
)]
fn order_of_real(real: f64, whole: i64) -> Ordering {
    if real >= i64::MAX as f64 {
        return Ordering::Greater;
    }
    if real < i64::MIN as f64 {
        return Ordering::Less;
    }
    let floor = real.floor();
    (floor as i64)
        .cmp(&whole)
        .then_with(|| real.total_cmp(&floor))
}

/// A part of the order.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRange {
    /// Where it begins.
    pub from: Bound<Key>,
    /// Where it ends.
    pub to: Bound<Key>,
}

impl KeyRange {
    /// Everything of the order.
    pub const ALL: KeyRange = KeyRange {
        from: Bound::Unbounded,
        to: Bound::Unbounded,
    };

    /// One key.
    pub fn only(key: Key) -> Self {
        KeyRange {
            from: Bound::Included(key.clone()),
            to: Bound::Included(key),
        }
    }

    /// Whether a key is in it.
    pub fn holds(&self, key: &Key) -> bool {
        let is_behind = match &self.from {
            Bound::Unbounded => true,
            Bound::Included(from) => key.order(from).is_ge(),
            Bound::Excluded(from) => key.order(from).is_gt(),
        };
        is_behind
            && match &self.to {
                Bound::Unbounded => true,
                Bound::Included(to) => key.order(to).is_le(),
                Bound::Excluded(to) => key.order(to).is_lt(),
            }
    }
}

/// A part of the order of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRange {
    /// The schema's id.
    pub schema: Arc<str>,
    /// The `fieldId`.
    pub field: Arc<str>,
    /// Which keys.
    pub range: KeyRange,
}

/// A field that hits are sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortField {
    /// Its name.
    pub field: FieldName,
    /// Whether the greatest comes first.
    pub descending: bool,
}

/// What a record is sorted by: a key for each field of the sort; `None` where it has none, which comes last.
pub type SortKeys = Vec<Option<Key>>;

/// Where a page ends: the place of its last hit and, in a sorted search, what that was sorted by.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Which record.
    pub place: RecordPlace,
    /// Its keys as they were then.
    pub keys: SortKeys,
}

/// How two positions of one sorted search stand. Records with equal keys are in order of creation, or
/// against it, where the first field is sorted from its end and they have a key in it.
pub fn order_of(sort: &[SortField], one: &Position, other: &Position) -> Ordering {
    for ((field, one), other) in sort.iter().zip(&one.keys).zip(&other.keys) {
        let order = match (one, other) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(other)) if field.descending => other.order(one),
            (Some(one), Some(other)) => one.order(other),
        };
        if order.is_ne() {
            return order;
        }
    }
    let is_reversed = sort.first().is_some_and(|first| first.descending);
    if is_reversed && one.keys.first().is_some_and(Option::is_some) {
        other.place.cmp(&one.place)
    } else {
        one.place.cmp(&other.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_by_value_whatever_they_are_kept_as_and_before_texts() {
        let text = |text: &str| Key::Text(text.into());
        let sorted = [
            Key::Real(-1e300),
            Key::Int(i64::MIN),
            Key::Real(-1.5),
            Key::Int(-1),
            Key::Real(0.5),
            Key::Int(1),
            Key::Real(1.5),
            Key::Int((1 << 53) + 1),
            Key::Int(i64::MAX),
            Key::Real(1e300),
            text(""),
            text("10"),
            text("9"),
        ];
        for (at, one) in sorted.iter().enumerate() {
            for (behind, other) in sorted.iter().enumerate() {
                assert_eq!(one.order(other), at.cmp(&behind), "{one:?} {other:?}");
            }
        }
        let zeros = [Key::Int(0), Key::Real(0.0), Key::Real(-0.0)];
        let same = [Key::Int(5), Key::Real(5.0)];
        for equal in [&zeros[..], &same[..]] {
            for one in equal {
                let mut others = equal.iter();
                assert!(others.all(|other| one.order(other).is_eq()), "{one:?}");
            }
        }
    }

    #[test]
    fn a_range_has_its_ends_or_not() {
        let range = |from, to| KeyRange { from, to };
        let (one, three) = (Key::Int(1), Key::Int(3));
        let held = |range: KeyRange| {
            let keys = (0..5).filter(|key| range.holds(&Key::Int(*key)));
            keys.collect::<Vec<i64>>()
        };
        let (from, to) = (Bound::Included(one.clone()), Bound::Included(three.clone()));
        assert_eq!(held(range(from, to)), [1, 2, 3]);
        assert_eq!(
            held(range(Bound::Excluded(one), Bound::Unbounded)),
            [2, 3, 4]
        );
        assert_eq!(
            held(range(Bound::Unbounded, Bound::Excluded(three))),
            [0, 1, 2]
        );
        assert_eq!(held(KeyRange::only(Key::Real(2.0))), [2]);
        assert_eq!(held(KeyRange::ALL).len(), 5);
    }
}

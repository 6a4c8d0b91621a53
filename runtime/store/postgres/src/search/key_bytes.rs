//! A key as bytes that stand in the order of keys: whole numbers and others by value, before texts. What a number was kept as
//! is a byte behind its value, so that it comes back as it was; it is no part of the order.

use std::ops::Bound;
use store::search::{Key, KeyRange};

/// The kinds, in their order.
const BELOW: u8 = 1;
const NUMBER: u8 = 2;
const ABOVE: u8 = 3;
const TEXT: u8 = 4;
/// What a number is kept as.
const INT: u8 = 0;
const REAL: u8 = 1;

/// Bytes of a number without what it is kept as.
const NUMBER_BYTES: usize = 17;

/// A key as its bytes.
pub(super) fn to_bytes(key: &Key) -> Vec<u8> {
    let mut bytes = value_bytes(key);
    match key {
        Key::Int(_) => bytes.push(INT),
        // beyond whole numbers there is but one form
        Key::Real(_) if bytes.first() == Some(&NUMBER) => bytes.push(REAL),
        Key::Real(_) | Key::Text(_) => {}
    }
    bytes
}

/// An expression of SQL for what is compared of the key in a column: [`value_bytes`].
pub(super) fn value_of(column: &str) -> String {
    format!(
        "CASE WHEN {column} < '\\x{TEXT:02x}'::bytea THEN substr({column}, 1, {NUMBER_BYTES}) ELSE {column} END"
    )
}

/// The key of some bytes; `None` where they are of none.
pub(super) fn from_bytes(bytes: &[u8]) -> Option<Key> {
    let (kind, rest) = bytes.split_first()?;
    Some(match *kind {
        TEXT => Key::Text(std::str::from_utf8(rest).ok()?.into()),
        NUMBER => {
            let (whole, rest) = rest.split_first_chunk::<8>()?;
            let (part, rest) = rest.split_first_chunk::<8>()?;
            let whole = whole_of(*whole);
            match rest {
                [INT] => Key::Int(whole),
                [REAL] => Key::Real(joined(whole, real_of(*part))),
                _ => return None,
            }
        }
        BELOW | ABOVE => Key::Real(real_of(*rest.first_chunk::<8>()?)),
        _ => return None,
    })
}

/// The ends of a range: the least bytes in it, and the least behind it.
pub(super) fn ends(range: &KeyRange) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    // nothing of a value is greater than this, and no other value begins so
    let behind = |key: &Key| {
        let mut bytes = value_bytes(key);
        match key {
            Key::Text(_) => bytes.push(0),
            Key::Int(_) | Key::Real(_) => bytes.push(u8::MAX),
        }
        bytes
    };
    let from = match &range.from {
        Bound::Unbounded => None,
        Bound::Included(key) => Some(value_bytes(key)),
        Bound::Excluded(key) => Some(behind(key)),
    };
    let to = match &range.to {
        Bound::Unbounded => None,
        Bound::Included(key) => Some(behind(key)),
        Bound::Excluded(key) => Some(value_bytes(key)),
    };
    (from, to)
}

/// A key without what it was kept as: what of it is compared.
pub(super) fn value_bytes(key: &Key) -> Vec<u8> {
    match key {
        Key::Int(whole) => number_bytes(*whole, 0.0),
        Key::Real(real) => real_bytes(*real),
        Key::Text(text) => {
            let mut bytes = vec![TEXT];
            bytes.extend(text.as_bytes());
            bytes
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the bounds of i64 are compared first, and its whole part fits then"
)]
fn real_bytes(real: f64) -> Vec<u8> {
    let outside = |kind: u8| {
        let mut bytes = vec![kind];
        bytes.extend(ordered(real));
        bytes
    };
    if real >= i64::MAX as f64 {
        return outside(ABOVE);
    }
    if real < i64::MIN as f64 {
        return outside(BELOW);
    }
    // what is behind the point is a double, too, and of the same sign; from the whole number below on, it may be none
    let whole = real.trunc();
    number_bytes(whole as i64, real - whole)
}

fn number_bytes(whole: i64, part: f64) -> Vec<u8> {
    let mut bytes = vec![NUMBER];
    bytes.extend((whole.cast_unsigned() ^ (1 << 63)).to_be_bytes());
    bytes.extend(ordered(part));
    bytes
}

fn whole_of(bytes: [u8; 8]) -> i64 {
    (u64::from_be_bytes(bytes) ^ (1 << 63)).cast_signed()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the two parts of a double make it again"
)]
fn joined(whole: i64, part: f64) -> f64 {
    whole as f64 + part
}

/// A double as bytes in the order of doubles.
fn ordered(real: f64) -> [u8; 8] {
    // both zeros are one
    let bits = (real + 0.0).to_bits();
    let bits = if bits >> 63 == 0 {
        bits ^ (1 << 63)
    } else {
        !bits
    };
    bits.to_be_bytes()
}

fn real_of(bytes: [u8; 8]) -> f64 {
    let bits = u64::from_be_bytes(bytes);
    f64::from_bits(if bits >> 63 == 1 {
        bits ^ (1 << 63)
    } else {
        !bits
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn keys() -> Vec<Key> {
        let text = |text: &str| Key::Text(text.into());
        let mut keys = vec![
            Key::Real(-1e300),
            Key::Int(i64::MIN),
            Key::Real(-1.5),
            Key::Int(-1),
            Key::Real(-1.0),
            Key::Real(-0.25),
            Key::Int(0),
            Key::Real(0.1),
            Key::Int(1),
            Key::Real(1.0),
            Key::Real(1.5),
            Key::Int((1 << 53) + 1),
            Key::Int(i64::MAX),
            Key::Real(1e300),
            text(""),
            text("10"),
            text("9"),
            text("9\u{0}"),
        ];
        let near_zero = [0.1, 2.8e-17, 1e-20, f64::MIN_POSITIVE, 5e-324, 0.0];
        let with_neighbours = |near: f64| [near.next_down(), near, near.next_up()];
        let reals = near_zero.into_iter().flat_map(with_neighbours);
        keys.extend(reals.flat_map(|real| [Key::Real(real), Key::Real(-real)]));
        keys
    }

    #[track_caller]
    fn check(one: &Key, other: &Key) {
        assert_eq!(from_bytes(&to_bytes(one)).as_ref(), Some(one));
        let order = value_bytes(one).cmp(&value_bytes(other));
        assert_eq!(order, one.order(other), "{one:?} {other:?}");
        let is_number = |key: &Key| !matches!(key, Key::Text(_));
        if is_number(one) {
            // as the database compares them
            let bytes = to_bytes(one);
            let compared = &bytes[..bytes.len().min(NUMBER_BYTES)];
            assert!(bytes < vec![TEXT] && compared == value_bytes(one));
        } else {
            assert!(to_bytes(one) >= vec![TEXT] && to_bytes(one) == value_bytes(one));
        }
    }

    #[test]
    fn bytes_stand_in_the_order_of_their_keys_and_come_back() {
        for one in keys() {
            for other in keys() {
                check(&one, &other);
            }
        }
    }

    /// Any double of a key.
    fn real() -> impl Strategy<Value = f64> {
        let any = any::<u64>().prop_map(f64::from_bits);
        prop_oneof![any, -2.0..2.0_f64].prop_filter("a number", |real| !real.is_nan())
    }

    proptest! {
        #[test]
        fn every_double_comes_back_and_stands_by_its_value(one in real(), other in real(), whole in any::<i64>()) {
            check(&Key::Real(one), &Key::Real(other));
            check(&Key::Real(one), &Key::Real(one.next_up()));
            check(&Key::Real(one), &Key::Int(whole));
            check(&Key::Int(whole), &Key::Real(one));
        }
    }

    #[test]
    fn a_range_holds_the_same_keys_as_its_bytes() {
        let bounds = |key: &Key| {
            let (with, without) = (Bound::Included(key.clone()), Bound::Excluded(key.clone()));
            [with, without, Bound::Unbounded]
        };
        for one in keys() {
            for other in keys() {
                for (from, to) in bounds(&one)
                    .into_iter()
                    .flat_map(|from| bounds(&other).map(|to| (from.clone(), to)))
                {
                    let range = KeyRange { from, to };
                    let (from, to) = ends(&range);
                    for key in keys() {
                        let bytes = to_bytes(&key);
                        let is_in = from
                            .as_ref()
                            .is_none_or(|from| bytes.cmp(from) != Ordering::Less)
                            && to.as_ref().is_none_or(|to| bytes < *to);
                        assert_eq!(is_in, range.holds(&key), "{key:?} in {range:?}");
                    }
                }
            }
        }
    }
}

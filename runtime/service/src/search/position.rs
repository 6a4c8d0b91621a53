//! Where a sorted page goes on: a page key that has the keys of its last hit in it, so that a walk goes on at the same
//! point, whatever became of that record. The record's place is mixed as in every page key, and tells nothing.

use crate::ids::IdCipher;
use store::records::RecordPlace;
use store::search::{Key, Position};

/// What a page key of a sorted search says: the key of an unsorted page for its place, and the sorted keys.
type Told = (String, Vec<Option<ToldKey>>);

#[derive(serde::Serialize, serde::Deserialize)]
enum ToldKey {
    #[serde(rename = "i")]
    Int(i64),
    // its bits: every number comes back as it was
    #[serde(rename = "r")]
    Real(u64),
    #[serde(rename = "t")]
    Text(Box<str>),
}

/// The key of the page behind a position.
pub(super) fn page_key(ids: &IdCipher, scope: &str, position: &Position) -> String {
    let place = ids.page_key(scope, position.place.bits());
    if position.keys.is_empty() {
        return place;
    }
    let told = |key: &Key| match key {
        Key::Int(value) => ToldKey::Int(*value),
        Key::Real(value) => ToldKey::Real(value.to_bits()),
        Key::Text(text) => ToldKey::Text(text.clone()),
    };
    let keys = position.keys.iter().map(|key| key.as_ref().map(told));
    let told: Told = (place, keys.collect());
    // numbers and texts alone: this can't fail
    let told = serde_json::to_string(&told).unwrap_or_default();
    ids.long_page_key(scope, &told)
}

/// The position that a page key names, in a search that is sorted by so many fields.
pub(super) fn position_of(ids: &IdCipher, scope: &str, key: &str, sort: usize) -> Option<Position> {
    let place = |key: &str| {
        let bits = ids.position_of(scope, key)?;
        Some(RecordPlace::of_number(bits.cast_signed()))
    };
    if sort == 0 {
        let (place, keys) = (place(key)?, Vec::new());
        return Some(Position { place, keys });
    }
    let (placed, keys): Told = serde_json::from_str(&ids.told_of(scope, key)?).ok()?;
    let keys: Vec<_> = keys
        .into_iter()
        .map(|key| {
            Some(match key? {
                ToldKey::Int(value) => Key::Int(value),
                ToldKey::Real(bits) => Key::Real(f64::from_bits(bits)),
                ToldKey::Text(text) => Key::Text(text),
            })
        })
        .collect();
    let place = place(&placed)?;
    (keys.len() == sort).then_some(Position { place, keys })
}

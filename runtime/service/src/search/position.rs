//! Where a sorted page goes on: a page key that has the keys of its last hit in it, so that a walk goes on at the same
//! point, whatever became of that record. The record's place is mixed as in every page key, and tells nothing. A key also
//! says which fields it is of: where a schema changed meanwhile, values of others would be passed over or come twice.

use super::names::of_name;
use super::targets::Target;
use super::values::is_text;
use crate::ids::IdCipher;
use crate::secrets;
use schema::Schema;
use std::collections::BTreeMap;
use store::catalog::SchemaEntry;
use store::records::RecordPlace;
use store::search::{Key, Position, SortField};

/// What a page key of a sorted search says: the key of an unsorted page for its place, the sorted keys, what fields they
/// are of, and the digest of what all schemas were sorted by.
type Told = (String, Vec<Option<ToldKey>>, String, String);

/// How many digits of a digest are told: a key is no longer for more schemas.
const DIGEST_DIGITS: usize = 16;

/// The order in which a search is walked.
#[derive(Clone, Copy)]
pub(super) struct Order<'o> {
    /// What its page keys are good for.
    scope: &'o str,
    sort: &'o [SortField],
    targets: &'o BTreeMap<u32, Target<'o>>,
}

impl<'o> Order<'o> {
    pub(super) fn of(
        scope: &'o str,
        sort: &'o [SortField],
        targets: &'o BTreeMap<u32, Target<'o>>,
    ) -> Self {
        Order {
            scope,
            sort,
            targets,
        }
    }

    /// The fields by which records of a dataset are sorted, each with its type; `None` of a dataset that is not looked into.
    fn fields_of(self, dataset: u32) -> Option<String> {
        let entry = self.targets.get(&dataset)?.schema;
        Some(self.fields_in(&entry.current().schema))
    }

    /// The same by a version of a schema.
    fn fields_in(self, schema: &Schema) -> String {
        let own = self.sort.iter().map(|by| {
            // the words of a text are kept in order only where it is a sort key, and all else is in any case
            let mut fields = of_name(schema, &by.field).into_iter();
            let sorted = fields.find(|field| field.sort_key || !is_text(field));
            sorted.map_or_else(String::new, |own| {
                [own.id.as_str(), own.data_type.name()].join(" ")
            })
        });
        own.collect::<Vec<_>>().join(",")
    }

    /// The schemas that are looked into, by their ids.
    fn schemas(self) -> BTreeMap<&'o str, &'o SchemaEntry> {
        let schemas = self.targets.values().map(|target| target.schema);
        schemas.map(|entry| (entry.id.as_str(), entry)).collect()
    }

    /// What each of the schemas that are looked into is sorted by, in as many digits for one as for many.
    fn digest(self) -> String {
        let mut all = String::new();
        for (id, entry) in self.schemas() {
            all.push_str(id);
            all.push('\0');
            all.push_str(&self.fields_in(&entry.current().schema));
            all.push('\0');
        }
        let mut digest = secrets::hash(&all);
        digest.truncate(DIGEST_DIGITS);
        digest
    }

    /// Whether records are sorted as when this was told of the schemas. Where others are looked into than then, the schemas say
    /// for themselves whether they were ever sorted by something else: one that came or went is no change of the order.
    fn is_still(self, digest: &str, place: RecordPlace) -> bool {
        if self.digest() == digest {
            return true;
        }
        // whose own fields the key has is compared by these
        let own = self.targets.get(&place.dataset);
        let own = own.map(|target| target.schema.id.as_str());
        let schemas = self.schemas().into_values();
        let mut others = schemas.filter(|entry| Some(entry.id.as_str()) != own);
        others.all(|entry| {
            let now = self.fields_in(&entry.current().schema);
            let mut versions = entry.versions.iter();
            versions.all(|version| self.fields_in(&version.schema) == now)
        })
    }
}

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
pub(super) fn page_key(ids: &IdCipher, order: Order<'_>, position: &Position) -> String {
    let scope = order.scope;
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
    let fields = order.fields_of(position.place.dataset).unwrap_or_default();
    let told: Told = (place, keys.collect(), fields, order.digest());
    // numbers and texts alone: this can't fail
    let told = serde_json::to_string(&told).unwrap_or_default();
    ids.long_page_key(scope, &told)
}

/// The position that a page key names, in an order by the same fields.
pub(super) fn position_of(ids: &IdCipher, order: Order<'_>, key: &str) -> Option<Position> {
    let scope = order.scope;
    let place = |key: &str| {
        let bits = ids.position_of(scope, key)?;
        Some(RecordPlace::of_number(bits.cast_signed()))
    };
    if order.sort.is_empty() {
        let (place, keys) = (place(key)?, Vec::new());
        return Some(Position { place, keys });
    }
    let (placed, keys, fields, digest): Told =
        serde_json::from_str(&ids.told_of(scope, key)?).ok()?;
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
    let own = order.fields_of(place.dataset);
    let is_same = keys.len() == order.sort.len() && own.is_none_or(|own| own == fields);
    let is_same = is_same && order.is_still(&digest, place);
    is_same.then_some(Position { place, keys })
}

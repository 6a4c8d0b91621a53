//! What differs between two schemas, and whom it concerns: stored values, generated types, those who read and those who
//! write. It looks at schemas alone and judges no record; where a schema can't tell, it says that values may be refused.
//!
//! The way of a pair of schemas: `matching` finds which field is which, `properties` what differs, `causes` why values of
//! one field may be refused by another, `api` what becomes of generated types; `fields` puts these together.
//!
//! ```
//! use schema::diff::{Diff, Reason, Semver};
//! use schema::{DataType, Field, Schema};
//!
//! let schema = |max: i64| {
//!     let name = Field { max: Some(max.into()), ..Field::new("f1", "Name", DataType::String) };
//!     Schema { id: "s1".into(), name: "City".into(), fields: vec![name], ..Schema::default() }
//! };
//! let (old, new) = (schema(60), schema(40));
//! let diff = Diff::of(&old, &new);
//! let change = &diff.changes[0];
//! assert_eq!((change.property.as_str(), change.to.as_deref()), ("max", Some("40")));
//! assert_eq!(change.verdicts.data, [Reason::MaxLength]);
//! assert_eq!(change.verdicts.writers, [Reason::MaxLength]);
//! assert_eq!(change.verdicts.readers, []);
//! assert_eq!(change.verdicts.api, Semver::Patch);
//! ```

mod api;
mod carry;
mod causes;
mod change;
mod codes;
mod fields;
mod matching;
mod properties;
mod reason;
#[cfg(test)]
mod tests;

pub use change::{Change, ChangeKind, ChangedField, Semver, Verdicts};
pub use codes::CodeChanges;
pub use reason::Reason;

use crate::json::write_string;
use crate::model::{Field, Schema};
use matching::{Pair, pairs, pairs_by_name};

/// What differs between two schemas.
#[derive(Clone, Debug)]
pub struct Diff<'s> {
    /// The schema as it was.
    pub old: &'s Schema,
    /// The schema as it is to be.
    pub new: &'s Schema,
    /// What differs: of the schema itself, then of each field of the new one in its order, then of the fields that
    /// only the old one has.
    pub changes: Vec<Change>,
    /// The names of the fields that were matched by their names, because an id was made of names, or because the schemas
    /// share none: whether these are the same fields, the schemas don't say.
    pub matched_by_name: Vec<String>,
    pairs: Vec<Pair<'s>>,
}

impl<'s> Diff<'s> {
    /// Compares two schemas. Versions, the area's name, and who made something and when are no differences.
    pub fn of(old: &'s Schema, new: &'s Schema) -> Self {
        Diff::with(old, new, pairs(old, new))
    }

    /// Compares the fields that records have by their names alone, whatever their ids: what a body means that is
    /// written under one schema and read under the other.
    pub fn by_name(old: &'s Schema, new: &'s Schema) -> Self {
        Diff::with(old, new, pairs_by_name(old, new))
    }

    fn with(old: &'s Schema, new: &'s Schema, pairs: Vec<Pair<'s>>) -> Self {
        let mut changes: Vec<Change> = properties::of_schemas(old, new)
            .into_iter()
            .map(|difference| Change {
                verdicts: Verdicts::api(api::of_head(&difference.property)),
                field: None,
                kind: if difference.property == "name" {
                    ChangeKind::Renamed
                } else {
                    ChangeKind::Changed
                },
                property: difference.property,
                from: difference.from,
                to: difference.to,
                codes: None,
            })
            .collect();
        changes.extend(reordered(&pairs));
        changes.extend(pairs.iter().flat_map(fields::changes));
        let by_name = pairs.iter().filter(|pair| pair.is_by_name);
        let by_name = by_name.filter_map(|pair| pair.old.and(pair.new));
        Diff {
            old,
            new,
            changes,
            matched_by_name: by_name.map(|(_, field)| field.name.clone()).collect(),
            pairs,
        }
    }

    /// The fields that both schemas have, active or not, each with its place among the old ones and among the new ones.
    pub fn fields(&self) -> impl Iterator<Item = [(usize, &'s Field); 2]> {
        let both = self.pairs.iter();
        both.filter_map(|pair| Some([pair.old?, pair.new?]))
    }

    /// The name that an active field of the new schema has in the old one, where records had it.
    pub fn old_name(&self, name: &str) -> Option<&'s str> {
        let mut both = self.fields();
        let found = both.find(|[_, (_, new)]| new.active && new.name == name);
        let old = found.map(|[(_, old), _]| old);
        old.filter(|old| old.active).map(|old| old.name.as_str())
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// What all differences together mean.
    pub fn verdicts(&self) -> Verdicts {
        let mut all = Verdicts::default();
        for change in &self.changes {
            all.add(&change.verdicts);
        }
        all
    }
}

/// The properties of two fields that differ, by name: each with its JSON text before and after, none where it is absent.
/// The ids, and who made the fields and when, are no differences.
pub fn properties(old: &Field, new: &Field) -> Vec<(String, Option<String>, Option<String>)> {
    let differences = properties::of_fields(old, new).into_iter();
    differences
        .map(|difference| (difference.property, difference.from, difference.to))
        .collect()
}

/// Whether the fields that both have stand in another order.
fn reordered(pairs: &[Pair<'_>]) -> Option<Change> {
    let mut both: Vec<_> = pairs
        .iter()
        .filter_map(|pair| Some((pair.old?, pair.new?)))
        .collect();
    let names = |fields: &mut dyn Iterator<Item = &Field>| {
        let mut json = String::from("[");
        for field in fields {
            if json.len() > 1 {
                json.push(',');
            }
            write_string(&mut json, &field.name);
        }
        json.push(']');
        json
    };
    if both.is_sorted_by_key(|((at, _), _)| *at) {
        return None;
    }
    let to = names(&mut both.iter().map(|(_, (_, field))| *field));
    both.sort_by_key(|((at, _), _)| *at);
    let from = names(&mut both.iter().map(|((_, field), _)| *field));
    Some(Change {
        field: None,
        kind: ChangeKind::Reordered,
        property: "fields".to_owned(),
        from: Some(from),
        to: Some(to),
        codes: None,
        verdicts: Verdicts::api(Semver::Patch),
    })
}

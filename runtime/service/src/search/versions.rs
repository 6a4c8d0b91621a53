//! What a schema's versions make of its records' words: when they have to be read again, and whether it
//! matters with which version a body was written.

use schema::Field;
use std::sync::Arc;
use store::catalog::{SchemaEntry, SchemaVersion};

/// Whether records show words under the version in force that they did not show under an earlier one: a
/// field is active again, or is of another type or format. New names and fields that are switched off
/// need no reading.
pub(super) fn shows_more(entry: &SchemaEntry, earlier: i64) -> bool {
    let Some(old) = entry.version(earlier) else {
        return true;
    };
    let was_there = |id: &str| {
        let versions = entry.versions.iter();
        let before = versions.filter(|version| version.number < earlier);
        before
            .flat_map(|version| &version.schema.fields)
            .any(|field| field.id == id)
    };
    entry
        .current()
        .schema
        .active_fields()
        .any(|field| match field_of(old, &field.id) {
            None => was_there(&field.id),
            Some(old) => !old.active || !is_written_alike(old, field),
        })
}

/// Whether a body says the same of every active field, whichever version it was written with: each has
/// had its name to itself, its type and its format ever since it was there. Then the bodies of two versions
/// can be compared by name.
pub(super) fn read_alike(entry: &SchemaEntry) -> bool {
    let is_alike = |field: &Field| {
        let mut versions = entry
            .versions
            .iter()
            .skip_while(|version| field_of(version, &field.id).is_none());
        versions.all(|version| {
            field_of(version, &field.id).is_some_and(|old| {
                old.active && old.name == field.name && is_written_alike(old, field)
            })
        })
    };
    let is_its_own = |field: &Field| {
        let namesakes = |version: &Arc<SchemaVersion>| {
            let mut fields = version.schema.active_fields();
            fields.all(|old| old.name != field.name || old.id == field.id)
        };
        entry.versions.iter().all(namesakes)
    };
    let mut fields = entry.current().schema.active_fields();
    fields.all(|field| is_alike(field) && is_its_own(field))
}

fn field_of<'v>(version: &'v SchemaVersion, id: &str) -> Option<&'v Field> {
    version.schema.fields.iter().find(|field| field.id == id)
}

/// Whether the values of two versions of a field are written in the same way.
fn is_written_alike(old: &Field, new: &Field) -> bool {
    old.data_type == new.data_type
        && old.date_shape() == new.date_shape()
        && old.time_shape() == new.time_shape()
        && old.moment_shape() == new.moment_shape()
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::{Origin, Schema};
    use store::catalog::{Actor, ActorKind, Stamp};
    use wire::Timestamp;

    /// A field of a version: id, name, what comes behind `dataType`, and whether it is active.
    type Column = (&'static str, &'static str, &'static str, bool);

    const A: Column = ("a", "A", r#""string""#, true);
    const B: Column = ("b", "B", r#""string""#, true);
    const A_OFF: Column = ("a", "A", r#""string""#, false);

    fn version(number: i64, columns: &[Column]) -> Arc<SchemaVersion> {
        let field = |(id, name, kind, active): &Column| {
            format!(
                r#"{{"fieldId":"{id}","name":"{name}","active":{active},"isPrimaryKey":false,"isSortKey":false,"isRequired":false,"dataType":{kind}}}"#
            )
        };
        let fields: Vec<String> = columns.iter().map(field).collect();
        let document = format!(
            r#"{{"schemaId":"s","name":"S","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z","fields":[{}]}}"#,
            fields.join(",")
        );
        let mut schema = Schema::read(&document, Origin::Elsewhere).unwrap().schema;
        schema.version = Some(number);
        Arc::new(SchemaVersion::new(schema).unwrap())
    }

    fn entry(versions: &[&[Column]]) -> SchemaEntry {
        let actor = Actor {
            kind: ActorKind::User,
            id: "u".to_owned(),
            name: "ada".to_owned(),
            email: None,
            full_name: None,
            via: None,
        };
        SchemaEntry {
            id: "s".to_owned(),
            tenant: "t".to_owned(),
            area: "a".to_owned(),
            state: "published".to_owned(),
            active: true,
            deleted: false,
            versions: (1..)
                .zip(versions)
                .map(|(number, columns)| version(number, columns))
                .collect(),
            stamp: Stamp::new(actor, Timestamp::from_millis(0)),
        }
    }

    #[test]
    fn bodies_read_alike_while_every_field_keeps_its_name_type_and_format() {
        let limited = ("a", "A", r#""string","max":5"#, true);
        for alike in [
            &[&[A, B] as &[Column]] as &[&[Column]],
            &[&[A], &[A, B]],
            &[&[A, B], &[B, A]],
            &[&[A, B], &[limited, B]],
            &[&[A, B], &[A]],
            &[&[A, B], &[A_OFF, B]],
            &[&[B], &[B, A_OFF]],
        ] {
            assert!(read_alike(&entry(alike)), "{alike:?}");
        }
    }

    #[test]
    fn bodies_do_not_read_alike_where_a_name_or_a_value_has_meant_something_else() {
        let day = |shape| ("a", "A", shape, true);
        let points = day(r#""date","dateFormat":"DD$MM$YYYY","dateSeparator":".""#);
        let dashes = day(r#""date","dateFormat":"DD$MM$YYYY","dateSeparator":"-""#);
        let c = ("a", "C", r#""string""#, true);
        for different in [
            &[&[A] as &[Column], &[c]] as &[&[Column]],
            &[&[c], &[A]],
            &[&[A, B], &[c, B], &[A, B]],
            &[
                &[A, B],
                &[
                    ("a", "B", r#""string""#, true),
                    ("b", "A", r#""string""#, true),
                ],
            ],
            // what a field that is gone or off was called
            &[&[A], &[B], &[B, ("n", "A", r#""string""#, true)]],
            &[&[A, B], &[A_OFF, ("b", "A", r#""string""#, true)]],
            // it was hidden between
            &[&[A, B], &[A_OFF, B], &[A, B]],
            &[&[A_OFF], &[A]],
            &[&[A, B], &[B], &[A, B]],
            &[&[A], &[day(r#""integer""#)]],
            &[&[points], &[dashes]],
            &[&[points], &[dashes], &[points]],
        ] {
            assert!(!read_alike(&entry(different)), "{different:?}");
        }
    }
}

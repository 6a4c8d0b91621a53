//! What a schema's versions make of what is found of its records: when they have to be read again.

use super::values::is_text;
use schema::Field;
use std::sync::Arc;
use store::catalog::{SchemaEntry, SchemaVersion};

/// Whether other words of records are found under the version in force than under an earlier one: a field is active
/// again, is of another type or format, or is searched and was not, or the other way round. New names and fields that are
/// switched off need no reading, nor has a value that was faulty and is none by now: the judgement by the new version writes it.
pub(super) fn are_read_again(entry: &SchemaEntry, earlier: i64) -> bool {
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
            Some(old) => {
                !old.active
                    || !is_written_alike(old, field)
                    || old.is_searched() != field.is_searched()
                    || is_sorted_now(old, field)
            }
        })
}

/// The versions of a schema that have a field not, or not as an active one.
pub(super) fn unknown_to(entry: &SchemaEntry, id: &str) -> Arc<[i64]> {
    let versions = entry.versions.iter();
    let without =
        versions.filter(|version| field_of(version, id).is_none_or(|field| !field.active));
    without.map(|version| version.number).collect()
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

/// Whether pages can be sorted by a text that was not kept in order before.
fn is_sorted_now(old: &Field, new: &Field) -> bool {
    is_text(new) && new.sort_key && !old.sort_key
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
            job: None,
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
    fn records_are_read_again_where_they_show_more() {
        let (c, limited) = (
            ("a", "C", r#""string""#, true),
            ("a", "A", r#""string","max":5"#, true),
        );
        let day = |shape| ("a", "A", shape, true);
        let points = day(r#""date","dateFormat":"DD$MM$YYYY","dateSeparator":".""#);
        let dashes = day(r#""date","dateFormat":"DD$MM$YYYY","dateSeparator":"-""#);
        let last = |versions: &[&[Column]]| {
            let entry = entry(versions);
            are_read_again(&entry, entry.current().number - 1)
        };
        for same in [
            &[&[A] as &[Column], &[A, B]] as &[&[Column]],
            &[&[A, B], &[limited, B]],
            &[&[A, B], &[A]],
            &[&[A, B], &[A_OFF, B]],
            &[&[A], &[c]],
        ] {
            assert!(!last(same), "{same:?}");
        }
        for more in [
            &[&[A_OFF] as &[Column], &[A]] as &[&[Column]],
            &[&[A, B], &[B], &[A, B]],
            &[&[A], &[day(r#""integer""#)]],
            &[&[points], &[dashes]],
        ] {
            assert!(last(more), "{more:?}");
        }
    }

    #[test]
    fn records_are_read_again_where_a_field_is_searched_no_more_or_again() {
        let mut entry = entry(&[&[A]]);
        for searched in [Some(true), Some(false), None] {
            let number = entry.current().number + 1;
            let mut next = Schema::clone(&version(number, &[A]).schema);
            next.fields[0].searched = searched;
            let next = SchemaVersion::new(next).unwrap();
            entry.versions.push(Arc::new(next));
        }
        assert!(!are_read_again(&with_versions(&entry, 2), 1));
        assert!(are_read_again(&with_versions(&entry, 3), 2));
        assert!(are_read_again(&entry, 3));
        assert!(!are_read_again(&entry, 1));
    }

    /// The schema when it had fewer versions.
    fn with_versions(entry: &SchemaEntry, count: usize) -> SchemaEntry {
        let mut entry = entry.clone();
        entry.versions.truncate(count);
        entry
    }

    #[test]
    fn records_are_read_again_where_a_text_becomes_a_sort_key() {
        let mut sorted = Schema::clone(&version(2, &[A]).schema);
        sorted.fields[0].sort_key = true;
        let mut entry = entry(&[&[A]]);
        entry
            .versions
            .push(Arc::new(SchemaVersion::new(sorted).unwrap()));
        assert!(are_read_again(&entry, 1));
        assert!(!are_read_again(&entry, 2));
    }
}

//! The schemas of a [`TestServer`](super::TestServer), as documents and as versions of a schema.

use runtime::schema::{Origin, Schema};
use runtime::store::catalog::{SchemaEntry, SchemaVersion};
use std::sync::Arc;

/// What a city is: every kind of field that the interface's sentences speak of.
pub(crate) const CITY: &str = r#"{
  "schemaId": "s", "name": "City", "description": "Where people live", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "2026-01-01T00:00:00.000Z",
  "fields": [
    {"fieldId":"f-code","name":"Code","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":true,"isRequired":true},
    {"fieldId":"f-name","name":"Name","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":true,"max":20},
    {"fieldId":"f-founded","name":"Founded","active":true,"dataType":"date","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"dateFormat":"DD$MM$YYYY","dateSeparator":"."},
    {"fieldId":"f-people","name":"People","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"min":0},
    {"fieldId":"f-kind","name":"Kind","active":true,"dataType":"picklist","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"picklistType":"static","staticPicklist":[{"code":"T","description":"town"},{"code":"C","description":"city"}]},
    {"fieldId":"f-mail","name":"Mail","active":true,"dataType":"email","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isPII":true},
    {"fieldId":"f-site","name":"Site","active":true,"dataType":"url","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"f-phone","name":"Phone","active":true,"dataType":"phone","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"f-tags","name":"Tags","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isMultivalue":true},
    {"fieldId":"f-region","name":"Region","active":true,"dataType":"picklist","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"picklistType":"dynamic","dataDomainId":"regions"},
    {"fieldId":"f-old","name":"Old","active":false,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":true}
  ]}"#;

pub(super) const REMARK: &str = r#"{
  "schemaId": "s", "name": "Remark", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "2026-01-01T00:00:00.000Z",
  "fields": [{"fieldId":"f-text","name":"Text","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false}]}"#;

/// A schema with one version more.
pub(crate) fn next_version(entry: &SchemaEntry, document: &str) -> SchemaEntry {
    let mut next = entry.clone();
    let number = entry.current().number + 1;
    let version = version(&entry.id, number, document);
    next.versions.push(Arc::new(version));
    next
}

pub(super) fn version(id: &str, number: i64, document: &str) -> SchemaVersion {
    let read = Schema::read(document, Origin::Elsewhere);
    let mut schema = read.unwrap_or_else(|problems| panic!("{problems}")).schema;
    id.clone_into(&mut schema.id);
    schema.version = Some(number);
    SchemaVersion::new(schema).unwrap_or_else(|problems| panic!("{problems}"))
}

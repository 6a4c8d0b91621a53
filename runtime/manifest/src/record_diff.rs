//! What has to be written so that a stored record has the values of a manifest's.

use crate::model::RecordMode;
use anyhow::bail;
use schema::json::{Node, Value, parse, write_string};
use schema::{Field, Schema};

/// The member of a stored record that has its id.
const ID: &str = "_dataObjectId";

/// An update of a stored record.
pub(crate) struct Update {
    pub(crate) id: String,
    /// As a request would send it.
    pub(crate) body: String,
}

/// The update that makes the stored record's values those of `record`; none where they are. `normal` is the
/// record's normal form. Fields that it does not name stay, unless it replaces the stored one.
pub(crate) fn diff(
    schema: &Schema,
    stored: &str,
    record: &str,
    normal: &str,
    mode: RecordMode,
) -> anyhow::Result<Option<Update>> {
    let (old, new, wanted) = (parse(stored)?, parse(normal)?, parse(record)?);
    let Value::Object(members) = &wanted.value else {
        return Ok(None);
    };
    let is_same = members.iter().all(|member| {
        let (old, new) = (old.get(&member.key), new.get(&member.key));
        let raw = |node: Option<&Node<'_>>, text: &str| {
            node.map(|node| text[node.start..node.end].to_owned())
        };
        let is_file = |field: &Field| field.data_type.is_file();
        let mut fields = schema.active_fields();
        raw(old, stored) == raw(new, normal)
            || fields.any(|field| field.name == *member.key && is_file(field))
                && old.zip(new).is_some_and(|(old, new)| shows(old, new))
    });
    let is_named = |name: &str| members.iter().any(|member| member.key == name);
    let has_value = |name: &str| {
        let value = old.get(name).map(|node| &node.value);
        value.is_some_and(|value| *value != Value::Null)
    };
    let mut cleared = String::new();
    if mode == RecordMode::Replace {
        for field in schema.active_fields() {
            if !is_named(&field.name) && has_value(&field.name) {
                write_string(&mut cleared, &field.name);
                cleared.push_str(":null,");
            }
        }
    }
    if is_same && cleared.is_empty() {
        return Ok(None);
    }
    let text = |name: &str| old.get(name).map(|node| &stored[node.start..node.end]);
    let (Some(id), Some(version)) = (text(ID), text("_version")) else {
        bail!("a stored record has no id or version");
    };
    let rest = record.trim_start().trim_start_matches('{');
    Ok(Some(Update {
        id: id.trim_matches('"').to_owned(),
        body: format!("{{\"_version\":{version},{cleared}{rest}"),
    }))
}

/// The id of a stored record.
pub(crate) fn id_of(stored: &str) -> anyhow::Result<String> {
    let node = parse(stored)?;
    let Some(id) = node.get(ID) else {
        bail!("a stored record has no id");
    };
    Ok(stored[id.start..id.end].trim_matches('"').to_owned())
}

/// Whether a stored file, shown as an address with its id in it, is the one that is named; or several are.
fn shows(old: &Node<'_>, new: &Node<'_>) -> bool {
    match (&old.value, &new.value) {
        (Value::String(address), Value::String(id)) => address.contains(&**id),
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| shows(old, new))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::Origin;

    #[test]
    fn files_are_the_same_when_their_links_name_them() {
        let field = |name: &str, more: &str| {
            format!(
                r#"{{"fieldId":"{name}","name":"{name}","active":true,"dataType":"image","isPrimaryKey":false,"isSortKey":false,"isRequired":false{more}}}"#
            )
        };
        let fields = [field("One", ""), field("All", r#","isMultivalue":true"#)];
        let text = format!(
            r#"{{"schemaId":"s","name":"S","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z","fields":[{}]}}"#,
            fields.join(",")
        );
        let schema = Schema::read(&text, Origin::Elsewhere)
            .expect("a schema")
            .schema;
        let stored = r#"{"_dataObjectId":"i","_version":3,"One":"http://h/v1/files/a?x","All":["http://h/v1/files/a?x","http://h/v1/files/b?y"]}"#;
        let is_same = |record: &str| {
            let update =
                diff(&schema, stored, record, record, RecordMode::Upsert).expect("records");
            update.is_none()
        };
        assert!(is_same(r#"{"One":"a","All":["a","b"]}"#));
        assert!(!is_same(r#"{"One":"b"}"#) && !is_same(r#"{"One":null}"#));
        for other in [r#"["a"]"#, r#"["b","a"]"#, r#"["a","b","c"]"#, "null"] {
            assert!(!is_same(&format!(r#"{{"All":{other}}}"#)), "{other}");
        }
    }
}

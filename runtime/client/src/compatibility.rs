//! Whether a record type fits a schema as it is now: what would keep records from being read and
//! written as the type. Names, descriptions and tags of the schema itself are nobody's business here.

use schema::diff::{Change, ChangeKind, CodeChanges, Diff};
use schema::{DataType, Field, Schema};

/// A type beside the schema that the service has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeCheck {
    /// The version of the schema that the type was made of; none where the type does not say.
    pub type_version: Option<i64>,
    /// The version that is in force at the service.
    pub schema_version: Option<i64>,
    /// Whether both are the same to the last property ([`Schema::fingerprint`]).
    pub is_same: bool,
    /// What does not fit, in words, one for each field and setting; empty where the type can be used.
    pub differences: Vec<String>,
}

impl TypeCheck {
    pub(crate) fn of(have: &Schema, want: &Schema) -> Self {
        let is_same = have.fingerprint() == want.fingerprint();
        TypeCheck {
            type_version: want.version,
            schema_version: have.version,
            is_same,
            differences: if is_same {
                Vec::new()
            } else {
                differences(have, want)
            },
        }
    }

    /// Whether records can be read and written as the type.
    pub fn fits(&self) -> bool {
        self.differences.is_empty()
    }
}

/// What of `have`, a schema as the service has it, does not fit `want`, the schema of a type; in words,
/// one for each field and setting. Fields go by their names, as in records. Fields that the type does not know are fine
/// as long as they are optional: a record carries them untouched. So is a setting that is written in another way and
/// means the same.
pub fn differences(have: &Schema, want: &Schema) -> Vec<String> {
    let diff = Diff::by_name(want, have);
    let concerns = |change: &&Change| {
        let verdicts = &change.verdicts;
        change.field.is_some() && !(verdicts.readers.is_empty() && verdicts.writers.is_empty())
    };
    let (added, others): (Vec<_>, Vec<_>) = diff
        .changes
        .iter()
        .filter(concerns)
        .partition(|change| change.kind == ChangeKind::Added);
    others.into_iter().chain(added).map(told).collect()
}

/// The fields of `want`, the schema of a type, whose dates or times `have` writes in another format, in words.
pub(crate) fn other_formats(have: &Schema, want: &Schema) -> Vec<String> {
    let mut others = Vec::new();
    for own in want.active_fields() {
        let there = have.active_fields().find(|field| field.name == own.name);
        let Some((there, own_format)) = there.zip(format(own)) else {
            continue;
        };
        if let Some(format) = format(there).filter(|format| *format != own_format) {
            let name = &own.name;
            others.push(format!(
                "field {name:?} is written as {format} in the schema and as {own_format} in the type"
            ));
        }
    }
    others
}

/// How a field writes dates or times, if it holds any.
fn format(field: &Field) -> Option<String> {
    match field.data_type {
        DataType::Date => Some(field.date_shape().label()),
        DataType::Time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime => Some(field.moment_shape().label()),
        _ => None,
    }
}

fn told(change: &Change) -> String {
    let name = change.field.as_ref().map_or("", |field| &field.name);
    match change.kind {
        ChangeKind::Added => {
            format!("the schema requires a field {name:?}, which the type does not have")
        }
        ChangeKind::Removed => format!("the schema has no active field {name:?}"),
        ChangeKind::Renamed | ChangeKind::Reordered | ChangeKind::Changed => {
            let both = change.from.as_ref().and(change.to.as_ref());
            if let Some(codes) = both.and(change.codes.as_ref()) {
                return told_codes(name, codes);
            }
            let text = |json: &Option<String>| json.clone().unwrap_or_else(|| "absent".to_owned());
            format!(
                "field {name:?}: {} is {} in the schema and {} in the type",
                change.property,
                text(&change.to),
                text(&change.from)
            )
        }
    }
}

fn told_codes(name: &str, codes: &CodeChanges) -> String {
    let mut parts = Vec::new();
    if !codes.added.is_empty() {
        let added = &codes.added;
        parts.push(format!(
            "the schema has the codes {added:?}, which the type does not have"
        ));
    }
    if !codes.removed.is_empty() {
        let removed = &codes.removed;
        parts.push(format!(
            "the type has the codes {removed:?}, which the schema does not have"
        ));
    }
    format!("field {name:?}: {}", parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use schema::Origin;

    fn schema(fields: &str) -> Schema {
        let text = format!(
            r#"{{"schemaId":"s","name":"S","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z","fields":[{fields}]}}"#
        );
        Schema::read(&text, Origin::Elsewhere).unwrap().schema
    }

    fn field(name: &str, required: bool, more: &str) -> String {
        format!(
            r#"{{"fieldId":"f-{name}","name":"{name}","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":{required}{more}}}"#
        )
    }

    #[test]
    fn a_schema_that_grew_optional_fields_still_fits() {
        let want = schema(&field("A", true, ""));
        let more = r#","description":"told","classifiers":[{"tagId":"t","tagName":"T"}]"#;
        let have = format!("{},{}", field("B", false, ""), field("A", true, more));
        assert_eq!(differences(&schema(&have), &want), Vec::<String>::new());
    }

    #[test]
    fn every_difference_is_told_with_its_field() {
        let want = schema(&format!(
            "{},{}",
            field("A", true, r#","max":5"#),
            field("B", false, "")
        ));
        let have = format!(
            "{},{}",
            field("A", false, r#","max":6"#),
            field("C", true, "")
        );
        assert_eq!(
            differences(&schema(&have), &want),
            [
                "field \"A\": isRequired is false in the schema and true in the type",
                "field \"A\": max is 6 in the schema and 5 in the type",
                "the schema has no active field \"B\"",
                "the schema requires a field \"C\", which the type does not have",
            ]
        );
    }

    #[test]
    fn codes_are_told_and_what_means_the_same_is_not() {
        let kind = |codes: &str, min: &str| {
            let more = format!(
                r#","picklistType":"static","staticPicklist":[{codes}]}},{{"fieldId":"f","name":"B","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"min":{min}"#
            );
            schema(&field("A", true, &more).replacen("string", "picklist", 1))
        };
        let want = kind(r#"{"code":"X"},{"code":"Y"}"#, "3");
        let have = kind(r#"{"code":"Y","description":"told"},{"code":"Z"}"#, "\"3\"");
        assert_eq!(
            differences(&have, &want),
            [
                "field \"A\": the schema has the codes [\"Z\"], which the type does not have; the type has the codes \
                 [\"X\"], which the schema does not have",
            ]
        );
        let check = TypeCheck::of(&have, &have);
        assert!(check.is_same && check.fits());
    }
}

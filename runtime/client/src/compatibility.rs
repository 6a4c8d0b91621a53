//! Whether a record type fits a schema as it is now: what would keep records from being read and
//! written as the type. Names, descriptions and tags of the schema itself are nobody's business here.

use schema::format::{BooleanWords, DateFormat, Separator, TimeFormat};
use schema::{Bound, Field, PicklistType, Schema};

/// What of `have`, a schema as the service has it, does not fit `want`, the schema of a type; in words,
/// one for each field and setting. Fields that the type does not know are fine as long as they are
/// optional: a record carries them untouched.
pub fn differences(have: &Schema, want: &Schema) -> Vec<String> {
    let mut found = Vec::new();
    for field in want.active_fields() {
        let name = &field.name;
        match have.active_fields().find(|other| other.name == *name) {
            None => found.push(format!("the schema has no active field {name:?}")),
            Some(other) => {
                for ((setting, theirs), (_, ours)) in rules(other).into_iter().zip(rules(field)) {
                    if theirs != ours {
                        found.push(format!(
                            "field {name:?}: {setting} is {theirs} in the schema and {ours} in the type"
                        ));
                    }
                }
            }
        }
    }
    for field in have.active_fields().filter(|field| field.required) {
        let name = &field.name;
        if want.active_fields().all(|other| other.name != *name) {
            found.push(format!(
                "the schema requires a field {name:?}, which the type does not have"
            ));
        }
    }
    found
}

/// The settings that decide what a value may be.
fn rules(field: &Field) -> Vec<(&'static str, String)> {
    let text = |text: Option<&str>| text.map_or("absent".to_owned(), |text| format!("{text:?}"));
    let bound = |bound: &Option<Bound>| match bound {
        None => "absent".to_owned(),
        Some(Bound::Number(token)) => token.clone(),
        Some(Bound::Text(text)) => format!("{text:?}"),
    };
    let codes = field.static_picklist.as_ref().map(|entries| {
        let codes: Vec<&str> = entries.iter().map(|entry| entry.code.as_str()).collect();
        format!("{codes:?}")
    });
    let names = field.validation_rules.iter().flatten();
    vec![
        ("dataType", field.data_type.name().to_owned()),
        ("isPrimaryKey", field.primary_key.to_string()),
        ("isRequired", field.required.to_string()),
        ("isMultivalue", field.is_multivalue().to_string()),
        ("min", bound(&field.min)),
        ("max", bound(&field.max)),
        (
            "validationRules",
            format!("{:?}", names.collect::<Vec<_>>()),
        ),
        (
            "allowedBooleanValues",
            text(field.boolean_words.map(BooleanWords::name)),
        ),
        (
            "picklistType",
            text(field.picklist_type.map(PicklistType::name)),
        ),
        (
            "staticPicklist",
            codes.unwrap_or_else(|| "absent".to_owned()),
        ),
        ("dataDomainId", text(field.data_domain_id.as_deref())),
        ("dateFormat", text(field.date_format.map(DateFormat::name))),
        (
            "dateSeparator",
            text(field.date_separator.map(Separator::name)),
        ),
        ("timeFormat", text(field.time_format.map(TimeFormat::name))),
        ("maxWidth", bound(&field.max_width)),
        ("maxHeight", bound(&field.max_height)),
        ("maxSize", bound(&field.max_size)),
    ]
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
}

//! A field's rules, and what differs between two schemas, in the reader's language. It judges nothing.

use crate::admin::pages::texts::schemas::SchemaTexts;
use crate::admin::pages::texts::{Texts, filled};
use schema::diff::{Change, ChangeKind, Diff, Reason, Semver};
use schema::{BoundKind, DataType, Field, Schema, Setting};

/// Codes of a picklist that are named before the rest is only counted.
const CODES_NAMED: usize = 4;
/// Characters of a value that are shown.
const VALUE_SHOWN: usize = 80;

/// A field as a line of a table.
pub(super) struct FieldRow {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) kind: &'static str,
    pub(super) marks: Vec<&'static str>,
    pub(super) rules: Vec<String>,
}

/// A field with its rules in words.
pub(super) fn row(field: &Field, texts: &'static Texts) -> FieldRow {
    let own = &texts.schemas;
    let marks = [
        (field.primary_key, own.mark_key),
        (field.required, texts.required),
        (field.is_multivalue(), own.mark_several),
        (field.sort_key, own.mark_sort),
        (field.is_pii(), own.mark_personal),
    ];
    let marks = marks.into_iter().filter(|(is, _)| *is);
    FieldRow {
        name: field.name.clone(),
        description: field.description.clone().unwrap_or_default(),
        kind: own.of_type(field.data_type.name()),
        marks: marks.map(|(_, mark)| mark).collect(),
        rules: rules(field, own),
    }
}

fn rules(field: &Field, own: &SchemaTexts) -> Vec<String> {
    let mut rules: Vec<String> = bounds(field, own).into_iter().collect();
    if field.is_alphanumeric() {
        rules.push(own.rule_alphanumeric.to_owned());
    }
    rules.extend(format(field).map(|format| filled(own.rule_written, &[&format])));
    if let Some(words) = field.boolean_words {
        rules.push(filled(own.rule_words, &[words.name()]));
    }
    if let Some(entries) = &field.static_picklist {
        let mut codes: Vec<&str> = entries.iter().map(|it| it.code.as_str()).collect();
        codes.truncate(CODES_NAMED);
        let more = if entries.len() > CODES_NAMED {
            " …"
        } else {
            ""
        };
        let count = entries.len().to_string();
        rules.push(filled(
            own.rule_codes,
            &[&count, &(codes.join(", ") + more)],
        ));
    }
    if let Some(id) = &field.data_domain_id {
        rules.push(filled(own.rule_domain, &[id]));
    }
    let limits = [
        (Setting::Size, &field.max_size, own.rule_bytes),
        (Setting::Pixels, &field.max_width, own.rule_wide),
        (Setting::Pixels, &field.max_height, own.rule_high),
    ];
    for (setting, bound, text) in limits {
        if let Some(bound) = bound.as_ref().filter(|_| field.data_type.has(setting)) {
            rules.push(filled(text, &[bound.as_str()]));
        }
    }
    let tags = field.classifiers.iter().flatten();
    let tags: Vec<_> = tags.map(|tag| tag.tag_name.as_str()).collect();
    if !tags.is_empty() {
        rules.push(filled(own.rule_tags, &[&tags.join(", ")]));
    }
    rules
}

fn bounds(field: &Field, own: &SchemaTexts) -> Option<String> {
    let [min, max] =
        [&field.min, &field.max].map(|bound| bound.as_ref().map(schema::Bound::as_str));
    let told = match (field.data_type.facts().bounds, min, max) {
        (BoundKind::None, ..) | (_, None, None) => return None,
        (BoundKind::Length, Some(min), Some(max)) if min == max => {
            filled(own.rule_characters_exactly, &[max])
        }
        (BoundKind::Length, Some(min), Some(max)) => filled(own.rule_characters, &[min, max]),
        (BoundKind::Length, Some(min), None) => filled(own.rule_characters_min, &[min]),
        (BoundKind::Length, None, Some(max)) => filled(own.rule_characters_max, &[max]),
        (BoundKind::Value, Some(min), Some(max)) => filled(own.rule_from_to, &[min, max]),
        (BoundKind::Value, Some(min), None) => filled(own.rule_from, &[min]),
        (BoundKind::Value, None, Some(max)) => filled(own.rule_to, &[max]),
    };
    Some(told)
}

/// How a field writes dates and times.
pub(super) fn format(field: &Field) -> Option<String> {
    match field.data_type {
        DataType::Date => Some(field.date_shape().label()),
        DataType::Time => Some(field.time_shape().name().to_owned()),
        DataType::Datetime => Some(field.moment_shape().label()),
        _ => None,
    }
}

/// One difference in words.
pub(super) struct ChangeRow {
    /// The field; empty where the schema itself differs.
    pub(super) field: String,
    pub(super) what: String,
    /// The value before; empty where there is none.
    pub(super) from: String,
    pub(super) to: String,
    /// Whom it concerns and why, a line for each.
    pub(super) concerns: Vec<(&'static str, Vec<&'static str>)>,
}

/// What differs between two schemas, in words.
pub(super) struct Told {
    pub(super) changes: Vec<ChangeRow>,
    /// Whether whoever reads and writes goes on as before.
    pub(super) is_compatible: bool,
}

/// Tells what differs.
pub(super) fn told(old: &Schema, new: &Schema, texts: &'static Texts) -> Told {
    let diff = Diff::of(old, new);
    let changes = diff.changes.iter();
    let all = diff.verdicts();
    Told {
        changes: changes
            .map(|change| change_row(change, new, texts))
            .collect(),
        is_compatible: all.data.is_empty() && all.readers.is_empty() && all.writers.is_empty(),
    }
}

fn change_row(change: &Change, new: &Schema, texts: &'static Texts) -> ChangeRow {
    let own = &texts.schemas;
    let field = change.field.as_ref();
    let old_name = field
        .and_then(|it| it.old_name.as_deref())
        .unwrap_or_default();
    let is_property = change.kind == ChangeKind::Changed && change.codes.is_none();
    let what = match change.kind {
        ChangeKind::Added => own.change_added.to_owned(),
        ChangeKind::Removed => own.change_removed.to_owned(),
        ChangeKind::Reordered => own.change_reordered.to_owned(),
        ChangeKind::Renamed if field.is_some() => filled(own.change_renamed, &[old_name]),
        ChangeKind::Renamed | ChangeKind::Changed => match &change.codes {
            Some(codes) => codes_told(codes, own),
            None => property_told(change, new, own),
        },
    };
    let is_shown = is_property || (change.kind == ChangeKind::Renamed && field.is_none());
    let value = |json: &Option<String>| match json {
        Some(json) if is_shown => shortened(&plain(json, texts)),
        _ => String::new(),
    };
    let verdicts = &change.verdicts;
    let lists = [
        (own.for_data, &verdicts.data),
        (own.for_readers, &verdicts.readers),
        (own.for_writers, &verdicts.writers),
    ];
    let why = |reasons: &Vec<Reason>| reasons.iter().map(|it| own.reason(it.code())).collect();
    let mut concerns: Vec<(_, Vec<_>)> = lists
        .into_iter()
        .filter(|(_, reasons)| !reasons.is_empty())
        .map(|(whom, reasons)| (whom, why(reasons)))
        .collect();
    if verdicts.api == Semver::Major {
        concerns.push((own.for_types, vec![own.types_major]));
    }
    ChangeRow {
        field: field.map_or_else(String::new, |it| it.name.clone()),
        what,
        from: value(&change.from),
        to: value(&change.to),
        concerns,
    }
}

/// What a property is called; a bound of texts with what it counts.
fn property_told(change: &Change, new: &Schema, own: &SchemaTexts) -> String {
    let name = own.property(&change.property);
    let index = change.field.as_ref().and_then(|it| it.new_index);
    let field = index.and_then(|index| new.fields.get(index));
    let is_length = field.is_some_and(|it| it.data_type.facts().bounds == BoundKind::Length);
    if is_length && ["min", "max"].contains(&change.property.as_str()) {
        format!("{name} ({})", own.hint_length)
    } else {
        name.to_owned()
    }
}

fn codes_told(codes: &schema::diff::CodeChanges, own: &SchemaTexts) -> String {
    let mut told = Vec::new();
    for (text, codes) in [
        (own.change_codes_added, &codes.added),
        (own.change_codes_removed, &codes.removed),
    ] {
        if !codes.is_empty() {
            told.push(filled(text, &[&shortened(&codes.join(", "))]));
        }
    }
    if !codes.relabelled.is_empty() {
        told.push(own.change_codes_told.to_owned());
    }
    if codes.reordered {
        told.push(own.change_codes_order.to_owned());
    }
    told.join("; ")
}

/// A JSON text as people read it: a text without its quotes, a type by its name, what is so or not by a word.
fn plain(json: &str, texts: &Texts) -> String {
    match (serde_json::from_str::<String>(json), json) {
        (Ok(text), _) => texts.schemas.of_type(&text).to_owned(),
        (Err(_), "true") => texts.yes.to_owned(),
        (Err(_), "false") => texts.no.to_owned(),
        (Err(_), _) => json.to_owned(),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= VALUE_SHOWN {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(VALUE_SHOWN).collect();
    beginning + " …"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_a_property_is_told_as_people_read_it() {
        let texts = Texts::liked("en");
        for (json, told) in [
            ("true", "yes"),
            ("false", "no"),
            (r#""true""#, "true"),
            (r#""string""#, "text"),
            ("7", "7"),
        ] {
            assert_eq!(plain(json, texts), told);
        }
    }

    #[test]
    fn a_bound_of_texts_is_told_with_what_it_counts_and_one_of_numbers_is_not() {
        let texts = Texts::liked("en");
        for (data_type, what) in [
            (DataType::String, "Maximum (characters)"),
            (DataType::Integer, "Maximum"),
        ] {
            let schema = |max: i64| {
                let field = Field {
                    max: Some(max.into()),
                    ..Field::new("f1", "Name", data_type)
                };
                Schema {
                    id: "s1".into(),
                    name: "City".into(),
                    fields: vec![field],
                    ..Schema::default()
                }
            };
            let changes = told(&schema(60), &schema(40), texts).changes;
            assert_eq!(changes[0].what, what);
        }
    }

    #[test]
    fn a_key_that_is_required_is_told_to_be_both() {
        let field = Field {
            primary_key: true,
            required: true,
            ..Field::new("f1", "Code", DataType::String)
        };
        let marks = row(&field, Texts::liked("en")).marks;
        assert_eq!(marks, ["primary key", "required"]);
    }
}

//! Stories of two schemas each: what differs, and whom it concerns.

use super::{Change, ChangeKind, Diff, Reason, Semver};
use crate::format::{BooleanWords, DateFormat, TimeFormat};
use crate::model::{Field, PicklistEntry, PicklistType, Schema, id_of};
use crate::{Bound, DataType};

fn schema(fields: Vec<Field>) -> Schema {
    Schema {
        id: "s1".to_owned(),
        name: "City".to_owned(),
        fields,
        ..Schema::default()
    }
}

fn field(data_type: DataType) -> Field {
    Field::new("f1", "A", data_type)
}

fn diff(old: Field, new: Field) -> Vec<Change> {
    Diff::of(&schema(vec![old]), &schema(vec![new])).changes
}

/// The one change, as `property: data / api / readers / writers`.
#[track_caller]
fn check(old: Field, new: Field, expected: &str) {
    let changes = diff(old, new);
    let words = |reasons: &[Reason]| {
        let codes: Vec<_> = reasons.iter().map(|reason| reason.code()).collect();
        codes.join("+")
    };
    let lines: Vec<String> = changes
        .iter()
        .map(|change| {
            let all = &change.verdicts;
            format!(
                "{}: {}/{}/{}/{}",
                change.property,
                words(&all.data),
                all.api.name(),
                words(&all.readers),
                words(&all.writers)
            )
        })
        .collect();
    assert_eq!(lines.join(", "), expected);
}

fn bounded(data_type: DataType, min: Option<i64>, max: Option<i64>) -> Field {
    Field {
        min: min.map(Bound::from),
        max: max.map(Bound::from),
        ..field(data_type)
    }
}

fn codes(codes: &[&str]) -> Field {
    let entry = |code: &&str| PicklistEntry {
        code: (*code).to_owned(),
        ..PicklistEntry::default()
    };
    Field {
        picklist_type: Some(PicklistType::Static),
        static_picklist: Some(codes.iter().map(entry).collect()),
        ..field(DataType::Picklist)
    }
}

#[test]
fn a_narrower_bound_is_met_by_writers_and_a_wider_one_by_readers() {
    use DataType::{Integer, String};
    let of = bounded;
    let (wide, narrow) = (of(String, None, Some(60)), of(String, None, Some(40)));
    check(
        wide.clone(),
        narrow.clone(),
        "max: max_length/patch//max_length",
    );
    check(narrow, wide, "max: /patch/max_length/");
    check(
        of(Integer, None, None),
        of(Integer, Some(0), None),
        "min: min/patch//min",
    );
    // what the type says anyway is no bound
    check(
        of(DataType::DateYear, None, None),
        of(DataType::DateYear, Some(1), None),
        "min: /patch//",
    );
    let text = Field {
        max: Some("40".into()),
        ..field(String)
    };
    check(of(String, None, Some(40)), text, "max: /patch//");
}

#[test]
fn what_is_required_is_met_by_writers_and_what_is_not_any_more_by_readers() {
    let optional = field(DataType::String);
    let required = Field {
        required: true,
        ..optional.clone()
    };
    let expected = "isRequired: required/major//required";
    check(optional.clone(), required.clone(), expected);
    check(required, optional, "isRequired: /major/required/");
    let list = Field {
        multivalue: Some(true),
        ..field(DataType::String)
    };
    let some = Field {
        required: true,
        ..list.clone()
    };
    check(list, some, "isRequired: required/patch//required");
}

#[test]
fn one_value_is_an_array_of_one_to_writers_and_not_to_readers() {
    let one = field(DataType::Phone);
    let several = Field {
        multivalue: Some(true),
        ..one.clone()
    };
    let expected = "isMultivalue: /major/single/";
    check(one.clone(), several.clone(), expected);
    check(
        several,
        one.clone(),
        "isMultivalue: single/major/shape/single",
    );
    let said = Field {
        multivalue: Some(false),
        ..one.clone()
    };
    check(one, said, "isMultivalue: /patch//");
}

#[test]
fn codes_are_told_one_by_one() {
    let old = codes(&["A", "B", "C"]);
    let mut new = codes(&["B", "A", "D"]);
    let entries = new.static_picklist.as_mut().unwrap();
    entries[0].description = Some("told".to_owned());
    let changes = diff(old, new);
    let found = changes[0].codes.clone().unwrap();
    assert_eq!(found.added, ["D"]);
    assert_eq!(found.removed, ["C"]);
    assert_eq!(found.relabelled, ["B"]);
    assert!(found.reordered);
    assert_eq!(changes[0].verdicts.data, [Reason::Picklist]);
    assert_eq!(changes[0].verdicts.readers, [Reason::Picklist]);
    check(
        codes(&["A"]),
        codes(&["A", "B"]),
        "staticPicklist: /major/picklist/",
    );
}

#[test]
fn a_domain_is_told_by_its_binding() {
    let bound = |domain: &str| Field {
        picklist_type: Some(PicklistType::Dynamic),
        data_domain_id: Some(domain.to_owned()),
        ..field(DataType::Picklist)
    };
    check(
        bound("d1"),
        bound("d2"),
        "dataDomainId: domain/patch/domain/domain",
    );
    let expected = "picklistType: domain/major/picklist/domain, \
         staticPicklist: /patch//, dataDomainId: /patch//";
    check(codes(&["A"]), bound("d1"), expected);
}

#[test]
fn dates_are_carried_where_the_new_format_can_hold_them() {
    let date = |format, min: Option<&str>, max: Option<&str>| Field {
        date_format: Some(format),
        min: min.map(Bound::from),
        max: max.map(Bound::from),
        ..field(DataType::Date)
    };
    let (long, short) = (DateFormat::YearCompact, DateFormat::ShortCompact);
    check(
        date(long, None, None),
        date(DateFormat::DayMonthYear, None, None),
        "dateFormat: /patch/format/format",
    );
    check(
        date(long, None, None),
        date(short, None, None),
        "dateFormat: year_held/patch/format/format",
    );
    let (from, to) = (Some("1980-01-01"), Some("2030-01-01"));
    check(
        date(long, from, to),
        date(short, from, to),
        "dateFormat: /patch/format/format",
    );
    let time = |format| Field {
        time_format: Some(format),
        ..field(DataType::Time)
    };
    check(
        time(TimeFormat::Seconds),
        time(TimeFormat::Minutes),
        "timeFormat: seconds_held/patch/format/seconds_held",
    );
}

#[test]
fn words_for_true_and_false_concern_who_sends_them() {
    let words = |words| Field {
        boolean_words: words,
        ..field(DataType::Boolean)
    };
    check(
        words(Some(BooleanWords::ALL[0])),
        words(None),
        "allowedBooleanValues: /patch//boolean",
    );
    check(
        words(None),
        words(Some(BooleanWords::ALL[0])),
        "allowedBooleanValues: /patch//",
    );
}

#[test]
fn another_data_type_is_told_with_what_its_rust_type_is() {
    let of = field;
    check(
        of(DataType::Integer),
        of(DataType::Float),
        "dataType: /major/data_type/",
    );
    check(
        of(DataType::String),
        of(DataType::Email),
        "dataType: data_type/major//data_type",
    );
    check(
        of(DataType::DateMonth),
        of(DataType::DateDay),
        "dataType: /patch/max/",
    );
    check(
        of(DataType::Image),
        of(DataType::Document),
        "dataType: /patch/data_type/",
    );
}

#[test]
fn what_nobody_meets_is_told_all_the_same() {
    let old = field(DataType::String);
    let new = Field {
        description: Some("told".to_owned()),
        pii: Some(true),
        sort_key: true,
        extra: vec![("helpText".to_owned(), "1".to_owned())],
        ..old.clone()
    };
    let expected =
        "isSortKey: /patch//, description: /patch//, isPII: /patch//, helpText: /patch//";
    check(old, new, expected);
}

#[test]
fn fields_come_go_and_are_renamed_by_their_ids() {
    let city = |id: &str, name: &str| Field::new(id, name, DataType::String);
    let old = schema(vec![city("f1", "A"), city("f2", "B"), city("f3", "C")]);
    let new = schema(vec![city("f2", "B"), city("f1", "Z"), city("f4", "C")]);
    let diff = Diff::of(&old, &new);
    let told: Vec<_> = diff
        .changes
        .iter()
        .map(|change| {
            let name = change.field.as_ref().map(|field| field.name.as_str());
            (change.kind, name)
        })
        .collect();
    assert_eq!(
        told,
        [
            (ChangeKind::Reordered, None),
            (ChangeKind::Renamed, Some("Z")),
            (ChangeKind::Added, Some("C")),
            (ChangeKind::Removed, Some("C")),
        ]
    );
    let all = diff.verdicts();
    assert_eq!(all.api, Semver::Major);
    assert_eq!(all.readers, [Reason::Gone, Reason::Renamed]);
    assert_eq!(all.writers, [Reason::Renamed, Reason::UnknownKey]);
    assert_eq!(all.data, []);
    assert!(diff.matched_by_name.is_empty());
}

#[test]
fn fields_whose_ids_are_made_of_names_go_by_them() {
    let made = id_of(&["City", "A"]);
    let old = schema(vec![
        Field::new(made, "A", DataType::String),
        Field::new("f2", "B", DataType::String),
    ]);
    let new = schema(vec![
        Field::new("f1", "A", DataType::String),
        Field::new("f2", "B", DataType::String),
    ]);
    let diff = Diff::of(&old, &new);
    assert!(diff.is_empty());
    assert_eq!(diff.matched_by_name, ["A"]);
}

#[test]
fn a_field_that_is_shown_again_brings_values_that_nobody_judged() {
    let hidden = Field {
        active: false,
        ..field(DataType::String)
    };
    check(
        hidden.clone(),
        field(DataType::String),
        "active: unjudged/major//",
    );
    check(
        field(DataType::String),
        hidden,
        "active: /major/gone/unknown_key",
    );
}

#[test]
fn another_primary_key_concerns_everyone() {
    let plain = Field {
        required: true,
        ..field(DataType::String)
    };
    let key = Field {
        primary_key: true,
        ..plain.clone()
    };
    check(
        plain.clone(),
        key.clone(),
        "isPrimaryKey: primary_key/patch/primary_key/primary_key",
    );
    check(key, plain, "isPrimaryKey: /patch/primary_key/primary_key");
}

#[test]
fn a_rule_that_begins_to_matter_is_blamed_on_what_makes_it_matter() {
    let phone = Field {
        validation_rules: Some(vec!["alphanumeric".to_owned()]),
        ..field(DataType::Phone)
    };
    let text = Field {
        data_type: DataType::String,
        ..phone.clone()
    };
    check(
        phone,
        text,
        "dataType: alphanumeric/major/data_type/alphanumeric",
    );
}

#[test]
fn a_record_is_carried_under_new_names_and_formats() {
    let date = Field::new("f1", "Founded", DataType::Date);
    let old = schema(vec![
        date.clone(),
        Field::new("f2", "Gone", DataType::String),
    ]);
    let new = schema(vec![Field {
        name: "Since".to_owned(),
        date_format: Some(DateFormat::YearCompact),
        ..date
    }]);
    let diff = Diff::of(&old, &new);
    assert_eq!(
        diff.carry(r#"{"Founded":"1980-02-01","Gone":"x"}"#)
            .as_deref(),
        Some(r#"{"Since":"19800201"}"#)
    );
    assert_eq!(diff.carry("[]").as_deref(), Some("{}"));
    assert_eq!(diff.carry("["), None);
}

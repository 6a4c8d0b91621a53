//! Every conformance case through the exports of its schema: what a schema takes for clean, JSON Schema and SQLite take
//! too. Where they take more, `exports.tsv` says why, rule by rule, and how often.

use generator::{Target, export};
use runtime::schema::{DataType, Field, Origin, Schema};
use runtime::validate::{Checked, Checker};
use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tests::conformance::{Case, for_every_case};

/// The schema of a case, and the record that it is about.
fn judged(case: &Case<'_>) -> Option<(Schema, Checked)> {
    let document = case.document.to_string();
    let schema = Schema::read(&document, Origin::Elsewhere).unwrap().schema;
    let checker = Checker::new(&schema).unwrap();
    let checked = match case.update() {
        None => checker.check_with(&case.input(), case.lookups()),
        Some((stored, change)) => {
            let merged = checker.merge(stored, change.as_bytes(), case.lookups());
            merged.map(|merged| merged.checked)
        }
    };
    Some((schema, checked.ok()?))
}

/// Whether JSON Schema takes a record.
fn by_json_schema(schema: &Schema, record: &Value) -> bool {
    let document = serde_json::from_str(&export(schema, Target::JsonSchema).unwrap()).unwrap();
    jsonschema::draft202012::meta::validate(&document).unwrap();
    jsonschema::draft202012::new(&document)
        .unwrap()
        .is_valid(record)
}

/// The same, made once, where `format` is asserted, as many validators do.
fn asserting_formats(schema: &Schema) -> jsonschema::Validator {
    let document = serde_json::from_str(&export(schema, Target::JsonSchema).unwrap()).unwrap();
    let options = jsonschema::draft202012::options();
    options
        .should_validate_formats(true)
        .build(&document)
        .unwrap()
}

/// A value as a program would bind it.
fn cell(field: &Field, value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(flag) => Cell::Integer((*flag).into()),
        Value::String(text) => Cell::Text(text.clone()),
        Value::Number(number) => match number.as_i64() {
            Some(whole) if field.data_type != DataType::Float => Cell::Integer(whole),
            _ => Cell::Real(number.as_f64().unwrap()),
        },
        Value::Array(_) | Value::Object(_) => Cell::Text(value.to_string()),
    }
}

/// Whether a table of SQLite takes a record.
fn by_sqlite(schema: &Schema, record: &Value) -> bool {
    let fields: Vec<_> = schema.active_fields().collect();
    let store = Connection::open_in_memory().unwrap();
    let table = export(schema, Target::Sqlite).unwrap();
    store
        .execute_batch(&table)
        .unwrap_or_else(|error| panic!("{error}\n{table}"));
    // a table has columns
    if fields.is_empty() {
        return true;
    }
    let marks = vec!["?"; fields.len()].join(",");
    let name = schema.name.replace('"', "\"\"");
    let values = fields.iter().map(|field| cell(field, &record[&field.name]));
    store
        .execute(
            &format!("INSERT INTO \"{name}\" VALUES ({marks})"),
            rusqlite::params_from_iter(values),
        )
        .is_ok()
}

#[test]
fn a_schema_without_active_fields_is_no_table_and_no_error_of_sqlite() {
    let schema = Schema {
        name: "No\nthing".to_owned(),
        ..Schema::default()
    };
    assert!(by_sqlite(&schema, &Value::Null));
    assert_eq!(
        export(&schema, Target::Sqlite).unwrap(),
        "-- \"No thing\" has no active field, and SQLite no table without a column\n"
    );
}

#[test]
fn an_address_that_is_one_is_one_for_json_schema_too_also_where_formats_are_asserted() {
    let schema = Schema {
        id: "s".to_owned(),
        name: "Addresses".to_owned(),
        fields: vec![
            Field::new("f1", "Mail", DataType::Email),
            Field::new("f2", "Web", DataType::Url),
        ],
        ..Schema::default()
    };
    let (checker, validator) = (Checker::new(&schema).unwrap(), asserting_formats(&schema));
    let judged = |field: &str, text: &str| {
        let record = json!({ field: text });
        let checked = checker.check(record.to_string().as_bytes()).unwrap();
        (checked.is_clean(), validator.is_valid(&record))
    };
    for (field, text) in [
        ("Mail", "a..b@x.de"),
        ("Mail", ".a@x.de"),
        ("Mail", "a.@x.de"),
        ("Mail", "`{|}~^/='*#$%&!?+-_@x--y.de"),
        ("Web", "https://müller.de/größe"),
        ("Web", "http://x.de/a|b{c}"),
        ("Web", "http://x.de/%zz"),
        ("Web", "HTTPS://user@[::1]:8080/^?\"<>`#\u{feff}"),
    ] {
        assert_eq!(judged(field, text), (true, true), "{text}");
    }
    // whatever a character of an address may be
    for c in (1..=0x3100).filter_map(char::from_u32) {
        let (is_clean, taken) = judged("Web", &format!("http://x.de/a{c}b"));
        assert!(taken || !is_clean, "{}", c.escape_unicode());
    }
    for (field, text) in [
        ("Mail", "a@x"),
        ("Mail", "a b@x.de"),
        ("Mail", "a@-x.de"),
        ("Web", "ftp://x.de"),
        ("Web", "x.de"),
        ("Web", "http://x.de/a b"),
        ("Web", "http://x.de\\a"),
    ] {
        assert_eq!(judged(field, text), (false, false), "{text}");
    }
}

/// Writes the counts into the table; reasons stay, and are for people to write.
fn update(found: &[String]) {
    let old = include_str!("exports.tsv");
    let mut new = String::from(old.lines().next().unwrap_or_default());
    for line in found {
        let rule = line.split('\t').next().unwrap_or_default();
        let mut lines = old
            .lines()
            .map(|line| line.splitn(5, '\t').collect::<Vec<_>>());
        let reason = lines.find(|columns| columns[0] == rule);
        let reason = reason.and_then(|columns| columns.get(4).copied());
        new += "\n";
        new += line;
        new += "\t";
        new += reason.unwrap_or_default();
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("codegen/exports.tsv");
    std::fs::write(path, new + "\n").unwrap();
}

/// How often each export refused and took records that break this rule alone.
#[derive(Default)]
struct Counts {
    cases: usize,
    refused: [usize; 2],
}

#[test]
fn no_export_is_stricter_than_its_schema_and_what_is_looser_has_its_reason() {
    let mut rules: BTreeMap<&'static str, Counts> = BTreeMap::new();
    let (mut clean, mut stricter) = (0, Vec::new());
    for_every_case(|case| {
        let Some((schema, checked)) = judged(case) else {
            return Ok(());
        };
        let Ok(record) = serde_json::from_str::<Value>(checked.normal_form()) else {
            // a number that no double holds is faulty, and stays as it was written
            assert!(!checked.is_clean());
            return Ok(());
        };
        let taken = [
            by_json_schema(&schema, &record),
            by_sqlite(&schema, &record),
        ];
        // a table wants a value of each key, as the service does
        let lacks_key = schema.primary_key().is_some() && checked.primary_key().is_none();
        if checked.is_clean() {
            clean += 1;
            if !asserting_formats(&schema).is_valid(&record) {
                stricter.push(format!("formats: {record} of {}", case.told["name"]));
            }
            if taken != [true, true] && !(lacks_key && taken[0]) {
                stricter.push(format!("{taken:?}: {record} of {}", case.told["name"]));
            }
            return Ok(());
        }
        if let [fault] = checked.faults() {
            let counts = rules.entry(fault.rule().code()).or_default();
            counts.cases += 1;
            for (refused, taken) in counts.refused.iter_mut().zip(taken) {
                *refused += usize::from(!taken);
            }
        }
        Ok(())
    });
    assert!(clean > 300, "{clean}");
    let found: Vec<String> = rules
        .iter()
        .map(|(rule, counts)| {
            let [json_schema, sqlite] = counts.refused;
            format!("{rule}\t{}\t{json_schema}\t{sqlite}", counts.cases)
        })
        .collect();
    println!("{}", found.join("\n"));
    assert!(stricter.is_empty(), "stricter:\n{}", stricter.join("\n"));
    if std::env::var_os("UPDATE_EXPORTS").is_some() {
        update(&found);
    }
    let told: Vec<&str> = include_str!("exports.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let counts = told.iter().map(|line| {
        let columns: Vec<&str> = line.splitn(5, '\t').collect();
        let is_looser = columns[1] != columns[2] || columns[1] != columns[3];
        let reason = columns.get(4).copied().unwrap_or_default();
        assert_eq!(is_looser, !reason.is_empty(), "{line}");
        columns[..4].join("\t")
    });
    let counts: Vec<String> = counts.collect();
    assert_eq!(counts, found, "\n{}", found.join("\n"));
}

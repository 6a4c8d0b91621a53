//! Schemas of every data type and setting, and records for them, by chance: what is exported and imported again.

use runtime::sample::{At, Chance, Sampler, Seeded};
use runtime::schema::{Origin, Schema};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Fields of a schema at most, and records that are sent for it.
const FIELDS_MAX: u64 = 14;
const RECORDS: u64 = 40;

const NAMES: &[&str] = &[
    "Name",
    "name ",
    "a,b",
    "\"q\"",
    "'=1",
    "=Sum",
    "[x]",
    "ä\u{301}",
    "1",
    "null",
    "line_of",
    "a;b",
    "~mark",
    "; here",
];
pub(crate) const CODES: &[&str] = &[
    "1", "a|b", "[x]", "=1", "true", "01", "ä", "'", "a,b", " b ", "\tc",
];
/// Values of no type in particular, as JSON.
const ODD: &[&str] = &[
    "null",
    "\"\"",
    "\" \"",
    "\"[1]\"",
    "\"[\\\"a\\\"]\"",
    "\"[\"",
    "\"a|b\"",
    "\"=1+1\"",
    "\"'x\"",
    "\"'=x\"",
    "\"\\ufeffx\"",
    "\"a\\r\\nb\"",
    "\"\\n\"",
    "\"null\"",
    "\"007\"",
    "\" 7 \"",
    "7",
    "-0",
    "1e400",
    "1.50",
    "1E2",
    "12345678901234567890",
    "true",
    "\"TRUE\"",
    "\"y\"",
    "[]",
    "[null]",
    "[\"\"]",
    "[\"a\",\"a\"]",
    "[\"|\",\"b\"]",
    "[\"[\",\"]\"]",
    "[1,\"1\",true]",
    "[[1]]",
    "{}",
    "{\"a\":[1]}",
    "\"2020-02-30\"",
    "\"2020-02-29\"",
    "\"\\u0000\"",
    "\"\\u000b\"",
    "\"x\\u0301\\ud83e\\udd80\"",
    "\"#REF!\"",
    "\"_x000D_\"",
    "\"a\\tb\"",
    "\"; \"",
];

fn settings(domain: &str) -> Vec<Value> {
    let codes: Vec<_> = CODES.iter().map(|code| json!({"code": code})).collect();
    let mut all = vec![
        json!({"dataType": "string"}),
        json!({"dataType": "string", "min": 1, "max": 5}),
        json!({"dataType": "string", "validationRules": ["alphanumeric"]}),
        json!({"dataType": "integer", "min": -5, "max": 500}),
        json!({"dataType": "float", "min": -1.5, "max": 9.25}),
        json!({"dataType": "picklist", "picklistType": "static", "staticPicklist": codes}),
        json!({"dataType": "picklist", "picklistType": "dynamic", "dataDomainId": domain}),
    ];
    for name in [
        "integer",
        "float",
        "currency",
        "boolean",
        "datetime",
        "date",
        "time",
        "date-year",
        "date-month",
        "date-day",
        "email",
        "url",
        "phone",
        "latlng",
        "latitude",
        "longitude",
        "attachment",
        "image",
        "document",
        "video",
    ] {
        all.push(json!({"dataType": name}));
    }
    for words in ["y/n", "Y/N", "1/0", "t/f", "T/F"] {
        all.push(json!({"dataType": "boolean", "allowedBooleanValues": words}));
    }
    let shapes = [
        "DD$MM$YYYY",
        "DD$MMM$YYYY",
        "MM$DD$YYYY",
        "MMM$DD$YYYY",
        "MM$DD$YY",
        "YYYY$MM$DD",
        "YYYY$MMM$DD",
        "YY$MM$DD",
        "YYMMDD",
        "YYYYMMDD",
    ];
    let times = [
        "hh:mm:ss a",
        "hh:mm:ss A",
        "hh:mm a",
        "hh:mm A",
        "HH:mm:ss",
        "HH:mm",
    ];
    for (index, shape) in shapes.iter().enumerate() {
        let separator = ["-", "/", ".", " "][index % 4];
        let time = times[index % times.len()];
        all.push(json!({"dataType": "date", "dateFormat": shape, "dateSeparator": separator}));
        all.push(
            json!({"dataType": "datetime", "dateFormat": shape, "dateSeparator": separator,
            "timeFormat": time}),
        );
        all.push(json!({"dataType": "time", "timeFormat": time}));
    }
    all
}

fn pick<'a, T: ?Sized>(chance: &mut Seeded, items: &[&'a T]) -> &'a T {
    items[at(chance, items.len())]
}

fn at(chance: &mut Seeded, count: usize) -> usize {
    usize::try_from(chance.below(count as u64)).unwrap()
}

/// A schema with fields of random kinds; the first one may be its key.
pub(crate) fn schema(chance: &mut Seeded, number: u64, domain: &str) -> Value {
    let kinds = settings(domain);
    let count = usize::try_from(1 + chance.below(FIELDS_MAX)).unwrap();
    let has_key = chance.below(4) > 0;
    let fields: Vec<_> = (0..count)
        .map(|index| {
            let is_key = has_key && index == 0;
            // a key of few values would leave few records
            let mut field = if is_key {
                kinds[[0, 3, 7, 8, 11, 12][at(chance, 6)]].clone()
            } else {
                kinds[at(chance, kinds.len())].clone()
            };
            field["fieldId"] = json!(format!("f{index}"));
            field["name"] =
                json!(NAMES[(index + at(chance, 2) * 7) % 14].to_owned() + &format!("{index}"));
            field["active"] = json!(true);
            field["isPrimaryKey"] = json!(is_key);
            field["isSortKey"] = json!(false);
            field["isRequired"] = json!(chance.below(4) == 0);
            if !is_key && chance.below(3) == 0 {
                field["isMultivalue"] = json!(true);
            }
            field
        })
        .collect();
    json!({"name": format!("S{number}"), "fields": fields})
}

/// Lines of a request that makes records: some hold the rules, some have odd values in place of theirs.
pub(crate) fn lines(chance: &mut Seeded, document: &Value, has_odd_keys: bool) -> String {
    let mut whole = document.clone();
    whole["schemaId"] = json!("s");
    whole["businessAreaId"] = json!("a");
    whole["businessAreaName"] = json!("A");
    whole["createdDate"] = json!("2026-01-01T00:00:00.000Z");
    let schema = Schema::read(&whole.to_string(), Origin::Elsewhere).expect("a schema");
    let codes = |_: &str| CODES.iter().map(|&code| code.to_owned()).collect();
    let sampler = Sampler::with_codes(&schema.schema, codes);
    let mut out = String::new();
    for number in 0..RECORDS {
        let sampled = match &sampler {
            Ok(sampler) => sampler.record(At::Random, chance),
            // files are asked for, which nobody samples
            Err(_) => "{}".to_owned(),
        };
        let mut members: HashMap<String, Box<serde_json::value::RawValue>> =
            serde_json::from_str(&sampled).expect("an object");
        for field in schema.schema.fields.iter().filter(|_| number % 2 == 1) {
            if chance.below(4) == 0 && (has_odd_keys || !field.primary_key) {
                let odd = serde_json::value::RawValue::from_string(pick(chance, ODD).to_owned());
                members.insert(field.name.clone(), odd.expect("JSON"));
            }
        }
        let body = serde_json::to_string(&members).expect("an object");
        writeln!(out, "{{\"create\":{body}}}").expect("a text takes it");
    }
    out
}

//! A file of records judged row by row, from its bytes to its findings, against a JSON Schema validator that is given
//! the same lines. One thread each. It never reads a file: the disk is nobody's merit.

use bench::{Target, fixture, head, race};
use jsonschema::PatternOptions;
use runtime::schema::{Origin, Schema};
use serde_json::Value;
use std::hint::black_box;
use std::io::Cursor;
use tabular::{Options, Reader, Records, Settings};

const ROWS: usize = 1000;

fn main() {
    let document = Schema::read(&fixture("order.schema.json"), Origin::Created);
    let schema = document.expect("the schema is accepted").schema;
    let json_schema = serde_json::from_str(&fixture("order.json-schema.json")).expect("it is JSON");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex())
        .build(&json_schema)
        .expect("it is a JSON Schema");
    let text: &'static str = rows().leak();

    let ours = || {
        let reader = Reader::open(Cursor::new(text), Options::default()).expect("it is a file");
        let records = Records::new(&schema, reader, Settings::default()).expect("it is a schema");
        let clean = records.filter(|row| row.as_ref().is_ok_and(|row| row.findings.is_empty()));
        assert_eq!(black_box(clean.count()), ROWS);
    };
    let by_schema = || {
        let is_valid = |line: &str| {
            let value: Value = serde_json::from_str(black_box(line)).expect("it is JSON");
            validator.is_valid(&value)
        };
        assert_eq!(
            black_box(text.lines().filter(|line| is_valid(line)).count()),
            ROWS
        );
    };
    head();
    race(ours, by_schema).print(
        "1,000 rows of NDJSON, from bytes to findings",
        "serde_json and jsonschema 0.60 on the same lines",
        Target::None,
    );
}

/// Rows of about 600 bytes.
fn rows() -> String {
    let order = fixture("order.json");
    let row = order.trim_end();
    assert!(!row.contains('\n'), "the order stands on one line");
    format!("{row}\n").repeat(ROWS)
}

//! `generator infer` on files as other programs write them: numbers of many digits, members that stand twice, moments in
//! ISO 8601, first rows that look like no names.

use schema::{Origin, Schema};
use std::fmt::Write as _;
use std::fs;

use crate::support::{proposed, run, text};

#[test]
fn whole_numbers_that_a_double_does_not_hold_are_proposed_as_what_keeps_each_digit() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = String::new();
    for number in 0..12 {
        let id = 1_234_567_890_123_456_780_i64 + number;
        writeln!(
            rows,
            r#"{{"Id":{id},"Low":-{id},"Hash":18446744073709551615,"Share":0.1,"Small":{number}}}"#
        )
        .unwrap();
    }
    let (told, _) = proposed(folder.path(), &rows);
    let wide = "integer\n    every value is one of integer\n    some are beyond ±9007199254740991";
    let (id, low) = (format!("\"Id\": {wide}"), format!("\"Low\": {wide}"));
    for column in [
        id.as_str(),
        low.as_str(),
        "\"Hash\": string\n    no type has all values",
        "\"Share\": float\n",
        "\"Small\": integer\n    every value is one of integer\n    12 of 12",
    ] {
        assert!(told.contains(column), "{column}: {told}");
    }
    // as floats, several of them would be one
    fs::write(
        folder.path().join("ids.ndjson"),
        "{\"Id\":1234567890123456781}\n{\"Id\":1234567890123456782}\n",
    )
    .unwrap();
    let inferred = run(&["infer", "ids.ndjson", "--out", "ids.json"], folder.path());
    assert!(inferred.status.success(), "{}", text(&inferred.stderr));
    let arguments = [
        "validate",
        "ids.json",
        "ids.ndjson",
        "--normal-form",
        "out.ndjson",
    ];
    assert_eq!(run(&arguments, folder.path()).status.code(), Some(0));
    let stored = fs::read_to_string(folder.path().join("out.ndjson")).unwrap();
    assert_eq!(
        stored,
        "{\"Id\":1234567890123456781}\n{\"Id\":1234567890123456782}\n"
    );
    // the digits of a cell are a code
    let (told, _) = proposed(
        folder.path(),
        "Id,Name\n340123450000000018,a\n340123450000000025,b\n",
    );
    assert!(told.contains("\"Id\": string\n"), "{told}");
}

#[test]
fn a_row_of_json_whose_member_stands_twice_is_left_out_as_one_that_no_record_is_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let (told, _) = proposed(folder.path(), "{\"A\":1}\n{\"A\":2,\"A\":3}\n{\"B\":4}\n");
    assert!(
        told.starts_with("1 row can't be read and was left out\n"),
        "{told}"
    );
    assert!(
        told.contains("\"A\": integer\n    every value is one of integer\n    1 of 2 rows"),
        "{told}"
    );
}

#[test]
fn what_no_record_has_is_told_and_is_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let rows =
        "[{\"Address\":{\"City\":\"Ulm\"},\"No\":1},{\"Address\":{\"City\":\"Riga\"},\"No\":2}]";
    let (told, document) = proposed(folder.path(), rows);
    let address = "\"Address\": string
    no type has all values: text, under which some are faulty
    a value is an object, or a list within a list: no record has one, and its row is refused
    2 of 2 rows have a value: required
\"No\": integer
";
    assert!(told.starts_with(address), "{told}");
    let schema = Schema::read(&document, Origin::Elsewhere).unwrap().schema;
    assert_eq!(
        schema.primary_key().map(|field| field.name.as_str()),
        Some("No")
    );
    // lists of values are none of it
    let (told, _) = proposed(
        folder.path(),
        "{\"Tags\":[\"a\",\"b\"]}\n{\"Tags\":[\"c\"]}\n",
    );
    assert!(!told.contains("within a list"), "{told}");
}

#[test]
fn moments_as_other_programs_write_them_are_moments_and_what_becomes_of_them_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = String::from("No,Changed,Seen\n");
    for number in 10..30 {
        writeln!(
            rows,
            "N{number},2026-01-{number}T10:{number}:00Z,2026-01-{number}T10:00:00.5Z"
        )
        .unwrap();
    }
    let (told, document) = proposed(folder.path(), &rows);
    let moment = "\"Changed\": datetime as YYYY-MM-DD HH:mm:ss
    every value is a date and time in ISO 8601: stored as YYYY-MM-DD HH:mm:ss, in UTC where it has an offset
    20 of 20 rows have a value: required
";
    assert!(told.contains(moment), "{told}");
    // half a second is more than any format keeps
    assert!(told.contains("\"Seen\": string\n"), "{told}");
    assert!(
        document.contains("\"timeFormat\": \"HH:mm:ss\""),
        "{document}"
    );
    let validated = run(&["validate", "in.json", "in.csv"], folder.path());
    assert_eq!(validated.status.code(), Some(0));
    // and what stands in the format itself is said to
    let (told, _) = proposed(
        folder.path(),
        "No,At\na,2026-01-10 10:00:00\nb,2026-01-11 10:00:00\n",
    );
    assert!(
        told.contains("every value is one of datetime as YYYY-MM-DD HH:mm:ss\n"),
        "{told}"
    );
    assert!(!told.contains("look twice: each"), "{told}");
}

#[test]
fn a_first_row_that_looks_like_no_names_is_told_as_data_unless_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "Name,No,,,City,\na,1,2,3,x,\nb,4,5,6,y,\n";
    let (told, _) = proposed(folder.path(), rows);
    assert!(
        told.starts_with("the first row is taken for data"),
        "{told}"
    );
    for header in ["yes", "no"] {
        let output = run(&["infer", "in.csv", "--header", header], folder.path());
        let told = text(&output.stderr);
        assert!(
            output.status.success() && !told.contains("taken for data"),
            "{told}"
        );
    }
    let (told, _) = proposed(folder.path(), "No,Name\n1,a\n2,b\n");
    assert!(!told.contains("taken for data"), "{told}");
}

#[test]
fn what_no_field_may_be_called_is_told_of_the_proposal_and_of_no_line_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let rows = format!("{},No\n1,2\n", "x".repeat(101));
    fs::write(folder.path().join("in.csv"), rows).unwrap();
    let output = run(&["infer", "in.csv"], folder.path());
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("--> the proposal for in.csv:") && told.contains("$.fields[0].name"),
        "{told}"
    );
}

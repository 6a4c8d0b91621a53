//! `generator infer` as a user runs it: what is proposed, why, and that it holds for the data it comes from.

use crate::support::{fixture_schemas, fixtures, proposed, run, text};
use schema::{DataType, Origin, Schema};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

#[test]
fn a_schema_proposed_from_data_holds_for_them_and_generates() {
    let folder = tempfile::tempdir().unwrap();
    for name in fixture_schemas() {
        let data = fixtures().join(format!("data/{name}.ndjson"));
        let data = data.to_str().unwrap();
        let inferred = run(&["infer", data, "--out", "schema.json"], folder.path());
        assert_eq!(
            inferred.status.code(),
            Some(0),
            "{name}: {}",
            text(&inferred.stderr)
        );
        let validated = run(&["validate", "schema.json", data], folder.path());
        let found = text(&validated.stdout);
        assert_eq!(
            (found.as_str(), validated.status.code()),
            ("", Some(0)),
            "{name}"
        );
        let generated = run(&["schema.json"], folder.path());
        assert_eq!(
            generated.status.code(),
            Some(0),
            "{name}: {}",
            text(&generated.stderr)
        );
    }
}

#[test]
fn csv_of_the_checked_in_data_is_proposed_with_its_types() {
    let folder = tempfile::tempdir().unwrap();
    let (schema, data) = (
        fixtures().join("schemas/customer.json"),
        fixtures().join("data/customer.ndjson"),
    );
    let arguments = [
        "validate",
        schema.to_str().unwrap(),
        data.to_str().unwrap(),
        "--normal-form",
        "customer.csv",
    ];
    assert_eq!(run(&arguments, folder.path()).status.code(), Some(0));
    let inferred = run(
        &["infer", "customer.csv", "--out", "inferred.json"],
        folder.path(),
    );
    assert_eq!(inferred.status.code(), Some(0));
    let validated = run(
        &["validate", "inferred.json", "customer.csv"],
        folder.path(),
    );
    assert_eq!(
        (text(&validated.stdout).as_str(), validated.status.code()),
        ("", Some(0))
    );
    let read = |path: &Path| {
        Schema::read(&fs::read_to_string(path).unwrap(), Origin::Elsewhere)
            .unwrap()
            .schema
    };
    let (meant, found) = (read(&schema), read(&folder.path().join("inferred.json")));
    assert_eq!(
        found.primary_key().map(|field| &field.name),
        meant.primary_key().map(|field| &field.name)
    );
    let is_told_by_data = |data_type| {
        matches!(
            data_type,
            DataType::Date | DataType::Email | DataType::Phone | DataType::Url
        )
    };
    for field in meant
        .active_fields()
        .filter(|field| is_told_by_data(field.data_type))
    {
        let same = found
            .active_fields()
            .find(|other| other.name == field.name)
            .unwrap();
        assert_eq!(same.data_type, field.data_type, "{}", field.name);
        assert_eq!(same.date_shape(), field.date_shape(), "{}", field.name);
    }
}

#[test]
fn each_setting_has_its_evidence() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = String::from("Code,Status,Since,Price,Note\n");
    for number in 1..=30 {
        let status = if number % 3 == 0 { "D" } else { "A" };
        let note = if number == 7 { "seven words" } else { "" };
        let part = number % 12 + 1;
        writeln!(
            rows,
            "{number:03},{status},{part:02}/{part:02}/2020,{number}.50,{note}"
        )
        .unwrap();
    }
    fs::write(folder.path().join("items.csv"), rows).unwrap();
    let output = run(&["infer", "items.csv"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    let expected = "\
\"Code\": string
    every value is one of string
    the longest has 3 characters: at most 10, to leave room
    30 of 30 rows have a value: required
    all values are different
    the first such column: primary key
    its values have an order: sort key
\"Status\": picklist
    every value is one of string
    only 2 different texts: picklist
    30 of 30 rows have a value: required
    its values have an order: sort key
\"Since\": date as DD/MM/YYYY
    every value is one of date as DD/MM/YYYY
    look twice: each may be date as MM/DD/YYYY as well
    30 of 30 rows have a value: required
    its values have an order: sort key
\"Price\": currency
    every value is one of currency
    30 of 30 rows have a value: required
    its values have an order: sort key
\"Note\": string
    every value is one of string
    the longest has 11 characters: at most 20, to leave room
    1 of 30 rows have a value: optional
    its values have an order: sort key
";
    assert_eq!(text(&output.stderr), expected);
    let schema = Schema::read(&text(&output.stdout), Origin::Elsewhere)
        .unwrap()
        .schema;
    assert_eq!(schema.name, "items");
    // the same data give the same document
    assert_eq!(
        run(&["infer", "items.csv"], folder.path()).stdout,
        output.stdout
    );
}

#[test]
fn a_column_of_text_that_is_nearly_a_type_is_told_with_the_lines_that_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = String::from("Size,Mixed\n");
    for number in 1..=40 {
        let but = |is_text: bool| {
            if is_text {
                "many".to_owned()
            } else {
                number.to_string()
            }
        };
        let (size, mixed) = (but(number == 24), but(number % 13 == 0));
        writeln!(rows, "{size},{mixed}").unwrap();
    }
    let (told, _) = proposed(folder.path(), &rows);
    let nearly = "\"Size\": string
    every value is one of string
    look twice: 39 of 40 values fit integer, not those of these lines: 25
    the longest";
    assert!(told.contains(nearly), "{told}");
    // three of forty are more than one of twenty
    assert_eq!(told.matches("look twice").count(), 1, "{told}");
}

#[test]
fn decimals_behind_a_comma_are_numbers_and_no_places_and_the_file_holds_when_it_is_read_so() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "Nr;Summe;Menge;Rabatt\na;3.100,10;1.000;0,5\nb;4.107,11;2.000;12,25\n";
    let (told, _) = proposed(folder.path(), rows);
    for column in [
        "\"Summe\": currency\n    every value is one of currency\n    a comma stands before the decimals",
        "\"Menge\": integer\n    every value is one of integer\n    a comma stands before the decimals",
        "\"Rabatt\": float\n",
    ] {
        assert!(told.contains(column), "{told}");
    }
    let read = |more: &[&str]| {
        let arguments = [&["validate", "in.json", "in.csv"], more].concat();
        run(&arguments, folder.path()).status.code()
    };
    assert_eq!(read(&["--decimal-mark", "comma"]), Some(0));
    // nothing of it has several values
    assert_eq!(read(&["--decimal-mark", "comma", "--split", "."]), Some(0));
    assert_eq!(read(&[]), Some(1));
}

#[test]
fn a_file_with_points_before_decimals_is_not_read_by_the_comma_of_another_column() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "Nr;Preis;Breite\na;2,50;48.1371\nb;3,75;48.137\n";
    let (told, _) = proposed(folder.path(), rows);
    for column in ["\"Preis\": string\n", "\"Breite\": float\n"] {
        assert!(told.contains(column), "{told}");
    }
    assert!(!told.contains("a comma stands"), "{told}");
    // and it holds as it is
    let validated = run(&["validate", "in.json", "in.csv"], folder.path());
    assert_eq!(validated.status.code(), Some(0));
}

#[test]
fn dots_before_three_digits_alone_make_no_whole_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let (told, _) = proposed(folder.path(), "Nr,Menge\na,1.000\nb,2.000\n");
    let column = "\"Menge\": float\n    every value is one of float\n    look twice: a dot";
    assert!(told.contains(column), "{told}");
    let (told, _) = proposed(
        folder.path(),
        "Nr;Place\na;52.5200,13.4050\nb;48.1374,11.5755\n",
    );
    assert!(told.contains("\"Place\": latlng\n"), "{told}");
}

#[test]
fn records_can_be_sorted_by_what_has_an_order_and_by_no_long_text() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<_> = (0..30).map(|number| format!("N{number}")).collect();
    let mut rows = format!("{},Key,Place,Tags,Prose,Mail\n", names.join(","));
    for row in 1..=3 {
        let prose = "a word and ".repeat(9);
        let numbers = vec!["7"; names.len()].join(",");
        writeln!(
            rows,
            "{numbers},K{row},\"48.13,11.5{row}\",\"[1,{row}]\",{prose}{row},a{row}@example.org"
        )
        .unwrap();
    }
    let (_, document) = proposed(folder.path(), &rows);
    let schema = Schema::read(&document, Origin::Elsewhere).unwrap().schema;
    let sorted = schema.fields.iter().filter(|field| field.sort_key);
    let sorted: Vec<_> = sorted.map(|field| field.name.as_str()).collect();
    // the key among them, though it stands behind more than are proposed
    assert_eq!(sorted.len(), 20, "{sorted:?}");
    assert_eq!(sorted.last(), Some(&"Key"), "{sorted:?}");
    // of few columns, each that has an order
    let few = rows.lines().filter_map(|line| line.splitn(29, ',').nth(28));
    let few: Vec<_> = few.collect();
    let (_, document) = proposed(folder.path(), &(few.join("\n") + "\n"));
    let schema = Schema::read(&document, Origin::Elsewhere).unwrap().schema;
    let sorted = schema.fields.iter().filter(|field| field.sort_key);
    let sorted: Vec<_> = sorted.map(|field| field.name.as_str()).collect();
    assert_eq!(sorted, ["N28", "N29", "Key"]);
}

#[test]
fn a_header_that_names_two_columns_alike_is_refused_unless_it_is_said_to_be_data() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("in.csv"),
        "No,Name,Name,No,City\n1,Ada,Lovelace,2,London\n",
    )
    .unwrap();
    for more in [&[][..], &["--header", "yes"]] {
        let output = run(&[&["infer", "in.csv"], more].concat(), folder.path());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(
            told.contains(r#""No" (1, 4), "Name" (2, 3)"#) && told.contains("--header no"),
            "{told}"
        );
        assert_eq!(text(&output.stdout), "");
    }
    let output = run(&["infer", "in.csv", "--header", "no"], folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Column 5"));
    // values that are no names are data, also when they are alike
    fs::write(folder.path().join("in.csv"), "7,7\n8,9\n").unwrap();
    assert!(run(&["infer", "in.csv"], folder.path()).status.success());
}

#[test]
fn a_file_that_tells_nothing_exits_with_1_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    for (rows, told) in [
        ("", "there is no row to infer a schema from"),
        ("No,Name\n", "there is no row"),
        ("{\"a\n[1]\n", "2 rows can't be read and were left out"),
    ] {
        fs::write(folder.path().join("in"), rows).unwrap();
        let output = run(&["infer", "in"], folder.path());
        assert_eq!(output.status.code(), Some(1), "{rows:?}");
        assert!(
            text(&output.stderr).contains(told),
            "{rows:?}: {}",
            text(&output.stderr)
        );
    }
    assert_eq!(
        run(&["infer", "none.csv"], folder.path()).status.code(),
        Some(2)
    );
    fs::write(folder.path().join("in"), b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR").unwrap();
    let output = run(&["infer", "in"], folder.path());
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("it is a picture, and no table"), "{told}");
    assert!(told.contains("= help: look at its content"), "{told}");
}

#[test]
fn one_text_in_all_rows_is_no_picklist_and_a_key_of_few_rows_is_to_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |count: usize| {
        let rows = (1..=count).map(|number| format!("{number:03},A\n"));
        format!("Code,Status\n{}", rows.collect::<String>())
    };
    let look = "look twice: 19 rows are too few to be sure of a key";
    let (told, _) = proposed(folder.path(), &rows(19));
    assert!(
        told.contains("primary key") && told.contains(look),
        "{told}"
    );
    let (told, document) = proposed(folder.path(), &rows(20));
    assert!(
        told.contains("primary key") && !told.contains("look twice"),
        "{told}"
    );
    assert!(told.contains("\"Status\": string\n"), "{told}");
    assert!(!document.contains("staticPicklist\""), "{document}");
}

//! Ends of ranges that a field could not write, and values: they are compared by what they mean all the same.

use crate::setup::{SearchSetup, codes, encoded};
use crate::test_server::records_of;

/// A schema whose dates have two digits for a year, and whose times have no seconds.
const SHORT: &str = r#"{
  "schemaId": "s", "name": "Short", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "2026-01-01T00:00:00.000Z",
  "fields": [
    {"fieldId":"f-code","name":"Code","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":false,"isRequired":true},
    {"fieldId":"f-founded","name":"Founded","active":true,"dataType":"date","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"dateFormat":"MM$DD$YY","dateSeparator":"/"},
    {"fieldId":"f-at","name":"At","active":true,"dataType":"time","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"timeFormat":"HH:mm"},
    {"fieldId":"f-when","name":"When","active":true,"dataType":"datetime","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"dateFormat":"MM$DD$YY","dateSeparator":"/","timeFormat":"HH:mm"},
    {"fieldId":"f-day","name":"Day","active":true,"dataType":"date","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"f-hour","name":"Hour","active":true,"dataType":"time","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"f-stock","name":"Stock","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"f-price","name":"Price","active":true,"dataType":"currency","isPrimaryKey":false,"isSortKey":false,"isRequired":false}
  ]}"#;

/// A city, whose dates have four digits for a year, and a record of the other schema.
fn both() -> SearchSetup {
    let setup = SearchSetup::start();
    setup.city("B", r#""Name":"Berlin","Founded":"1980-01-01""#);
    let (server, names) = (&setup.server, setup.server.names.clone());
    let schema = server.schema(&names.tenant, &names.area, SHORT);
    let dataset = server.dataset(&schema, "Short");
    let body = r#"{"Code":"S","Founded":"1975-05-05","At":"10:00","When":"1975-05-05T10:00","Stock":4,"Price":1.5}"#;
    let path = records_of(&names.area, &schema, &dataset);
    server.request("POST", &path).json(body).send().is(201);
    setup
}

#[test]
fn a_date_that_the_fields_form_has_no_year_for_is_compared() {
    let setup = both();
    for query in [
        "Founded:>1950-01-01",
        "Founded:>=1969-12-31",
        "Founded:1900-01-01..2100-01-01",
        "Founded:<=2070-01-01",
        "NOT Founded:<1969-12-31",
    ] {
        setup.check(query, &["B", "S"]);
    }
    setup.check("Founded:<1969-12-31", &[]);
    setup.check("Founded:>2100-01-01", &[]);
    setup.check("Founded:>05/05/74", &["S"]);
    let alone = format!("query={}&schema=Short", encoded("Founded:>1950-01-01"));
    assert_eq!(setup.ask(&alone).is(200).json()["total"], 1);
    let said = setup.refused(&format!("query={}", encoded("Founded:>1950-02-30")));
    assert!(said.contains("MM/DD/YY or YYYY-MM-DD"), "{said}");
    // one way is said once
    for (query, ways) in [
        ("Day:>1950-02-30", "a date, as YYYY-MM-DD"),
        ("Hour:>25:00:00", "a time, as HH:mm:ss"),
    ] {
        let said = setup.refused(&format!("query={}", encoded(query)));
        assert!(said.contains(ways) && !said.contains(" or "), "{said}");
    }
}

#[test]
fn seconds_and_parts_of_them_are_compared_where_a_field_has_none() {
    let setup = both();
    setup.check("At:<10:00:30", &["S"]);
    setup.check("At:>=10:00:30", &[]);
    setup.check("At:09:59:59..10:00:01", &["S"]);
    setup.check("When:>1975-05-05T09:59:59", &["S"]);
    setup.check("When:<1975-05-05T10:00:00.5", &["S"]);
    setup.check("When:>=1975-05-05T10:00:00.5", &[]);
    setup.check("When:>1975-05-05T09:59:59.999Z", &["S"]);
    setup.check("When:1900-01-01..2100-01-01", &["S"]);
    setup.check("When:<1950-01-01T00:00:01", &[]);
}

#[test]
fn numbers_with_more_digits_than_the_field_has_are_compared() {
    let setup = both();
    setup.check("Stock:>3.5", &["S"]);
    setup.check("Stock:<4.5", &["S"]);
    setup.check("Stock:>4.00000000000000000001", &[]);
    setup.check("Stock:<=4.00000000000000000001", &["S"]);
    setup.check("Stock:<9223372036854775808", &["S"]);
    setup.check("Stock:<1e400", &["S"]);
    setup.check("Stock:>-1e400", &["S"]);
    setup.check("Price:>1.499", &["S"]);
    setup.check("Price:>=1.50000000000000000001", &[]);
    setup.check("Price:<1.501", &["S"]);
}

/// A dataset whose fields are all sort keys, and its records: each has a code and more.
fn sorted(document: &str, records: &[(&str, &str)]) -> SearchSetup {
    let setup = SearchSetup::start();
    let (server, names) = (&setup.server, setup.server.names.clone());
    let sorted = document.replace(r#""isSortKey":false"#, r#""isSortKey":true"#);
    let schema = server.schema(&names.tenant, &names.area, &sorted);
    let dataset = server.dataset(&schema, "Short");
    let path = records_of(&names.area, &schema, &dataset);
    for (code, more) in records {
        let body = format!(r#"{{"Code":"{code}",{more}}}"#);
        server.request("POST", &path).json(body).send().is(201);
    }
    setup
}

#[test]
fn a_number_beyond_all_doubles_is_behind_every_other_or_before_it() {
    let setup = sorted(
        SHORT,
        &[
            ("A", r#""Stock":1e309,"Price":-1e400"#),
            ("B", r#""Stock":5,"Price":5"#),
            ("C", r#""Stock":-1e400,"Price":1e309"#),
        ],
    );
    // as texts: no number of this program's holds them
    let codes = |parameters: &str| {
        let body = String::from_utf8(setup.ask(parameters).is(200).body).expect("a text");
        let codes = body.split(r#""Code":""#).skip(1);
        codes.map(|rest| rest[..1].to_owned()).collect::<String>()
    };
    for (query, expected) in [
        ("Stock:>1e308", "A"),
        ("Stock:>=5", "AB"),
        ("Stock:>=1e310", "A"),
        ("Stock:<0", "C"),
        ("Price:>5", "C"),
    ] {
        assert_eq!(
            codes(&format!("query={}", encoded(query))),
            expected,
            "{query}"
        );
    }
    for (sort, order) in [("Stock", "CBA"), ("-Stock", "ABC"), ("Price", "ABC")] {
        let parameters = format!("query=*&schema=Short&sort={sort}");
        assert_eq!(codes(&parameters), order, "{sort}");
    }
}

#[test]
fn blank_text_among_values_is_not_the_least_of_them() {
    let texts = SHORT.replace(
        r#""dataType":"integer""#,
        r#""dataType":"string","isMultivalue":true"#,
    );
    let setup = sorted(
        &texts,
        &[
            ("A", r#""Stock":["b",""]"#),
            ("B", r#""Stock":[" ","a"]"#),
            ("C", r#""Stock":["",""]"#),
            ("D", r#""Stock":["c"]"#),
        ],
    );
    for (sort, order) in [
        ("Stock", ["B", "A", "D", "C"]),
        ("-Stock", ["D", "A", "B", "C"]),
    ] {
        let found = setup.ask(&format!("query=*&schema=Short&sort={sort}"));
        assert_eq!(codes(&found.is(200).json()), order, "{sort}");
    }
    setup.check("Stock:none Code:C", &["C"]);
}

#[test]
fn a_number_or_a_moment_behind_its_field_is_the_value_and_not_its_words() {
    let setup = both();
    for (code, people) in [("N", "-4"), ("F", "4"), ("L", "42")] {
        setup.city(code, &format!(r#""People":{people}"#));
    }
    setup.check("People:4", &["F"]);
    setup.check("People: 4", &["F"]);
    setup.check("People:4.0", &["F"]);
    setup.check("People:-4", &["N"]);
    setup.check("People:4.5", &[]);
    setup.check("NOT People:4 People:>0", &["L"]);
    setup.check("(People:42 OR People:-4) NOT people:4", &["N", "L"]);
    // in quotes, or cut off, it is a text
    setup.check("People:\"4\"", &["N", "F"]);
    setup.check("People:4*", &["N", "F", "L"]);
    setup.check("Price:1.50", &["S"]);
    setup.check("Price:1", &[]);
    setup.check("Price:5", &[]);
    setup.check("Founded:1980-01-01", &["B"]);
    setup.check("Founded:05/05/75", &["S"]);
    setup.check("At:10:00", &["S"]);
    setup.check("When:1975-05-05", &["S"]);
    setup.check("When:1975-05-05T10:00", &["S"]);
    // what is none is looked for by its words
    setup.check("Founded:1980", &["B"]);
    setup.check("People:none", &["B"]);
}

#[test]
fn a_field_that_is_a_text_in_another_schema_is_looked_in_by_words_there() {
    let setup = both();
    setup.city("F", r#""People":4"#);
    setup.city("N", r#""People":-4"#);
    let (server, names) = (&setup.server, setup.server.names.clone());
    let texts = SHORT.replace(r#""Short""#, r#""Texts""#);
    let texts = texts.replace(r#""name":"At""#, r#""name":"People""#);
    let texts = texts.replace(r#""dataType":"time""#, r#""dataType":"string""#);
    let texts = texts.replace(r#","timeFormat":"HH:mm"},"#, "},");
    let schema = server.schema(&names.tenant, &names.area, &texts);
    let dataset = server.dataset(&schema, "Texts");
    let path = records_of(&names.area, &schema, &dataset);
    let body = r#"{"Code":"T","People":"4 or 5"}"#;
    server.request("POST", &path).json(body).send().is(201);
    setup.check("People:4", &["F", "T"]);
    setup.check("People:5", &["T"]);
    setup.check("NOT People:4 Code:T", &[]);
    setup.check("NOT People:4 Code:N", &["N"]);
}

#[test]
fn a_month_is_found_with_a_zero_before_it_as_it_may_be_written() {
    let setup = SearchSetup::start();
    let (server, names) = (&setup.server, setup.server.names.clone());
    let parts = SHORT.replace(r#""dataType":"integer""#, r#""dataType":"date-month""#);
    let schema = server.schema(&names.tenant, &names.area, &parts);
    let dataset = server.dataset(&schema, "Short");
    let path = records_of(&names.area, &schema, &dataset);
    for (code, month) in [("A", "1"), ("B", "\"01\""), ("C", "10")] {
        let body = format!(r#"{{"Code":"{code}","Stock":{month}}}"#);
        server.request("POST", &path).json(body).send().is(201);
    }
    setup.check("Stock:1", &["A", "B"]);
    setup.check("Stock:01", &["A", "B"]);
    setup.check("Stock:01..09", &["A", "B"]);
    setup.check("Stock:>09", &["C"]);
    setup.check("Stock:10", &["C"]);
}

#[test]
fn values_of_different_measures_are_sorted_within_one_schema_alone() {
    let setup = SearchSetup::start();
    let (server, names) = (&setup.server, setup.server.names.clone());
    let sorted = SHORT.replace(r#""isSortKey":false"#, r#""isSortKey":true"#);
    let other = sorted
        .replace(r#""Short""#, r#""Other""#)
        .replace(r#""currency""#, r#""float""#)
        .replace(r#""dataType":"integer""#, r#""dataType":"float""#)
        .replace(r#""dataType":"datetime""#, r#""dataType":"date""#)
        .replace(
            r#""dateSeparator":"/","timeFormat":"HH:mm"}"#,
            r#""dateSeparator":"/"}"#,
        );
    for (document, name, body) in [
        (
            &sorted,
            "S",
            r#"{"Code":"S","When":"1975-05-05T10:00","Stock":4,"Price":3.5}"#,
        ),
        (
            &other,
            "O",
            r#"{"Code":"O","When":"1970-01-01","Stock":3.5,"Price":20}"#,
        ),
    ] {
        let schema = server.schema(&names.tenant, &names.area, document);
        let dataset = server.dataset(&schema, name);
        let path = records_of(&names.area, &schema, &dataset);
        server.request("POST", &path).json(body).send().is(201);
    }
    // numbers are compared by value, whole or not
    let found = setup.ask("query=*&sort=Stock").is(200).json();
    assert_eq!(codes(&found)[..2], ["O", "S"]);
    for (field, types) in [
        ("Price", ["currency", "float"]),
        ("When", ["datetime", "date"]),
    ] {
        let said = setup.refused(&format!("query=*&sort=-{field}"));
        assert!(said.contains("no common order"), "{said}");
        for part in types.map(|it| format!("`{it}`")) {
            assert!(said.contains(&part), "{part}: {said}");
        }
        let one = setup.ask(&format!("query=*&sort={field}&schema=Other"));
        assert_eq!(codes(&one.is(200).json()), ["O"]);
    }
}

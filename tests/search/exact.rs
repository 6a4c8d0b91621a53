//! `Field:="text"`: whole values, with case, accents and signs.

use crate::setup::{SearchSetup, encoded};
use crate::test_server::CITY;
use serde_json::json;

/// Names that are alike but for case, accents, signs, blanks or what follows.
const NAMES: [&str; 20] = [
    "A",
    "A+",
    "A-",
    "a",
    "Ä",
    "ä",
    "A\u{308}",
    "★★★",
    "★★",
    "+",
    "C",
    "C++",
    "C#",
    "New York",
    "New  York",
    "New York City",
    "York",
    "say \"A\"",
    "a\\b",
    "x*",
];

#[test]
fn a_whole_value_is_found_alone_whatever_else_is_like_it() {
    let setup = SearchSetup::start();
    for (number, name) in NAMES.iter().enumerate() {
        setup.city(
            &format!("{number:02}"),
            &format!("\"Name\":{}", json!(name)),
        );
    }
    for (number, name) in NAMES.iter().enumerate() {
        let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
        let code = format!("{number:02}");
        setup.check(&format!("Name:={quoted}"), &[&code]);
        setup.check(&format!("\"name\": ={quoted}"), &[&code]);
        let rest = setup.found(&format!("NOT Name:={quoted}"));
        assert_eq!(rest["total"], NAMES.len() - 1, "{name}");
    }
    setup.check("Name:=C# OR Name:=\"A-\"", &["02", "12"]);
    setup.check("Name:=A Code:=00", &["00"]);
    setup.check("Name:=A Code:=01", &[]);
    setup.check("Name:=new", &[]);
    // words stay words
    setup.check("Name:\"york city\"", &["15"]);
}

#[test]
fn a_whole_value_is_found_as_it_was_written_last() {
    let setup = SearchSetup::start();
    let city = setup.city("1", r#""Name":"A+","Tags":["x","Y y"]"#);
    setup.check("Tags:=\"Y y\"", &["1"]);
    setup.check("Tags:=Y", &[]);
    setup.check("Tags:=\"x Y y\"", &[]);
    setup
        .server
        .update(&city, r#"{"_version":0,"Name":"A-","Tags":null}"#)
        .is(204);
    setup.check("Name:=\"A+\"", &[]);
    setup.check("Name:=\"A-\"", &["1"]);
    setup.check("Tags:=x", &[]);
}

#[test]
fn a_whole_number_or_date_is_what_it_means_or_the_faulty_text_that_is_stored() {
    let setup = SearchSetup::start();
    setup.city(
        "1",
        r#""Name":"n","People":5,"Founded":"03.04.2024","Kind":"T""#,
    );
    setup.city(
        "2",
        r#""Name":"n","People":"5 or so","Founded":"April 2024","Kind":"t""#,
    );
    setup.city("3", r#""Name":"n","People":-5,"Kind":7"#);
    setup.check("People:=5", &["1"]);
    setup.check("People:=\"5 or so\"", &["2"]);
    setup.check("People:=\"5 or\"", &[]);
    setup.check("Founded:=\"03.04.2024\"", &["1"]);
    setup.check("Founded:=2024-04-03", &["1"]);
    setup.check("Founded:=\"April 2024\"", &["2"]);
    setup.check("Kind:=T", &["1"]);
    setup.check("Kind:=t", &["2"]);
    // a number is not the text of its digits
    setup.check("Kind:=7", &[]);
    setup.check("Kind:7", &["3"]);
}

#[test]
fn a_faulty_value_that_is_no_text_is_equal_to_nothing() {
    let setup = SearchSetup::start();
    setup.city("1", r#""Name":"true","Kind":"true","Founded":"20240403""#);
    setup.city("2", r#""Name":true,"Kind":true,"Founded":20240403"#);
    setup.city("3", r#""Name":"n","People":"true","Tags":["true",true]"#);
    setup.city("4", r#""Name":"n","People":true,"Tags":[true]"#);
    for (field, only) in [("Name", "1"), ("Kind", "1"), ("People", "3"), ("Tags", "3")] {
        setup.check(&format!("{field}:=true"), &[only]);
        setup.check(&format!("{field}:=\"true\""), &[only]);
    }
    setup.check("Founded:=20240403", &["1"]);
    // they are found by their words and their faults
    setup.check("Name:true", &["1", "2"]);
    setup.check("fault:Name fault:Founded", &["2"]);
}

#[test]
fn what_cannot_be_answered_exactly_is_refused() {
    let setup = SearchSetup::start();
    let closed = CITY.replace(
        r#""name":"Tags","active":true"#,
        r#""name":"Tags","active":true,"isSearched":false"#,
    );
    let schema = setup.server.names.schema.clone();
    setup.server.change_schema(&schema, &closed);
    for (query, what) in [
        ("Tags:=x", "not searched"),
        ("NOT Tags:=x", "not searched"),
        ("Name:=", "a value is missing"),
        ("Name:=\"\"", "a value is missing behind `=`"),
        ("Name:=\" \"", "a value is missing behind `=`"),
        ("Name:=\"x\"*", "a whole value takes no `*`"),
        ("Name: =\"x\"*", "a whole value takes no `*`"),
        ("Name:==x", "there is no operator `==`"),
        ("None:=x", "no schema has"),
    ] {
        let refused = setup.refused(&format!("query={}", encoded(query)));
        assert!(refused.contains(what), "{query}: {refused}");
    }
}

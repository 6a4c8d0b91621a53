//! Finding what is wrong, what is missing, and what lies in a range; and pages in another order.

use crate::setup::{SearchSetup, codes, encoded};
use serde_json::Value;

fn cities() -> SearchSetup {
    let setup = SearchSetup::start();
    setup.city("B", r#""Name":"Berlin Mitte","Founded":"1237-10-28","People":3700000,"Kind":"C","Tags":["große Stadt"]"#);
    setup.city(
        "Z",
        r#""Name":"Zürich","Founded":"0853-07-21","People":443037,"Kind":"C""#,
    );
    setup.city(
        "N",
        r#""Name":"Nowhere at all and further on","People":-5,"Kind":"X""#,
    );
    setup.city("M", r#""People":"many","Kind":"T","Founded":"31.02.1900""#);
    setup.city("Y", r#""Name":"York","People":0,"Tags":["Stadt"]"#);
    setup
}

fn sorted(setup: &SearchSetup, query: &str, sort: &str) -> Vec<String> {
    let parameters = format!("query={}&sort={}", encoded(query), encoded(sort));
    codes(&setup.ask(&parameters).is(200).json())
}

#[test]
fn faulty_records_are_found_by_field_and_rule() {
    let setup = cities();
    setup.check("is:faulty", &["N", "M"]);
    setup.check("NOT is:faulty", &["B", "Z", "Y"]);
    setup.check("fault:People", &["N", "M"]);
    setup.check("fault:people/min", &["N"]);
    setup.check("fault:People/integer", &["M"]);
    setup.check("fault:Name/required", &["M"]);
    setup.check(
        "fault:Name/max_length OR fault:Founded/calendar",
        &["N", "M"],
    );
    setup.check("fault:Kind/picklist", &["N"]);
    setup.check("fault:Code", &[]);
    setup.check("is:faulty nowhere", &["N"]);
    setup.check("is:faulty NOT nowhere", &["M"]);
    setup.check("\"is\" faulty", &[]);
    setup.check("*", &["B", "Z", "N", "M", "Y"]);
    setup.check("NOT *", &[]);
}

#[test]
fn a_record_that_is_mended_is_faulty_no_more() {
    let setup = cities();
    let record = setup.server.by_key("N").is(200).json();
    let body = r#"{"_version":0,"Name":"Nowhere","People":1,"Kind":"T"}"#;
    setup.server.update(&record, body).is(204);
    setup.check("is:faulty", &["M"]);
    setup.check("fault:Kind", &[]);
    setup.check("People:1..5", &["N"]);
    setup.server.delete(&record).is(204);
    setup.check("People:1..5", &[]);
}

#[test]
fn what_is_missing_is_found() {
    let setup = cities();
    setup.check("Founded:none", &["N", "Y"]);
    setup.check("Name:none", &["M"]);
    setup.check("Tags:none", &["Z", "N", "M"]);
    setup.check("NOT Tags:none stadt", &["B", "Y"]);
    setup.check("Kind:none", &["Y"]);
    // faulty values are values
    setup.check("People:none", &[]);
    // blank text is none, though it is kept as it came
    setup.city("S", r#""Name":" \u2003""#);
    setup.city("E", r#""Name":"""#);
    setup.check("Name:none", &["M", "S", "E"]);
    setup.check("NOT Name:none stadt", &["B", "Y"]);
}

#[test]
fn a_new_field_is_missing_in_every_record_that_was_there_before() {
    let setup = cities();
    let schema = setup.server.names.schema.clone();
    let people = r#"{"fieldId":"f-people""#;
    let river = r#"{"fieldId":"f-river","name":"River","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":true,"isRequired":false}"#;
    let wider = crate::test_server::CITY.replace(people, &format!("{river},{people}"));
    setup.server.change_schema(&schema, &wider);
    setup.city("D", r#""Name":"Dresden","River":"Elbe""#);
    setup.city("E", r#""Name":"Essen""#);
    setup.city("P", r#""Name":"Pirna","River":"Elbe""#);
    setup.check("River:none", &["B", "Z", "N", "M", "Y", "E"]);
    setup.check("NOT River:none", &["D", "P"]);
    assert_eq!(
        sorted(&setup, "NOT is:faulty", "River"),
        ["D", "P", "B", "Z", "Y", "E"]
    );
    // against creation are those that have one
    assert_eq!(
        sorted(&setup, "NOT is:faulty", "-River"),
        ["P", "D", "B", "Z", "Y", "E"]
    );
}

#[test]
fn values_are_found_by_where_they_stand_in_their_order() {
    let setup = cities();
    setup.check("People:>443037", &["B"]);
    setup.check("People:>=443037", &["B", "Z"]);
    setup.check("People:<0", &["N"]);
    setup.check("People:<=0", &["N", "Y"]);
    setup.check("People:-5..443037", &["Z", "N", "Y"]);
    setup.check("People:0.5..1e9", &["B", "Z"]);
    setup.check("Founded:1237-10-28..1300-01-01", &["B"]);
    setup.check("Founded:<28.10.1237", &["Z"]);
    setup.check("Founded:..\"1237-10-28\"", &["B", "Z"]);
    setup.check("NOT People:>0", &["N", "M", "Y"]);
    setup.check("People:>0 OR stadt", &["B", "Z", "Y"]);
    setup.check("stadt People:<5", &["Y"]);
    setup.check("(People:>0 OR is:faulty) NOT Kind:c", &["N", "M"]);
    setup.check("People:>0 People:<1000000", &["Z"]);
    setup.check("People:5..1", &[]);
}

#[test]
fn a_range_that_means_nothing_is_a_400_that_says_how() {
    let setup = cities();
    for (query, said) in [
        ("Name:>b", "no order"),
        ("x People:>abc", "a number"),
        ("Founded:>yesterday", "DD.MM.YYYY"),
        ("Nmae:>4", "near names are `Name`"),
        ("fault:Nmae", "near names are `Name`"),
        ("fault:Name/requird", "`required`"),
        ("fault:Name/requird", "`fault:\"Name/requird\"`"),
        ("Nmae:none", "near names are `Name`"),
    ] {
        let message = setup.refused(&format!("query={}", encoded(query)));
        assert!(message.contains(said), "{query}: {message}");
    }
}

#[test]
fn pages_are_sorted_by_sort_keys() {
    let setup = cities();
    let all = ["B", "M", "N", "Y", "Z"];
    assert_eq!(sorted(&setup, "*", "Code"), all);
    let reversed: Vec<_> = all.into_iter().rev().collect();
    assert_eq!(sorted(&setup, "*", "-Code"), reversed);
    assert_eq!(
        sorted(&setup, "stadt OR is:faulty", "-code"),
        ["Y", "N", "M", "B"]
    );
    assert_eq!(sorted(&setup, "People:>0", "-Code"), ["Z", "B"]);
    let said = setup.refused("query=x&sort=Cod");
    assert!(said.contains("`Code`"), "{said}");
    setup.refused("query=x&sort=People");
    setup.refused("query=*&sort=Code,,");
    setup.refused("query=*&sort=");
    setup.refused("sort=Code");
}

#[test]
fn a_sorted_walk_gives_every_hit_once_also_when_its_end_moves() {
    let setup = SearchSetup::start();
    for number in 0..25 {
        let rest = format!(r#""Name":"common","People":{}"#, number % 4);
        setup.city(&format!("C{:02}", number * 7 % 25), &rest);
    }
    let walk = |sort: &str| {
        let (mut walked, mut next) = (Vec::new(), String::new());
        loop {
            let asked = format!("query=common&sort={sort}&pageSize=4{next}");
            let page = setup.ask(&asked).is(200).json();
            assert_eq!(page["total"], 25);
            walked.extend(codes(&page));
            match page["nextPageKey"].as_str() {
                Some(key) => next = format!("&pageKey={key}"),
                None => return walked,
            }
        }
    };
    let expected: Vec<_> = (0..25).map(|number| format!("C{number:02}")).collect();
    assert_eq!(walk("Code"), expected);
    let page = setup
        .ask("query=common&sort=Code&pageSize=4")
        .is(200)
        .json();
    let key = page["nextPageKey"].as_str().expect("a key").to_owned();
    setup.server.delete(&page["hits"][3]).is(204);
    let next = setup.ask(&format!("query=common&sort=Code&pageKey={key}"));
    assert_eq!(codes(&next.is(200).json()), expected[4..]);
    for other in [
        "query=common&sort=-Code",
        "query=common",
        "query=other&sort=Code",
    ] {
        setup
            .ask(&format!("{other}&pageKey={key}"))
            .plain_error(400);
    }
    let forged = format!("x{key}");
    setup
        .ask(&format!("query=common&sort=Code&pageKey={forged}"))
        .plain_error(400);
}

#[test]
fn a_total_beyond_a_thousand_says_that_there_are_more() {
    let setup = SearchSetup::start();
    let total = |setup: &SearchSetup| {
        let found = setup.ask("query=People%3A%3E4&pageSize=1").is(200).json();
        (found["total"].clone(), found["totalIsAtLeast"].clone())
    };
    setup.cities((0..1000).map(|number| format!(r#"{{"Code":"C{number}","People":5}}"#)));
    assert_eq!(total(&setup), (Value::from(1000), Value::Null));
    setup.city("more", r#""Name":"common","People":5"#);
    assert_eq!(total(&setup), (Value::from(1000), Value::from(true)));
}

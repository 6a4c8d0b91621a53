//! What queries find.

use crate::setup::SearchSetup;

fn cities() -> SearchSetup {
    let setup = SearchSetup::start();
    setup.city("B", r#""Name":"Berlin Mitte","Founded":"1237-10-28","People":3700000,"Kind":"C","Mail":"stadt@berlin.example","Tags":["große Stadt","Haupt Sitz"]"#);
    setup.city("Z", r#""Name":"Zürich","People":443037,"Site":"https://www.stadt-zuerich.example/","Tags":["See"]"#);
    setup.city("NY", r#""Name":"New York","Tags":["big","apple"]"#);
    setup.city("YN", r#""Name":"York New","Tags":["Berlin"]"#);
    setup.city("T", r#""Name":"東京都","People":-1"#);
    setup
}

#[test]
fn words_are_found_whatever_their_case_and_accents() {
    let setup = cities();
    setup.check("berlin", &["B", "YN"]);
    setup.check("BERLIN mitte", &["B"]);
    setup.check("zurich", &["Z"]);
    setup.check("ZÜRICH", &["Z"]);
    setup.check("grosse", &["B"]);
    setup.check("berl", &[]);
    setup.check("berl*", &["B", "YN"]);
    setup.check("東京", &["T"]);
    setup.check("京東", &[]);
}

#[test]
fn every_value_is_found_as_it_is_shown() {
    let setup = cities();
    setup.check("28.10.1237", &["B"]);
    setup.check("3700000", &["B"]);
    setup.check("stadt@berlin.example", &["B"]);
    setup.check("www.stadt-zuerich.example", &["Z"]);
    setup.check("C", &["B"]);
    // a faulty value is a value
    setup.check("People:1", &["T"]);
}

#[test]
fn phrases_stand_in_one_value_in_order() {
    let setup = cities();
    setup.check("\"new york\"", &["NY"]);
    setup.check("new york", &["NY", "YN"]);
    setup.check("\"new yo\"*", &["NY"]);
    setup.check("\"stadt haupt\"", &[]);
    setup.check("\"mitte 28\"", &[]);
    setup.check("\"haupt sitz\"", &["B"]);
    setup.check("\"york big\"", &[]);
}

#[test]
fn and_or_not_and_parentheses() {
    let setup = cities();
    setup.check("zurich OR york", &["Z", "NY", "YN"]);
    setup.check("york NOT berlin", &["NY"]);
    setup.check("york AND NOT berlin", &["NY"]);
    setup.check("NOT berlin", &["Z", "NY", "T"]);
    setup.check("NOT (berlin OR york)", &["Z", "T"]);
    setup.check("(berlin OR zurich) stadt", &["B", "Z"]);
    setup.check("NOT nothing", &["B", "Z", "NY", "YN", "T"]);
    setup.check("NOT NOT zurich", &["Z"]);
    setup.check("nothing OR zurich", &["Z"]);
    setup.check("nothing zurich", &[]);
}

#[test]
fn the_longest_and_the_deepest_query_is_answered() {
    let setup = cities();
    let many = |with: &str| {
        let words: Vec<String> = (0..63).map(|number| format!("{with}w{number}")).collect();
        words.join(" ")
    };
    setup.check(&format!("york {}", many("NOT ")), &["NY", "YN"]);
    setup.check(&many("NOT "), &["B", "Z", "NY", "YN", "T"]);
    setup.check(&format!("york {}", many("OR ")), &["NY", "YN"]);
    setup.check(&format!("york {}", many("")), &[]);
    setup.check(
        &format!("{}york{}", "(".repeat(16), ")".repeat(16)),
        &["NY", "YN"],
    );
    setup.check(
        &format!("{}york{}", "NOT (".repeat(8), ")".repeat(8)),
        &["NY", "YN"],
    );
    let deep: Vec<_> = (0..7)
        .map(|level| format!("w{level} OR NOT (w NOT "))
        .collect();
    setup.check(
        &format!("{}york{}", deep.concat(), ")".repeat(7)),
        &["B", "Z", "NY", "YN", "T"],
    );
}

#[test]
fn a_field_holds_the_value() {
    let setup = cities();
    setup.check("Name:berlin", &["B"]);
    setup.check("name:berlin", &["B"]);
    setup.check("Tags:berlin", &["YN"]);
    setup.check("Name:\"New York\"", &["NY"]);
    setup.check("Name:b*", &["B"]);
    setup.check("NOT Name:berlin Tags:berlin", &["YN"]);
    setup.check("Nowhere:berlin", &[]);
    setup.check("NOT Nowhere:berlin zurich", &["Z"]);
    // an inactive field is not there
    setup.check("Old:berlin", &[]);
}

#[test]
fn what_does_not_parse_is_a_400_that_names_the_place() {
    let setup = SearchSetup::start();
    for (query, place) in [
        ("(berlin", "character 1"),
        ("a OR", "character 5"),
        ("ä \"b", "character 3"),
    ] {
        let answer = setup
            .ask(&format!("query={}", crate::setup::encoded(query)))
            .plain_error(400);
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(place), "{query}: {message}");
    }
    for parameters in ["", "query=", "query=%20", "businessArea=Places", "query=-"] {
        setup.ask(parameters).plain_error(400);
    }
}

#[test]
fn nothing_a_user_types_reaches_the_index_as_syntax() {
    let setup = cities();
    for query in [
        "c0 : berlin",
        "{c0}:berlin",
        "^berlin",
        "NEAR(berlin mitte)",
        "berlin + mitte",
        "berlin'--",
        "marker:1_",
        "1_berlin",
        "\"1_\"",
        "2__33_x",
        "berlin\u{0}x",
        "rest",
        "-berlin",
        "\u{FEFF}berlin",
        "*",
        "berlin**",
    ] {
        let answer = setup.ask(&format!("query={}", crate::setup::encoded(query)));
        assert!(
            [200, 400].contains(&answer.status),
            "{query}: {}",
            answer.text()
        );
    }
    setup.check("1_berlin", &[]);
    setup.check("^berlin", &["B", "YN"]);
}

#[test]
fn a_hit_says_where_it_is_and_holds_the_fields_by_name() {
    let setup = SearchSetup::start();
    let made = setup.city("B", r#""Name":"Berlin","Founded":"1237-10-28""#);
    let found = setup.found("berlin");
    assert_eq!(found["total"], 1);
    let hit = found["hits"][0].as_object().unwrap();
    let names = &setup.server.names;
    for (key, value) in [
        ("_dataObjectId", made["_dataObjectId"].as_str().unwrap()),
        ("_businessAreaId", &names.area),
        ("_businessAreaName", "Places"),
        ("_schemaId", &names.schema),
        ("_schemaName", "City"),
        ("_dataSetId", &names.dataset),
        ("_dataSetName", "Europe"),
        ("Code", "B"),
        ("Name", "Berlin"),
        ("Founded", "28.10.1237"),
    ] {
        assert_eq!(hit[key], value, "{key}");
    }
    assert!(hit["People"].is_null());
    assert_eq!(hit.len(), 7 + 10);
}

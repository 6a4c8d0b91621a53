//! What queries find.

use crate::desk::Desk;

fn cities() -> Desk {
    let desk = Desk::start();
    desk.city("B", r#""Name":"Berlin Mitte","Founded":"1237-10-28","People":3700000,"Kind":"C","Mail":"stadt@berlin.example","Tags":["große Stadt","Haupt Sitz"]"#);
    desk.city("Z", r#""Name":"Zürich","People":443037,"Site":"https://www.stadt-zuerich.example/","Tags":["See"]"#);
    desk.city("NY", r#""Name":"New York","Tags":["big","apple"]"#);
    desk.city("YN", r#""Name":"York New","Tags":["Berlin"]"#);
    desk.city("T", r#""Name":"東京都","People":-1"#);
    desk
}

#[test]
fn words_are_found_whatever_their_case_and_accents() {
    let desk = cities();
    desk.check("berlin", &["B", "YN"]);
    desk.check("BERLIN mitte", &["B"]);
    desk.check("zurich", &["Z"]);
    desk.check("ZÜRICH", &["Z"]);
    desk.check("grosse", &["B"]);
    desk.check("berl", &[]);
    desk.check("berl*", &["B", "YN"]);
    desk.check("東京", &["T"]);
    desk.check("京東", &[]);
}

#[test]
fn every_value_is_found_as_it_is_shown() {
    let desk = cities();
    desk.check("28.10.1237", &["B"]);
    desk.check("3700000", &["B"]);
    desk.check("stadt@berlin.example", &["B"]);
    desk.check("www.stadt-zuerich.example", &["Z"]);
    desk.check("C", &["B"]);
    // a faulty value is a value
    desk.check("People:1", &["T"]);
}

#[test]
fn phrases_stand_in_one_value_in_order() {
    let desk = cities();
    desk.check("\"new york\"", &["NY"]);
    desk.check("new york", &["NY", "YN"]);
    desk.check("\"new yo\"*", &["NY"]);
    desk.check("\"stadt haupt\"", &[]);
    desk.check("\"mitte 28\"", &[]);
    desk.check("\"haupt sitz\"", &["B"]);
    desk.check("\"york big\"", &[]);
}

#[test]
fn and_or_not_and_parentheses() {
    let desk = cities();
    desk.check("zurich OR york", &["Z", "NY", "YN"]);
    desk.check("york NOT berlin", &["NY"]);
    desk.check("york AND NOT berlin", &["NY"]);
    desk.check("NOT berlin", &["Z", "NY", "T"]);
    desk.check("NOT (berlin OR york)", &["Z", "T"]);
    desk.check("(berlin OR zurich) stadt", &["B", "Z"]);
    desk.check("NOT nothing", &["B", "Z", "NY", "YN", "T"]);
    desk.check("NOT NOT zurich", &["Z"]);
    desk.check("nothing OR zurich", &["Z"]);
    desk.check("nothing zurich", &[]);
}

#[test]
fn the_longest_and_the_deepest_query_is_answered() {
    let desk = cities();
    let many = |with: &str| {
        let words: Vec<String> = (0..63).map(|number| format!("{with}w{number}")).collect();
        words.join(" ")
    };
    desk.check(&format!("york {}", many("NOT ")), &["NY", "YN"]);
    desk.check(&many("NOT "), &["B", "Z", "NY", "YN", "T"]);
    desk.check(&format!("york {}", many("OR ")), &["NY", "YN"]);
    desk.check(&format!("york {}", many("")), &[]);
    desk.check(
        &format!("{}york{}", "(".repeat(16), ")".repeat(16)),
        &["NY", "YN"],
    );
    desk.check(
        &format!("{}york{}", "NOT (".repeat(8), ")".repeat(8)),
        &["NY", "YN"],
    );
    let deep: Vec<_> = (0..7)
        .map(|level| format!("w{level} OR NOT (w NOT "))
        .collect();
    desk.check(
        &format!("{}york{}", deep.concat(), ")".repeat(7)),
        &["B", "Z", "NY", "YN", "T"],
    );
}

#[test]
fn a_field_holds_the_value() {
    let desk = cities();
    desk.check("Name:berlin", &["B"]);
    desk.check("name:berlin", &["B"]);
    desk.check("Tags:berlin", &["YN"]);
    desk.check("Name:\"New York\"", &["NY"]);
    desk.check("Name:b*", &["B"]);
    desk.check("NOT Name:berlin Tags:berlin", &["YN"]);
    desk.check("Nowhere:berlin", &[]);
    desk.check("NOT Nowhere:berlin zurich", &["Z"]);
    // an inactive field is not there
    desk.check("Old:berlin", &[]);
}

#[test]
fn what_does_not_parse_is_a_400_that_names_the_place() {
    let desk = Desk::start();
    for (query, place) in [
        ("(berlin", "character 1"),
        ("a OR", "character 5"),
        ("ä \"b", "character 3"),
    ] {
        let answer = desk
            .ask(&format!("query={}", crate::desk::encoded(query)))
            .plain(400);
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(place), "{query}: {message}");
    }
    for parameters in ["", "query=", "query=%20", "businessArea=Places", "query=-"] {
        desk.ask(parameters).plain(400);
    }
}

#[test]
fn nothing_a_user_types_reaches_the_index_as_syntax() {
    let desk = cities();
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
        let answer = desk.ask(&format!("query={}", crate::desk::encoded(query)));
        assert!(
            [200, 400].contains(&answer.status),
            "{query}: {}",
            answer.text()
        );
    }
    desk.check("1_berlin", &[]);
    desk.check("^berlin", &["B", "YN"]);
}

#[test]
fn a_hit_says_where_it_is_and_holds_the_fields_by_name() {
    let desk = Desk::start();
    let made = desk.city("B", r#""Name":"Berlin","Founded":"1237-10-28""#);
    let found = desk.found("berlin");
    assert_eq!(found["total"], 1);
    let hit = found["hits"][0].as_object().unwrap();
    let names = &desk.world.names;
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

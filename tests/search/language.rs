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
    setup.check("People:-1", &["T"]);
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
    // as one field and as the words before it
    setup.check("\"Name\":berlin", &["B"]);
}

#[test]
fn a_field_that_no_schema_has_is_a_400_with_near_names() {
    let setup = cities();
    let said = |query: &str| setup.refused(&format!("query={}", crate::setup::encoded(query)));
    for (query, place, near) in [
        ("Nmae:berlin", "character 1 ", "near names are `Name`"),
        ("berlin Tag:x", "character 8 ", "near names are `Tags`"),
        ("Nowhere:berlin", "character 1 ", "in quotes"),
        ("NOT Nowhere:berlin zurich", "character 5 ", "in quotes"),
        // an inactive field is not there
        ("Old:berlin", "character 1 ", "in quotes"),
        ("is:fine", "character 1 ", "in quotes"),
        ("mailto:x@y.example", "character 1 ", "in quotes"),
    ] {
        let said = said(query);
        assert!(
            said.contains(place) && said.contains(near),
            "{query}: {said}"
        );
    }
    // the filters of a search hide no field
    setup.ask("query=Name:x&schema=None").is(200);
    setup.ask("query=Text:x&dataSet=Europe").is(200);
    setup.refused("query=Nope:x&schema=None");
}

#[test]
fn a_name_of_several_words_without_quotes_is_a_400_that_says_how() {
    let setup = cities();
    let document = r#"{"schemaId":"s","name":"Person","businessAreaId":"b","businessAreaName":"b","createdDate":"2024-01-01T00:00:00Z","fields":[
        {"fieldId":"f-full","name":"Full Title","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false}]}"#;
    let names = &setup.server.names;
    setup.server.schema(&names.tenant, &names.area, document);
    let said = setup.refused("query=grace%20Full%20Title:hopper");
    assert!(
        said.contains("character 12 ") && said.contains("`\"Full Title\":…`"),
        "{said}"
    );
    setup.ask("query=%22Full%20Title%22:hopper").is(200);
    setup.ask("query=fulltitle:hopper").is(200);
    let said = setup.refused("query=Title:hopper");
    assert!(said.contains("near names are `Full Title`"), "{said}");
}

#[test]
fn an_operator_that_there_is_not_is_a_400() {
    let setup = cities();
    for value in ["~4", "=~4", "==4", "!4", "^4"] {
        let query = crate::setup::encoded(&format!("People:{value}"));
        let said = setup.refused(&format!("query={query}"));
        assert!(
            said.contains("character 8") && said.contains("quotes"),
            "{said}"
        );
    }
    setup.check("People:\">443037\"", &["Z"]);
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
    assert_eq!(hit["_errors"], serde_json::json!([]));
    assert_eq!(hit.len(), 8 + 10);
}

#[test]
fn a_hit_says_what_is_wrong_with_it() {
    let setup = SearchSetup::start();
    setup.city("B", r#""Name":"Berlin","People":-5"#);
    let found = setup.found("berlin");
    let hit = &found["hits"][0];
    assert_eq!(hit["_errors"][0]["name"], "People", "{hit}");
}

//! A schema that changes under its records.

use crate::setup::{SearchSetup, codes, encoded};
use crate::test_server::{CITY, records_of};
use runtime::service::search::SearchRequest;
use runtime::store::catalog::SchemaEntry;
use runtime::store::records::Change;

#[test]
fn a_renamed_field_is_found_under_its_current_name_only() {
    let setup = SearchSetup::start();
    setup.city("B", r#""Name":"Berlin""#);
    setup.check("Name:berlin", &["B"]);
    let schema = setup.server.names.schema.clone();
    setup.server.change_schema(
        &schema,
        &CITY.replace(r#""name":"Name""#, r#""name":"Title""#),
    );
    setup.check("Title:berlin", &["B"]);
    setup.ask("query=Name:berlin").plain_error(400);
    assert_eq!(setup.found("berlin")["hits"][0]["Title"], "Berlin");
}

/// Cities that are sorted by their people.
fn by_people() -> String {
    let people =
        r#""name":"People","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":"#;
    let sorted = CITY.replace(&format!("{people}false"), &format!("{people}true"));
    assert_ne!(sorted, CITY);
    sorted
}

/// The same by another type, and by another field of that name.
fn by_others(sorted: &str) -> [String; 2] {
    let of_type = r#"true,"dataType":"integer""#;
    let texts = sorted.replace(of_type, r#"true,"dataType":"string""#);
    let texts = texts.replace(r#","min":0"#, "");
    let other = sorted.replace(r#""f-people""#, r#""f-inhabitants""#);
    assert!(texts != sorted && other != sorted);
    [texts, other]
}

#[test]
fn a_sorted_walk_goes_on_only_while_its_order_is_by_the_same_field_of_the_same_type() {
    let setup = SearchSetup::start();
    let schema = setup.server.names.schema.clone();
    let change = |document: &str| setup.server.change_schema(&schema, document);
    let sorted = by_people();
    change(&sorted);
    for (code, people) in [("A", 1), ("B", 2), ("C", 3)] {
        setup.city(code, &format!(r#""Name":"x","People":{people}"#));
    }
    let page = setup.ask("query=*&sort=People&pageSize=1").is(200).json();
    let key = page["nextPageKey"].as_str().expect("more").to_owned();
    let next = || setup.ask(&format!("query=*&sort=People&pageSize=1&pageKey={key}"));
    let described = sorted.replace("Where people live", "Where they live");
    for same in [&sorted, &described] {
        change(same);
        assert_eq!(codes(&next().is(200).json()), ["B"]);
    }
    for changed in &by_others(&sorted) {
        change(changed);
        next().plain_error(400);
        change(&sorted);
        assert_eq!(codes(&next().is(200).json()), ["B"]);
    }
}

#[test]
fn a_sorted_walk_through_several_schemas_goes_on_only_while_each_is_sorted_by_the_same_field() {
    let setup = SearchSetup::start();
    let (server, names) = (&setup.server, setup.server.names.clone());
    let sorted = by_people();
    let schema = |document: &str| server.schema(&names.tenant, &names.area, document);
    let add = |schema: &str, (code, people): (&str, u32)| {
        let dataset = server.dataset(schema, code);
        let path = records_of(&names.area, schema, &dataset);
        let body = format!(r#"{{"Code":"{code}","Name":"x","People":{people}}}"#);
        server.request("POST", &path).json(body).send().is(201);
    };
    // none of these has another version yet
    let (first, second, third) = (schema(&sorted), schema(&sorted), schema(&sorted));
    for (schema, record) in [(&first, ("A", 1)), (&second, ("B", 2)), (&third, ("C", 3))] {
        add(schema, record);
    }
    let page = setup.ask("query=*&sort=People&pageSize=1").is(200).json();
    assert_eq!(codes(&page), ["A"]);
    let key = page["nextPageKey"].as_str().expect("more").to_owned();
    let next = || setup.ask(&format!("query=*&sort=People&pageSize=1&pageKey={key}"));
    // one that comes meanwhile changes nothing of how the others are sorted, nor does one that is not asked any more
    add(&schema(&sorted), ("D", 4));
    assert_eq!(codes(&next().is(200).json()), ["B"]);
    let gone = server.service.store().catalog().schemas[&third].clone();
    let gone = SchemaEntry {
        deleted: true,
        ..(*gone).clone()
    };
    server.put(gone);
    assert_eq!(codes(&next().is(200).json()), ["B"]);
    for changed in &by_others(&sorted) {
        server.change_schema(&second, changed);
        next().plain_error(400);
    }
    // whoever begins anew has a key of the order as it is
    server.change_schema(&second, &sorted);
    let again = setup.ask("query=*&sort=People&pageSize=1").is(200).json();
    let key = again["nextPageKey"].as_str().expect("more");
    let next = setup.ask(&format!("query=*&sort=People&pageSize=1&pageKey={key}"));
    assert_eq!(codes(&next.is(200).json()), ["B"]);
}

#[test]
fn the_page_key_of_a_sorted_search_is_as_long_for_many_schemas_as_for_one() {
    let setup = SearchSetup::start();
    let (server, names) = (&setup.server, setup.server.names.clone());
    for code in ["A", "B"] {
        setup.city(code, r#""Name":"x""#);
    }
    let length = || {
        let page = setup.ask("query=*&sort=Code&pageSize=1").is(200).json();
        page["nextPageKey"].as_str().expect("more").len()
    };
    let of_one = length();
    for number in 0..20 {
        let schema = server.schema(&names.tenant, &names.area, CITY);
        server.dataset(&schema, &format!("Of {number}"));
    }
    assert_eq!(length(), of_one);
}

#[test]
fn a_field_that_is_switched_off_is_not_found_until_it_is_on_again() {
    let setup = SearchSetup::start();
    let record = setup.city("B", r#""Name":"Berlin","Tags":["capital"]"#);
    setup.check("capital", &["B"]);
    let schema = setup.server.names.schema.clone();
    let off = CITY.replace(
        r#""name":"Tags","active":true"#,
        r#""name":"Tags","active":false"#,
    );
    assert_ne!(off, CITY);
    setup.server.change_schema(&schema, &off);
    setup.check("capital", &[]);
    setup.ask("query=Tags:capital").plain_error(400);
    setup.check("NOT capital", &["B"]);
    // a write while it is off keeps the value hidden
    setup
        .server
        .update(&record, r#"{"_version":0,"Name":"Berlin!"}"#)
        .is(204);
    setup.check("capital", &[]);
    setup.server.change_schema(&schema, CITY);
    setup.check("capital", &["B"]);
    setup.check("Tags:capital berlin", &["B"]);
}

#[test]
fn a_field_that_is_not_searched_has_no_words_but_all_else_until_it_is_searched_again() {
    let setup = SearchSetup::start();
    let schema = setup.server.names.schema.clone();
    setup.city("B", r#""Name":"Berlin","Tags":["capital"],"People":4"#);
    setup.city("C", r#""Name":"Capital","Tags":["old"],"People":9"#);
    setup.check("capital", &["B", "C"]);
    let not_searched = ["Tags", "People"]
        .iter()
        .fold(CITY.to_owned(), |city, name| {
            let named = format!(r#""name":"{name}""#);
            city.replace(&named, &format!(r#"{named},"isSearched":false"#))
        });
    setup.server.change_schema(&schema, &not_searched);
    setup.check("capital", &["C"]);
    setup.city("D", r#""Name":"Dresden","Tags":["capital"],"People":11"#);
    setup.check("capital", &["C"]);
    setup.check("9", &[]);
    for query in [
        "Tags:capital",
        "Tags:\"capital\"",
        "Tags: capital",
        "Tags:cap*",
    ] {
        let refused = setup.ask(&format!("query={}", encoded(query)));
        let refused = refused.plain_error(400);
        let text = refused.text();
        assert!(
            text.contains("isSearched") && text.contains("`Tags`"),
            "{text}"
        );
    }
    // what is no word is asked for as ever
    setup.check("People:>4 NOT Tags:none", &["C", "D"]);
    setup.check("People:9..9", &["C"]);
    setup.check("People:9", &["C"]);
    setup.check("fault:Tags", &[]);
    let names = &setup.server.names;
    let detail = format!("/v1/businessareas/{}/schemas/{schema}", names.area);
    let detail = setup.server.get(&detail).is(200);
    assert!(!detail.text().contains("isSearched"), "{}", detail.text());
    setup.server.change_schema(&schema, CITY);
    setup.check("capital", &["B", "C", "D"]);
    setup.check("Tags:capital", &["B", "D"]);
}

#[test]
fn words_in_a_field_that_is_not_searched_are_refused_whatever_schemas_say_that_are_not_asked() {
    let setup = SearchSetup::start();
    let (server, names) = (&setup.server, setup.server.names.clone());
    let silent = CITY
        .replace(r#""name":"Tags""#, r#""name":"Tags","isSearched":false"#)
        .replace(
            r#""name":"People","active":true,"dataType":"integer""#,
            r#""name":"People","isSearched":false,"active":true,"dataType":"string""#,
        )
        .replace(r#","min":0"#, "");
    server.change_schema(&names.schema, &silent);
    setup.city("B", r#""Name":"Berlin","Tags":["capital"],"People":"4""#);
    let asked = |query: &str, dataset: &str| {
        let query = encoded(query);
        setup.ask(&format!("query={query}&dataSet={dataset}"))
    };
    let own = server.service.store().catalog().datasets[&names.dataset].clone();
    let are_refused = || {
        for query in [
            "Tags:capital",
            "NOT Tags:capital",
            "People:4",
            "NOT People:4",
        ] {
            let refused = asked(query, &own.name).plain_error(400);
            assert!(refused.text().contains("isSearched"), "{query}");
        }
    };
    are_refused();
    // of a dataset without such a field, the others say what it is
    let without = CITY.replace(r#""name":"Tags""#, r#""name":"Labels""#);
    let without = server.schema(&names.tenant, &names.area, &without);
    server.dataset(&without, "Without");
    let of_strangers = ["Tags:capital", "NOT Tags:capital"];
    for query in of_strangers {
        asked(query, "Without").plain_error(400);
    }
    // one that is not asked looks for its words, or compares its values
    let other = server.schema(&names.tenant, &names.area, CITY);
    let dataset = server.dataset(&other, "Elsewhere");
    let path = records_of(&names.area, &other, &dataset);
    let body = r#"{"Code":"C","Name":"Cairo","Tags":["capital"],"People":4}"#;
    server.request("POST", &path).json(body).send().is(201);
    are_refused();
    for query in of_strangers {
        asked(query, "Without").is(200);
    }
    // of several, those that search it are, unless what has the words is to be left out
    for query in ["Tags:capital", "People:4"] {
        let found = asked(query, "Elsewhere").is(200).json();
        assert_eq!(codes(&found), ["C"], "{query}");
        setup.check(query, &["C"]);
    }
    for query in ["NOT Tags:capital", "berlin NOT (x OR NOT People:4)"] {
        let found = asked(query, "Elsewhere").is(200).json();
        assert!(codes(&found).is_empty(), "{query}");
        setup
            .ask(&format!("query={}", encoded(query)))
            .plain_error(400);
    }
}

#[test]
fn a_restored_record_is_found_by_what_was_switched_on_while_it_was_deleted() {
    let setup = SearchSetup::start();
    let names = &setup.server.names;
    let tags = r#""name":"Tags","active":true"#;
    let off = CITY.replace(tags, &tags.replace("true", "false"));
    let record = setup.city("B", r#""Name":"Berlin","Tags":["capital"]"#);
    setup.server.change_schema(&names.schema, &off);
    setup
        .server
        .update(&record, r#"{"_version":0,"Name":"Bonn"}"#)
        .is(204);
    setup.server.delete(&record).is(204);
    setup.check("bonn", &[]);
    setup.server.change_schema(&names.schema, CITY);
    setup.check("bonn", &[]);
    let number = setup.server.service.store().catalog().datasets[&names.dataset].number;
    for id in setup.deleted(number) {
        setup.write(number, Change::Restore { id });
    }
    setup.check("bonn capital", &["B"]);
}

#[test]
fn a_date_is_found_as_it_is_shown_today() {
    let setup = SearchSetup::start();
    setup.city("B", r#""Name":"Berlin","Founded":"1237-10-28""#);
    setup.check("\"28.10.1237\"", &["B"]);
    let schema = setup.server.names.schema.clone();
    let iso = CITY.replace("DD$MM$YYYY", "YYYY$MM$DD");
    setup.server.change_schema(&schema, &iso);
    setup.check("\"1237.10.28\"", &["B"]);
    setup.check("\"28.10.1237\"", &[]);
}

#[test]
fn a_schema_with_more_fields_than_columns_is_searched_all_the_same() {
    let setup = SearchSetup::start();
    let names = setup.server.names.clone();
    let field = |number: usize, active: bool| {
        format!(
            r#"{{"fieldId":"w{number}","name":"W{number}","active":{active},"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false}}"#
        )
    };
    let document = |off: Option<usize>| {
        let fields: Vec<String> = (0..70)
            .map(|number| field(number, off != Some(number)))
            .collect();
        format!(
            r#"{{"schemaId":"s","name":"Wide","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z","fields":[{}]}}"#,
            fields.join(",")
        )
    };
    let schema = setup
        .server
        .schema(&names.tenant, &names.area, &document(None));
    let dataset = setup.server.dataset(&schema, "Wide");
    let values: Vec<String> = (0..70)
        .map(|number| format!(r#""W{number}":"new word{number} same""#))
        .collect();
    let path = records_of(&names.area, &schema, &dataset);
    let body = format!("{{{}}}", values.join(","));
    setup
        .server
        .request("POST", &path)
        .json(body)
        .send()
        .is(201);
    let total = |query: &str| setup.found(query)["total"].clone();
    for number in [0, 31, 32, 33, 69] {
        assert_eq!(total(&format!("word{number}")), 1, "{number}");
        assert_eq!(total(&format!("W{number}:word{number}")), 1, "{number}");
        assert_eq!(total(&format!("W{number}:\"new wor\"*")), 1, "{number}");
        assert_eq!(total(&format!("W{number}:word1")), 0, "{number}");
        assert_eq!(total(&format!("\"word{number} same\"")), 1, "{number}");
    }
    assert_eq!(
        total("\"same new\""),
        0,
        "no phrase runs from one field into the next"
    );
    setup.server.change_schema(&schema, &document(Some(40)));
    assert_eq!(total("word40"), 0);
    assert_eq!(total("word41"), 1);
    assert_eq!(total("NOT word40 word41"), 1);
}

#[test]
fn a_search_that_a_change_of_the_schema_overtakes_shows_the_record_as_it_is_today() {
    let setup = SearchSetup::start();
    let server = &setup.server;
    setup.city("B", r#""Name":"Berlin""#);
    let caller = server.service.authenticate(&server.names.key);
    let caller = caller.expect("the caller as of now");
    let renamed = CITY.replace(r#""name":"Name""#, r#""name":"Title""#);
    server.change_schema(&server.names.schema, &renamed);
    let record = server.by_key("B").json();
    server
        .update(&record, r#"{"_version":0,"Title":"Bonn"}"#)
        .is(204);
    let request = SearchRequest {
        query: Some("bonn".to_owned()),
        ..SearchRequest::default()
    };
    let found = server.service.search(&caller, &request);
    let found = server.runtime.block_on(found).expect("it is answered");
    assert!(found.contains(r#""Title":"Bonn""#), "{found}");
}

//! By what the records of a dataset are sorted on their page: of a dataset that was made from a file, too, and what is no sort
//! key there is told as that.

use crate::browser::{Browser, cities, field, give_ada};
use crate::jobs::server;
use crate::schema_editor::places;
use serde_json::json;

#[test]
fn a_dataset_that_was_made_from_a_file_sorts_by_its_columns() {
    let server = server();
    let file = "Code,Town,Amount\nA1,Ulm,30\nA2,Bonn,5\nA3,Aachen,12\n";
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "text/csv"),
    ];
    let line = "POST /admin/api/v1/schemas/inferences?name=Town";
    let told = server.send(line, &headers, Some(file)).is(200).json();
    let document = json!({"name": "Town", "fields": told["document"]["fields"]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let fields = [("try", "false"), ("mode", "create"), ("header", "true")];
    let sent = browser.import(&dataset, &fields, ("towns.csv", file));
    browser.ended_job(sent);
    let there = format!("/app/datasets/{dataset}");
    let list = browser.get(&there).is(200).body;
    for name in ["Code", "Town", "Amount"] {
        let head = format!(r#"<a href="{there}?sort={name}">{name}</a>"#);
        assert!(list.contains(&head), "{head}: {list}");
    }
    for (sort, expected) in [
        ("Amount", ["A2", "A3", "A1"]),
        ("-Amount", ["A1", "A3", "A2"]),
        ("Town", ["A3", "A2", "A1"]),
    ] {
        let sorted = browser.get(&format!("{there}?sort={sort}")).is(200).body;
        let place = |code: &str| sorted.find(&format!(">{code}<")).expect(code);
        let places = expected.map(place);
        assert!(places.is_sorted(), "{sort}: {sorted}");
    }
}

#[test]
fn what_is_no_sort_key_of_a_dataset_is_told_as_that_with_names_of_its_own() {
    let server = server();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    // elsewhere, records are sorted by such names
    let mut people = field("f-people", "People", "integer", false);
    people["isSortKey"] = json!(true);
    let other =
        json!({"name": "Shire", "fields": [field("f-name", "Name", "string", true), people]});
    let line = format!("/areas/{area}/schemas");
    server.make(&line, json!({"document": other}));
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    browser.get(&format!("{there}?sort=Code")).is(200);
    for name in ["People", "Name", "Nowhere"] {
        let told = browser.get(&format!("{there}?sort={name}")).body;
        let is_told = told.contains("it is not a sort key of the schema");
        assert!(is_told && !told.contains("aria-sort"), "{name}: {told}");
        let (_, near) = told.split_once("near ones are").expect(name);
        let near = near.split('<').next().expect("its end");
        assert_eq!(near.trim_matches([' ', '“', '”', '.']), "Code", "{name}");
    }
    // asked by its name, a search sorts by what is a sort key in a schema in view
    let line = "GET /v1/dataobjects/search?query=*&dataSet=Europe&sort=People";
    let headers = [("Authorization", server.root.as_str())];
    server.send(line, &headers, None).is(200);
    let line = "GET /v1/dataobjects/search?query=*&sort=Nowhere";
    let told = server.send(line, &headers, None).is(400).text("message");
    assert!(told.contains("in no schema"), "{told}");
}

//! Queries that name a personal field whose name another schema has for an open one: the schema that is asked says what is
//! personal there. What is asked with no such schema about is in `personal.rs`.

use crate::browser::{Browser, field, form, written};
use crate::personal_dataset::People;
use serde_json::json;

/// Queries for values of personal fields: by words, by a value, by ranges, and with what is negated.
const ASKED: [&str; 7] = [
    "Mail:zyxwomarker",
    "NOT Mail:zyxwomarker",
    "ulm OR Mail:zyxwomarker",
    "Age:41",
    "Age:>40",
    "NOT Age:40..50",
    "Town:ulm AND NOT Age:41",
];

/// A dataset whose fields of the same names are open; its id.
fn shops(people: &People) -> String {
    let server = &people.server;
    let document = json!({"name": "Shop", "fields": [
        field("f-code", "Code", "string", true),
        field("f-town", "Town", "string", false),
        field("f-mail", "Mail", "string", false),
        field("f-age", "Age", "integer", false),
    ]});
    let path = format!("/areas/{}/schemas", people.area);
    let schema = server.make(&path, json!({"document": document}));
    let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
    let dataset = server.make(&path, json!({"name": "Shops"}));
    let dataset = dataset.text("dataSetId");
    let shop = json!({"Code": "S1", "Town": "Ulm", "Mail": "open@example.org", "Age": 41});
    written(server, &dataset, &[shop]);
    dataset
}

#[test]
fn a_personal_field_is_asked_for_nothing_whatever_its_name_is_elsewhere() {
    let people = People::start();
    let server = &people.server;
    let shops = shops(&people);
    let facets = |by: &str, dataset: &str, query: &str| {
        let query = form(&[("query", query)]);
        let line = format!("GET /datasets/{dataset}/facets?{query}");
        server.ask(by, &line, None)
    };
    for query in ASKED {
        let refused = facets(&people.key, &people.dataset, query).is(403);
        assert!(refused.body.contains("PERSONAL DATA"), "{}", refused.body);
        let export = json!({"query": query});
        let repair = json!({"query": query, "field": "Town", "dryRun": true, "action": "trim"});
        for (what, body) in [("exports", export), ("repairs", repair)] {
            let line = format!("POST /datasets/{}/{what}", people.dataset);
            let refused = people.ask(&line, Some(body.clone())).is(403);
            assert!(refused.body.contains("PERSONAL DATA"), "{}", refused.body);
            // there the fields are open
            let line = format!("POST /datasets/{shops}/{what}");
            people.ask(&line, Some(body)).is(201);
        }
        facets(&people.key, &shops, query).is(200);
        facets(&server.root, &people.dataset, query).is(200);
    }
    for query in ["Mail:none", "fault:Mail", "NOT Age:none", "Town:ulm"] {
        facets(&people.key, &people.dataset, query).is(200);
    }
}

#[test]
fn no_page_finds_records_by_a_personal_field_whose_name_is_open_elsewhere() {
    let people = People::start();
    let shops = shops(&people);
    let all = json!([{"area": people.area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&people.server, "eve", &people.role, &all);
    let ada = Browser::signed_in(&people.server);
    for query in ASKED {
        let query = form(&[("q", query)]);
        let grid = format!("/app/datasets/{}?{query}", people.dataset);
        // all datasets are asked, so that of people too
        let search = format!("/app/search?{query}");
        for path in [&grid, &search] {
            eve.get(path).is(403);
            ada.get(path).is(200);
        }
        eve.get(&format!("/app/datasets/{shops}?{query}")).is(200);
    }
}

//! What is wrong with a dataset's records, counted; and how often their values are there.

use crate::admin_server::{AdminServer, city, field};
use crate::undo;
use runtime::service::Settings;
use serde_json::{Value, json};

/// A server with a dataset of four cities.
struct Cities {
    server: AdminServer,
    dataset: String,
    records: String,
    key: String,
    /// The ids of the cities.
    ids: Vec<String>,
}

fn cities() -> Cities {
    let server = AdminServer::start();
    let mut document = city();
    let fields = document["fields"].as_array_mut().expect("fields");
    let mut people = field("f-people", "People", false);
    people["dataType"] = json!("integer");
    people["min"] = json!(0);
    let mut kind = field("f-kind", "Kind", false);
    kind["dataType"] = json!("picklist");
    kind["picklistType"] = json!("static");
    kind["staticPicklist"] =
        json!([{"code": "T", "description": "town"}, {"code": "C", "description": "city"}]);
    let mut coast = field("f-coast", "Coast", false);
    coast["dataType"] = json!("boolean");
    fields.extend([people, kind, coast]);
    let [area, schema, dataset] = server.places(&document);
    let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let mut cities = Cities {
        server,
        dataset,
        records,
        key,
        ids: Vec::new(),
    };
    for body in [
        json!({"Code": "A", "Kind": "T", "Coast": true}),
        json!({"Code": "B", "Kind": "T", "Coast": false, "People": -1}),
        json!({"Code": "C", "Kind": "C", "Coast": true, "People": -1}),
        json!({"Code": "D", "Kind": "X", "People": "many", "Mayor": "Ada"}),
    ] {
        let id = cities.create(&body);
        cities.ids.push(id);
    }
    cities
}

impl Cities {
    fn create(&self, body: &Value) -> String {
        let head = [("Authorization", self.key.as_str())];
        let line = format!("POST {}", self.records);
        let made = self.server.send(&line, &head, Some(&body.to_string()));
        made.is(201).text("_dataObjectId")
    }

    fn get(&self, end: &str) -> Value {
        self.server
            .get(&format!("/datasets/{}/{end}", self.dataset))
    }
}

/// How often each value of the fields is there.
fn counts(found: &Value) -> Vec<(String, Vec<(Value, u64)>)> {
    let facets = found["facets"].as_array().expect("facets").iter();
    let values = |facet: &Value| {
        let values = facet["values"].as_array().expect("values").iter();
        let told = |value: &Value| {
            (
                value["value"].clone(),
                value["recordCount"].as_u64().expect("a count"),
            )
        };
        values.map(told).collect()
    };
    facets
        .map(|facet| {
            (
                facet["field"].as_str().expect("a name").to_owned(),
                values(facet),
            )
        })
        .collect()
}

fn told(faults: &Value) -> Vec<(String, String, u64, usize)> {
    let faults = faults.as_array().expect("faults").iter();
    let told = |fault: &Value| {
        let text = |name: &str| fault[name].as_str().expect("a text").to_owned();
        let samples = fault["samples"].as_array().expect("samples");
        let count = fault["recordCount"].as_u64().expect("a count");
        (text("field"), text("rule"), count, samples.len())
    };
    faults.map(told).collect()
}

#[test]
fn faults_are_counted_by_field_and_rule_with_samples() {
    let cities = cities();
    let fault = |field: &str, rule: &str, records: u64| {
        let samples = usize::try_from(records.min(3)).expect("few");
        (field.to_owned(), rule.to_owned(), records, samples)
    };
    let found = cities.get("faults");
    assert_eq!(
        (&found["recordCount"], &found["erroredRecordsCount"]),
        (&json!(4), &json!(3))
    );
    assert_eq!(
        told(&found["faults"]),
        [
            fault("People", "min", 2),
            fault("People", "integer", 1),
            fault("Kind", "picklist", 1)
        ]
    );
    // what is written is counted at once
    for code in ["E", "F", "G"] {
        cities.create(&json!({"Code": code, "People": -1}));
    }
    let found = cities.get("faults");
    assert_eq!(told(&found["faults"])[0], fault("People", "min", 5));
    let samples = &found["faults"][0]["samples"];
    assert_eq!(
        (&samples[0], &samples[1]),
        (&json!(cities.ids[1]), &json!(cities.ids[2]))
    );
}

#[test]
fn texts_that_are_no_value_are_counted_of_booleans_as_of_picklists() {
    let cities = cities();
    let long = "ä".repeat(5000);
    for body in [
        json!({"Code": "E", "Kind": "zz", "Coast": "x"}),
        json!({"Code": "F", "Kind": "zz", "Coast": "x"}),
        json!({"Code": "G", "Kind": long, "Coast": long}),
    ] {
        cities.create(&body);
    }
    let found = cities.get("facets?query=Code:E%20OR%20Code:F");
    let twice = |name: &str, value: &str| (name.to_owned(), vec![(json!(value), 2)]);
    assert_eq!(counts(&found), [twice("Kind", "zz"), twice("Coast", "x")]);
    let found = cities.get("facets");
    let coast = vec![
        (json!(true), 2),
        (json!("x"), 2),
        (json!(false), 1),
        (json!("ä".repeat(512)), 1),
    ];
    assert_eq!(counts(&found)[1], ("Coast".to_owned(), coast));
}

#[test]
fn of_very_many_values_the_most_frequent_are_told_and_how_many_others_there_are() {
    let cities = cities();
    // a text that is no code is counted, too
    let line =
        |number| json!({"create": {"Code": format!("n{number}"), "Kind": format!("n{number}")}});
    let lines: Vec<_> = (0..1200).map(line).collect();
    undo::sent(&cities.server, &cities.dataset, &lines);
    for query in ["", "&query=*"] {
        let found = cities.get(&format!("facets?field=Kind{query}"));
        let told = &counts(&found)[0].1;
        assert_eq!(told.len(), 1000);
        assert_eq!(told[0], (json!("T"), 2));
        let others = &found["facets"][0]["others"];
        assert_eq!(*others, json!({"valueCount": 203, "recordCount": 203}));
    }
    let found = cities.get("facets?field=Coast");
    assert!(found["facets"][0].get("others").is_none(), "{found}");
}

#[test]
fn values_are_counted_of_all_records_or_of_those_that_a_query_finds() {
    let cities = cities();
    let found = cities.get("facets");
    assert_eq!(
        counts(&found),
        [
            (
                "Kind".to_owned(),
                vec![(json!("T"), 2), (json!("C"), 1), (json!("X"), 1)]
            ),
            (
                "Coast".to_owned(),
                vec![(json!(true), 2), (json!(false), 1)]
            ),
        ]
    );
    assert_eq!(told(&found["faults"]).len(), 3);
    let found = cities.get("facets?query=People:%3C0&field=coast");
    assert_eq!(
        counts(&found),
        [(
            "Coast".to_owned(),
            vec![(json!(false), 1), (json!(true), 1)]
        )]
    );
    assert_eq!(told(&found["faults"]).len(), 1);
    for (parameters, said) in [
        ("query=(", "character"),
        ("query=Nope:x", "no schema"),
        ("field=People", "no picklist"),
        ("field=Nope", "no picklist"),
    ] {
        let line = format!("GET /datasets/{}/facets?{parameters}", cities.dataset);
        let answer = cities.server.root(&line, None).is(400);
        assert!(answer.body.contains(said), "{}", answer.body);
    }
}

#[test]
fn the_query_of_a_counted_value_finds_its_records() {
    let cities = cities();
    let found = cities.get("facets");
    let facets = found["facets"].as_array().expect("facets").iter();
    let values = facets.flat_map(|facet| facet["values"].as_array().expect("values"));
    let mut count = 0;
    for value in values {
        let query = value["query"].as_str().expect("a query");
        let encoded = crate::browser::form(&[("", query)]);
        let path = format!("/v1/dataobjects/search?query{encoded}");
        let hits = cities.server.send(
            &format!("GET {path}"),
            &[("Authorization", &*cities.key)],
            None,
        );
        assert_eq!(
            hits.is(200).json()["total"],
            value["recordCount"],
            "{value}"
        );
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn who_may_not_search_is_told_of_no_fault() {
    let cities = cities();
    let server = &cities.server;
    for list in ["faults", "facets"] {
        let line = format!("GET /datasets/{}/{list}", cities.dataset);
        server.ask(&cities.key, &line, None).is(200);
        // of the right role, and not of this area
        let (_, other) = server.key(list, &[&server.role("MEMBER")], &[]);
        server.ask(&other, &line, None).is(403);
        let (_, none) = server.key(&format!("no {list}"), &[], &[]);
        server.ask(&none, &line, None).is(403);
        server
            .root(&format!("GET /datasets/nowhere/{list}"), None)
            .is(404);
    }
}

#[test]
fn without_an_index_counts_are_503() {
    let server = AdminServer::without_index(Settings::default());
    let [_, _, dataset] = server.places(&city());
    for list in ["faults", "facets"] {
        server
            .root(&format!("GET /datasets/{dataset}/{list}"), None)
            .is(503);
    }
}

#[test]
fn counts_of_a_store_that_fails_are_500() {
    let cities = cities();
    let server = &cities.server;
    server.tokio.block_on(server.service.stop_search());
    server.opened.drop_tables(server.folder.path());
    for list in ["faults", "facets"] {
        let line = format!("GET /datasets/{}/{list}", cities.dataset);
        // connections that have read show what they saw, until they rest
        let began = std::time::Instant::now();
        while server.root(&line, None).status != 500 {
            assert!(began.elapsed().as_secs() < 60, "they never rest");
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
}

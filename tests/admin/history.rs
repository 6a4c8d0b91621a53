//! The past of a record: what was done to it field by field, its earlier versions, and the way back to one.
//! docs/interface.md, "History".

use crate::admin_server::{AdminServer, field};
use crate::personal_dataset::key_that_sees_none;
use crate::requests::Answer;
use crate::rights::role;
use runtime::value::Timestamp;
use serde_json::{Value, json};

/// Cities with a mayor, who is personal, and a size.
fn document() -> Value {
    let mut size = field("f-size", "Size", false);
    size["isPII"] = json!(false);
    json!({"name": "City", "fields": [field("f-code", "Code", true), field("f-mayor", "Mayor", false), size]})
}

struct Past {
    server: AdminServer,
    schema: String,
    dataset: String,
    records: String,
    area: String,
    key: String,
    /// A key that sees no personal values.
    reader: String,
    record: String,
}

impl Past {
    /// A record of three versions.
    fn start() -> Self {
        let server = AdminServer::start();
        let [area, schema, dataset] = server.places(&document());
        let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
        let (_, reader) = key_that_sees_none(&server, &area);
        let records =
            format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
        let mut past = Past {
            server,
            schema,
            dataset,
            records,
            area,
            key,
            reader,
            record: String::new(),
        };
        let first = r#"{"Code":"A","Mayor":"canary one","Size":"small"}"#;
        let line = format!("POST {}", past.records);
        past.record = past.ask(&line, Some(first)).is(201).text("_dataObjectId");
        past.update(r#"{"_version":0,"Mayor":"canary two","Size":"large"}"#)
            .is(204);
        past.update(r#"{"_version":1,"Size":null}"#).is(204);
        past
    }

    fn ask(&self, line: &str, body: Option<&str>) -> Answer {
        self.server
            .send(line, &[("Authorization", &self.key)], body)
    }

    fn update(&self, body: &str) -> Answer {
        self.ask(&format!("PUT {}/{}", self.records, self.record), Some(body))
    }

    fn delete(&self) {
        self.ask(&format!("DELETE {}/{}", self.records, self.record), None)
            .is(204);
    }

    /// The record as the data interface shows it.
    fn now(&self, code: &str) -> Value {
        let line = format!("GET {}/by-pk/{code}", self.records);
        self.ask(&line, None).is(200).json()
    }

    fn path(&self) -> String {
        format!("/datasets/{}/records/{}", self.dataset, self.record)
    }

    fn history(&self) -> Vec<Value> {
        let line = format!("GET {}/history", self.path());
        let page = self.server.ask(&self.reader, &line, None).is(200).json();
        page["items"].as_array().expect("a page").clone()
    }

    fn restore(&self, version: i64, sent: i64) -> Answer {
        let line = format!("POST {}/versions/{version}/restore", self.path());
        self.server.root(&line, Some(json!({"_version": sent})))
    }
}

#[test]
fn a_record_tells_who_gave_which_field_which_value_the_newest_first() {
    let past = Past::start();
    past.delete();
    let items = past.history();
    let told: Vec<_> = items
        .iter()
        .map(|it| (&it["action"], &it["version"]))
        .collect();
    let meant = [("delete", 2), ("update", 2), ("update", 1), ("create", 0)];
    let meant = meant.map(|(action, version)| (json!(action), json!(version)));
    assert_eq!(told, meant.iter().map(|(a, v)| (a, v)).collect::<Vec<_>>());
    assert_eq!(items[0]["changes"], json!([]));
    let change = |id: &str, name: &str, before: Value, after: Value| json!({"fieldId": id, "name": name, "before": before, "after": after});
    let size = |before, after| change("f-size", "Size", before, after);
    assert_eq!(
        items[1]["changes"],
        json!([size(json!("large"), json!(null))])
    );
    let mayor = |before| change("f-mayor", "Mayor", before, json!("***"));
    assert_eq!(
        items[2]["changes"],
        json!([mayor(json!("***")), size(json!("small"), json!("large"))])
    );
    let code = change("f-code", "Code", json!(null), json!("A"));
    let all = json!([code, mayor(json!(null)), size(json!(null), json!("small"))]);
    assert_eq!(items[3]["changes"], all);
    assert_eq!(
        (&items[1]["actor"]["name"], &items[1]["actor"]["kind"]),
        (&json!("writer"), &json!("api_key"))
    );
    assert!(!json!(items).to_string().contains("canary"));
}

#[test]
fn each_entry_of_a_history_tells_when_it_was_written() {
    let past = Past::start();
    let (first, hour) = (past.server.service.now(), 3600);
    past.server.clock.forward(hour);
    let second = past.server.service.now();
    past.update(r#"{"_version":2,"Size":"small"}"#).is(204);
    past.server.clock.forward(hour);
    let items = past.history();
    let at = items.iter().map(|item| {
        let at = item["at"].as_str().expect("a moment");
        at.parse::<Timestamp>().expect("a moment")
    });
    let at: Vec<_> = at.collect();
    assert!(
        second < at[0] && at[0] < second.plus_seconds(hour),
        "{items:?}"
    );
    assert!(at[1] < first, "{items:?}");
    assert!(at.is_sorted_by(|newer, older| newer > older), "{items:?}");
}

#[test]
fn pages_of_a_history_go_on_where_they_ended_and_work_for_it_alone() {
    let past = Past::start();
    let all = past.history();
    let (mut seen, mut next, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let path = format!("{}/history?pageSize=2{next}", past.path());
        let line = format!("GET {path}");
        let page = past.server.ask(&past.reader, &line, None).is(200).json();
        seen.extend(page["items"].as_array().expect("a page").clone());
        pages += 1;
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => break,
        }
    }
    assert_eq!((seen, pages), (all, 2));
    let line = format!("POST {}", past.records);
    let other = past
        .ask(&line, Some(r#"{"Code":"B"}"#))
        .is(201)
        .text("_dataObjectId");
    let line = format!(
        "GET /datasets/{}/records/{other}/history?{}",
        past.dataset,
        &next[1..]
    );
    past.server.root(&line, None).is(400);
}

#[test]
fn a_version_is_shown_whole_under_todays_names_with_what_is_personal_masked() {
    let past = Past::start();
    let version = |number: &str| {
        let line = format!("GET {}/versions/{number}", past.path());
        past.server.ask(&past.reader, &line, None)
    };
    let first = json!({"_dataObjectId": past.record, "_version": 0, "_errors": [],
        "Code": "A", "Mayor": "***", "Size": "small"});
    assert_eq!(version("0").is(200).json(), first);
    // a field gets another name, and another one is hidden
    let mut later = document();
    later["fields"][2]["name"] = json!("Extent");
    later["fields"][1]["active"] = json!(false);
    let line = format!("PUT /schemas/{}", past.schema);
    past.server
        .root(&line, Some(json!({"document": later})))
        .is(200);
    let first = json!({"_dataObjectId": past.record, "_version": 0, "_errors": [], "Code": "A", "Extent": "small"});
    assert_eq!(version("0").is(200).json(), first);
    assert!(
        past.history()
            .iter()
            .all(|item| !item.to_string().contains("f-mayor"))
    );
    for wrong in ["3", "-1", "x", "99999999999999999999"] {
        version(wrong).is(404);
    }
    past.server
        .root(
            &format!("GET /datasets/{}/records/none/history", past.dataset),
            None,
        )
        .is(404);
}

#[test]
fn an_earlier_version_comes_back_whole_as_an_update_that_is_told_as_a_restore() {
    let past = Past::start();
    past.restore(0, 1).is(409);
    past.restore(7, 2).is(404);
    past.restore(0, 2).is(204);
    let now = past.now("A");
    assert_eq!(
        (&now["Mayor"], &now["Size"]),
        (&json!("canary one"), &json!("small"))
    );
    assert_eq!(now["_version"], 3);
    let newest = past.history().remove(0);
    assert_eq!(
        (&newest["action"], &newest["version"]),
        (&json!("restore"), &json!(3))
    );
    let names: Vec<_> = newest["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["Mayor", "Size"]);
    // what was a fault then is judged by the rules of now
    let mut strict = document();
    strict["fields"][2]["min"] = json!(6);
    let line = format!("PUT /schemas/{}", past.schema);
    past.server
        .root(&line, Some(json!({"document": strict})))
        .is(200);
    past.restore(1, 3).is(204);
    assert_eq!(past.now("A")["_errors"][0]["name"], "Size");
    // a key that was taken meanwhile
    past.update(r#"{"_version":4,"Code":"C"}"#).is(204);
    past.ask(&format!("POST {}", past.records), Some(r#"{"Code":"A"}"#))
        .is(201);
    past.restore(0, 5).is(409);
    past.delete();
    past.restore(0, 5).is(404);
}

#[test]
fn the_past_is_for_who_may_view_the_records_and_the_way_back_for_who_may_edit_them() {
    let past = Past::start();
    let viewer = role(&past.server, "viewer", &[("DATA OBJECTS", &["view"])]);
    let auditor = role(&past.server, "auditor", &[("AUDIT", &["view"])]);
    let (_, sees) = past.server.key("sees", &[&viewer], &[&past.area]);
    let (_, elsewhere) = past.server.key("elsewhere", &[&viewer], &[]);
    let (_, audits) = past.server.key("audits", &[&auditor], &[&past.area]);
    let ask = |key: &str, line: &str, body| {
        past.server
            .ask(key, &line.to_string().replace("…", &past.path()), body)
            .status
    };
    let body = || Some(json!({"_version": 2}));
    for (key, meant) in [
        (&sees, [200, 200, 403]),
        (&elsewhere, [403; 3]),
        (&audits, [403; 3]),
    ] {
        let found = [
            ask(key, "GET …/history", None),
            ask(key, "GET …/versions/0", None),
            ask(key, "POST …/versions/0/restore", body()),
        ];
        assert_eq!(found, meant);
    }
    assert_eq!(ask(&past.key, "POST …/versions/0/restore", body()), 204);
}

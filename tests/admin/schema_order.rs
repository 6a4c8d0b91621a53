//! The order of a schema's fields: those that were made together change places, by whichever door, and nothing of a record
//! is touched by that.

use crate::admin_server::{AdminServer, names};
use crate::browser::{Browser, cities};
use crate::jobs::{ended, server};
use crate::schema_editor::{edited, held, places};
use serde_json::{Value, json};

/// The names of the fields of a document, in their order.
fn order(document: &Value) -> Vec<&str> {
    let fields = document["fields"].as_array().expect("fields").iter();
    fields
        .map(|field| field["name"].as_str().expect("a name"))
        .collect()
}

/// Changes a schema to what becomes of its document.
fn change(server: &AdminServer, schema: &str, make: impl Fn(&mut Vec<Value>)) -> Value {
    let mut document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    make(document["fields"].as_array_mut().expect("fields"));
    let body = json!({"document": document});
    let line = format!("PUT /schemas/{schema}");
    server.root(&line, Some(body)).is(200).json()
}

#[test]
fn fields_made_together_change_places_and_no_record_is_touched() {
    let server = server();
    let (dataset, [first, _]) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let key = json!({"name": "reader", "roles": [server.role("MEMBER")], "grants": grants});
    let key = server.make("/api-keys", key).text("key");
    let own = format!("/v1/businessareas/{area}/schemas/{schema}");
    let ask = |path: &str| {
        let head = [("Authorization", &*key)];
        server.send(&format!("GET {path}"), &head, None).is(200)
    };

    let second = change(&server, &schema, |fields| fields.swap(0, 1));
    assert_eq!(second["version"], 2);
    assert_eq!(order(&ask(&own).json()), ["People", "Code"]);
    let records = ask(&format!("{own}/datasets/{dataset}/dataobjects"));
    let shown = &records.json()["items"];
    assert!(
        records
            .body
            .replace(' ', "")
            .contains(r#""People":12,"Code":"A1""#),
        "{}",
        records.body
    );
    assert_eq!(shown[1]["_errors"][0]["name"], "People");
    assert_eq!(shown[0]["_version"], 0);
    let history = server.get(&format!("/datasets/{dataset}/records/{first}/history"));
    let entries = history["items"].as_array().expect("entries");
    assert_eq!(entries.len(), 1, "its making alone: {history}");
    assert_eq!(
        names(&server.get("/jobs"), "jobId").len(),
        1,
        "that of the writes"
    );

    // what is made later stays behind what was there
    let third = change(&server, &schema, |fields| {
        let new = json!({"name": "New", "active": true, "dataType": "string", "isPrimaryKey": false,
            "isSortKey": false, "isRequired": false});
        fields.insert(0, new);
    });
    assert_eq!(order(&third["document"]), ["People", "Code", "New"]);
    assert_eq!(third["version"], 3);
    let same = change(&server, &schema, |fields| fields.rotate_right(1));
    assert_eq!(order(&same["document"]), ["People", "Code", "New"]);
    assert_eq!(same["version"], 3, "nothing changed");
    // one that changes as well has the records judged
    let jobs = names(&server.get("/jobs"), "jobId");
    for job in &jobs {
        // one that still waits would do for the next change, too
        ended(&server, job);
    }
    let jobs = jobs.len();
    change(&server, &schema, |fields| {
        fields.swap(0, 1);
        fields[1]["max"] = json!(5);
    });
    assert_eq!(names(&server.get("/jobs"), "jobId").len(), jobs + 1);
}

#[test]
fn the_editor_moves_fields_that_are_stored() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let own = format!("/app/schemas/{schema}");
    let page = browser.get(&format!("{own}/edit")).is(200);
    for (button, is_there) in [
        ("up-0", false),
        ("down-0", true),
        ("up-1", true),
        ("down-1", false),
    ] {
        let (_, rest) = page
            .body
            .split_once(&format!("value=\"{button}\""))
            .expect(button);
        let own = rest.split('>').next().expect("its end");
        assert_eq!(!own.contains(" disabled"), is_there, "{button}: {own}");
    }
    let moved = edited(&browser, &page, &area, &[("do", "up-1")]).is(200);
    // whoever moves it by keyboard goes on where it is now
    let goes_on = "Move down: People\" autofocus";
    assert!(moved.body.contains(goes_on), "{}", moved.body);
    let moved = edited(&browser, &moved, &area, &[("do", "add")]).is(200);
    // a new field has no way past those that are stored
    assert!(
        moved.body.contains("Move up: New field\" disabled"),
        "{}",
        moved.body
    );
    let moved = edited(&browser, &moved, &area, &[("do", "remove-2")]).is(200);
    let review = edited(&browser, &moved, &area, &[("do", "review")]).is(200);
    assert!(
        review.body.contains("Fields are in a different order"),
        "{}",
        review.body
    );
    let (document, version) = (held(&review, "document"), held(&review, "version"));
    let fields = [
        ("document", &*document),
        ("version", &*version),
        ("state", "published"),
    ];
    browser.send(&review, &own, &fields).is(303);
    let stored = server.get(&format!("/schemas/{schema}"));
    assert_eq!(order(&stored["document"]), ["People", "Code"]);
}

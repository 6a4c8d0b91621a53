//! Deleted records: listed, restored, purged; and the changes of records, with what is personal masked.

use crate::admin_server::{AdminServer, city};
use crate::personal_dataset::key_that_sees_none;
use serde_json::{Value, json};

struct Europe {
    server: AdminServer,
    area: String,
    dataset: String,
    records: String,
    key: String,
}

fn europe() -> Europe {
    europe_of(&city())
}

fn europe_of(document: &Value) -> Europe {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(document);
    let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    Europe {
        server,
        area,
        dataset,
        records,
        key,
    }
}

impl Europe {
    fn create(&self, code: &str) -> String {
        self.send(&json!({"Code": code, "Mayor": "pii-canary"}).to_string())
    }

    fn send(&self, body: &str) -> String {
        let head = [("Authorization", self.key.as_str())];
        let made = self
            .server
            .send(&format!("POST {}", self.records), &head, Some(body));
        made.is(201).text("_dataObjectId")
    }

    fn delete(&self, id: &str) {
        let head = [("Authorization", self.key.as_str())];
        self.server
            .send(&format!("DELETE {}/{id}", self.records), &head, None)
            .is(204);
    }
}

#[test]
fn a_deleted_record_is_listed_and_comes_back_unless_its_key_is_taken() {
    let europe = europe();
    let deleted = format!("/datasets/{}/deleted-records", europe.dataset);
    let ids: Vec<_> = ["A", "B", "C"].map(|code| europe.create(code)).to_vec();
    for id in &ids {
        europe.delete(id);
    }
    let page = europe.server.get(&format!("{deleted}?pageSize=2"));
    assert_eq!(page["items"][0]["dataObjectId"], ids[2].as_str());
    assert_eq!(page["items"][1]["values"]["Code"], "B");
    assert_eq!(page["items"][1]["deletedBy"]["name"], "writer");
    assert!(page["items"][1]["deletedAt"].is_string(), "{page}");
    let next = page["nextPageKey"].as_str().expect("one more");
    let rest = europe
        .server
        .get(&format!("{deleted}?pageSize=2&pageKey={next}"));
    assert_eq!(rest["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(rest["items"][0]["dataObjectId"], ids[0].as_str());
    assert_eq!(rest.get("nextPageKey"), None);

    let restore = |id: &str| {
        europe
            .server
            .root(&format!("POST {deleted}/{id}/restore"), None)
    };
    restore(&ids[0]).is(204);
    restore(&ids[0]).is(404);
    let found = europe.server.send(
        &format!("GET {}/by-pk/A", europe.records),
        &[("Authorization", &europe.key)],
        None,
    );
    assert_eq!(found.is(200).text("_dataObjectId"), ids[0]);
    europe.create("B");
    restore(&ids[1]).is(409);
    restore("nonsense").is(404);
}

#[test]
fn a_purge_is_an_administrators_and_leaves_nothing_but_that_it_was_done() {
    let europe = europe();
    let id = europe.create("purge-canary");
    let line = format!("DELETE /datasets/{}/deleted-records/{id}", europe.dataset);
    europe.server.root(&line, None).is(404);
    europe.delete(&id);
    europe.server.ask(&europe.key, &line, None).is(403);
    europe.server.root(&line, None).is(204);
    europe.server.root(&line, None).is(404);
    let changes = europe
        .server
        .get(&format!("/datasets/{}/changes", europe.dataset));
    assert!(!changes.to_string().contains("purge-canary"), "{changes}");
    let trail = europe.server.get("/audit?pageSize=1&action=purge");
    assert_eq!(
        (&trail["items"][0]["action"], &trail["items"][0]["id"]),
        (&json!("purge"), &json!(id))
    );
}

#[test]
fn changes_of_records_tell_numbers_as_they_were_written() {
    let mut rich = city();
    rich["fields"][1]["dataType"] = "currency".into();
    rich["fields"][1]["isPII"] = false.into();
    let europe = europe_of(&rich);
    europe.send(r#"{"Code":"A","Mayor":1234567890123456.78}"#);
    let line = format!("GET /datasets/{}/changes", europe.dataset);
    let answer = europe.server.root(&line, None).is(200);
    let shown = "\"Mayor\":1234567890123456.78";
    assert!(answer.body.contains(shown), "{}", answer.body);
}

#[test]
fn a_page_of_large_changes_ends_before_it_is_too_large_and_nothing_is_left_out() {
    let europe = europe();
    let long = "x".repeat(900_000);
    for number in 0..20 {
        europe.send(&format!(r#"{{"Code":"{number}","Mayor":"{long}"}}"#));
    }
    let path = format!("/datasets/{}/changes?pageSize=1000", europe.dataset);
    let (mut pages, mut count, mut next) = (0, 0, String::new());
    loop {
        let page = europe.server.get(&format!("{path}{next}"));
        pages += 1;
        count += page["items"].as_array().expect("a page").len();
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => break,
        }
    }
    assert_eq!((pages, count), (2, 20));
}

#[test]
fn changes_of_records_tell_who_and_what_and_mask_what_is_personal() {
    let europe = europe();
    let id = europe.create("A");
    let head = [("Authorization", europe.key.as_str())];
    let body = r#"{"_version":0,"Code":"B","Mayor":"pii-canary-2"}"#;
    europe
        .server
        .send(&format!("PUT {}/{id}", europe.records), &head, Some(body))
        .is(204);
    europe.delete(&id);
    let (_, reader) = key_that_sees_none(&europe.server, &europe.area);
    let line = format!("GET /datasets/{}/changes", europe.dataset);
    let changes = europe.server.ask(&reader, &line, None).is(200).json();
    let items = changes["items"].as_array().expect("a page");
    let actions: Vec<_> = items
        .iter()
        .map(|item| item["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["create", "update", "delete"]);
    assert_eq!(items[1]["before"], json!({"Code": "A", "Mayor": "***"}));
    assert_eq!(items[1]["after"], json!({"Code": "B", "Mayor": "***"}));
    assert_eq!(items[1]["actor"]["name"], "writer");
    assert_eq!(items[1]["dataObjectId"], id.as_str());
    assert!(!changes.to_string().contains("canary"));
    europe.server.ask(&europe.key, &line, None).is(403);

    // one that was personal once stays masked
    let [_, schema] = ["x", europe.records.split('/').nth(5).unwrap()];
    let mut open = city();
    open["fields"][1]["isPII"] = false.into();
    open["fields"][1]["name"] = "Head".into();
    let change = format!("PUT /schemas/{schema}");
    europe
        .server
        .root(&change, Some(json!({"document": open})))
        .is(200);
    let changes = europe.server.ask(&reader, &line, None).is(200);
    assert!(!changes.body.contains("canary"));
}

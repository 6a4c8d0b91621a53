//! A search index that can't be written: what must be exact, or leave nothing out, is refused meanwhile, or waits. What a
//! search answers then is told in `tests/search/index.rs`.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, written};
use crate::job_retries::hears;
use crate::jobs::ended;
use crate::pages_failed::logged;
use crate::requests::Answer;
use runtime::service::Settings;
use runtime::service::search::WAIT_MAX;
use serde_json::json;
use std::sync::Arc;
use tests::log::listen;
use tests::stuck_index::StuckIndex;

/// A server whose jobs are worked off, and its index.
fn server() -> (AdminServer, Arc<StuckIndex>) {
    let server = AdminServer::without_index(Settings::default());
    let index = server.opened.index(server.folder.path());
    let index = Arc::new(StuckIndex::of(server.tokio.block_on(index)));
    let inside = server.tokio.enter();
    server.service.start_search(index.clone(), WAIT_MAX);
    drop(inside);
    server.start_jobs();
    (server, index)
}

#[track_caller]
fn is_not_ready(answer: Answer) -> Answer {
    let answer = answer.is(503);
    assert_eq!(answer.header("retry-after"), Some("5"), "{}", answer.head);
    answer
}

#[test]
fn nothing_is_counted_or_deleted_by_an_index_that_lacks_the_last_writes() {
    listen();
    let (server, index) = server();
    let (dataset, _) = cities(&server);
    let ada = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let selected = format!("{there}/selected?q=is%3Afaulty&all=true");
    let page = ada.get(&selected).is(200);
    let counts = ["faults", "facets"].map(|list| format!("GET /datasets/{dataset}/{list}"));
    for line in &counts {
        server.root(line, None).is(200);
    }
    index.fill_up();
    written(&server, &dataset, &[json!({"Code": "A3", "People": "few"})]);
    for line in &counts {
        is_not_ready(server.root(line, None));
    }
    // as many as the page said are found still
    let fields = [("all", "true"), ("q", "is:faulty"), ("count", "1")];
    is_not_ready(ada.send(&page, &format!("{there}/selected/delete"), &fields));
    logged(&is_not_ready(ada.get(&selected)));
    // who only looks is shown what is there, and told
    let list = ada.get(&format!("{there}?q=is%3Afaulty")).is(200);
    let is_told = list.body.contains("may be missing here");
    assert!(is_told && list.body.contains(">A2<"), "{}", list.body);
    index.make_room();
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    assert_eq!(faults["faults"][0]["recordCount"], 2, "{faults}");
}

#[test]
fn an_export_and_a_repair_by_a_query_wait_for_an_index_that_lacks_the_last_writes() {
    listen();
    let (server, index) = server();
    let (dataset, _) = cities(&server);
    let done = |kind: &str, newest: &str, options| {
        // the index has all that there is before
        server.get(&format!("/datasets/{dataset}/faults"));
        index.fill_up();
        written(&server, &dataset, &[json!({"Code": newest, "People": 1})]);
        let made = server.make(&format!("/datasets/{dataset}/{kind}"), options);
        let id = made.text("jobId");
        hears(&id, "interrupted, and tried again");
        let waiting = server.get(&format!("/jobs/{id}"));
        assert_eq!(waiting["state"], "running", "{waiting}");
        assert_eq!(waiting["progress"]["rows"], 0, "{waiting}");
        index.make_room();
        let job = ended(&server, &id);
        assert_eq!(job["state"], "done", "{job}");
        job
    };
    let export = done("exports", "A3", json!({"query": "*", "format": "csv"}));
    let id = export["jobId"].as_str().expect("an id");
    let file = server.root(&format!("GET /jobs/{id}/export"), None).is(200);
    assert_eq!(file.body, "Code,People\nA1,12\nA2,many\nA3,1\n");
    let set = json!({"query": "*", "field": "People", "action": {"set": 7}});
    let repair = done("repairs", "A4", set);
    assert_eq!(repair["revisionResult"]["changed"], 4, "{repair}");
}

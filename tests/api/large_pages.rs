//! Pages of large records: a setting bounds their bytes, and a walk loses nothing by it.

use crate::test_server::TestServer;
use runtime::service::{PageRequest, Settings};
use runtime::store::catalog::{Resource, Verb};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Ten records of two thousand bytes, the fifth of twenty thousand, where a page ends at five thousand.
fn heavy() -> (TestServer, Vec<Value>) {
    let server = TestServer::with_settings(Settings {
        page_bytes: 5000,
        ..Settings::default()
    });
    let record = |number| {
        let size = if number == 4 { 20_000 } else { 2000 };
        let text = "x".repeat(size);
        server.created(&format!(
            r#"{{"Code":"c{number}","Name":"N","Tags":["{text}"]}}"#
        ))
    };
    let records = (0..10).map(record).collect();
    (server, records)
}

/// How many items the pages of a walk have, and the items.
fn walk(server: &TestServer, size: usize) -> (Vec<usize>, Vec<Value>) {
    let (mut sizes, mut items, mut key) = (Vec::new(), Vec::new(), String::new());
    loop {
        let target = format!("{}?pageSize={size}{key}", server.records());
        let page = server.get(&target).is(200).json();
        let found = page["items"].as_array().expect("items");
        sizes.push(found.len());
        items.extend(found.iter().cloned());
        match page.get("nextPageKey") {
            None => return (sizes, items),
            Some(next) => key = format!("&pageKey={}", next.as_str().expect("a text")),
        }
    }
}

#[test]
fn a_page_of_large_records_is_short_and_the_next_goes_on_behind_it() {
    let (server, mut records) = heavy();
    let check = |size, meant: &[usize], records: &[Value]| {
        let (sizes, items) = walk(&server, size);
        assert_eq!(sizes, meant);
        assert!(items == records, "not every record once, in order");
    };
    // the second time from memory
    for _ in 0..2 {
        check(1000, &[3, 2, 3, 2], &records);
        check(2, &[2, 2, 1, 2, 2, 1], &records);
    }
    // what follows a short page may go, and what is on it
    for gone in [5, 0] {
        server.delete(&records.remove(gone)).is(204);
    }
    check(1000, &[3, 1, 3, 1], &records);
}

#[test]
fn deleted_records_come_in_such_pages_too() {
    let (server, records) = heavy();
    // the one that was deleted last comes first
    for record in records.iter().rev() {
        server.delete(record).is(204);
    }
    let caller = server.service.authenticate(&server.names.key);
    let caller = caller.expect("the key is good");
    let (mut sizes, mut ids, mut page) = (Vec::new(), Vec::new(), PageRequest::default());
    loop {
        let found = server
            .service
            .deleted_records(&caller, &server.names.dataset, &page);
        let found = server.runtime.block_on(found).expect("a page").into_page();
        sizes.push(found.items.len());
        ids.extend(found.items.into_iter().map(|item| item.data_object_id));
        page.key = found.next_page_key;
        if page.key.is_none() {
            break;
        }
    }
    assert_eq!(sizes, [3, 2, 3, 2]);
    let meant = records.iter().map(|record| record["_dataObjectId"].clone());
    assert_eq!(ids, meant.collect::<Vec<_>>());
}

#[test]
fn who_makes_a_large_page_lets_others_go_first() {
    let server = TestServer::with_settings(Settings {
        page_bytes: 1 << 20,
        ..Settings::default()
    });
    let text = "x".repeat(100_000);
    for number in 0..9 {
        server.created(&format!(
            r#"{{"Code":"c{number}","Name":"N","Tags":["{text}"]}}"#
        ));
    }
    let names = &server.names;
    let caller = server.service.authenticate(&names.key);
    let path = [&*names.area, &names.schema, &names.dataset];
    let permit = caller.expect("the key is good");
    let permit = permit.permit_dataset(Resource::Records, Verb::View, path);
    let permit = permit.expect("it may");
    // one thread: who does not let others go first is alone
    let threads = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let turns = threads.expect("a runtime").block_on(async {
        let turns = Arc::new(AtomicUsize::new(0));
        let counted = turns.clone();
        tokio::spawn(async move {
            loop {
                counted.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
            }
        });
        let request = PageRequest::default();
        let page = server.service.list_records(&permit, &request).await;
        let page = page.expect("a page");
        assert!(page.json.len() > 900_000);
        turns.load(Ordering::Relaxed)
    });
    assert!(turns >= 3, "{turns}");
}

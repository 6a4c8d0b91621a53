//! Pages and totals.

use crate::setup::{SearchSetup, codes};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use runtime::service::Settings;
use runtime::store::records::{Change, NewContent, PageLimit, Shelf, Write, WriteVerdict};
use runtime::value::Timestamp;
use std::collections::BTreeSet;

#[test]
fn a_walk_gives_every_hit_once_in_a_stable_order() {
    let setup = SearchSetup::start();
    for number in 0..25 {
        setup.city(&format!("C{number:02}"), r#""Name":"common""#);
    }
    let whole = setup.codes("common");
    assert_eq!(whole.len(), 25);
    let mut walked = Vec::new();
    let mut next = String::new();
    let mut pages = 0;
    loop {
        let page = setup
            .ask(&format!("query=common&pageSize=10{next}"))
            .is(200)
            .json();
        assert_eq!(page["total"], 25, "the total is of all pages");
        walked.extend(codes(&page));
        pages += 1;
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => break,
        }
    }
    assert_eq!((pages, walked), (3, whole));
}

#[test]
fn a_page_of_large_hits_is_short_and_the_next_goes_on_behind_it() {
    let setup = SearchSetup::with_settings(Settings {
        page_bytes: 5000,
        ..Settings::default()
    });
    let large = "x".repeat(2000);
    for number in 0..7 {
        let rest = format!(r#""Name":"common","Tags":["{large}"]"#);
        setup.city(&format!("C{number}"), &rest);
    }
    let (mut sizes, mut walked, mut next) = (Vec::new(), Vec::new(), String::new());
    loop {
        let page = setup.ask(&format!("query=common{next}")).is(200).json();
        assert_eq!(page["total"], 7, "the total is of all pages");
        sizes.push(codes(&page).len());
        walked.extend(codes(&page));
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => break,
        }
    }
    assert_eq!(sizes, [3, 3, 1]);
    assert_eq!(walked, ["C0", "C1", "C2", "C3", "C4", "C5", "C6"]);
}

#[test]
fn a_page_that_is_exactly_full_is_the_last() {
    let setup = SearchSetup::start();
    for number in 0..4 {
        setup.city(&format!("C{number}"), r#""Name":"common""#);
    }
    let page = setup.ask("query=common&pageSize=4").is(200).json();
    assert!(page.get("nextPageKey").is_none());
    let page = setup.ask("query=common&pageSize=2").is(200).json();
    let key = page["nextPageKey"].as_str().expect("a second page");
    let page = setup
        .ask(&format!("query=common&pageSize=2&pageKey={key}"))
        .is(200)
        .json();
    assert!(page.get("nextPageKey").is_none());
}

#[test]
fn writes_during_a_walk_do_not_move_what_stays() {
    let setup = SearchSetup::start();
    let made: Vec<_> = (0..6)
        .map(|n| setup.city(&format!("C{n}"), r#""Name":"common""#))
        .collect();
    let first = setup.ask("query=common&pageSize=3").is(200).json();
    setup.server.delete(&made[0]).is(204);
    setup.server.delete(&made[4]).is(204);
    setup.city("C9", r#""Name":"common""#);
    let key = first["nextPageKey"].as_str().unwrap();
    let rest = setup
        .ask(&format!("query=common&pageKey={key}"))
        .is(200)
        .json();
    assert_eq!(codes(&rest), ["C3", "C5", "C9"]);
}

#[test]
fn a_page_key_is_good_for_its_search_only() {
    let setup = SearchSetup::start();
    for number in 0..3 {
        setup.city(&format!("C{number}"), r#""Name":"common""#);
    }
    let page = setup.ask("query=common&pageSize=1").is(200).json();
    let key = page["nextPageKey"].as_str().unwrap();
    setup.ask(&format!("query=common&pageKey={key}")).is(200);
    setup
        .ask(&format!("query=other&pageKey={key}"))
        .plain_error(400);
    setup
        .ask(&format!("query=common&schema=City&pageKey={key}"))
        .plain_error(400);
    setup.ask("query=common&pageKey=x").plain_error(400);
    setup.ask("query=common&pageSize=0").plain_error(400);
    let list = setup
        .server
        .get(&format!("{}?pageSize=1", setup.server.records()))
        .is(200)
        .json();
    let list_key = list["nextPageKey"].as_str().unwrap();
    setup
        .ask(&format!("query=common&pageKey={list_key}"))
        .plain_error(400);
}

/// Writes cities into the first dataset, straight into the store.
fn write_cities(setup: &SearchSetup, count: u64) {
    let server = &setup.server;
    let number = server.service.store().catalog().datasets[&server.names.dataset].number;
    let example = server.created(r#"{"Code":"0","Name":"common rare"}"#);
    let limit = PageLimit {
        records: 1,
        bytes: 1,
    };
    let page = server.service.store().page(number, Shelf::Live, 0, limit);
    let page = server.runtime.block_on(page).expect("the store works");
    let stored = &page.records[0];
    assert_eq!(example["Code"], "0");
    let write = |nonce: u64| Write {
        dataset: number,
        actor: server.stamp().created_by,
        at: Timestamp::from_millis(0),
        judged_under: None,
        audit: None,
        change: Change::Create {
            nonce,
            content: NewContent {
                body: stored.body.replace("\"0\"", &format!("\"{nonce}\"")),
                primary_key: Some(nonce.to_string()),
                schema_version: stored.schema_version,
                errors: None,
                hidden: None,
            },
        },
    };
    server.runtime.block_on(async {
        let written: Vec<_> = (1..count)
            .map(|nonce| server.service.store().write(write(nonce)))
            .collect();
        for verdict in written {
            let verdict = verdict.await.expect("the store works");
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        }
    });
}

#[test]
fn the_page_key_of_a_sorted_search_does_not_tell_where_its_record_stands() {
    let setup = SearchSetup::start();
    for number in 0..3 {
        setup.city(&format!("C{number}"), r#""Name":"common""#);
    }
    let page = setup.ask("query=*&sort=Code&pageSize=2").is(200).json();
    let key = page["nextPageKey"].as_str().expect("a second page");
    let (told, _) = key.split_once('.').expect("what it tells, and its seal");
    let told = URL_SAFE_NO_PAD.decode(told).expect("base64");
    let told: serde_json::Value = serde_json::from_slice(&told).expect("JSON");
    assert!(told[0].is_string(), "{told}");
    let next = setup.ask(&format!("query=*&sort=Code&pageSize=2&pageKey={key}"));
    assert_eq!(codes(&next.is(200).json()), ["C2"]);
}

#[test]
fn a_total_is_exact_to_a_thousand() {
    let setup = SearchSetup::start();
    write_cities(&setup, 1_001);
    setup.city("last", r#""Name":"late""#);
    let total = |query: &str| setup.found(query)["total"].as_u64();
    assert_eq!(total("common"), Some(1_000));
    assert_eq!(total("common NOT Code:1"), Some(1_000));
    assert_eq!(total("common NOT Code:1 NOT Code:2"), Some(999));
    assert_eq!(total("late"), Some(1));
    let page = setup.ask("query=common&pageSize=500").is(200).json();
    let key = page["nextPageKey"].as_str().expect("a second page");
    let page = setup.ask(&format!("query=common&pageKey={key}"));
    assert_eq!(page.is(200).json()["total"], 1_000);
}

#[test]
fn hits_of_several_datasets_come_together_on_a_page() {
    let setup = SearchSetup::start();
    let names = setup.server.names.clone();
    for number in 0..5 {
        setup.city(&format!("E{number}"), r#""Name":"common""#);
        let asia = crate::test_server::records_of(&names.area, &names.schema, &names.other_dataset);
        let body = format!(r#"{{"Code":"A{number}","Name":"common"}}"#);
        setup
            .server
            .request("POST", &asia)
            .json(body)
            .send()
            .is(201);
    }
    let mut seen = BTreeSet::new();
    let mut next = String::new();
    loop {
        let page = setup
            .ask(&format!("query=common&pageSize=3{next}"))
            .is(200)
            .json();
        assert_eq!(page["total"], 10);
        for code in codes(&page) {
            assert!(seen.insert(code));
        }
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => break,
        }
    }
    assert_eq!(seen.len(), 10);
}

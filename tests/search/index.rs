//! The index behind the search: it sees every committed write, catches up, and can be thrown away.

use crate::setup::SearchSetup;
use crate::test_server::CITY;
use runtime::service::search::WAIT_MAX;
use runtime::store::search::{SearchIndex as _, SqliteSearch};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::stuck_index::StuckIndex;

/// Longer than the index takes for whatever it is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until it is known that the index takes nothing, or that it is written again, which is tried a second after it failed.
fn until_the_index(takes_nothing: bool, setup: &SearchSetup) {
    let began = Instant::now();
    loop {
        let state = setup
            .server
            .runtime
            .block_on(setup.server.service.search_state());
        let state = state.expect("the store works").expect("there is an index");
        if state.failure.is_some() == takes_nothing {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{state:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_next_search_sees_every_write() {
    let setup = SearchSetup::start();
    for number in 0..50 {
        let code = format!("C{number}");
        let record = setup.city(&code, &format!(r#""Name":"first{number}""#));
        setup.check(&format!("first{number}"), &[&code]);
        setup
            .server
            .update(
                &record,
                &format!(r#"{{"_version":0,"Name":"second{number}"}}"#),
            )
            .is(204);
        setup.check(&format!("first{number}"), &[]);
        setup.check(&format!("second{number}"), &[&code]);
        setup.server.delete(&record).is(204);
        setup.check(&format!("second{number}"), &[]);
    }
}

#[test]
#[cfg_attr(
    on_a_database,
    ignore = "an index in a database has no file; of another version it is in `store/postgres/index_format.rs`"
)]
fn an_index_that_is_missing_damaged_or_of_another_version_is_made_anew() {
    let setup = SearchSetup::without_index();
    for number in 0..30 {
        setup.city(&format!("C{number:02}"), r#""Name":"common""#);
    }
    let gone = setup.server.by_key("C07").is(200).json();
    setup.server.delete(&gone).is(204);
    let changed = setup.server.by_key("C08").is(200).json();
    setup
        .server
        .update(&changed, r#"{"_version":0,"Name":"other"}"#)
        .is(204);
    let file = setup.folder.path().join("search.db");
    let open = || SqliteSearch::open(setup.folder.path()).expect("an index");
    let spoilers: [fn(&Path); 3] = [
        |_| {},
        |file| {
            std::fs::write(
                file,
                b"this is no database at all, but it is long enough to look like one",
            )
            .unwrap();
        },
        |file| {
            let connection = rusqlite::Connection::open(file).unwrap();
            connection
                .execute_batch("PRAGMA user_version = 99;")
                .unwrap();
        },
    ];
    for spoil in spoilers {
        spoil(&file);
        assert!(open().progress().is_none(), "it begins empty");
    }
    setup.attach(Arc::new(open()), WAIT_MAX);
    let found = setup.ask("query=common&pageSize=1000").is(200).json();
    assert_eq!(found["total"], 28);
    setup.check("other", &["C08"]);
}

#[test]
fn a_search_waits_until_every_record_is_read() {
    let setup = SearchSetup::without_index();
    setup.city("A", r#""Name":"early","Tags":["hidden"]"#);
    setup.city("B", r#""Name":"early""#);
    let slow = StuckIndex::of(setup.index()).with_pause(Duration::from_millis(200));
    setup.attach(Arc::new(slow), WAIT_MAX);
    setup.check("early", &["A", "B"]);
    // a field that is switched on again has to be read again
    let schema = setup.server.names.schema.clone();
    let tags = r#""name":"Tags","active":true"#;
    let off = CITY.replace(tags, &tags.replace("true", "false"));
    setup.server.change_schema(&schema, &off);
    let a = setup.server.by_key("A").is(200).json();
    setup
        .server
        .update(&a, r#"{"_version":0,"Name":"still early"}"#)
        .is(204);
    setup.check("early NOT hidden", &["A", "B"]);
    setup.server.change_schema(&schema, CITY);
    setup.check("early hidden", &["A"]);
}

#[test]
fn an_index_goes_on_where_it_was() {
    let setup = SearchSetup::without_index();
    setup.city("A", r#""Name":"before""#);
    let index = setup.index();
    setup.attach(index.clone(), WAIT_MAX);
    setup.check("before", &["A"]);
    // a search waits for its own datasets only
    while !index.progress().expect("some progress").walks.is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    setup
        .server
        .runtime
        .block_on(setup.server.service.stop_search());
    let applied = index.progress().expect("some progress").applied;
    setup.city("B", r#""Name":"between""#);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(
        index.progress().expect("some progress").applied,
        applied,
        "nobody feeds it any more"
    );
    drop(index);
    let again = setup.index();
    let progress = again.progress().expect("it remembers");
    assert_eq!(progress.applied, applied);
    assert!(progress.walks.is_empty(), "nothing is to be read again");
}

#[test]
fn an_index_of_another_store_is_thrown_away() {
    let first = SearchSetup::start();
    first.city("A", r#""Name":"strange""#);
    first.city("B", r#""Name":"strange""#);
    first.check("strange", &["A", "B"]);
    first
        .server
        .runtime
        .block_on(first.server.service.stop_search());
    let second = SearchSetup::without_index();
    second.city("X", r#""Name":"own""#);
    second.city("Y", r#""Name":"own""#);
    second.city("Z", r#""Name":"own""#);
    second.attach(first.index(), WAIT_MAX);
    second.check("strange", &[]);
    second.check("own", &["X", "Y", "Z"]);
}

#[test]
fn a_search_that_waits_in_vain_is_a_503_and_says_when_to_come_back() {
    let setup = SearchSetup::without_index();
    let slow = StuckIndex::of(setup.index()).with_pause(WAIT_MAX);
    setup.city("A", r#""Name":"late""#);
    setup.attach(Arc::new(slow), Duration::from_millis(300));
    let began = Instant::now();
    let answer = setup.ask("query=late").plain_error(503);
    let took = began.elapsed();
    // neither for the index nor for as long as others wait
    assert!(took >= Duration::from_millis(300) && took < WAIT_MAX / 2);
    assert!(answer.header("retry-after").is_some());
}

#[test]
fn a_search_behind_a_database_that_does_not_answer_is_a_503_and_finds_all_when_it_is_back() {
    for go_away in [StuckIndex::go_away, StuckIndex::be_cut_off] {
        let setup = SearchSetup::without_index();
        let stuck = Arc::new(StuckIndex::of(setup.index()));
        setup.attach(stuck.clone(), WAIT_MAX);
        setup.city("A", r#""Name":"early""#);
        setup.check("early", &["A"]);
        go_away(&stuck);
        setup.city("B", r#""Name":"early""#);
        // a connection that was lost, or a statement that was cut off, says nothing of what the index can't hold
        let answer = setup.ask("query=early").plain_error(503);
        assert!(answer.header("retry-after").is_some());
        stuck.come_back();
        setup.check("early", &["A", "B"]);
    }
}

#[test]
fn a_search_does_not_wait_for_what_is_written_to_other_datasets() {
    let setup = SearchSetup::without_index();
    let stuck = Arc::new(StuckIndex::of(setup.index()));
    setup.attach(stuck.clone(), WAIT_MAX);
    setup.city("A", r#""Name":"early""#);
    setup.check("early", &["A"]);
    stuck.go_away();
    setup.city("B", r#""Name":"early""#);
    setup.ask("query=early").plain_error(503);
    let elsewhere = setup.ask("query=early&dataSet=Asia");
    assert_eq!(elsewhere.is(200).json()["total"], 0);
}

#[test]
fn a_search_answers_from_what_is_indexed_while_the_index_can_not_be_written() {
    let setup = SearchSetup::without_index();
    let stuck = Arc::new(StuckIndex::of(setup.index()));
    setup.attach(stuck.clone(), WAIT_MAX);
    let record = setup.city("A", r#""Name":"early""#);
    setup.check("early", &["A"]);
    stuck.fill_up();
    setup.city("B", r#""Name":"early late""#);
    setup
        .server
        .update(&record, r#"{"_version":0,"Name":"changed"}"#)
        .is(204);
    let began = Instant::now();
    // what is shown is what the store has, found by the words of before
    let found = setup.found("early");
    assert_eq!(found["hits"][0]["Name"], "changed", "{found}");
    assert_eq!(found["total"], 1);
    assert!(began.elapsed() < WAIT_MAX / 2, "it does not wait");
    stuck.make_room();
    setup.check("early", &["B"]);
    setup.check("late", &["B"]);
}

#[test]
fn a_search_does_not_wait_for_an_index_that_takes_nothing_and_is_told_when_to_come_back() {
    let setup = SearchSetup::without_index();
    let stuck = Arc::new(StuckIndex::of(setup.index()));
    stuck.fill_up();
    setup.attach(stuck.clone(), WAIT_MAX);
    setup.city("A", r#""Name":"late""#);
    let began = Instant::now();
    let answer = setup.ask("query=late").plain_error(503);
    assert!(began.elapsed() < WAIT_MAX / 2, "{:?}", began.elapsed());
    let seconds: u64 = answer
        .header("retry-after")
        .expect("when to come back")
        .parse()
        .expect("seconds");
    assert!(seconds > 0);
    let state = setup
        .server
        .runtime
        .block_on(setup.server.service.search_state());
    let state = state.expect("the store works").expect("there is an index");
    assert!(
        state
            .failure
            .is_some_and(|failure| failure.contains("the disk is full"))
    );
    assert!(state.behind > 0);
    stuck.make_room();
    until_the_index(false, &setup);
    setup.check("late", &["A"]);
}

#[test]
fn an_index_is_known_when_it_has_the_schemas_of_now_though_the_log_tells_nothing_of_them() {
    let setup = SearchSetup::without_index();
    let stuck = Arc::new(StuckIndex::of(setup.index()));
    setup.attach(stuck.clone(), WAIT_MAX);
    let state = || {
        let service = &setup.server.service;
        let state = setup.server.runtime.block_on(service.search_state());
        let state = state.expect("the store works").expect("there is an index");
        (state.behind, state.reading, state.is_known)
    };
    // other datasets are still being read when a search has found what it looked for
    let is_whole = || {
        let began = Instant::now();
        while state() != (0, 0, true) {
            if began.elapsed() > PATIENCE {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    };
    setup.city("A", r#""Name":"early""#);
    setup.check("early", &["A"]);
    assert!(is_whole(), "{:?}", state());
    stuck.fill_up();
    let renamed = CITY.replace(r#""name":"Name""#, r#""name":"Title""#);
    let schema = setup.server.names.schema.clone();
    setup.server.change_schema(&schema, &renamed);
    assert_eq!(state(), (0, 0, false));
    until_the_index(true, &setup);
    stuck.make_room();
    until_the_index(false, &setup);
    setup.check("Title:early", &["A"]);
    assert!(is_whole(), "{:?}", state());
}

#[test]
fn while_the_index_takes_nothing_a_search_finds_what_is_in_it() {
    let setup = SearchSetup::without_index();
    let stuck = Arc::new(StuckIndex::of(setup.index()));
    setup.attach(stuck.clone(), WAIT_MAX);
    let early = setup.city("A", r#""Name":"early""#);
    setup.city("B", r#""Name":"early""#);
    setup.check("early", &["A", "B"]);
    stuck.fill_up();
    setup.city("C", r#""Name":"early""#);
    setup.server.delete(&early).is(204);
    let began = Instant::now();
    setup.check("early", &["B"]);
    assert!(began.elapsed() < WAIT_MAX / 2, "{:?}", began.elapsed());
    stuck.make_room();
    setup.check("early", &["B", "C"]);
}

#[test]
fn a_search_that_takes_longer_than_it_may_is_a_503() {
    let setup = SearchSetup::without_index();
    setup.attach(setup.index(), Duration::ZERO);
    let began = Instant::now();
    loop {
        let answer = setup.ask("query=x").plain_error(503);
        assert_eq!(answer.header("retry-after"), Some("5"));
        if answer.text().contains("took longer than it may") {
            break;
        }
        // at first the index is not ready
        assert!(began.elapsed() < Duration::from_secs(20), "{answer:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_search_that_looks_into_an_index_that_is_emptied_meanwhile_is_a_503_and_no_empty_page() {
    let setup = SearchSetup::without_index();
    setup.city("A", r#""Name":"early""#);
    let index = Arc::new(StuckIndex::of(setup.index()));
    setup.attach(index.clone(), WAIT_MAX);
    setup.check("early", &["A"]);
    index.hold_finds();
    std::thread::scope(|scope| {
        let searching = scope.spawn(|| setup.ask("query=early"));
        let patience = Instant::now() + PATIENCE;
        while !index.is_find_held() {
            assert!(Instant::now() < patience, "nobody looks into the index");
            std::thread::sleep(Duration::from_millis(1));
        }
        // nothing comes back into it before the search is answered
        index.fill_up();
        let rebuilt = setup.server.service.rebuild_index();
        let datasets = setup.server.runtime.block_on(rebuilt);
        assert!(datasets.expect("it is emptied") > 0);
        index.let_finds_go();
        let answer = searching.join().expect("it is answered");
        let answer = answer.plain_error(503);
        assert!(answer.header("retry-after").is_some());
    });
    index.make_room();
    let patience = Instant::now() + PATIENCE;
    while setup.ask("query=early").status != 200 {
        assert!(Instant::now() < patience, "it is not filled again");
        std::thread::sleep(Duration::from_millis(20));
    }
    setup.check("early", &["A"]);
}

#[test]
fn without_an_index_a_search_is_refused_politely() {
    let setup = SearchSetup::without_index();
    let answer = setup.ask("query=x").plain_error(503);
    assert!(answer.header("retry-after").is_some());
}

#[test]
fn many_writers_and_searchers_at_once_agree() {
    let setup = SearchSetup::start();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let setup = &setup;
            scope.spawn(move || {
                for number in 0..15 {
                    let code = format!("W{writer}N{number}");
                    setup.city(&code, &format!(r#""Name":"by{writer} no{number}""#));
                    setup.check(&format!("by{writer} no{number}"), &[&code]);
                }
            });
        }
    });
    assert_eq!(setup.found("by*")["total"], 60);
}

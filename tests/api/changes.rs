//! The changes of a dataset: pages of them, waiting for them, listening to them. docs/interface.md, "Changes".

use crate::raw::Answer;
use crate::test_server::{TestServer, only, records_of};
use crate::tricks::tricky;
use runtime::store::catalog::{Resource, Verb, Verbs};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tests::ends::Ends;
use tests::seeded_rng::SeededRng;
use tests::trick_store::Trick;

/// Where the changes of the first dataset are.
pub(crate) fn changes(server: &TestServer) -> String {
    let records = server.records();
    format!(
        "{}/changes",
        records.strip_suffix("/dataobjects").expect("a path")
    )
}

pub(crate) fn text(value: &Value, name: &str) -> String {
    let text = value[name].as_str();
    text.unwrap_or_else(|| panic!("{name} of {value}"))
        .to_owned()
}

fn items(page: &Value) -> &[Value] {
    page["items"].as_array().expect("a page")
}

/// Everything from a position on, in pages of so many.
pub(crate) fn follow(
    server: &TestServer,
    after: Option<&str>,
    size: usize,
) -> (Vec<Value>, String) {
    let (mut all, mut after) = (Vec::new(), after.map(str::to_owned));
    loop {
        let mut target = format!("{}?pageSize={size}", changes(server));
        if let Some(after) = &after {
            target += "&after=";
            target += after;
        }
        let page = server.get(&target).is(200).json();
        assert!(items(&page).len() <= size);
        all.extend_from_slice(items(&page));
        let next = text(&page, "next");
        if page["hasMore"] == false {
            return (all, next);
        }
        after = Some(next);
    }
}

#[test]
fn every_kind_of_change_is_told_once_with_the_record_as_it_was_left() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"Aachen"}"#);
    server.update(&record, r#"{"_version":0,"Name":7}"#).is(204);
    let faulty = server.by_key("1").json();
    server.delete(&record).is(204);
    let (all, next) = follow(&server, None, 2);
    let told: Vec<_> = all
        .iter()
        .map(|it| (text(it, "action"), it["version"].clone()))
        .collect();
    let meant = [("create", 0), ("update", 1), ("delete", 1)];
    assert_eq!(
        told,
        meant.map(|(action, version)| (action.to_owned(), json!(version)))
    );
    assert_eq!(all[0]["record"], record);
    assert_ne!(
        faulty["_errors"],
        json!([]),
        "the record has a fault by now"
    );
    assert_eq!([&all[1]["record"], &all[2]["record"]], [&faulty, &faulty]);
    for change in &all {
        assert_eq!(change["dataObjectId"], record["_dataObjectId"]);
        assert!(text(change, "at").ends_with('Z'));
    }
    // behind each of them, the rest follows
    for (index, change) in all.iter().enumerate() {
        let (rest, end) = follow(&server, Some(&text(change, "position")), 100);
        assert_eq!((rest, &end), (all[index + 1..].to_vec(), &next));
    }
}

#[test]
fn a_record_is_told_under_the_schema_as_it_is_by_now() {
    let server = TestServer::start();
    let before = server.created(r#"{"Code":"1","Name":"Aachen"}"#);
    let document: Value = serde_json::from_str(crate::test_server::CITY).expect("JSON");
    let mut renamed = document.clone();
    let fields = renamed["fields"].as_array_mut().expect("fields").iter_mut();
    for field in fields.filter(|field| field["name"] == "Name") {
        field["name"] = json!("Town");
    }
    server.change_schema(&server.names.schema, &renamed.to_string());
    let (all, _) = follow(&server, None, 10);
    let told = &all[0]["record"];
    assert_eq!((&told["Town"], told.get("Name")), (&before["Name"], None));
    assert_eq!(*told, server.by_key("1").json());
}

#[test]
fn positions_are_their_datasets_own_and_do_not_tell_what_is_written_elsewhere() {
    let server = TestServer::start();
    let own = changes(&server);
    let names = &server.names;
    let other = records_of(&names.area, &names.schema, &names.other_dataset);
    let latest = || {
        let page = server.get(&format!("{own}?after=latest")).is(200).json();
        assert_eq!((items(&page).len(), &page["hasMore"]), (0, &json!(false)));
        text(&page, "next")
    };
    let beginning = latest();
    server
        .request("POST", &other)
        .json(r#"{"Code":"1"}"#)
        .send()
        .is(201);
    assert_eq!(latest(), beginning);
    server.created(r#"{"Code":"1"}"#);
    let first = latest();
    assert_ne!(first, beginning);
    server
        .request("POST", &other)
        .json(r#"{"Code":"2"}"#)
        .send()
        .is(201);
    assert_eq!(latest(), first);
    assert_eq!(follow(&server, Some(&beginning), 10).1, first);
    // of another dataset, of another list, and of nobody
    let foreign = other.replace("/dataobjects", "/changes");
    let foreign = server.get(&format!("{foreign}?pageSize=1")).is(200).json();
    let records = server.get(&format!("{other}?pageSize=1")).is(200).json();
    let page_key = text(&records, "nextPageKey");
    for wrong in [
        &text(&foreign, "next"),
        &page_key,
        "",
        "0",
        "nonsense",
        "Latest",
    ] {
        server.get(&format!("{own}?after={wrong}")).plain_error(400);
    }
    for wrong in [
        "wait=-1",
        "wait=61",
        "wait=soon",
        "wait=",
        "pageSize=0",
        "pageSize=x",
        "pageSize=1&pageSize=1",
        "wait=0&wait=1",
        "after=latest&after=latest",
    ] {
        server.get(&format!("{own}?{wrong}")).plain_error(400);
    }
}

#[test]
fn who_may_view_the_records_may_follow_them_and_nobody_else() {
    let server = TestServer::start();
    let area = server.names.area.as_str();
    let view = only(Resource::Records, Verb::View);
    let ask = |key: &str| {
        server
            .anonymous("GET", &changes(&server))
            .credential(key)
            .send()
    };
    ask(&server.key(&[(Verbs::ALL, area)], &view)).is(200);
    ask(&server.key(&[(Verbs::ALL, area)], &only(Resource::Audit, Verb::View))).plain_error(403);
    ask(&server.key(&[(Verbs::ALL, area)], &only(Resource::Records, Verb::Edit))).plain_error(403);
    ask(&server.key(&[], &view)).plain_error(403);
    let elsewhere = changes(&server).replace(&server.names.dataset, "elsewhere");
    server.get(&elsewhere).plain_error(404);
}

#[test]
fn a_request_waits_for_the_next_change_and_no_longer_than_it_says() {
    let server = TestServer::start();
    let started = Instant::now();
    let page = server
        .get(&format!("{}?wait=1", changes(&server)))
        .is(200)
        .json();
    assert!(started.elapsed() >= Duration::from_millis(900));
    assert_eq!(items(&page).len(), 0);
    let after = text(&page, "next");
    let target = format!("{}?after={after}&wait=30", changes(&server));
    let answer: Answer = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| server.get(&target));
        std::thread::sleep(Duration::from_millis(300));
        assert!(!waiting.is_finished());
        server.created(r#"{"Code":"1"}"#);
        waiting.join().expect("an answer")
    });
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(items(&answer.is(200).json()).len(), 1);
    // what is there already is not waited for
    let page = server.get(&target).is(200).json();
    assert_eq!(items(&page).len(), 1);
}

#[test]
fn who_waits_is_judged_anew_and_let_go_when_the_service_ends() {
    let server = TestServer::start();
    let key = server.key(
        &[(Verbs::ALL, &server.names.area)],
        &only(Resource::Records, Verb::View),
    );
    let ask = || {
        let target = format!("{}?after=latest&wait=30", changes(&server));
        server.anonymous("GET", &target).credential(&key).send()
    };
    let started = Instant::now();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(ask);
        std::thread::sleep(Duration::from_millis(300));
        server.change_key(&key, |key| key.active = false);
        server.created(r#"{"Code":"1"}"#);
        waiting.join().expect("an answer").is(401);
        server.change_key(&key, |key| key.active = true);
        let waiting = scope.spawn(ask);
        std::thread::sleep(Duration::from_millis(300));
        server.service.end_waiting();
        let page = waiting.join().expect("an answer").is(200).json();
        assert_eq!(items(&page).len(), 0);
    });
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_position_behind_which_changes_are_not_kept_is_410() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1"}"#);
    server.update(&record, r#"{"_version":0}"#).is(204);
    let (all, _) = follow(&server, None, 10);
    let target = format!("{}?after={}", changes(&server), text(&all[0], "position"));
    server.get(&target).is(200);
    store.play(Trick::ForgetChanges);
    // a look at a record is none at changes
    server.update(&record, r#"{"_version":1}"#).is(204);
    server.get(&target).plain_error(410);
    store.play(Trick::ForgetChanges);
    let events = server
        .request("GET", &target)
        .header("Accept", "text/event-stream");
    events.send().plain_error(410);
    store.play(Trick::Fail);
    server.get(&target).plain_error(500);
    server.get(&target).is(200);
}

/// Writes at random until it is told to stop, on keys of its own.
fn write_at_random(server: &TestServer, seed: u64, stop: &AtomicBool) -> usize {
    let mut rng = SeededRng(seed);
    let (mut live, mut written) = (Vec::<(Value, u64)>::new(), 0);
    while !stop.load(Ordering::Relaxed) {
        let at = rng.below(live.len().max(1));
        match rng.below(4) {
            1 | 2 if !live.is_empty() => {
                let (record, version) = &mut live[at];
                let body = format!(r#"{{"_version":{version},"Name":"{written}"}}"#);
                server.update(record, &body).is(204);
                *version += 1;
            }
            3 if !live.is_empty() => {
                server.delete(&live.swap_remove(at).0).is(204);
            }
            _ => {
                let body = format!(r#"{{"Code":"{seed}-{written}"}}"#);
                live.push((server.created(&body), 0));
            }
        }
        written += 1;
    }
    written
}

#[test]
fn beside_many_writers_every_change_comes_once_and_in_order_wherever_one_goes_on() {
    const WRITERS: u64 = 4;
    const ENOUGH: usize = 100;
    const PATIENCE: Duration = Duration::from_secs(60);
    let server = TestServer::start();
    let stop = AtomicBool::new(false);
    let (heard, written) = std::thread::scope(|scope| {
        let ends = Ends(&stop);
        let writers: Vec<_> = (0..WRITERS)
            .map(|seed| {
                let (server, stop) = (&server, &stop);
                scope.spawn(move || write_at_random(server, seed, stop))
            })
            .collect();
        let mut rng = SeededRng(7);
        let (mut heard, mut after) = (Vec::<Value>::new(), None::<String>);
        let begun = Instant::now();
        // a slow machine writes less in a second
        let is_enough = |heard: usize| heard > ENOUGH || begun.elapsed() > PATIENCE;
        while begun.elapsed() < Duration::from_secs(3) || !is_enough(heard.len()) {
            let size = 1 + rng.below(20);
            let mut target = format!("{}?wait=1&pageSize={size}", changes(&server));
            if let Some(after) = &after {
                target += "&after=";
                target += after;
            }
            let page = server.get(&target).is(200).json();
            let all = items(&page);
            // some of what comes is forgotten again, and asked for once more
            let kept = if all.is_empty() {
                0
            } else {
                1 + rng.below(all.len())
            };
            heard.extend_from_slice(&all[..kept]);
            if let Some(last) = heard.last() {
                after = Some(text(last, "position"));
            }
        }
        drop(ends);
        let written: usize = writers.into_iter().map(|it| it.join().expect("done")).sum();
        let (rest, _) = follow(&server, after.as_deref(), 100);
        heard.extend(rest);
        (heard, written)
    });
    assert!(written > ENOUGH, "{written}");
    assert_eq!(heard.len(), written);
    // each record's own changes come in the order of its life
    let mut versions = BTreeMap::<String, (i64, bool)>::new();
    for change in &heard {
        let version = change["version"].as_i64().expect("a number");
        let known = versions.get(&text(change, "dataObjectId")).copied();
        match (text(change, "action").as_str(), known) {
            ("create", None) => assert_eq!(version, 0),
            ("update", Some((before, true))) => assert_eq!(version, before + 1),
            ("delete", Some((before, true))) => assert_eq!(version, before),
            other => panic!("{other:?}: {change}"),
        }
        let is_there = change["action"] != "delete";
        versions.insert(text(change, "dataObjectId"), (version, is_there));
    }
    // and all together are what is there
    let (again, _) = follow(&server, None, 1000);
    assert_eq!(again.len(), heard.len());
    assert!(
        again
            .iter()
            .zip(&heard)
            .all(|(one, other)| one["position"] == other["position"])
    );
    let live = versions.values().filter(|(_, is_there)| *is_there).count();
    let page = server
        .get(&format!("{}?pageSize=1000", server.records()))
        .json();
    assert_eq!(items(&page).len(), live.min(1000));
}

#[test]
fn an_entry_that_a_disk_spoiled_stops_nobody_who_follows() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"Aachen"}"#);
    server
        .update(&record, r#"{"_version":0,"Name":"Aix"}"#)
        .is(204);
    server.created(r#"{"Code":"2"}"#);
    server.spoil("UPDATE change_log SET actor = 'nobody' WHERE number = 2");
    let (all, _) = follow(&server, None, 10);
    let told: Vec<_> = all
        .iter()
        .map(|it| (text(it, "action"), &it["record"]["Name"]))
        .collect();
    // in a folder the values before follow from those behind it: then both are told as they are now
    let (aachen, aix) = (json!("Aachen"), json!("Aix"));
    let first = if tests::engine::is_database() {
        ("create".to_owned(), &aachen)
    } else {
        ("update".to_owned(), &aix)
    };
    assert_eq!(told.len(), 3);
    assert_eq!(told[..2], [first, ("update".to_owned(), &aix)]);
}

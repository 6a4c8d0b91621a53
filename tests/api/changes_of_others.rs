//! Who follows the changes of a dataset while another server decides about it, and makes the change: judged and told by what that
//! one decided, though nobody has asked this one for anything since. docs/interface.md, "Changes".

use crate::changes::{changes, text};
use crate::events::Events;
use crate::raw::Answer;
use crate::test_server::{CITY, TestServer, only};
use crate::tricks::tricky;
use crate::webhooks::created;
use runtime::store::Records as _;
use runtime::store::catalog::{Resource, Verb, Verbs};
use runtime::store::records::{Change, NewContent, Write, WriteVerdict};
use serde_json::Value;
use std::time::Duration;
use tests::trick_store::{TrickStore, by_someone};

/// Longer than it takes until somebody who follows waits.
const UNTIL_IT_WAITS: Duration = Duration::from_millis(300);

/// What a request is answered that waits behind all changes while this is done.
fn answered_while(server: &TestServer, key: &str, done: impl FnOnce()) -> Answer {
    let ask = |query: &str| {
        let target = format!("{}?{query}", changes(server));
        server.anonymous("GET", &target).credential(key).send()
    };
    // from here on, so that who comes late finds what was done
    let after = text(&ask("after=latest").is(200).json(), "next");
    let waits = format!("after={after}&wait=30");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ask(&waits));
        std::thread::sleep(UNTIL_IT_WAITS);
        assert!(!waiting.is_finished(), "nothing changed yet");
        done();
        waiting.join().expect("an answer")
    })
}

/// Somebody who listens, and waits for what comes.
fn listening(server: &TestServer, key: &str) -> Events {
    let mut events = Events::of(server, key, "?after=latest", None);
    events.next().expect("where it begins");
    std::thread::sleep(UNTIL_IT_WAITS);
    events
}

/// The number of the first dataset.
fn dataset(server: &TestServer) -> u32 {
    let catalog = server.service.store().catalog();
    catalog.datasets[&server.names.dataset].number
}

/// Another server writes a record.
fn write(server: &TestServer, store: &TrickStore, write: Write) {
    let written = server.runtime.block_on(store.write(write));
    let verdict = written.expect("the store works");
    assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
}

#[test]
fn who_follows_is_judged_by_what_another_server_took_from_it_just_now() {
    let (server, store) = tricky();
    let area = server.names.area.clone();
    let view = only(Resource::Records, Verb::View);
    let key = || server.key(&[(Verbs::ALL, &area)], &view);
    let end = |key: &str, code: &str| {
        store.hold_catalog_back();
        server.change_key(key, |key| key.active = false);
        write(&server, &store, created(dataset(&server), code));
    };
    let waits = key();
    let answer = answered_while(&server, &waits, || end(&waits, "1"));
    answer.plain_error(401);
    let listens = key();
    let mut events = listening(&server, &listens);
    end(&listens, "2");
    assert_eq!(events.next(), None);
}

#[test]
fn a_change_under_a_schema_version_that_another_server_made_just_now_is_told() {
    let (server, store) = tricky();
    let key = server.names.key.clone();
    let overtake = |name: &str, version: i64| {
        store.hold_catalog_back();
        let renamed = CITY.replace(r#""name":"People","#, &format!(r#""name":"{name}","#));
        server.change_schema(&server.names.schema, &renamed);
        let content = NewContent {
            body: format!(r#"{{"Code":"{version}","Name":"N","{name}":5}}"#),
            primary_key: Some(version.to_string()),
            schema_version: version,
            errors: None,
            hidden: None,
        };
        let change = Change::Create { nonce: 1, content };
        write(&server, &store, by_someone(dataset(&server), change));
    };
    let answer = answered_while(&server, &key, || overtake("Inhabitants", 2));
    let page = answer.is(200).json();
    assert_eq!(page["items"][0]["record"]["Inhabitants"], 5, "{page}");
    let mut events = listening(&server, &key);
    overtake("Souls", 3);
    let (_, data) = events.next().expect("a change");
    let change: Value = serde_json::from_str(&data).expect("JSON");
    assert_eq!(change["record"]["Souls"], 5, "{change}");
}

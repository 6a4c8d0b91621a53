//! Positions of changes that are none of what is there. docs/interface.md, "Changes".

use crate::changes::{changes, follow, text};
use crate::test_server::{TestServer, records_of};

#[test]
fn a_position_beyond_what_is_there_is_410() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1"}"#);
    server.created(r#"{"Code":"2"}"#);
    let (all, last) = follow(&server, None, 10);
    // as it is where a database was brought back to a moment of before
    server.spoil(if tests::engine::is_database() {
        "UPDATE dataset_state SET last_change = 1 WHERE last_change = 2"
    } else {
        "DELETE FROM change_log WHERE number = 2"
    });
    // whoever reads sees what others did to a folder once something was written
    let names = &server.names;
    let other = records_of(&names.area, &names.schema, &names.other_dataset);
    let made = server.request("POST", &other).json(r#"{"Code":"3"}"#);
    made.send().is(201);
    let target = |position: &str| format!("{}?after={position}", changes(&server));
    let beyond = target(&last);
    server.get(&beyond).plain_error(410);
    server.get(&format!("{beyond}&wait=10")).plain_error(410);
    let events = server.request("GET", &beyond);
    let events = events.header("Accept", "text/event-stream");
    events.send().plain_error(410);
    server.get(&target(&text(&all[0], "position"))).is(200);
}

#[test]
fn what_is_no_position_is_named_as_it_was_sent() {
    let server = TestServer::start();
    let events = |target: &str| {
        let asked = server.request("GET", target);
        asked.header("Accept", "text/event-stream")
    };
    let wrong = format!("{}?after=x", changes(&server));
    let begun = events(&wrong).send().plain_error(400);
    assert!(begun.text().contains("`after`"), "{}", begun.text());
    let broken = events(&changes(&server)).header("Last-Event-ID", "x");
    let broken = broken.send().plain_error(400);
    let told = broken.text();
    assert!(
        told.contains("`Last-Event-ID`") && !told.contains("`after`"),
        "{told}"
    );
}

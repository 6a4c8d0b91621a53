//! Who follows the changes of a dataset: let go when the server stops, and told everything once, whatever became of the
//! server meanwhile; and who hangs up gives its place back.

use crate::cities::{CITIES, cities, company};
use crate::support::{Server, TIMEOUT, read_response};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Listens to changes from now on; gives the connection once it has said where it begins.
fn listen(server: &Server, key: &str, changes: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let head = format!(
        "GET {changes}?after=latest HTTP/1.1\r\nHost: x\r\nAuthorization: {key}\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    let (mut came, mut part) = (String::new(), [0; 1024]);
    while !came.contains("id: ") {
        let length = stream.read(&mut part).expect("an event");
        assert_ne!(length, 0, "{came}");
        came.push_str(&String::from_utf8_lossy(&part[..length]));
    }
    stream
}

#[test]
fn a_server_that_stops_does_not_wait_for_who_listens() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &[]);
    let changes = cities(&server, &key).replace("/dataobjects", "/changes");
    let mut listening = listen(&server, &key, &changes);
    let began = Instant::now();
    server.stop();
    // whoever is still being answered would have 30 seconds
    assert!(
        began.elapsed() < Duration::from_secs(25),
        "{:?}",
        began.elapsed()
    );
    let mut rest = String::new();
    listening.read_to_string(&mut rest).expect("its end");
    assert!(rest.ends_with("0\r\n\r\n"), "it ends as it should: {rest}");
}

/// So many are acknowledged at least before the server is killed.
const MADE_MIN: usize = 11;

/// Makes cities until the server is gone; the names of those that were acknowledged.
fn make_cities(server: &Server, key: &str, records: &str, from: usize) -> Vec<String> {
    let made = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let made = &made;
            scope.spawn(move || {
                for number in 0.. {
                    let name = format!("N {from} {writer} {number}");
                    let Ok(mut stream) = TcpStream::connect(server.address()) else {
                        return;
                    };
                    let body = format!("{{\"Name\": \"{name}\"}}");
                    let head = format!(
                        "POST {records} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    let mut answer = String::new();
                    let sent = stream.write_all(head.as_bytes());
                    let came = sent.and_then(|()| stream.read_to_string(&mut answer));
                    if came.is_err() || !answer.starts_with("HTTP/1.1 201") {
                        return;
                    }
                    made.lock().expect("no panic").push(name);
                }
            });
        }
        let began = Instant::now();
        std::thread::sleep(Duration::from_millis(300));
        while made.lock().expect("no panic").len() < MADE_MIN && began.elapsed() < TIMEOUT {
            std::thread::sleep(Duration::from_millis(10));
        }
        // also where nothing is made, or the writers would go on
        server.signal("-KILL");
    });
    made.into_inner().expect("no panic")
}

#[test]
fn every_acknowledged_write_is_told_once_and_in_order_also_beyond_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = company(folder.path());
    let (mut after, mut told, mut acknowledged) =
        (None::<String>, Vec::<String>::new(), Vec::new());
    for round in 0..4 {
        let server = Server::start_process(folder.path(), &[]);
        let records = cities(&server, &key);
        let changes = records.replace("/dataobjects", "/changes");
        // from where it was before the kill, in small steps
        loop {
            let position = after
                .as_ref()
                .map_or_else(String::new, |it| format!("&after={it}"));
            let page = server.get(&key, &format!("{changes}?pageSize=700{position}"));
            assert_eq!(page.status, 200, "{}", page.body);
            let page = page.json();
            let name = |item: &Value| item["record"]["Name"].as_str().expect("a name").to_owned();
            told.extend(page["items"].as_array().expect("items").iter().map(name));
            after = page["next"].as_str().map(str::to_owned);
            if page["hasMore"] == false {
                break;
            }
        }
        if round < 3 {
            acknowledged.extend(make_cities(&server, &key, &records, round));
            let _ = server.wait();
        }
    }
    assert!(acknowledged.len() >= 3 * MADE_MIN, "{}", acknowledged.len());
    let (own, new) = told.split_at(CITIES);
    let meant: Vec<_> = (0..CITIES).map(|n| format!("City {n}")).collect();
    assert_eq!(own, meant);
    let mut once = new.to_vec();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), new.len(), "none comes twice");
    // one that was on its way when the server was killed may be there as well
    let missing = acknowledged
        .iter()
        .filter(|name| once.binary_search(name).is_err());
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&String>::new());
}

/// A request that waits for changes, or listens to them.
fn wait_for_changes(server: &Server, key: &str, target: &str, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let head = format!("GET {target} HTTP/1.1\r\nHost: x\r\nAuthorization: {key}\r\n{more}\r\n");
    stream.write_all(head.as_bytes()).expect("it reads");
    stream
}

/// Whether there was no place for it.
fn is_refused(stream: &TcpStream) -> bool {
    let mut start = [0; 12];
    stream.set_nonblocking(true).expect("a socket");
    let heard = stream.peek(&mut start);
    stream.set_nonblocking(false).expect("a socket");
    heard.is_ok_and(|count| count == 0 || start == *b"HTTP/1.1 503")
}

#[test]
fn who_hangs_up_while_it_waits_for_changes_gives_its_place_back_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(
        folder.path(),
        &[
            "--connections-max",
            "2",
            "--connections-per-address-max",
            "2",
        ],
    );
    let changes = cities(&server, &key).replace("/dataobjects", "/changes");
    let poll = format!("{changes}?after=latest&wait=60");
    let events = format!("{changes}?after=latest");
    for (target, more) in [(&poll, ""), (&events, "Accept: text/event-stream\r\n")] {
        let begin = || wait_for_changes(&server, &key, target, more);
        let mut waiting = [begin(), begin()];
        // no place is left once both are waited for; where who asked before them was not yet
        // seen to have gone, they ask again
        let began = Instant::now();
        while server.get(&key, &changes).status != 503 {
            assert!(began.elapsed() < TIMEOUT, "{target}");
            std::thread::sleep(Duration::from_millis(50));
            for stream in &mut waiting {
                if is_refused(stream) {
                    *stream = begin();
                }
            }
        }
        // and there is one again when they have gone
        drop(waiting);
        let began = Instant::now();
        while server.get(&key, &changes).status != 200 {
            // before a listener is told after 15 seconds that nothing happened, which meets one that has gone, too
            assert!(began.elapsed() < Duration::from_secs(13), "{target}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn who_has_asked_all_is_answered_at_once_instead_of_waiting_and_goes_on_listening() {
    let folder = tempfile::tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &[]);
    let records = cities(&server, &key);
    let changes = records.replace("/dataobjects", "/changes");
    let began = Instant::now();
    let poll = format!("{changes}?after=latest&wait=60");
    let mut waiting = wait_for_changes(&server, &key, &poll, "");
    std::thread::sleep(Duration::from_millis(300));
    waiting.shutdown(Shutdown::Write).expect("half of it");
    let answer = read_response(&mut waiting);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["items"], serde_json::json!([]));
    assert!(began.elapsed() < Duration::from_secs(20));

    let mut listening = listen(&server, &key, &changes);
    listening.shutdown(Shutdown::Write).expect("half of it");
    let (mut came, mut part) = (String::new(), [0; 1024]);
    // whoever sends the first one finds out that nothing more is asked, before the second one
    for name in ["late", "later"] {
        let made = server.send("POST", &key, &records, &format!("{{\"Name\": \"{name}\"}}"));
        assert_eq!(made.status, 201, "{}", made.body);
        while !came.contains(&format!("\"{name}\"")) {
            let length = listening.read(&mut part).expect("an event");
            assert_ne!(length, 0, "{came}");
            came.push_str(&String::from_utf8_lossy(&part[..length]));
        }
    }
}

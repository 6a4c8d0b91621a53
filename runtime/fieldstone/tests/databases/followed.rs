//! Changes that are made at one server, as those hear of them who follow at another one: soon, nothing that was taken from them,
//! and all of it, once, also where the database is stopped meanwhile.

use crate::cities::cities;
use crate::letters::create;
use crate::place::{Place, SETTINGS};
use crate::silence::becomes_ready;
use crate::support::{Response, Server, TIMEOUT};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How soon who waits at one server hears of what another one made.
const SOON: Duration = Duration::from_secs(2);
/// Longer than it takes until somebody who follows waits.
const UNTIL_IT_WAITS: Duration = Duration::from_millis(500);
/// How often rights are taken from who follows.
const ROUNDS: usize = 5;
/// How often the database is stopped, and for how long at least.
const STOPS: usize = 2;
const STOPPED: Duration = Duration::from_secs(1);

/// The position behind all changes.
fn latest(server: &Server, (key, changes): (&str, &str)) -> String {
    let page = server.get(key, &format!("{changes}?after=latest"));
    assert_eq!(page.status, 200, "{}", page.body);
    let next = page.json()["next"].as_str().map(str::to_owned);
    next.expect("a position")
}

/// What a request is answered that waits at a server behind all changes while this is done, and how long after it.
fn answered_while(
    server: &Server,
    (key, changes): (&str, &str),
    done: impl FnOnce(),
) -> (Response, Duration) {
    // from here on, so that who comes late finds what was done
    let path = format!("{changes}?after={}&wait=60", latest(server, (key, changes)));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| server.get(key, &path));
        std::thread::sleep(UNTIL_IT_WAITS);
        assert!(!waiting.is_finished(), "nothing changed yet");
        done();
        let began = Instant::now();
        let answer = waiting.join().expect("an answer");
        (answer, began.elapsed())
    })
}

/// Somebody who listens to changes.
struct Listener {
    lines: BufReader<TcpStream>,
    /// What it heard last.
    last: String,
}

impl Listener {
    /// Listens behind all changes, or behind what was heard last; none where the server can't say now what there is.
    fn of(server: &Server, (key, changes): (&str, &str), last: Option<&str>) -> Option<Self> {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a limit");
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n"));
        let last = last.unwrap_or_default();
        let head = format!(
            "GET {changes}?after=latest HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {key}\r\nAccept: text/event-stream\r\n{last}\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        let mut listener = Listener {
            lines: BufReader::new(stream),
            last: String::new(),
        };
        let began = Instant::now();
        let status = listener.line(began).expect("a status");
        if status.starts_with("HTTP/1.1 503 ") {
            return None;
        }
        assert!(status.starts_with("HTTP/1.1 200 "), "{status}");
        // the first one tells where it begins
        while listener.last.is_empty() {
            let line = listener.line(began)?;
            if let Some(id) = line.strip_prefix("id: ") {
                id.clone_into(&mut listener.last);
            }
        }
        Some(listener)
    }

    /// The next line of what one waits for since a moment; none at the end.
    fn line(&mut self, began: Instant) -> Option<String> {
        // that nothing happens is told as well
        assert!(began.elapsed() < TIMEOUT, "nothing more is told");
        let mut line = String::new();
        let length = self.lines.read_line(&mut line).expect("a line in time");
        (length > 0).then(|| line.trim_end().to_owned())
    }

    /// The key of the record that was changed next; none at the end.
    fn next(&mut self) -> Option<String> {
        let (mut id, began) = (String::new(), Instant::now());
        loop {
            let line = self.line(began)?;
            // what is neither is a length, or says that nothing happens
            if let Some(told) = line.strip_prefix("id: ") {
                told.clone_into(&mut id);
            } else if let Some(data) = line.strip_prefix("data: ") {
                self.last = id;
                let change: Value = serde_json::from_str(data).expect("JSON");
                let name = change["record"]["Name"].as_str().expect("a key");
                return Some(name.to_owned());
            }
        }
    }
}

pub(crate) fn who_follows_at_one_server_hears_soon_of_what_is_made_at_another() {
    let place = Place::new();
    let key = place.company();
    let servers = [place.serve("one", &[]), place.serve("other", &[])];
    let records = cities(&servers[0], &key);
    let changes = records.replace("/dataobjects", "/changes");
    for (at, [here, there]) in [[0, 1], [1, 0]].into_iter().enumerate() {
        let (here, there) = (&servers[here], &servers[there]);
        // a machine that does much else may be late
        let mut soonest = TIMEOUT;
        for number in 0..3 {
            let name = format!("Waited {at}-{number}");
            let (answer, took) = answered_while(here, (&key, &changes), || {
                create(there, (&key, &records), &name);
            });
            assert_eq!(answer.status, 200, "{}", answer.body);
            let page = answer.json();
            assert_eq!(page["items"][0]["record"]["Name"], *name, "{page}");
            soonest = soonest.min(took);
        }
        assert!(soonest < SOON, "{soonest:?}");
        let listener = Listener::of(here, (&key, &changes), None);
        let mut listener = listener.expect("it is let in");
        for number in 0..20 {
            let name = format!("Heard {at}-{number}");
            create(there, (&key, &records), &name);
            assert_eq!(listener.next(), Some(name));
        }
    }
}

pub(crate) fn who_follows_at_one_server_hears_nothing_of_what_another_one_took_from_it() {
    let place = Place::new();
    let writes = place.company();
    let root = place.root();
    let create_key = ["key", "create", "follower", "--role", "Clerk"];
    let made = place.json(&[&create_key[..], &["--area", "Places=view"]].concat());
    let part = |name: &str| {
        let part = made["steps"][0][name].as_str();
        part.unwrap_or_else(|| panic!("no {name} in {made}"))
    };
    let (key, id) = (part("secret"), part("id"));
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    let records = cities(&one, &writes);
    let changes = records.replace("/dataobjects", "/changes");
    let switch = |to: &str| {
        let path = format!("/admin/api/v1/api-keys/{id}/{to}");
        let switched = other.send("POST", &root, &path, "");
        assert_eq!(switched.status, 200, "{}", switched.body);
    };
    let take = |name: &str| {
        switch("disable");
        create(&other, (&writes, &records), name);
    };
    for round in 0..ROUNDS {
        let name = format!("Unseen {round}");
        let (answer, _) = answered_while(&one, (key, &changes), || take(&name));
        assert_eq!(answer.status, 401, "round {round}: {}", answer.body);
        switch("enable");
        let listener = Listener::of(&one, (key, &changes), None);
        let mut listener = listener.expect("it is let in");
        std::thread::sleep(UNTIL_IT_WAITS);
        take(&format!("Unheard {round}"));
        assert_eq!(listener.next(), None, "round {round}");
        let again = one.get(key, &changes);
        assert_eq!(again.status, 401, "it is told why: {}", again.body);
        switch("enable");
    }
}

/// Follows from a position on, anew where a stream ended, until a name is heard; all names, and how many streams that took.
fn followed(
    server: &Server,
    asked: (&str, &str),
    mut last: String,
    until: &str,
) -> (Vec<String>, usize) {
    let (mut names, mut streams) = (Vec::new(), 0);
    let began = Instant::now();
    loop {
        assert!(began.elapsed() < TIMEOUT, "no more is told: {names:?}");
        let Some(mut listener) = Listener::of(server, asked, Some(&last)) else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        streams += 1;
        while let Some(name) = listener.next() {
            let is_last = name == until;
            names.push(name);
            if is_last {
                return (names, streams);
            }
        }
        last = listener.last;
    }
}

pub(crate) fn who_follows_while_the_database_is_stopped_goes_on_where_it_was() {
    const LAST: &str = "Last";
    let place = Place::alone();
    let key = place.company();
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    let records = cities(&one, &key);
    let changes = records.replace("/dataobjects", "/changes");
    let asked = (&*key, &*changes);
    let begin = latest(&one, asked);
    std::thread::scope(|scope| {
        let following = scope.spawn(|| followed(&one, asked, begin, LAST));
        let mut made = Vec::new();
        let mut make = |name: String| {
            create(&other, (&key, &records), &name);
            made.push(name);
        };
        for stop in 0..STOPS {
            for number in 0..10 {
                make(format!("City {stop}-{number}"));
            }
            let stopping = || place.cluster.stop(false).expect("it stops");
            let (answer, _) = answered_while(&one, asked, stopping);
            assert_eq!(answer.status, 503, "{}", answer.body);
            assert!(answer.header("retry-after").is_some(), "{}", answer.head);
            std::thread::sleep(STOPPED);
            place.cluster.start_again(SETTINGS).expect("it starts");
            becomes_ready(&one);
            becomes_ready(&other);
        }
        make(LAST.to_owned());
        let (heard, streams) = following.join().expect("it hears");
        assert_eq!(heard, made, "each once, in order");
        assert!(streams > 1, "it ended with the database");
    });
}

//! Servers and their database are killed in turns while writers create, update and delete, some of it faulty: what was
//! acknowledged is there once and as it was, what was refused is not, versions and counters are exact. A few rounds in CI;
//! `FIELDSTONE_KILLS=100` says how many else.

use crate::cities::cities;
use crate::ends::Ends;
use crate::place::{Place, SETTINGS};
use crate::silence::becomes_ready;
use crate::support::{Response, Server, read_response};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const KILLS: usize = 4;
const WRITERS: usize = 6;
/// How long writers write between two kills.
const PAUSE: Duration = Duration::from_millis(300);

/// A record of a key: its version, and its people, who are faulty where they are fewer than none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct City {
    version: u64,
    people: i64,
}

/// What a writer knows of a key.
#[derive(Debug, Default)]
struct Known {
    id: String,
    is: Option<City>,
    /// What it may be as well: of a write that nobody answered, or whose outcome nobody could learn.
    may_be: Vec<Option<City>>,
    acknowledged: usize,
    is_refused: bool,
}

#[derive(Clone, Copy)]
enum Step {
    Create,
    Update,
    Delete,
}

/// What is done with a key, one after the other.
fn steps(number: i64) -> [Step; 3] {
    match number % 3 {
        0 => [Step::Create, Step::Update, Step::Delete],
        1 => [Step::Create, Step::Update, Step::Update],
        _ => [Step::Create, Step::Delete, Step::Create],
    }
}

impl Server {
    /// Sends JSON to a server that may be killed meanwhile: the answer, if there was one.
    fn try_send(&self, method: &str, credential: &str, path: &str, body: &str) -> Option<Response> {
        let mut stream = TcpStream::connect(self.address()).ok()?;
        let json = "Content-Type: application/json";
        let request = self.request(method, credential, path, json, body);
        stream.write_all(request.as_bytes()).ok()?;
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        let is_whole = read.is_ok() && bytes.windows(4).any(|four| four == b"\r\n\r\n");
        is_whole.then(|| read_response(&mut &*bytes))
    }
}

/// A writer of keys of its own, at whatever server stands here.
struct Writer<'a> {
    server: &'a RwLock<Server>,
    key: &'a str,
    records: &'a str,
}

impl Writer<'_> {
    /// Writes until the end; what it knows of each key.
    fn write(&self, writer: usize, end: &AtomicBool) -> BTreeMap<String, Known> {
        let mut all = BTreeMap::new();
        for number in 0.. {
            let name = format!("W{writer}-{number}");
            let mut known = Known::default();
            for (at, step) in (0..).zip(steps(number)) {
                let people = number * 10 + at;
                let people = if people % 4 == 0 { -1 - people } else { people };
                if end.load(Ordering::Relaxed) || !self.take(step, &name, people, &mut known) {
                    break;
                }
            }
            all.insert(name, known);
            if end.load(Ordering::Relaxed) {
                break;
            }
        }
        all
    }

    /// Takes a step; whether it is known that it was done.
    fn take(&self, step: Step, name: &str, people: i64, known: &mut Known) -> bool {
        let version = known.is.map_or(0, |city| city.version + 1);
        let (one, city) = (
            format!("{}/{}", self.records, known.id),
            City { version, people },
        );
        let (method, path, body, done, after) = match step {
            Step::Create => {
                let body = json!({"Name": name, "People": people});
                ("POST", self.records, body.to_string(), 201, Some(city))
            }
            Step::Update => {
                let before = known.is.map(|city| city.version);
                let body = json!({"_version": before, "People": people});
                ("PUT", &*one, body.to_string(), 204, Some(city))
            }
            Step::Delete => ("DELETE", &*one, String::new(), 204, None),
        };
        let answer = {
            let server = self.server.read().expect("a server");
            server.try_send(method, self.key, path, &body)
        };
        let Some(answer) = answer else {
            known.may_be.push(after);
            std::thread::sleep(PAUSE / 10);
            return false;
        };
        match answer.status {
            status if status == done => {
                if done == 201 {
                    let made = answer.json();
                    let id = made["_dataObjectId"].as_str().expect("an id");
                    id.clone_into(&mut known.id);
                }
                known.is = after;
                known.acknowledged += 1;
                true
            }
            503 if answer.body.contains("whether it was done is not known") => {
                known.may_be.push(after);
                false
            }
            503 => {
                known.is_refused = true;
                false
            }
            status => panic!("{method} {name}: {status}: {}", answer.body),
        }
    }
}

/// All records by their keys, each of which must be there once, with the faults that it should have.
fn there(server: &Server, key: &str, records: &str) -> BTreeMap<String, City> {
    let (mut found, mut next) = (BTreeMap::new(), String::new());
    loop {
        let page = server.get(key, &format!("{records}?pageSize=1000{next}"));
        let page = page.json();
        for item in page["items"].as_array().unwrap_or_else(|| panic!("{page}")) {
            let city = City {
                version: item["_version"].as_u64().expect("a version"),
                people: item["People"].as_i64().expect("a number"),
            };
            let is_faulty = item["_errors"].as_array().is_some_and(|it| !it.is_empty());
            assert_eq!(is_faulty, city.people < 0, "{item}");
            let name = item["Name"].as_str().expect("a key").to_owned();
            assert_eq!(found.insert(name, city), None, "it is there twice: {item}");
        }
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => return found,
        }
    }
}

/// How many records, and faulty ones, the dataset says that it has.
fn counted(server: &Server, key: &str, records: &str) -> (u64, u64) {
    let (dataset, _) = records.rsplit_once('/').expect("a dataset");
    let (siblings, id) = dataset.rsplit_once('/').expect("datasets");
    let listed = server.get(key, siblings).json();
    let mut items = listed["items"].as_array().expect("datasets").iter();
    let item = items.find(|item| item["dataSetId"] == *id).expect("it");
    let count = |name: &str| item[name].as_u64().expect("a number");
    (count("recordCount"), count("erroredRecordsCount"))
}

pub(crate) fn servers_and_databases_that_are_killed_lose_nothing_that_was_acknowledged() {
    let kills = std::env::var("FIELDSTONE_KILLS").ok();
    let kills = kills.map_or(KILLS, |kills| kills.parse().expect("a number"));
    let place = Place::alone();
    place.company();
    let key = place.root_with(&["--area", "*=view,add,edit,delete"]);
    let key = &*key;
    let servers = ["one", "other"].map(|data| RwLock::new(place.serve(data, &[])));
    let records = cities(&servers[0].read().expect("a server"), key);
    let known = known_behind(kills, &place, &servers, (key, &records));
    let server = servers[1].read().expect("a server");
    let mut found = there(&server, key, &records);
    let faulty = found.values().filter(|city| city.people < 0).count();
    let counts = counted(&server, key, &records);
    assert_eq!(counts, (found.len() as u64, faulty as u64));
    let sum = |of: fn(&Known) -> usize| known.values().map(of).sum::<usize>();
    let acknowledged = sum(|known| known.acknowledged);
    eprintln!(
        "{kills} kills: {acknowledged} writes acknowledged, {} refused, {} unknown, {} records, {faulty} faulty",
        sum(|known| usize::from(known.is_refused)),
        sum(|known| known.may_be.len()),
        found.len()
    );
    assert!(acknowledged > kills, "they wrote: {acknowledged}");
    for (name, known) in &known {
        let is = found.remove(name);
        let is_known = is == known.is || known.may_be.contains(&is);
        assert!(is_known, "{name} is {is:?}, and its writer knows {known:?}");
    }
    assert_eq!(found.len(), 3, "those of the beginning: {found:?}");
    let checked = place.run(&["check"]);
    assert!(checked.status.success(), "counters and keys are exact");
}

/// What writers know when servers and database were killed in turns.
fn known_behind(
    kills: usize,
    place: &Place,
    servers: &[RwLock<Server>; 2],
    (key, records): (&str, &str),
) -> BTreeMap<String, Known> {
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ends = Ends(&end);
        let begun: Vec<_> = (0..WRITERS)
            .map(|number| {
                let writer = Writer {
                    server: &servers[number % 2],
                    key,
                    records,
                };
                let end = &end;
                scope.spawn(move || writer.write(number, end))
            })
            .collect();
        for kill in 0..kills {
            std::thread::sleep(PAUSE);
            let which = kill % 4 / 2;
            if kill % 2 == 0 {
                place.cluster.kill().expect("it runs");
                place.cluster.start_again(SETTINGS).expect("it starts");
            } else {
                servers[which].read().expect("a server").signal("-KILL");
                let again = place.serve(["one", "other"][which], &[]);
                *servers[which].write().expect("a server") = again;
            }
        }
        for server in servers {
            becomes_ready(&server.read().expect("a server"));
        }
        std::thread::sleep(PAUSE);
        drop(ends);
        let joined = begun.into_iter().map(|it| it.join().expect("it wrote"));
        joined.flatten().collect()
    })
}

//! Servers and their database are killed in turns while writers write: what was acknowledged is there once, what was
//! refused is not, counters are exact. A few rounds in CI; `FIELDSTONE_KILLS=100` says how many else.

use crate::cities::cities;
use crate::crashes::names;
use crate::place::{Place, SETTINGS};
use crate::silence::becomes_ready;
use crate::support::{Response, Server, TIMEOUT, read_response};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const KILLS: usize = 4;
const WRITERS: usize = 6;
/// How long writers write between two kills.
const PAUSE: Duration = Duration::from_millis(300);

/// What a writer knows of its records; of those whose server was killed it knows nothing.
#[derive(Default)]
struct Known {
    created: Vec<String>,
    refused: Vec<String>,
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

fn write(
    server: &RwLock<Server>,
    (key, records): (&str, &str),
    writer: usize,
    end: &AtomicBool,
) -> Known {
    let mut known = Known::default();
    for number in 0.. {
        if end.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("W{writer}-{number}");
        let body = json!({"Name": name}).to_string();
        let answer = {
            let server = server.read().expect("a server");
            server.try_send("POST", key, records, &body)
        };
        match answer.map(|answer| (answer.status, answer.body)) {
            Some((201, _)) => known.created.push(name),
            Some((503, _)) => known.refused.push(name),
            Some((status, body)) => panic!("{status}: {body}"),
            None => std::thread::sleep(PAUSE / 10),
        }
    }
    known
}

/// Starts the database again, which may have to wait until what is left of the killed one is gone.
fn start_again(place: &Place) {
    let began = Instant::now();
    while let Err(why) = place.cluster.start_again(SETTINGS) {
        assert!(began.elapsed() < TIMEOUT, "it does not start: {why}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

pub(crate) fn servers_and_databases_that_are_killed_lose_nothing_that_was_acknowledged() {
    let kills = std::env::var("FIELDSTONE_KILLS").ok();
    let kills = kills.map_or(KILLS, |kills| kills.parse().expect("a number"));
    let place = Place::alone();
    let key = place.company();
    let servers = ["one", "other"].map(|data| RwLock::new(place.serve(data, &[])));
    let records = cities(&servers[0].read().expect("a server"), &key);
    let end = AtomicBool::new(false);
    let known: Vec<Known> = std::thread::scope(|scope| {
        let begun: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (server, asked) = (&servers[writer % 2], (&*key, &*records));
                let end = &end;
                scope.spawn(move || write(server, asked, writer, end))
            })
            .collect();
        for kill in 0..kills {
            std::thread::sleep(PAUSE);
            let which = kill % 4 / 2;
            if kill % 2 == 0 {
                place.cluster.kill().expect("it runs");
                start_again(&place);
            } else {
                servers[which].read().expect("a server").signal("-KILL");
                let again = place.serve(["one", "other"][which], &[]);
                *servers[which].write().expect("a server") = again;
            }
        }
        for server in &servers {
            becomes_ready(&server.read().expect("a server"));
        }
        std::thread::sleep(PAUSE);
        end.store(true, Ordering::Relaxed);
        let joined = begun.into_iter().map(|it| it.join().expect("it wrote"));
        joined.collect()
    });
    let there = names(&servers[1].read().expect("a server"), &key, &records);
    let of = |keys: fn(&Known) -> &Vec<String>| -> BTreeSet<String> {
        known.iter().flat_map(keys).cloned().collect()
    };
    let (created, refused) = (of(|it| &it.created), of(|it| &it.refused));
    eprintln!(
        "{kills} kills: {} creates acknowledged, {} refused, {} records",
        created.len(),
        refused.len(),
        there.len()
    );
    assert!(created.len() > kills, "they wrote: {}", created.len());
    let lost: Vec<_> = created.difference(&there).collect();
    assert!(lost.is_empty(), "acknowledged, and not there: {lost:?}");
    let done: Vec<_> = refused.intersection(&there).collect();
    assert!(done.is_empty(), "there, and told as not done: {done:?}");
    let checked = place.run(&["check"]);
    assert!(checked.status.success(), "counters and keys are exact");
}

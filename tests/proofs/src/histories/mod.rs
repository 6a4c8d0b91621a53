//! Histories: clients that get in each other's way on a few keys, over HTTP, by a server that is killed in between; for each
//! key its requests must be explained by one order, in which each happens between its question and its answer.

mod model;
mod search;

use crate::ground::{Ground, Place};
use crate::http::{Answer, Client};
use crate::ledger::Clock;
use crate::report::Report;
use crate::rounds::Rounds;
use anyhow::{Context as _, bail, ensure};
use fastrand::Rng;
use model::{Ask, Told};
use search::{Entry, is_linearizable};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const CLIENTS: u64 = 8;
/// Keys at a time, and after how many stamps they are others.
const KEYS: u64 = 3;
const STAMPS_OF_KEYS: u64 = 700;

type History = BTreeMap<String, Vec<Entry>>;

/// Lives of the server, each but the last ended by a kill, and of one length.
pub(crate) fn run(rounds: &Rounds<'_>, life: Duration) -> anyhow::Result<Report> {
    let (mut rng, program) = (rounds.rng(), rounds.program);
    let ground = Ground::make(program, rounds.folder)?;
    let clock = Clock::default();
    let mut all = History::new();
    for _ in 0..rounds.count {
        let server = program.serve(&ground.data, &[])?;
        let end = AtomicBool::new(false);
        let seed = rng.u64(..) >> 8;
        std::thread::scope(|scope| {
            let address = server.address;
            let clients: Vec<_> = (seed..seed + CLIENTS)
                .map(|seed| {
                    let mut client = Caller::new(address, &ground, &clock, seed);
                    let end = &end;
                    scope.spawn(move || client.run(end).map(|()| client.history))
                })
                .collect();
            std::thread::sleep(life);
            server.kill()?;
            end.store(true, Ordering::Relaxed);
            for client in clients {
                let history = client
                    .join()
                    .map_err(|_| anyhow::anyhow!("a client failed"))??;
                for (key, entries) in history {
                    all.entry(key).or_default().extend(entries);
                }
            }
            anyhow::Ok(())
        })?;
    }
    let (mut requests, mut open, mut longest) = (0, 0, 0);
    for (key, entries) in &all {
        requests += entries.len() as u64;
        open += entries.iter().filter(|it| it.answered.is_none()).count() as u64;
        longest = longest.max(entries.len() as u64);
        ensure!(
            is_linearizable(entries),
            "no order explains {key} (seed {}): {entries:#?}",
            rounds.seed
        );
    }
    ensure!(requests > 0, "nothing was asked");
    let mut report = rounds.report("histories");
    report.row("lives of a server, ended by a kill", rounds.count);
    report.row(
        "keys, each of whose histories has an order",
        all.len() as u64,
    );
    report.row("requests", requests);
    report.row("without an answer", open);
    report.row("requests of the longest history", longest);
    ground.remove()?;
    Ok(report)
}

struct Caller<'a> {
    client: Client,
    place: &'a Place,
    clock: &'a Clock,
    rng: Rng,
    history: History,
    /// What was seen last of a key: id and version.
    seen: BTreeMap<String, (String, u64)>,
}

impl<'a> Caller<'a> {
    fn new(address: SocketAddr, ground: &'a Ground, clock: &'a Clock, seed: u64) -> Self {
        Caller {
            client: Client::new(address, &ground.key),
            place: ground.load(),
            clock,
            rng: Rng::with_seed(seed),
            history: History::new(),
            seen: BTreeMap::new(),
        }
    }

    fn run(&mut self, end: &AtomicBool) -> anyhow::Result<()> {
        while !end.load(Ordering::Relaxed) {
            let sent = self.clock.tick();
            let key = format!("H{}-{}", sent / STAMPS_OF_KEYS, self.rng.u64(..KEYS));
            let ask = self.choose(&key, sent);
            let answer = self.ask(&key, &ask);
            let is_gone = answer.is_err();
            let told = match answer {
                Ok(answer) => told(&ask, &answer).with_context(|| format!("{key}: {ask:?}"))?,
                Err(_) => Told::Unknown,
            };
            let answered = self.clock.tick();
            self.see(&key, &ask, &told);
            let entry = Entry {
                sent,
                answered: (told != Told::Unknown).then_some(answered),
                ask,
                told,
            };
            // a question that only reads changes nothing and tells nothing without its answer
            if entry.answered.is_some() || entry.ask != Ask::Get {
                self.history.entry(key).or_default().push(entry);
            }
            if is_gone {
                break;
            }
        }
        Ok(())
    }

    fn choose(&mut self, key: &str, number: u64) -> Ask {
        let seen = self.seen.get(key).cloned();
        match (self.rng.u32(0..100), seen) {
            (0..35, Some((id, version))) => Ask::Update {
                id,
                version,
                number,
            },
            (35..50, Some((id, _))) => Ask::Delete { id },
            (50..70, _) | (_, None) if self.rng.bool() => Ask::Create { number },
            _ => Ask::Get,
        }
    }

    fn ask(&mut self, key: &str, ask: &Ask) -> anyhow::Result<Answer> {
        let records = &self.place.records;
        let body = |version: &str, number: &u64| {
            format!(r#"{{{version}"Key":"{key}","Number":{number},"Word":"w{number}"}}"#)
        };
        match ask {
            Ask::Create { number } => self.client.ask("POST", records, &body("", number)),
            Ask::Update {
                id,
                version,
                number,
            } => {
                let body = body(&format!(r#""_version":{version},"#), number);
                self.client.ask("PUT", &format!("{records}/{id}"), &body)
            }
            Ask::Delete { id } => self.client.ask("DELETE", &format!("{records}/{id}"), ""),
            Ask::Get => self
                .client
                .ask("GET", &format!("{records}/by-pk/{key}"), ""),
        }
    }

    fn see(&mut self, key: &str, ask: &Ask, told: &Told) {
        let seen = match (ask, told) {
            (_, Told::Created(id)) => (id.clone(), 0),
            (_, Told::Found { id, version, .. }) => (id.clone(), *version),
            (Ask::Update { id, version, .. }, Told::Done) => (id.clone(), version + 1),
            _ => return,
        };
        self.seen.insert(key.to_owned(), seen);
    }
}

fn told(ask: &Ask, answer: &Answer) -> anyhow::Result<Told> {
    let body = answer.json();
    let id = || {
        body["_dataObjectId"]
            .as_str()
            .context("an id")
            .map(str::to_owned)
    };
    Ok(match (ask, answer.status, body["code"].as_str()) {
        (Ask::Create { .. }, 201, _) => Told::Created(id()?),
        (Ask::Update { .. } | Ask::Delete { .. }, 204, _) => Told::Done,
        (Ask::Create { .. }, 400, Some("DUPLICATE_PRIMARY_KEY")) => Told::Duplicate,
        (Ask::Update { .. }, 400, Some("DATA_OBJECT_VERSION_CONFLICT"))
        | (Ask::Delete { .. }, 409, _) => Told::Conflict,
        (Ask::Get | Ask::Update { .. } | Ask::Delete { .. }, 404, _) => Told::Missing,
        (Ask::Get, 200, _) => Told::Found {
            id: id()?,
            version: body["_version"].as_u64().context("a version")?,
            number: body["Number"].as_u64().context("a number")?,
        },
        (_, status, _) => bail!("{status} {}", answer.text()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;
    use std::time::Instant;

    #[test]
    fn what_many_clients_are_told_of_a_key_has_one_order_also_across_kills() {
        let program = Program::find(None).unwrap();
        let folder = std::env::temp_dir().join(format!("histories-{}", std::process::id()));
        let life = Duration::from_millis(700);
        let rounds = Rounds {
            program: &program,
            folder: &folder,
            count: 4,
            seed: 7,
            began: Instant::now(),
        };
        println!("{}", run(&rounds, life).unwrap());
    }
}

//! Histories: clients that get in each other's way on a few keys, over HTTP, by a server that is killed in between, or by
//! several on one database, whose clients go on at another one; for each key its requests must be explained by one order, in which each happens between its question and its answer.

mod model;
mod search;

use crate::database::Database;
use crate::ends::Ends;
use crate::ground::{Ground, Place};
use crate::http::{Answer, Client};
use crate::ledger::Clock;
use crate::program::Program;
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

/// What is asked: how many servers, each life how long, and where.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'d> {
    pub(crate) servers: usize,
    pub(crate) life: Duration,
    /// The address of a database that others have started.
    pub(crate) database: Option<&'d str>,
}

/// Lives of the server, each ended by a kill, and of one length; of several, the first is killed half way, and those who
/// asked it go on at another.
pub(crate) fn run(rounds: &Rounds<'_>, shape: Shape<'_>) -> anyhow::Result<Report> {
    let mut rng = rounds.rng();
    let is_own = shape.servers > 1 && shape.database.is_none();
    let own = is_own.then(Database::start).transpose()?;
    let own = own.as_ref();
    let address = shape.database.map(str::to_owned);
    let address = address.or_else(|| own.map(Database::address));
    let on_database = address.map(|address| rounds.program.on(address));
    let program = on_database.as_ref().unwrap_or(rounds.program);
    let ground = Ground::make(program, rounds.folder)?;
    let clock = Clock::default();
    let mut all = History::new();
    for _ in 0..rounds.count {
        let seed = rng.u64(..) >> 8;
        for (key, entries) in live(program, &ground, &clock, (seed, shape))? {
            all.entry(key).or_default().extend(entries);
        }
    }
    if on_database.is_some() {
        program.check(&ground.data)?;
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
    report.row("servers at a time", shape.servers as u64);
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

/// One life; what its clients asked and were told.
fn live(
    program: &Program,
    ground: &Ground,
    clock: &Clock,
    (seed, shape): (u64, Shape<'_>),
) -> anyhow::Result<History> {
    let folders = (0..shape.servers).map(|at| match at {
        0 => ground.data.clone(),
        at => ground.folder.join(format!("data-{at}")),
    });
    let servers = folders.map(|data| program.serve(&data, &[]));
    let mut servers = servers.collect::<anyhow::Result<Vec<_>>>()?;
    let addresses: Vec<_> = servers.iter().map(|server| server.address).collect();
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ends = Ends(&end);
        let clients: Vec<_> = (0..CLIENTS)
            .zip((0..shape.servers).cycle())
            .map(|(number, first)| {
                let mut own = addresses.clone();
                own.rotate_left(first);
                let mut client = Caller::new(own, ground, clock, seed + number);
                let end = &end;
                scope.spawn(move || client.run(end).map(|()| client.history))
            })
            .collect();
        std::thread::sleep(shape.life / 2);
        if shape.servers > 1 {
            servers.remove(0).kill()?;
        }
        std::thread::sleep(shape.life / 2);
        for server in servers {
            server.kill()?;
        }
        drop(ends);
        let mut all = History::new();
        for client in clients {
            let history = client.join();
            for (key, entries) in history.map_err(|_| anyhow::anyhow!("a client failed"))?? {
                all.entry(key).or_default().extend(entries);
            }
        }
        Ok(all)
    })
}

struct Caller<'a> {
    client: Client,
    key: &'a str,
    /// Where it asks when the one it asks is gone.
    others: Vec<SocketAddr>,
    place: &'a Place,
    clock: &'a Clock,
    rng: Rng,
    history: History,
    /// What was seen last of a key: id and version.
    seen: BTreeMap<String, (String, u64)>,
}

impl<'a> Caller<'a> {
    /// Asks the first of these.
    fn new(
        mut addresses: Vec<SocketAddr>,
        ground: &'a Ground,
        clock: &'a Clock,
        seed: u64,
    ) -> Self {
        let address = addresses.remove(0);
        Caller {
            client: Client::new(address, &ground.key),
            key: &ground.key,
            others: addresses,
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
                if self.others.is_empty() {
                    break;
                }
                self.client = Client::new(self.others.remove(0), self.key);
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

    #[test]
    fn what_many_clients_are_told_of_a_key_has_one_order_also_across_kills() {
        let life = Duration::from_millis(700);
        let shape = Shape {
            servers: 1,
            life,
            database: None,
        };
        Rounds::tried("histories", (4, 7), |rounds| run(rounds, shape));
    }

    #[cfg_attr(not(has_postgresql), ignore = "this machine has no PostgreSQL")]
    #[test]
    fn what_many_clients_of_several_servers_are_told_of_a_key_has_one_order_also_across_kills() {
        let life = Duration::from_secs(2);
        let shape = Shape {
            servers: 3,
            life,
            database: None,
        };
        Rounds::tried("servers", (3, 11), |rounds| run(rounds, shape));
    }

    #[cfg_attr(not(has_postgresql), ignore = "this machine has no PostgreSQL")]
    #[test]
    fn servers_on_a_database_of_others_are_asked_there_and_leave_their_store() {
        let lent = Database::start().expect("a database");
        let address = lent.address();
        let shape = Shape {
            servers: 2,
            life: Duration::from_secs(1),
            database: Some(&address),
        };
        Rounds::tried("lent", (1, 13), |rounds| run(rounds, shape));
        let program = Program::built().on(address);
        let folder = tempfile::tempdir().expect("a folder");
        program.check(folder.path()).expect("a store that is sound");
    }
}

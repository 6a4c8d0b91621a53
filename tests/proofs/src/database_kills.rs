//! Kills of servers that share a database, and of the database itself, at random moments under load: clients ask both servers,
//! whichever is left goes on, and what all of them show afterwards is compared with what the clients were told.

use crate::database::Database;
use crate::ground::Ground;
use crate::ledger::{Clock, EVER};
use crate::program::{Program, Server};
use crate::report::Report;
use crate::rounds::Rounds;
use crate::verify::verify;
use crate::writers::{Ledger, Told};
use anyhow::{Context as _, anyhow, ensure};
use fastrand::Rng;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Clients that write, half of them by each server.
const WRITERS: usize = 8;
const SERVERS: usize = 2;
/// Moments of a kill after the load began, in milliseconds, and for how long the load goes on by who is left.
const KILL_AFTER: std::ops::Range<u64> = 1..400;
const GO_ON: std::ops::Range<u64> = 50..400;
/// A fresh database each so many rounds.
const ROUNDS_OF_STORE: u64 = 50;
/// How long all may take to heal.
const HEALED_MAX: Duration = Duration::from_secs(90);
const LOOK: Duration = Duration::from_millis(50);

/// What is killed in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Database,
    Server(usize),
    Servers,
    DatabaseAndServer(usize),
}

impl Victim {
    fn any(rng: &mut Rng) -> Self {
        let which = rng.usize(..SERVERS);
        match rng.u32(..10) {
            0..4 => Victim::Database,
            4..8 => Victim::Server(which),
            8 => Victim::Servers,
            _ => Victim::DatabaseAndServer(which),
        }
    }

    fn has_database(self) -> bool {
        matches!(self, Victim::Database | Victim::DatabaseAndServer(_))
    }

    fn has_server(self, number: usize) -> bool {
        match self {
            Victim::Database => false,
            Victim::Servers => true,
            Victim::Server(which) | Victim::DatabaseAndServer(which) => which == number,
        }
    }
}

/// What all rounds did.
#[derive(Default)]
struct Sum {
    told: Told,
    databases: u64,
    servers: u64,
    records: u64,
}

/// Kills so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    rounds.each_store(ROUNDS_OF_STORE, |folder, count| {
        let database = Database::start()?;
        let program = rounds.program.on(database.address());
        let mut store = Store::make(&program, &database, folder, rng.fork())?;
        for round in 0..count {
            let victim = Victim::any(&mut store.rng);
            let done = store.round(victim, &mut sum);
            done.with_context(|| format!("round {round} on its store, {victim:?}"))?;
        }
        Ok(count)
    })?;
    let acknowledged = sum.told.acknowledged;
    ensure!(
        acknowledged > rounds.count,
        "the clients wrote: {acknowledged}"
    );
    let mut report = rounds.report("kills of servers and their database");
    report.row("rounds", rounds.count);
    report.row("kills of the database", sum.databases);
    report.row("kills of a server", sum.servers);
    report.writes(sum.told, "writes refused, none there", "nobody knows of");
    report.row("look-ups and searches between", sum.told.reads);
    report.row("records compared", sum.records);
    Ok(report)
}

struct Store<'p> {
    program: &'p Program,
    database: &'p Database,
    ground: Ground,
    ledger: Ledger,
    servers: Vec<Option<Server>>,
    rng: Rng,
}

impl<'p> Store<'p> {
    fn make(
        program: &'p Program,
        database: &'p Database,
        folder: &Path,
        rng: Rng,
    ) -> anyhow::Result<Self> {
        Ok(Store {
            program,
            database,
            ground: Ground::make(program, folder)?,
            ledger: Ledger::new(Clock::default(), WRITERS),
            servers: (0..SERVERS).map(|_| None).collect(),
            rng,
        })
    }

    /// The addresses of all servers, those that are not there started.
    fn serve(&mut self) -> anyhow::Result<Vec<SocketAddr>> {
        let mut addresses = Vec::new();
        for number in 0..SERVERS {
            let server = match self.servers[number].take() {
                Some(server) => server,
                None => self.program.serve(&self.data(number), &[])?,
            };
            addresses.push(server.address);
            self.servers[number] = Some(server);
        }
        Ok(addresses)
    }

    fn data(&self, number: usize) -> PathBuf {
        match number {
            0 => self.ground.data.clone(),
            number => self.ground.folder.join(format!("data-{number}")),
        }
    }

    /// Load, a kill, what heals by itself and what an operator starts again, and the comparison.
    fn round(&mut self, victim: Victim, sum: &mut Sum) -> anyhow::Result<()> {
        let addresses = self.serve()?;
        let told = self.load_and_kill(victim, &addresses)?;
        sum.told.add(told);
        sum.databases += u64::from(victim.has_database());
        sum.servers += (0..SERVERS).filter(|it| victim.has_server(*it)).count() as u64;
        let addresses = self.serve()?;
        for address in &addresses {
            heal(*address, &self.ground.key)?;
        }
        // whichever is asked shows the same
        let asked = self.rng.usize(..SERVERS);
        let mut client = crate::http::Client::new(addresses[asked], &self.ground.key);
        let (place, rng) = (self.ground.load(), &mut self.rng);
        let verified = verify(&mut client, place, &self.ledger, EVER, rng)?;
        sum.records += verified.records;
        self.ledger.settle(&verified.open);
        self.program.check(&self.ground.data)
    }

    /// What was told until the load ended, some time behind the kill.
    fn load_and_kill(&mut self, victim: Victim, asked: &[SocketAddr]) -> anyhow::Result<Told> {
        let Store {
            database,
            ground,
            ledger,
            servers,
            rng,
            ..
        } = self;
        let ground: &Ground = ground;
        let [before, behind] = [KILL_AFTER, GO_ON].map(|it| Duration::from_millis(rng.u64(it)));
        let seed = rng.u64(..) >> 8;
        let end = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writers =
                scope.spawn(|| ledger.write(asked, &ground.key, ground.load(), seed, &end));
            std::thread::sleep(before);
            let killed = kill(victim, database, servers);
            std::thread::sleep(behind);
            end.store(true, Ordering::Relaxed);
            let told = writers.join().map_err(|_| anyhow!("a client failed"))?;
            killed?;
            told
        })
    }
}

/// Kills, and starts the database again, as whoever watches it does.
fn kill(victim: Victim, database: &Database, servers: &mut [Option<Server>]) -> anyhow::Result<()> {
    if victim.has_database() {
        database.kill()?;
    }
    for (number, server) in servers.iter_mut().enumerate() {
        if victim.has_server(number)
            && let Some(server) = server.take()
        {
            server.kill()?;
        }
    }
    if victim.has_database() {
        database.start_again()?;
    }
    Ok(())
}

/// Waits until a server takes writes, by itself.
fn heal(address: SocketAddr, key: &str) -> anyhow::Result<()> {
    let began = Instant::now();
    let mut client = crate::http::Client::new(address, key);
    loop {
        let answer = client.ask("GET", "/readyz", "")?;
        if answer.status == 200 {
            return Ok(());
        }
        ensure!(
            began.elapsed() < HEALED_MAX,
            "it does not heal: {} {}",
            answer.status,
            answer.text()
        );
        std::thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(not(has_postgresql), ignore = "this machine has no PostgreSQL")]
    #[test]
    fn servers_and_their_database_that_are_killed_keep_what_they_acknowledged() {
        let program = Program::find(None).unwrap();
        let folder = std::env::temp_dir().join(format!("database-kills-{}", std::process::id()));
        let rounds = Rounds {
            program: &program,
            folder: &folder,
            count: 4,
            seed: 3,
            began: Instant::now(),
        };
        println!("{}", run(&rounds).unwrap());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

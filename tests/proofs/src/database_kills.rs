//! Kills of servers that share a database, of the database itself and of one of its sessions, at random moments under load:
//! clients ask both servers, whichever is left goes on, and what all of them show afterwards is compared with what the clients
//! were told.

use crate::database::Database;
use crate::deployment::{Deployment, SERVERS};
use crate::program::Server;
use crate::report::Report;
use crate::rounds::{Deck, Rounds};
use crate::writer::Told;
use anyhow::{Context as _, ensure};
use std::ops::Range;
use std::thread::sleep;
use std::time::Duration;

/// Moments of a kill after the load began, in milliseconds, and for how long the load goes on by who is left.
const KILL_AFTER: Range<u64> = 1..400;
const GO_ON: Range<u64> = 50..400;
/// A fresh database each so many rounds.
const ROUNDS_OF_STORE: u64 = 50;

/// What is killed in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Database,
    /// One process of it, behind which it ends all others and recovers by itself.
    Session,
    Server(usize),
    Servers,
    DatabaseAndServer(usize),
}

impl Victim {
    const ALL: [Victim; 7] = [
        Victim::Database,
        Victim::Session,
        Victim::Server(0),
        Victim::Server(1),
        Victim::Servers,
        Victim::DatabaseAndServer(0),
        Victim::DatabaseAndServer(1),
    ];

    fn has_database(self) -> bool {
        matches!(self, Victim::Database | Victim::DatabaseAndServer(_))
    }

    fn has_server(self, number: usize) -> bool {
        match self {
            Victim::Database | Victim::Session => false,
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
    sessions: u64,
    servers: u64,
    records: u64,
}

/// Kills so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    let mut victims = Deck::of(Victim::ALL);
    rounds.each_store(ROUNDS_OF_STORE, |folder, count| {
        let database = Database::start()?;
        let program = rounds.program.on(database.address());
        let programs = [program.clone(), program];
        let mut deployment = Deployment::make(programs, folder, &[], rng.fork())?;
        for round in 0..count {
            let victim = victims.draw(&mut rng).context("a victim")?;
            let done = load_and_kill(victim, &database, &mut deployment, &mut sum);
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
    report.row("kills of one of its sessions", sum.sessions);
    report.row("kills of a server", sum.servers);
    report.writes(sum.told, "writes refused, none there", "nobody knows of");
    report.row("look-ups and searches between", sum.told.reads);
    report.row("records compared", sum.records);
    Ok(report)
}

/// Load, a kill, what heals by itself and what an operator starts again, and the comparison.
fn load_and_kill(
    victim: Victim,
    database: &Database,
    deployment: &mut Deployment,
    sum: &mut Sum,
) -> anyhow::Result<()> {
    let rng = &mut deployment.rng;
    let [before, behind] = [KILL_AFTER, GO_ON].map(|it| Duration::from_millis(rng.u64(it)));
    let has_none = sum.told.acknowledged == 0;
    let told = deployment.load(|load| {
        // a slow machine has answered nobody by then: before the first kill all of them have written
        if has_none {
            load.wait_for_writes()?;
        }
        sleep(before);
        kill(victim, database, load.servers)?;
        sleep(behind);
        Ok(())
    })?;
    sum.told.add(told);
    sum.databases += u64::from(victim.has_database());
    sum.sessions += u64::from(victim == Victim::Session);
    sum.servers += (0..SERVERS).filter(|it| victim.has_server(*it)).count() as u64;
    sum.records += deployment.compare()?;
    Ok(())
}

/// Kills, and starts the database again, as whoever watches it does.
fn kill(victim: Victim, database: &Database, servers: &mut [Option<Server>]) -> anyhow::Result<()> {
    if victim == Victim::Session {
        database.kill_session()?;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(not(has_postgresql), ignore = "this machine has no PostgreSQL")]
    #[test]
    fn servers_and_their_database_that_are_killed_keep_what_they_acknowledged() {
        let each_once = Victim::ALL.len() as u64;
        Rounds::tried("database-kills", (each_once, 3), run);
    }
}

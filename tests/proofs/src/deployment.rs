//! Servers that share a store in a database, and a load by all of them while something befalls the servers, their database or
//! the way between: what proofs of a database have in common.

use crate::ends::Ends;
use crate::ground::Ground;
use crate::http::Client;
use crate::ledger::{Clock, EVER};
use crate::program::{Program, Server};
use crate::progress::Progress;
use crate::verify::verify;
use crate::writer::Told;
use crate::writers::Ledger;
use anyhow::{anyhow, ensure};
use fastrand::Rng;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) const SERVERS: usize = 2;
/// Clients that write, as many of them by each server.
const WRITERS: usize = 8;
/// How long all may take to heal.
const HEALED_MAX: Duration = Duration::from_secs(90);
const LOOK: Duration = Duration::from_millis(50);

/// The servers, and what their clients know.
pub(crate) struct Deployment {
    /// The program, as each server reaches the database.
    programs: [Program; SERVERS],
    arguments: Vec<OsString>,
    ground: Ground,
    ledger: Ledger,
    servers: [Option<Server>; SERVERS],
    pub(crate) rng: Rng,
}

impl Deployment {
    /// A fresh store in an empty database. Servers, which are started when they are asked for, are told these arguments.
    pub(crate) fn make(
        programs: [Program; SERVERS],
        folder: &Path,
        arguments: &[&str],
        rng: Rng,
    ) -> anyhow::Result<Self> {
        let ground = Ground::make(&programs[0], folder)?;
        Ok(Deployment {
            programs,
            arguments: arguments.iter().copied().map(OsString::from).collect(),
            ground,
            ledger: Ledger::new(Clock::default(), WRITERS),
            servers: std::array::from_fn(|_| None),
            rng,
        })
    }

    /// What clients were told of their requests while, and until, something befell what they ask.
    pub(crate) fn load(
        &mut self,
        befalls: impl FnOnce(&mut Load<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Told> {
        let addresses = self.serve()?;
        let seed = self.rng.u64(..) >> 8;
        let Deployment {
            ground,
            ledger,
            servers,
            ..
        } = self;
        let ground: &Ground = ground;
        let mut load = Load {
            servers,
            addresses: &addresses,
            ground,
            clock: ledger.clock.clone(),
            progress: ledger.progress.clone(),
        };
        let end = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let ends = Ends(&end);
            let writers =
                scope.spawn(|| ledger.write(&addresses, &ground.key, ground.load(), seed, &end));
            let befell = befalls(&mut load);
            drop(ends);
            let told = writers.join().map_err(|_| anyhow!("a client failed"))?;
            // what a client met is why it was waited for in vain
            let told = told?;
            befell?;
            Ok(told)
        })
    }

    /// Starts the servers that were ended, waits until all heal, and fails unless one of them shows what clients were told; how
    /// many records it shows.
    pub(crate) fn compare(&mut self) -> anyhow::Result<u64> {
        let addresses = self.serve()?;
        heal(&addresses, &self.ground)?;
        // whichever is asked shows the same
        let asked = self.rng.usize(..SERVERS);
        let mut client = Client::new(addresses[asked], &self.ground.key);
        let (place, rng) = (self.ground.load(), &mut self.rng);
        let verified = verify(&mut client, place, &self.ledger, EVER, rng)?;
        self.ledger.settle(&verified.open);
        self.programs[0].check(&self.ground.data)?;
        Ok(verified.records)
    }

    /// The addresses of all servers, those that are not there started.
    fn serve(&mut self) -> anyhow::Result<Vec<SocketAddr>> {
        let mut addresses = Vec::new();
        for number in 0..SERVERS {
            let server = match self.servers[number].take() {
                Some(server) => server,
                None => self.programs[number].serve(&self.data(number), &self.arguments)?,
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
}

/// What is under load.
pub(crate) struct Load<'l> {
    pub(crate) servers: &'l mut [Option<Server>; SERVERS],
    addresses: &'l [SocketAddr],
    ground: &'l Ground,
    clock: Clock,
    progress: Progress,
}

impl Load<'_> {
    /// Waits until all servers take writes, by themselves.
    pub(crate) fn heal(&self) -> anyhow::Result<()> {
        heal(self.addresses, self.ground)
    }

    /// Waits until each client was answered, whatever it was, what it asked from now on.
    pub(crate) fn wait_for_answers(&self, most: Duration) -> anyhow::Result<()> {
        self.wait(Progress::all_answered, most, "a client is not answered")
    }

    /// Waits until of each client a write was acknowledged that it sent from now on.
    pub(crate) fn wait_for_writes(&self) -> anyhow::Result<()> {
        self.wait(Progress::all_wrote, HEALED_MAX, "a client does not write")
    }

    fn wait(
        &self,
        is_so: fn(&Progress, u64) -> bool,
        most: Duration,
        otherwise: &str,
    ) -> anyhow::Result<()> {
        let (now, began) = (self.clock.tick(), Instant::now());
        while !is_so(&self.progress, now) {
            ensure!(began.elapsed() < most, "{otherwise} within {most:?}");
            sleep(LOOK);
        }
        Ok(())
    }
}

/// Waits until servers take writes, by themselves.
fn heal(addresses: &[SocketAddr], ground: &Ground) -> anyhow::Result<()> {
    let page = format!("{}?pageSize=1", ground.load().records);
    let began = Instant::now();
    for address in addresses {
        let mut client = Client::new(*address, &ground.key);
        // readiness is told as it was up to five seconds ago, and a page as the database has it now
        for path in ["/readyz", &*page] {
            wait_until_done(&mut client, path, began)?;
        }
    }
    Ok(())
}

/// Waits until a server answers with what it is asked for.
fn wait_until_done(client: &mut Client, path: &str, began: Instant) -> anyhow::Result<()> {
    loop {
        let answer = client.ask("GET", path, "")?;
        if answer.status == 200 {
            return Ok(());
        }
        ensure!(
            began.elapsed() < HEALED_MAX,
            "it does not heal: {path}: {} {}",
            answer.status,
            answer.text()
        );
        sleep(LOOK);
    }
}

//! A PostgreSQL for a proof, with an empty database: one that is started for it, durable, and ends with it. Scripts that start
//! servers on a database borrow it.

use crate::cluster::{Cluster, programs};
use anyhow::{Context as _, anyhow, ensure};
use std::io::{Write as _, copy, sink, stdin, stdout};
use std::time::{Duration, Instant};

const NAME: &str = "proof";
const SETTINGS: &str = "-c max_connections=200";
/// How long it may take to start behind a crash.
const STARTED_MAX: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(100);

pub(crate) struct Database(Cluster);

impl Database {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let programs = programs().context("there is no PostgreSQL here; install Debian's")?;
        let cluster = Cluster::start_with(&programs, SETTINGS).map_err(|why| anyhow!(why))?;
        let made = cluster.run(&format!("CREATE DATABASE {NAME};"));
        made.map_err(|why| anyhow!(why))?;
        Ok(Database(cluster))
    }

    /// Kills it as a crash does: nobody has written anything down.
    pub(crate) fn kill(&self) -> anyhow::Result<()> {
        self.0.kill().map_err(|why| anyhow!(why))
    }

    /// Starts it again, which may have to wait until what is left of the killed one is gone.
    pub(crate) fn start_again(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        while let Err(why) = self.0.start_again(SETTINGS) {
            ensure!(began.elapsed() < STARTED_MAX, "it does not start: {why}");
            std::thread::sleep(LOOK);
        }
        Ok(())
    }

    /// What opens it.
    pub(crate) fn address(&self) -> String {
        self.0.address(NAME)
    }
}

/// Lends one to whoever started this, who reads its address here: until standard input ends, as it does with that process.
pub(crate) fn lend() -> anyhow::Result<()> {
    let database = Database::start()?;
    writeln!(stdout(), "{}", database.address())?;
    copy(&mut stdin(), &mut sink())?;
    Ok(())
}

//! A PostgreSQL for a proof, with an empty database: one that is started for it, durable, and ends with it. Scripts that start
//! servers on a database borrow it.

use crate::cluster::{Cluster, programs};
use anyhow::{Context as _, anyhow};
use std::io::{Write as _, copy, sink, stdin, stdout};
use std::path::Path;

/// What the database is called.
pub(crate) const NAME: &str = "proof";
/// As many sessions as those of the suites on a cluster of their own: each of their stories has a server, on many cores at once.
pub(crate) const SETTINGS: &str = "-c max_connections=900";

/// How the program calls itself to its database.
const PROGRAM: &str = "fieldstone";

pub(crate) struct Database(Cluster);

impl Database {
    pub(crate) fn start() -> anyhow::Result<Self> {
        Ok(Database(start_with(SETTINGS)?))
    }

    /// Kills it as a crash does: nobody has written anything down.
    pub(crate) fn kill(&self) -> anyhow::Result<()> {
        self.0.kill().map_err(|why| anyhow!(why))
    }

    /// Kills one session of the program's, behind which it recovers by itself.
    pub(crate) fn kill_session(&self) -> anyhow::Result<()> {
        let killed = self.0.kill_session(PROGRAM);
        killed.map_err(|why| anyhow!(why))
    }

    /// Starts it again.
    pub(crate) fn start_again(&self) -> anyhow::Result<()> {
        let started = self.0.start_again(SETTINGS);
        started.map_err(|why| anyhow!(why))
    }

    /// What opens it.
    pub(crate) fn address(&self) -> String {
        self.0.address(NAME)
    }

    /// Where its socket is.
    pub(crate) fn folder(&self) -> &Path {
        self.0.folder()
    }
}

/// A cluster with an empty database.
pub(crate) fn start_with(settings: &str) -> anyhow::Result<Cluster> {
    let programs = programs().context("there is no PostgreSQL here; install Debian's")?;
    let cluster = Cluster::start_on_disk(&programs, settings).map_err(|why| anyhow!(why))?;
    let made = cluster.run(&format!("CREATE DATABASE {NAME};"));
    made.map_err(|why| anyhow!(why))?;
    Ok(cluster)
}

/// Lends one to whoever started this, who reads its address here: until standard input ends, as it does with that process.
pub(crate) fn lend() -> anyhow::Result<()> {
    let database = Database::start()?;
    writeln!(stdout(), "{}", database.address())?;
    copy(&mut stdin(), &mut sink())?;
    Ok(())
}

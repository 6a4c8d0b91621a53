//! A PostgreSQL for a proof, with an empty database: one that is started for it, durable, and ends with it.

use crate::cluster::{Cluster, programs};
use anyhow::{Context as _, anyhow};

const NAME: &str = "proof";
const SETTINGS: &str = "-c max_connections=200";

pub(crate) struct Database(Cluster);

impl Database {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let programs = programs().context("there is no PostgreSQL here; install Debian's")?;
        let cluster = Cluster::start_with(&programs, SETTINGS).map_err(|why| anyhow!(why))?;
        let made = cluster.run(&format!("CREATE DATABASE {NAME};"));
        made.map_err(|why| anyhow!(why))?;
        Ok(Database(cluster))
    }

    /// What opens it.
    pub(crate) fn address(&self) -> String {
        self.0.address(NAME)
    }
}

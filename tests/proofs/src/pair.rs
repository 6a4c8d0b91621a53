//! Two clusters on one machine, of which one takes writes and the other one follows, answers for each commit, and takes its place
//! when it is killed.

use crate::cluster::Cluster;
use crate::database::{self, NAME, SETTINGS};
use crate::replication::{HINTS, give_up_standby, keep_for_rewind, wait_for_standby};
use anyhow::anyhow;

pub(crate) struct Pair {
    /// The one that takes writes.
    first: Cluster,
    second: Cluster,
}

impl Pair {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let first = database::start_with(&settings())?;
        let begun = keep_for_rewind(&first).and_then(|()| first.start_standby(&settings()));
        let second = begun.map_err(|why| anyhow!(why))?;
        wait_for_standby(&first).map_err(|why| anyhow!(why))?;
        Ok(Pair { first, second })
    }

    /// What opens the database on whichever takes writes.
    pub(crate) fn address(&self) -> String {
        let [first, second] = [&self.first, &self.second].map(|it| it.folder().display());
        format!("host={first},{second} user=postgres dbname={NAME}")
    }

    /// Kills the one that takes writes, and has the other one take them, as who watches both does.
    pub(crate) fn fail_over(&mut self) -> anyhow::Result<()> {
        let failed_over = self.first.kill();
        let failed_over = failed_over.and_then(|()| self.second.promote());
        // it may have been told so when it took writes itself
        let failed_over = failed_over.and_then(|()| give_up_standby(&self.second));
        failed_over.map_err(|why| anyhow!(why))?;
        std::mem::swap(&mut self.first, &mut self.second);
        Ok(())
    }

    /// Has the one that was killed follow the other one, without what it alone had, and answer for its commits.
    pub(crate) fn follow(&self) -> anyhow::Result<()> {
        let follows = self.second.follow(&self.first, &settings());
        let answers = follows.and_then(|()| wait_for_standby(&self.first));
        answers.map_err(|why| anyhow!(why))
    }
}

fn settings() -> String {
    format!("{SETTINGS} {HINTS}")
}

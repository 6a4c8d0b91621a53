//! What a proof was asked for: how many rounds, by which chance and where. Rounds are done on fresh stores, so many on each.

use crate::program::Program;
use crate::report::Report;
use anyhow::Context as _;
use fastrand::Rng;
use std::path::Path;
use std::time::Instant;

/// The rounds of one proof.
pub(crate) struct Rounds<'p> {
    pub(crate) program: &'p Program,
    pub(crate) folder: &'p Path,
    pub(crate) count: u64,
    pub(crate) seed: u64,
    pub(crate) began: Instant,
}

impl Rounds<'_> {
    /// Where chance begins.
    pub(crate) fn rng(&self) -> Rng {
        Rng::with_seed(self.seed)
    }

    /// Does all rounds, so many at most on a store. `on_store` gets a folder of its own, which is removed behind it, and how
    /// many are to be done there; it says how many were.
    pub(crate) fn each_store(
        &self,
        most: u64,
        mut on_store: impl FnMut(&Path, u64) -> anyhow::Result<u64>,
    ) -> anyhow::Result<()> {
        let mut done = 0;
        while done < self.count {
            let folder = self.folder.join(format!("store-{done}"));
            std::fs::create_dir_all(&folder)?;
            done += on_store(&folder, most.min(self.count - done)).with_context(|| {
                let seed = self.seed;
                format!(
                    "a round from {done} on, seed {seed}, in {}",
                    folder.display()
                )
            })?;
            std::fs::remove_dir_all(&folder)?;
            eprintln!("{done} rounds in {} s", self.began.elapsed().as_secs());
        }
        Ok(())
    }

    /// An empty report of what they took.
    pub(crate) fn report(&self, name: &'static str) -> Report {
        Report::new(name, self.began.elapsed())
    }
}

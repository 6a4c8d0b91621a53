//! What a proof was asked for: how many rounds, by which chance and where. Rounds are done on fresh stores, so many on each;
//! what a round is about comes by chance, and all of it before any of it again.

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

impl<'p> Rounds<'p> {
    /// So many, from now on.
    pub(crate) fn begin(program: &'p Program, folder: &'p Path, (count, seed): (u64, u64)) -> Self {
        Rounds {
            program,
            folder,
            count,
            seed,
            began: Instant::now(),
        }
    }

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

#[cfg(test)]
impl Rounds<'_> {
    /// Has a test do so many, by a chance of its own, in a folder that is gone when they held; what they tell is printed.
    pub(crate) fn tried(
        name: &str,
        count_and_seed: (u64, u64),
        run: impl FnOnce(&Rounds<'_>) -> anyhow::Result<Report>,
    ) {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let rounds = Rounds::begin(Program::built(), &folder, count_and_seed);
        println!("{}", run(&rounds).expect("they hold"));
        // one whose rounds are done on one store has removed it
        if folder.exists() {
            std::fs::remove_dir_all(&folder).expect("it goes");
        }
    }
}

/// Things that come in a random order, each once before one comes again.
pub(crate) struct Deck<T> {
    all: Vec<T>,
    left: Vec<T>,
}

impl<T: Clone> Deck<T> {
    pub(crate) fn of(all: impl Into<Vec<T>>) -> Self {
        Deck {
            all: all.into(),
            left: Vec::new(),
        }
    }

    /// The next one, if it has any.
    pub(crate) fn draw(&mut self, rng: &mut Rng) -> Option<T> {
        if self.left.is_empty() {
            self.left.clone_from(&self.all);
            rng.shuffle(&mut self.left);
        }
        self.left.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_has_each_once_before_one_comes_again() {
        let (mut deck, mut rng) = (Deck::of([1, 2, 3]), Rng::with_seed(1));
        for _ in 0..3 {
            let mut drawn: Vec<_> = (0..3).filter_map(|_| deck.draw(&mut rng)).collect();
            drawn.sort_unstable();
            assert_eq!(drawn, [1, 2, 3]);
        }
    }
}

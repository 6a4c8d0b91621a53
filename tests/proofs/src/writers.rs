//! The load: clients that create, update, delete, look up and search, each on keys of its own, until the server is gone or
//! they are told to end. Whatever they are told goes into the ledger.

use crate::ground::{Ground, Place};
use crate::http::Client;
use crate::ledger::{Clock, State, Stories, Story};
use crate::progress::Progress;
use crate::writer::{Shared, Told, Writer};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The stories of all writers, and what they share.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) clock: Clock,
    pub(crate) stories: Vec<Stories>,
    /// How far each writer has come.
    pub(crate) progress: Progress,
    /// That of the next write: each has its own.
    numbers: AtomicU64,
    /// Whether the load searches: while an index can't be written, searches find what is in it.
    pub(crate) searches: bool,
    /// Whether the disk fails or is full, which may be answered with 500. Nothing else may.
    pub(crate) disk_fails: bool,
}

impl Ledger {
    pub(crate) fn new(clock: Clock, writers: usize) -> Self {
        Ledger {
            clock,
            stories: vec![Stories::new(); writers],
            progress: Progress::of(writers),
            numbers: AtomicU64::new(1),
            searches: true,
            disk_fails: false,
        }
    }

    /// Lets all writers work on the load's dataset for so long, or until the server is gone.
    pub(crate) fn write_for(
        &mut self,
        time: Duration,
        address: SocketAddr,
        ground: &Ground,
        seed: u64,
    ) -> anyhow::Result<Told> {
        let end = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writers =
                scope.spawn(|| self.write(&[address], &ground.key, ground.load(), seed, &end));
            std::thread::sleep(time);
            end.store(true, Ordering::Relaxed);
            writers
                .join()
                .map_err(|_| anyhow::anyhow!("a client failed"))?
        })
    }

    /// Lets all writers work until `end` is set or their server is gone; servers have as many of them each.
    pub(crate) fn write(
        &mut self,
        addresses: &[SocketAddr],
        key: &str,
        place: &Place,
        seed: u64,
        end: &AtomicBool,
    ) -> anyhow::Result<Told> {
        let Ledger {
            clock,
            stories,
            progress,
            numbers,
            searches,
            disk_fails,
        } = self;
        let shared = Shared {
            place,
            clock,
            numbers,
            searches: *searches,
            disk_fails: *disk_fails,
        };
        let steps = progress.each();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (seed..)
                .zip(stories)
                .zip(steps)
                .zip(addresses.iter().cycle())
                .map(|(((seed, stories), steps), address)| {
                    let client = Client::new(*address, key);
                    let writer = Writer::new(shared, client, seed, (stories, steps));
                    scope.spawn(move || writer.run(end))
                })
                .collect();
            let mut all = Told::default();
            for thread in threads {
                let told = thread
                    .join()
                    .map_err(|_| anyhow::anyhow!("a client failed"))?;
                all.add(told?);
            }
            Ok(all)
        })
    }
}

impl Ledger {
    /// Notes what became of the writes that nobody was told of.
    pub(crate) fn settle(&mut self, open: &[(String, State)]) {
        let now = self.clock.tick();
        for stories in &mut self.stories {
            for (key, state) in open {
                if let Some(story) = stories.get_mut(key) {
                    story.settle(now, state.clone());
                }
            }
        }
    }
}

/// The stories of all writers as one.
pub(crate) fn all(ledger: &Ledger) -> impl Iterator<Item = (&String, &Story)> {
    ledger.stories.iter().flatten()
}

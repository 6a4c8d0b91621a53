//! The database's clock, by which limits are counted that servers share: one whose own clock is ahead would find all of it back,
//! and leave those whose clocks are not with nothing. It is asked now and then how far apart both are, and what passes between is
//! by the server's own.

use crate::connections::Connections;
use crate::error::Failure;
use parking_lot::Mutex;
use std::time::{Duration, Instant};
use wire::Timestamp;

const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// How long a difference counts: a server's clock may be put right.
const LEARN_EACH: Duration = Duration::from_secs(300);
/// An answer that took longer says too little of when it was given to be remembered.
const SURE_WITHIN: Duration = Duration::from_millis(200);

/// How far the database's clock is from this server's.
#[derive(Default)]
pub(crate) struct DatabaseClock(Mutex<Option<Difference>>);

#[derive(Clone, Copy)]
struct Difference {
    micros: i64,
    learned: Instant,
}

impl DatabaseClock {
    /// What it shows, in microseconds, while the server's shows this.
    pub(crate) async fn micros(
        &self,
        connections: &Connections,
        at: Timestamp,
    ) -> Result<i64, Failure> {
        let own = at.millis().saturating_mul(1000);
        let known = *self.0.lock();
        let known = known.filter(|known| known.learned.elapsed() < LEARN_EACH);
        let micros = match known {
            Some(known) => known.micros,
            None => self.learn(connections, own).await?,
        };
        Ok(own.saturating_add(micros))
    }

    /// Asks for the difference from what the server's clock shows now.
    async fn learn(&self, connections: &Connections, own: i64) -> Result<i64, Failure> {
        let asked = Instant::now();
        let row = connections.read_one(NOW, &[]).await?;
        let took = asked.elapsed();
        let passed = i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
        let now = own.saturating_add(passed);
        let shown = row.map_or(now, |row| row.get(0));
        let micros = shown.saturating_sub(now);
        if took <= SURE_WITHIN {
            let learned = Instant::now();
            *self.0.lock() = Some(Difference { micros, learned });
        }
        Ok(micros)
    }
}

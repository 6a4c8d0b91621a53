//! Which host is the primary. An old primary that was started again takes writes, too, but on a lower timeline of the write-ahead
//! log than the standby that was promoted in its place: no session with it is used. The highest timeline is noted in the database,
//! also in that of the old primary, so that every server learns it. It promotes nothing and stops nobody.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, SimpleQueryMessage};

// a checkpoint may show the timeline of before, right after a promotion; the name of the file that is written now does not
const FACTS: &str = "SELECT system_identifier, current_setting('transaction_read_only'),
     extract(epoch FROM pg_postmaster_start_time()),
     CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END
   FROM pg_control_system()";
const NOTED: &str = "SELECT value FROM counters WHERE name = $1";
// an old primary may wait for a standby that is gone, and a move holds the rows of counters
const BEGIN_NOTE: &str =
    "BEGIN; SET LOCAL synchronous_commit = local; SET LOCAL lock_timeout = '1s'";
const NOTE: &str = "INSERT INTO counters (name, value) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE counters.value < excluded.value";
/// The timeline of a cluster that no standby was promoted in.
const FIRST: i64 = 1;

/// The row of a cluster among the counters.
fn noted_name(system: i64) -> String {
    format!("timeline:{system}")
}

/// What a session shows of its host.
#[derive(Clone, Debug)]
pub(crate) struct HostFacts {
    /// The cluster: timelines of two clusters are not comparable.
    system: i64,
    /// When the host was started: two names of one host show the same.
    started: String,
    /// The timeline that it writes; a standby writes none.
    timeline: Option<i64>,
    /// Whether it takes writes.
    pub(crate) takes_writes: bool,
    /// The highest timeline that its database has a note of.
    noted: i64,
}

/// A host that takes writes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Writer {
    name: String,
    system: i64,
    started: String,
    timeline: i64,
}

#[derive(Default)]
struct Known {
    /// Whether the database refuses to show its timeline.
    hides_timeline: bool,
    /// The highest timeline of each cluster.
    highest: BTreeMap<i64, i64>,
    /// When the highest timeline rose last: sessions of before may be with an old primary.
    risen: Option<Instant>,
    /// The timeline of the old primary that the log has been told of.
    refused: Option<i64>,
    /// Hosts that take writes, by the last look at all of them.
    writers: Vec<Writer>,
}

/// What a store knows of its hosts.
#[derive(Clone)]
pub(crate) struct Primary {
    hosts: Arc<str>,
    known: Arc<Mutex<Known>>,
}

impl Primary {
    /// Of these hosts.
    pub(crate) fn of(hosts: &str) -> Self {
        Primary {
            hosts: hosts.into(),
            known: Arc::default(),
        }
    }

    /// Looks at the host of a session, and notes what others should know; none where the database does not show its timeline.
    pub(crate) async fn look(&self, client: &Client) -> Result<Option<HostFacts>, Error> {
        if self.known.lock().hides_timeline {
            return Ok(None);
        }
        let told = match client.simple_query(FACTS).await {
            Ok(told) => told,
            Err(error) => return self.unknown(error),
        };
        let Some(mut facts) = told.iter().find_map(facts_of) else {
            return Ok(None);
        };
        facts.noted = noted(client, facts.system).await?;
        let highest = self.learn(&facts);
        if facts.takes_writes && facts.noted < highest && highest > FIRST {
            note(client, facts.system, highest).await?;
        }
        Ok(Some(facts))
    }

    /// Refuses the session of an old primary; why.
    pub(crate) fn require(&self, facts: &HostFacts) -> Result<(), String> {
        let Some(timeline) = facts.timeline else {
            return Ok(());
        };
        let mut known = self.known.lock();
        let highest = known.highest_of(facts.system);
        if timeline < highest {
            let why = self.refusal(&known, facts, highest);
            if known.refused.replace(timeline) != Some(timeline) {
                tracing::error!(timeline, highest, "{why}");
            }
            return Err(why);
        }
        known.refused = None;
        if known.is_tied() {
            return Err(several(&known));
        }
        Ok(())
    }

    fn refusal(&self, known: &Known, facts: &HostFacts, highest: i64) -> String {
        let timeline = facts.timeline.unwrap_or_default();
        let named = known.writers.iter().find(|it| it.started == facts.started);
        let host = named.map_or(&*self.hosts, |it| &it.name);
        format!(
            "the database at {host} is an old primary that was started again: it takes writes on timeline {timeline}, and a standby was \
             promoted to timeline {highest}; nothing is asked of it; stop it, and make it a standby"
        )
    }

    /// Whether the host of a session may be the primary.
    pub(crate) fn is_newest(&self, facts: &HostFacts) -> bool {
        facts.timeline == Some(self.known.lock().highest_of(facts.system))
    }

    /// Whether a session was begun before a newer primary was found.
    pub(crate) fn is_outdated(&self, begun: Instant) -> bool {
        self.known.lock().risen.is_some_and(|risen| begun < risen)
    }

    /// Notes what all hosts of the address show.
    pub(crate) fn note_hosts<'f>(&self, hosts: impl Iterator<Item = (&'f str, &'f HostFacts)>) {
        let mut writers: Vec<Writer> = Vec::new();
        for (name, facts) in hosts.filter(|(_, facts)| facts.takes_writes) {
            let is_same = |it: &&Writer| it.system == facts.system && it.started == facts.started;
            if writers.iter().find(is_same).is_none() {
                writers.push(Writer {
                    name: name.to_owned(),
                    system: facts.system,
                    started: facts.started.clone(),
                    timeline: facts.timeline.unwrap_or_default(),
                });
            }
        }
        #[allow(clippy::cast_precision_loss, reason = "there are a few")]
        metrics::gauge!("fieldstone_database_primaries").set(writers.len() as f64);
        let mut known = self.known.lock();
        let before = std::mem::replace(&mut known.writers, writers);
        match (before.len() > 1, known.writers.len() > 1) {
            (_, true) if before != known.writers => tracing::error!("{}", several(&known)),
            (true, false) => tracing::info!("one host of the database takes writes again"),
            _ => {}
        }
    }

    /// Refuses two hosts that take writes; which.
    pub(crate) fn require_one(&self) -> Result<(), String> {
        let known = self.known.lock();
        match known.writers.len() {
            0 | 1 => Ok(()),
            _ => Err(several(&known)),
        }
    }

    /// What a failed look means: a database that does not show its timeline is used all the same.
    fn unknown(&self, error: Error) -> Result<Option<HostFacts>, Error> {
        match error.code() {
            // it is promoted just now
            Some(&SqlState::OBJECT_NOT_IN_PREREQUISITE_STATE) => Ok(None),
            Some(
                &SqlState::UNDEFINED_FUNCTION
                | &SqlState::INSUFFICIENT_PRIVILEGE
                | &SqlState::FEATURE_NOT_SUPPORTED,
            ) => {
                self.known.lock().hides_timeline = true;
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the database does not show its timeline, so an old primary that is started again is not recognized"
                );
                Ok(None)
            }
            _ => Err(error),
        }
    }

    /// Notes the highest timeline; which it is.
    fn learn(&self, facts: &HostFacts) -> i64 {
        let mut known = self.known.lock();
        let before = known.highest_of(facts.system);
        let highest = before.max(facts.noted).max(facts.timeline.unwrap_or(0));
        known.highest.insert(facts.system, highest);
        if before > 0 && highest > before {
            known.risen = Some(Instant::now());
            tracing::info!(before, highest, "the database has a new primary");
        }
        highest
    }
}

impl Known {
    fn highest_of(&self, system: i64) -> i64 {
        self.highest.get(&system).copied().unwrap_or(0)
    }

    /// Whether several hosts write the highest timeline of their cluster, so that none is known to be the right one.
    fn is_tied(&self) -> bool {
        let newest = self.writers.iter();
        let newest = newest.filter(|it| it.timeline == self.highest_of(it.system));
        let mut systems: Vec<i64> = newest.map(|it| it.system).collect();
        let count = systems.len();
        systems.sort_unstable();
        systems.dedup();
        systems.len() < count
    }
}

/// Several hosts take writes: which, and what is done about it.
fn several(known: &Known) -> String {
    let named = known.writers.iter();
    let named = named.map(|it| format!("{} (timeline {})", it.name, it.timeline));
    let named: Vec<_> = named.collect();
    let count = named.len();
    let done = if known.is_tied() {
        "nothing is asked of them, as no timeline is the higher one"
    } else {
        "nothing is asked of the one with the lower timeline, an old primary that was started again"
    };
    format!(
        "{count} hosts of the database take writes: {}; {done}; stop the wrong one, and make it a standby",
        named.join(", ")
    )
}

fn facts_of(message: &SimpleQueryMessage) -> Option<HostFacts> {
    let SimpleQueryMessage::Row(row) = message else {
        return None;
    };
    let timeline = match row.get(3) {
        Some(digits) => Some(i64::from_str_radix(digits, 16).ok()?),
        None => None,
    };
    Some(HostFacts {
        system: row.get(0)?.parse().ok()?,
        takes_writes: timeline.is_some() && row.get(1)? == "off",
        started: row.get(2)?.to_owned(),
        timeline,
        noted: 0,
    })
}

/// The highest timeline that a database has a note of; one without a store has none.
async fn noted(client: &Client, system: i64) -> Result<i64, Error> {
    match client.query(NOTED, &[&noted_name(system)]).await {
        Ok(rows) => Ok(rows.first().map_or(0, |row| row.get(0))),
        Err(error) if error.as_db_error().is_some() && !error.is_closed() => Ok(0),
        Err(error) => Err(error),
    }
}

/// Notes a timeline. Where that fails, each server knows only what it has seen.
async fn note(client: &Client, system: i64, timeline: i64) -> Result<(), Error> {
    let name = noted_name(system);
    let noted = async {
        client.batch_execute(BEGIN_NOTE).await?;
        client.execute(NOTE, &[&name, &timeline]).await?;
        client.batch_execute("COMMIT").await
    };
    if let Err(error) = noted.await {
        tracing::debug!(
            error = &error as &dyn std::error::Error,
            timeline,
            "the timeline can't be noted"
        );
        client.batch_execute("ROLLBACK").await?;
    }
    Ok(())
}

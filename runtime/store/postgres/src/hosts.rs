//! A connection to the primary, where an address names several hosts: all are asked at once, and the one is taken that takes writes
//! on the highest timeline. The driver by itself takes the first one that takes writes, which may be an old primary.

use crate::Inner;
use crate::connector::Connector;
use crate::primary::{HostFacts, Primary};
use crate::session::Beginning;
use deadpool_postgres::Connect;
use parking_lot::Mutex;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, JoinSet};
use tokio_postgres::{Client, Config, Error};

/// How long a host is waited for once another one has answered.
const ANSWER_MAX: Duration = Duration::from_secs(3);
/// How long a host is left alone after that.
const SILENT: Duration = Duration::from_secs(10);
/// How often all hosts are looked at where no session begins.
const LOOK_PAUSE: Duration = Duration::from_secs(10);

type Connected = (Client, JoinHandle<()>);

/// A host of an address.
pub(crate) struct Host {
    /// What the log calls it.
    pub(crate) name: String,
    /// What opens it alone.
    pub(crate) config: Config,
}

/// A host that answered.
struct Answer {
    host: usize,
    connected: Connected,
    facts: HostFacts,
}

/// The hosts of an address.
#[derive(Clone)]
pub(crate) struct Hosts {
    all: Arc<[Host]>,
    /// Since when each host is silent.
    silent: Arc<Mutex<Vec<Option<Instant>>>>,
    connector: Connector,
    session: Arc<Beginning>,
    primary: Primary,
}

impl Hosts {
    pub(crate) fn new(
        hosts: Vec<Host>,
        connector: Connector,
        session: Arc<Beginning>,
        primary: Primary,
    ) -> Self {
        Hosts {
            silent: Arc::new(Mutex::new(vec![None; hosts.len()])),
            all: hosts.into(),
            connector,
            session,
            primary,
        }
    }

    /// Looks at all hosts, as long as one answers.
    async fn look(&self) {
        // the next look may find one
        let _ = tokio::time::timeout(SILENT, self.primary()).await;
    }

    /// A connection to the primary; none where no host is known to be.
    async fn primary(&self) -> Option<Connected> {
        let mut answers = self.ask().await;
        // whichever answers first, the log names them in the order of the address
        answers.sort_by_key(|answer| answer.host);
        let hosts = answers
            .iter()
            .map(|answer| (&*self.all[answer.host].name, &answer.facts));
        self.primary.note_hosts(hosts);
        let is_primary =
            |answer: &Answer| answer.facts.takes_writes && self.primary.is_newest(&answer.facts);
        let found = answers.into_iter().find(is_primary);
        found.map(|answer| answer.connected)
    }

    /// Asks all hosts at once. One that is silent is waited for no longer than until others have had their time.
    async fn ask(&self) -> Vec<Answer> {
        let began = Instant::now();
        let mut waiting: Vec<usize> = (0..self.all.len()).collect();
        waiting.retain(|host| self.silent.lock()[*host].is_none_or(|it| it.elapsed() >= SILENT));
        let mut asked = JoinSet::new();
        for host in &waiting {
            asked.spawn(self.clone().ask_one(*host));
        }
        let mut answers = Vec::new();
        loop {
            let left = ANSWER_MAX.saturating_sub(began.elapsed());
            let joined = if answers.is_empty() {
                asked.join_next().await
            } else {
                match tokio::time::timeout(left, asked.join_next()).await {
                    Ok(joined) => joined,
                    Err(_) => break,
                }
            };
            let Some(joined) = joined else {
                return answers;
            };
            if let Ok((host, answer)) = joined {
                waiting.retain(|it| *it != host);
                answers.extend(answer);
            }
        }
        let mut silent = self.silent.lock();
        for host in waiting {
            silent[host] = Some(Instant::now());
        }
        answers
    }

    async fn ask_one(self, host: usize) -> (usize, Option<Answer>) {
        let answer = async {
            let connected = self.connector.connect(&self.all[host].config).await?;
            self.session.run(&connected.0).await?;
            let facts = self.primary.look(&connected.0).await?;
            Ok::<_, Error>(facts.map(|facts| Answer {
                host,
                connected,
                facts,
            }))
        };
        let answer = answer.await;
        if let Err(error) = &answer {
            let name = &*self.all[host].name;
            tracing::debug!(
                error = error as &dyn std::error::Error,
                host = name,
                "a host of the database can't be asked"
            );
        }
        (host, answer.ok().flatten())
    }
}

impl Inner {
    /// Looks at the hosts again and again, for as long as the store is open: a second one that takes writes may come at any time.
    pub(crate) fn watch_hosts(self: &Arc<Self>) {
        let Some(hosts) = self.connections.hosts().cloned() else {
            return;
        };
        let store = Arc::downgrade(self);
        self.runtime.spawn(async move {
            while store.strong_count() > 0 {
                hosts.look().await;
                tokio::time::sleep(LOOK_PAUSE).await;
            }
        });
    }
}

impl Connect for Hosts {
    fn connect(
        &self,
        config: &Config,
    ) -> Pin<Box<dyn Future<Output = Result<Connected, Error>> + Send + '_>> {
        let config = config.clone();
        Box::pin(async move {
            if let Some(connected) = self.primary().await {
                return Ok(connected);
            }
            self.connector.connect(&config).await
        })
    }
}

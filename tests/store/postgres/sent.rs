//! A cluster that notes each statement that it is sent, for stories of how many there are, and of what they say.

use std::time::{Duration, Instant};
use tests::cluster::{self, Cluster};

/// One of its own, with an empty database of this name.
pub(crate) fn noting(database: &str) -> Cluster {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start_with(&programs, "-c log_statement=all -c log_line_prefix=");
    let cluster = cluster.expect("a cluster");
    let made = cluster.run(&format!("CREATE DATABASE {database};"));
    made.expect("a database");
    cluster
}

/// What a store asks beside all else, to see what others did.
const LOOK: &str = "SELECT name, value FROM counters WHERE name IN ('catalog', 'issued', 'mark')";
/// How often it does so.
const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// How many statements of stores it was sent so far. What a script sends is none of them, and neither is the begin or the end of a
/// transaction: these come without values.
pub(crate) fn sent(cluster: &Cluster) -> usize {
    sent_and_looks(cluster).0
}

/// The same, and how many of them are looks at what others did.
fn sent_and_looks(cluster: &Cluster) -> (usize, usize) {
    let log = std::fs::read_to_string(cluster.folder().join("log")).expect("a log");
    let lines = log.lines();
    let all: Vec<_> = lines
        .filter(|line| line.starts_with("LOG:  execute "))
        .collect();
    let looks = all.iter().filter(|line| line.ends_with(LOOK)).count();
    (all.len(), looks)
}

/// How many statements of a store it is sent while something is done, but for the looks that are due meanwhile: a machine that does
/// much else takes longer.
pub(crate) fn sent_for(cluster: &Cluster, work: impl FnOnce()) -> usize {
    let ((sent, looks), began) = (sent_and_looks(cluster), Instant::now());
    work();
    let due = began.elapsed().as_millis() / LOOKS_EVERY.as_millis() + 1;
    let (sent_by_now, looks_by_now) = sent_and_looks(cluster);
    let looks = looks_by_now - looks;
    sent_by_now - sent - looks.min(usize::try_from(due).expect("a number"))
}

/// How long the log of a cluster is by now.
pub(crate) fn noted(cluster: &Cluster) -> usize {
    let log = std::fs::read(cluster.folder().join("log")).expect("a log");
    log.len()
}

/// What was sent without values since the log was so long, each message by itself.
pub(crate) fn messages(cluster: &Cluster, since: usize) -> Vec<String> {
    let log = std::fs::read(cluster.folder().join("log")).expect("a log");
    let log = String::from_utf8_lossy(&log[since..]).into_owned();
    let messages = log.split("LOG:  statement: ").skip(1);
    messages.map(str::to_owned).collect()
}

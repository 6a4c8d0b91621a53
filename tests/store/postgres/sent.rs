//! A cluster that notes each statement that it is sent, for stories of how many there are, and of what they say.

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

/// How many statements of stores it was sent so far. What a script sends is none of them, and neither is the begin or the end of a
/// transaction: these come without values.
pub(crate) fn sent(cluster: &Cluster) -> usize {
    let log = std::fs::read_to_string(cluster.folder().join("log")).expect("a log");
    let lines = log.lines();
    lines
        .filter(|line| line.starts_with("LOG:  execute "))
        .count()
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

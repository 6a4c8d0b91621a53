//! Two clusters of which one follows the other and answers for its commits: how that begins, how it is given up when the
//! other is gone, and what brings a killed one back behind the one that took its place.

use crate::cluster::Cluster;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What `pg_rewind` asks for.
pub(crate) const HINTS: &str = "-c wal_log_hints=on";

/// How long a cluster may take to come to something.
const COMES_MAX: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(100);

const STANDBY_ANSWERS: &str =
    "SELECT 'answers: ' || count(*) FROM pg_stat_replication WHERE sync_state = 'sync'
AND current_setting('synchronous_commit') = 'remote_apply';";

/// Has a cluster that is killed later be such that it can be brought back to where it and its standby were the same:
/// `pg_rewind` has it recover first, by the settings of its files alone, and reads its log from the last checkpoint before that.
pub(crate) fn keep_for_rewind(cluster: &Cluster) -> Result<(), String> {
    let told = cluster.run(
        "ALTER SYSTEM SET wal_log_hints = on;
ALTER SYSTEM SET wal_keep_size = '256MB';
SELECT pg_reload_conf();",
    );
    told.map(drop)
}

/// Has each commit of a cluster wait until its only standby shows it.
pub(crate) fn wait_for_standby(cluster: &Cluster) -> Result<(), String> {
    cluster.run(
        "ALTER SYSTEM SET synchronous_standby_names = '*';
ALTER SYSTEM SET synchronous_commit = 'remote_apply';
SELECT pg_reload_conf();",
    )?;
    comes_to(cluster, STANDBY_ANSWERS, "answers: 1")?;
    tell_commits(cluster)
}

/// Returns when commits go by the names of standbys that a session has which begins now. Another process tells them, which has
/// been sent to read its settings when such a session is there, and reads them before a checkpoint that is asked for.
pub(crate) fn tell_commits(cluster: &Cluster) -> Result<(), String> {
    cluster.run("CHECKPOINT;").map(drop)
}

/// Has no commit wait for a standby any more.
pub(crate) fn give_up_standby(cluster: &Cluster) -> Result<(), String> {
    let told = cluster.run(
        "ALTER SYSTEM SET synchronous_standby_names = '';
SELECT pg_reload_conf();",
    );
    told.map(drop)
}

/// Waits until a cluster prints something to a question.
pub(crate) fn comes_to(cluster: &Cluster, script: &str, expected: &str) -> Result<(), String> {
    let began = Instant::now();
    loop {
        // a question that is in the way of what a standby follows is ended
        let told = cluster.run(script);
        if told.as_ref().is_ok_and(|told| told.contains(expected)) {
            return Ok(());
        }
        if began.elapsed() > COMES_MAX {
            return Err(format!("it does not come to {expected}: {told:?}"));
        }
        sleep(LOOK);
    }
}

//! Connections that wait to be used and go silent together, as where a firewall has forgotten them: of a write one of them is waited
//! for, and none of the others.

use crate::engines::wait;
use crate::locked::while_locked_by;
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tests::cluster::{self, Cluster};

/// More than a write that gets no answer tries.
const CONNECTIONS: usize = 8;
/// Longer than so many of them take until they wait, on a machine that does much else.
const ANSWER: Duration = Duration::from_secs(12);
const LOCK: &str = "LOCK TABLE dataset_state IN ACCESS EXCLUSIVE MODE";
const WAITING: &str = "SELECT 'waiting: ' || count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'";
const SESSIONS: &str = "SELECT 'session: ' || pid FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";

fn told(cluster: &Cluster, script: &str) -> String {
    let told = cluster.run(&format!("\\connect silent\n{script};"));
    told.expect("it runs")
}

/// Has reads wait at once, so that each has a connection.
fn connect(cluster: &Cluster, dataset: &TestDataset) {
    let mut asked = Vec::new();
    while_locked_by(
        |script| told(cluster, script),
        LOCK,
        || {
            let ask = |_| {
                let dataset = dataset.clone();
                thread::spawn(move || dataset.counts())
            };
            asked.extend((0..CONNECTIONS).map(ask));
            let all = format!("waiting: {CONNECTIONS}");
            let began = Instant::now();
            while !told(cluster, WAITING).contains(&all) {
                assert!(began.elapsed() < ANSWER, "they do not wait");
                thread::sleep(Duration::from_millis(20));
            }
        },
    );
    for asked in asked {
        assert_eq!(asked.join().expect("no panic"), (1, 0));
    }
}

fn signal(name: &str, processes: &[String]) {
    let sent = Command::new("kill").arg(name).args(processes).status();
    assert!(sent.expect("a signal").success());
}

#[test]
fn a_write_is_done_where_all_connections_have_gone_silent_and_others_can_be_made() {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let cluster = Cluster::start(&programs).expect("a cluster");
    let made = cluster.run("CREATE DATABASE silent;");
    made.expect("a database");
    let options = PostgresOptions {
        answer: ANSWER,
        ..PostgresOptions::default()
    };
    let store = wait(PostgresStore::open(&cluster.address("silent"), options));
    let dataset = TestDataset::new(Arc::new(store), 1);
    dataset.create("K0");
    connect(&cluster, &dataset);
    let sessions = told(&cluster, SESSIONS);
    let sessions = sessions.lines().map(str::trim);
    let sessions = sessions.filter_map(|line| line.strip_prefix("session: "));
    let sessions: Vec<String> = sessions.map(str::to_owned).collect();
    assert!(sessions.len() >= CONNECTIONS, "{sessions:?}");
    // what is stopped says nothing, and neither does the system say that it has gone
    signal("-STOP", &sessions);
    let written = dataset.try_offer(content("K1", ""));
    signal("-CONT", &sessions);
    let is_done = written.as_ref().is_ok_and(|verdict| done(0)(*verdict));
    assert!(is_done, "{written:?}");
    assert_eq!(dataset.counts(), (2, 0));
    dataset.is_sound();
}

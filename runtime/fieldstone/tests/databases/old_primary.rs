//! An old primary that is started again as it was, beside the standby that was promoted in its place: both take writes, and
//! servers ask the old one nothing, however many new sessions they begin.

use crate::cities::cities;
use crate::cluster::Cluster;
use crate::crashes::{holds, names, told_while};
use crate::place::{Place, SETTINGS};
use crate::replication::{comes_to, wait_for_standby};
use crate::scrape::{WATCHED, address_of, figure, scrape};
use crate::silence::becomes_ready;
use crate::support::{Server, TIMEOUT, process, text};
use std::time::{Duration, Instant};

const WRITERS: usize = 4;
/// How often all sessions are ended, so that servers begin new ones.
const ROUNDS: usize = 8;
const PAUSE: Duration = Duration::from_millis(300);
const SEVERAL: &str = "2 hosts of the database take writes";

/// Whether a commit waits for the standby.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replication {
    Synchronous,
    Asynchronous,
}

pub(crate) fn large_a_synchronous_old_primary_that_is_started_again_is_asked_nothing() {
    old_primary(Replication::Synchronous);
}

pub(crate) fn large_an_asynchronous_old_primary_that_is_started_again_is_asked_nothing() {
    old_primary(Replication::Asynchronous);
}

/// Waits until a server says that it is not ready.
fn becomes_unready(server: &Server) {
    let began = Instant::now();
    while server.get("", "/readyz").status != 503 {
        assert!(began.elapsed() < TIMEOUT, "it says that it is ready");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Ends all sessions of servers with a cluster.
fn end_sessions(cluster: &Cluster) {
    let ended = cluster.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND application_name = 'fieldstone';",
    );
    ended.expect("it is told");
}

/// How many records a cluster has, and the newest change of one.
fn records_in(place: &Place, cluster: &Cluster) -> String {
    let script = format!(
        "\\connect {}\nSELECT 'records: ' || count(*) || ' ' || max(last_change) FROM records;",
        place.database()
    );
    let told = cluster.run(&script).expect("it is asked");
    let line = told.lines().find(|line| line.contains("records: "));
    line.expect("a count").trim().to_owned()
}

/// Asserts that a command finds no host but the old primary.
fn is_refused(place: &Place, address: &str) {
    let mut command = process(place.path());
    command.env("FIELDSTONE_DATABASE", address);
    let output = command.args(["--data", "data", "key", "list"]).output();
    let output = output.expect("it starts");
    let errors = text(&output.stderr);
    assert!(!output.status.success(), "{}", text(&output.stdout));
    assert!(errors.contains("is an old primary"), "{errors}");
}

/// Ends all sessions again and again, while writers write and others read.
fn many_sessions_begin(standby: &Cluster, servers: &[&Server], key: &str, path: &str) {
    for _ in 0..ROUNDS {
        end_sessions(standby);
        for server in servers {
            let read = server.get(key, path);
            assert_eq!(read.status, 200, "{}", read.body);
        }
        std::thread::sleep(PAUSE);
    }
}

/// Waits until a server shows, in each way that it has, that two hosts take writes.
fn shows_both(server: &Server) {
    becomes_unready(server);
    server.wait_for_error(SEVERAL);
    let figures = scrape(&address_of(server));
    let primaries = figure(&figures, "fieldstone_database_primaries");
    assert!((primaries - 2.0).abs() < 0.1, "{primaries}");
}

fn old_primary(replication: Replication) {
    let place = Place::alone();
    let key = place.company();
    let standby = place.cluster.start_standby(SETTINGS).expect("a standby");
    if replication == Replication::Synchronous {
        wait_for_standby(&place.cluster).expect("it answers for commits");
    }
    let address = place.address_with(&standby);
    let serve = |data: &str| place.serve_at(&address, data, &WATCHED);
    let servers = [serve("one"), serve("other")];
    let records = cities(&servers[0], &key);
    let create = |name: &str| {
        let body = format!(r#"{{"Name": "{name}"}}"#);
        let made = servers[0].send("POST", &key, &records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
    };
    create("Before");
    let there = format!(
        "\\connect {}\nSELECT 'there: ' || count(*) FROM records WHERE primary_key = 'Before';",
        place.database()
    );
    comes_to(&standby, &there, "there: 1").expect("it follows");

    place.cluster.kill().expect("it runs");
    standby.promote().expect("it takes writes");
    for server in &servers {
        becomes_ready(server);
    }
    create("Behind");
    place.cluster.start_again(SETTINGS).expect("it starts");
    let before = records_in(&place, &place.cluster);

    // one that begins now knows no timeline yet
    let late = serve("late");
    let all = [&servers[0], &servers[1], &late];
    let behind = format!("{records}/by-pk/Behind");
    let told = told_while(&all, (&key, &records), WRITERS, |counts| {
        many_sessions_begin(&standby, &all, &key, &behind);
        counts.wait_for_each();
        all.into_iter().for_each(shows_both);
        counts.wait_for_each();
    });
    holds(&told, &names(&late, &key, &records));
    let after = records_in(&place, &place.cluster);
    assert_eq!(after, before, "nothing is written to it");

    // the old one alone: nothing is answered, not even by a server that begins then
    standby.stop(true).expect("it stops");
    for server in all {
        let began = Instant::now();
        while server.get(&key, &behind).status != 503 {
            assert!(began.elapsed() < TIMEOUT, "it is answered");
        }
        for _ in 0..5 {
            let read = server.get(&key, &format!("{records}/by-pk/Before"));
            assert_eq!(read.status, 503, "{}", read.body);
        }
    }
    is_refused(&place, &address);

    standby.start_again(SETTINGS).expect("it starts");
    place.cluster.stop(false).expect("it stops");
    for server in all {
        becomes_ready(server);
        let log = server.errors();
        let is_own = |line: &&str| line.contains(SEVERAL) && !line.contains("not ready");
        let count = log.lines().filter(is_own).count();
        assert!((1..=2).contains(&count), "once for each time: {log}");
    }
    holds(&told, &names(&servers[0], &key, &records));
}

/// As where a name leads to another machine now, or a service of Kubernetes to another pod: no other host can be asked.
pub(crate) fn large_the_old_primary_of_an_address_that_moved_is_refused() {
    let place = Place::alone();
    let key = place.company();
    let standby = place.cluster.start_standby(SETTINGS).expect("a standby");
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("host");
    let point = |cluster: &Cluster| {
        // there is none at first
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(cluster.folder(), &link).expect("a link");
    };
    point(&place.cluster);
    let (host, database) = (link.display(), place.database());
    let address = format!("host={host} user=postgres dbname={database}");
    let server = place.serve_at(&address, "one", &[]);
    let records = cities(&server, &key);
    let read = || server.get(&key, &format!("{records}/by-pk/Delft")).status;
    assert_eq!(read(), 200);
    place.cluster.kill().expect("it runs");
    standby.promote().expect("it takes writes");
    point(&standby);
    becomes_ready(&server);

    place.cluster.start_again(SETTINGS).expect("it starts");
    point(&place.cluster);
    end_sessions(&standby);
    becomes_unready(&server);
    server.wait_for_error("is an old primary that was started again");
    assert_eq!(read(), 503);
    // it has a note of the new one by now, so one that never saw that refuses it, too
    is_refused(&place, &address);

    point(&standby);
    becomes_ready(&server);
    assert_eq!(read(), 200);
    server.stop();
}

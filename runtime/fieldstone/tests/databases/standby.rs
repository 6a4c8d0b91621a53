//! A database with a hot standby that answers for each commit: when the one that takes writes is gone and the other is
//! promoted, servers find it by themselves, and nothing that was acknowledged is lost.

use crate::cities::cities;
use crate::cluster::Cluster;
use crate::crashes::{Told, names, told_while};
use crate::place::{Place, SETTINGS};
use crate::silence::becomes_ready;
use crate::single::finds;
use crate::support::{TIMEOUT, fieldstone, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const WRITERS: usize = 4;
/// How long writers write before and after.
const PAUSE: Duration = Duration::from_millis(800);

/// What `pg_rewind` asks for.
const HINTS: &str = "-c wal_log_hints=on";

/// A standby that answers for each commit.
fn with_standby(place: &Place) -> Cluster {
    let standby = place.cluster.start_standby(SETTINGS).expect("a standby");
    let told = place.cluster.run(
        "ALTER SYSTEM SET synchronous_standby_names = '*';
ALTER SYSTEM SET synchronous_commit = 'remote_apply';
SELECT pg_reload_conf();
SELECT pg_sleep(1);
SHOW synchronous_commit;
SELECT sync_state FROM pg_stat_replication;",
    );
    let told = told.expect("settings");
    assert!(
        told.contains("remote_apply") && told.contains("sync\n"),
        "the standby answers for commits: {told}"
    );
    standby
}

/// Waits until a cluster prints something to a question.
fn comes_to(cluster: &Cluster, script: &str, expected: &str) {
    let began = Instant::now();
    loop {
        // a question that is in the way of what a standby follows is ended
        let told = cluster.run(script);
        if told.as_ref().is_ok_and(|told| told.contains(expected)) {
            return;
        }
        assert!(began.elapsed() < TIMEOUT, "{expected}: {told:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

pub(crate) fn a_standby_that_is_promoted_has_all_that_was_acknowledged() {
    // by which one that crashed can be brought back to where both were the same
    let place = Place::alone_with(HINTS);
    // `pg_rewind` brings it through its recovery first, by the settings of its files alone, and reads its log from the last
    // checkpoint before both were the same
    let noted = place.cluster.run(
        "ALTER SYSTEM SET wal_log_hints = on;
ALTER SYSTEM SET wal_keep_size = '256MB';
SELECT pg_reload_conf();",
    );
    noted.expect("settings");
    let key = place.company();
    let standby = with_standby(&place);
    let address = place.address_with(&standby);
    let servers = [
        place.serve_at(&address, "one", &[]),
        place.serve_at(&address, "other", &[]),
    ];
    let records = cities(&servers[0], &key);
    let told = told_while(&servers.each_ref(), (&key, &records), WRITERS, || {
        std::thread::sleep(PAUSE);
        place.cluster.stop(true).expect("it stops");
        standby.promote().expect("it takes writes");
        for server in &servers {
            becomes_ready(server);
        }
        std::thread::sleep(PAUSE);
    });
    let there = names(&servers[1], &key, &records);
    let of = |keys: fn(&Told) -> &Vec<String>| -> BTreeSet<String> {
        told.iter().flat_map(keys).cloned().collect()
    };
    let (created, refused) = (of(|told| &told.created), of(|told| &told.refused));
    let lost: Vec<_> = created.difference(&there).collect();
    assert!(lost.is_empty(), "acknowledged, and not there: {lost:?}");
    let done: Vec<_> = refused.intersection(&there).collect();
    assert!(done.is_empty(), "there, and told as not done: {done:?}");
    assert!(
        told.iter().all(|told| !told.created.is_empty()),
        "all of them wrote"
    );
    let mut check = fieldstone(place.path());
    check.env("FIELDSTONE_DATABASE", &address);
    let checked = check.args(["--data", "data", "check"]).output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));

    // the one that crashed follows the new one, and has what was written since
    standby.run("CHECKPOINT;").expect("it is told");
    let settings = format!("{SETTINGS} {HINTS}");
    place
        .cluster
        .follow(&standby, &settings)
        .expect("a standby");
    let database = place.database();
    let ask = |question: &str| format!("\\connect {database}\n{question};");
    comes_to(
        &place.cluster,
        &ask("SELECT 'follows: ' || pg_is_in_recovery()"),
        "follows: true",
    );
    let made = servers[0].send("POST", &key, &records, r#"{"Name": "Behind it"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let question = ask("SELECT 'records: ' || count(*) FROM records");
    let told = standby.run(&question).expect("it is asked");
    let count = told.lines().find(|line| line.contains("records: "));
    comes_to(&place.cluster, &question, count.expect("a count").trim());
}

pub(crate) fn a_standby_that_is_away_is_given_up_and_what_waited_is_done() {
    let place = Place::alone();
    let key = place.company();
    let standby = with_standby(&place);
    let server = place.serve("one", &[]);
    let records = cities(&server, &key);
    let create = |name: &str| {
        let body = format!("{{\"Name\": \"{name}\"}}");
        server.send("POST", &key, &records, &body).status
    };
    assert_eq!(create("Before"), 201);
    standby.stop(true).expect("it stops");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| create("Meanwhile"));
        comes_to(
            &place.cluster,
            "SELECT 'waits' FROM pg_stat_activity WHERE wait_event = 'SyncRep';",
            "waits",
        );
        let began = Instant::now();
        while server.get("", "/readyz").status != 503 {
            assert!(began.elapsed() < TIMEOUT, "it says that it is ready");
            std::thread::sleep(Duration::from_millis(100));
        }
        let read = server.get(&key, &format!("{records}/by-pk/Before"));
        assert_eq!(read.status, 200, "{}", read.body);
        let given_up = place.cluster.run(
            "ALTER SYSTEM SET synchronous_standby_names = '';
SELECT pg_reload_conf();",
        );
        given_up.expect("settings");
        // on a machine that does much else its time may be over
        let ended = waiting.join().expect("an answer");
        assert!(matches!(ended, 201 | 503), "{ended}");
    });
    becomes_ready(&server);
    assert_eq!(create("Behind"), 201);
    server.stop();
}

/// A write that waits for a standby which is away, when something befalls the one that takes writes. It is not acknowledged:
/// promoted, the standby has no such record.
fn is_acknowledged_by_no_single_one(befalls: impl FnOnce(&Cluster)) {
    let place = Place::alone();
    let key = place.company();
    let standby = with_standby(&place);
    let address = place.address_with(&standby);
    let server = place.serve_at(&address, "one", &["--database-answer-seconds", "5"]);
    let records = cities(&server, &key);
    let before = server.send("POST", &key, &records, r#"{"Name": "Before"}"#);
    assert_eq!(before.status, 201, "{}", before.body);
    standby.stop(true).expect("it stops");
    let ended = std::thread::scope(|scope| {
        let waiting =
            scope.spawn(|| server.send("POST", &key, &records, r#"{"Name": "Meanwhile"}"#));
        comes_to(
            &place.cluster,
            "SELECT 'waits' FROM pg_stat_activity WHERE wait_event = 'SyncRep';",
            "waits",
        );
        befalls(&place.cluster);
        waiting.join().expect("an answer")
    });
    assert_eq!(ended.status, 503, "{}", ended.body);
    place.cluster.stop(true).expect("it stops");
    standby.start_again(SETTINGS).expect("it starts");
    standby.promote().expect("it takes writes");
    becomes_ready(&server);
    let there = names(&server, &key, &records);
    assert!(there.contains("Before"), "{there:?}");
    assert!(!there.contains("Meanwhile"), "{there:?}");
    server.stop();
}

pub(crate) fn a_write_that_waited_for_a_standby_when_the_database_crashed_is_not_acknowledged_before_it_is_there()
 {
    is_acknowledged_by_no_single_one(|cluster| {
        cluster.stop(true).expect("it stops");
        cluster.start_again(SETTINGS).expect("it starts");
    });
}

pub(crate) fn a_write_whose_session_was_ended_while_it_waited_for_a_standby_is_not_acknowledged_before_it_is_there()
 {
    is_acknowledged_by_no_single_one(|cluster| {
        let ended = cluster.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';",
        );
        ended.expect("it is told");
    });
}

/// A command of the program on whichever of two clusters takes writes.
fn run(place: &Place, address: &str, arguments: &[&str]) -> Value {
    let mut command = fieldstone(place.path());
    command.env("FIELDSTONE_DATABASE", address);
    command.env("FIELDSTONE_DATA", "data").args(arguments);
    let output = command.args(["--format", "json"]).output();
    let output = output.expect("it starts");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    serde_json::from_str(&out).expect("JSON")
}

/// A new key that sees all records.
fn new_key(place: &Place, address: &str) -> String {
    let create = ["key", "create", "lost", "--area", "*=view"];
    let role = ["--role", "ACCOUNT ADMINISTRATOR"];
    let made = run(place, address, &[&create[..], &role].concat());
    let secret = made["steps"][0]["secret"].as_str();
    secret.expect("a secret").to_owned()
}

pub(crate) fn servers_of_a_database_that_lost_its_last_commits_need_no_restart() {
    const LOST: usize = 20;
    let place = Place::alone();
    let crm = place.company();
    let root = place.root();
    let standby = place.cluster.start_standby(SETTINGS).expect("a standby");
    let address = place.address_with(&standby);
    let servers = [
        place.serve_at(&address, "one", &[]),
        place.serve_at(&address, "other", &[]),
    ];
    let records = cities(&servers[0], &crm);
    let create = |name: &str| {
        let body = format!("{{\"Name\": \"{name}\"}}");
        let made = servers[0].send("POST", &crm, &records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
    };
    create("Before");
    for server in &servers {
        finds(server, &crm, "before", 1);
    }
    let question = format!(
        "\\connect {}\nSELECT 'there: ' || count(*) FROM records WHERE primary_key = 'Before';",
        place.database()
    );
    comes_to(&standby, &question, "there: 1");
    standby.stop(true).expect("it stops");

    // what is lost: a decision, and records that both have in their index
    let lost = new_key(&place, &address);
    for server in &servers {
        assert_eq!(server.get(&lost, &records).status, 200);
    }
    for number in 0..LOST {
        create(&format!("Lost {number}"));
    }
    for server in &servers {
        finds(server, &crm, "lost", LOST);
    }
    place.cluster.stop(true).expect("it stops");
    standby.start_again(SETTINGS).expect("it starts");
    standby.promote().expect("it takes writes");
    for server in &servers {
        becomes_ready(server);
    }

    // its number is the one of the decision that was lost
    run(&place, &address, &["key", "disable", "root"]);
    for server in &servers {
        assert_eq!(server.get(&root, &records).status, 401);
        assert_eq!(server.get(&lost, &records).status, 401);
    }
    create("Behind");
    for server in &servers {
        finds(server, &crm, "behind", 1);
        finds(server, &crm, "lost", 0);
    }
    for server in servers {
        server.stop();
    }
}

/// The statements of sections of the page, as they stand in its lines.
fn statements(page: &str, section: &str) -> Vec<String> {
    let begin = format!("\n## {section}\n");
    let (_, behind) = page.split_once(&begin).expect("the section");
    let own = behind.split("\n## ").next().expect("its text");
    let pieces = own.split('`').skip(1).step_by(2);
    let pieces = pieces.map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" "));
    let is_statement = |piece: &String| {
        ["SELECT ", "ALTER SYSTEM SET ", "SHOW "]
            .iter()
            .any(|it| piece.starts_with(it))
    };
    pieces.filter(is_statement).collect()
}

pub(crate) fn the_statements_for_an_operator_are_such_as_postgresql_takes() {
    let page = include_str!("../../../docs/scale.md");
    let place = Place::alone();
    let mut seen = 0;
    for section in ["A standby", "When something fails"] {
        for statement in statements(page, section) {
            let statement = statement.replace("PID", "1");
            // what they would do is done in other stories, if at all: that they can be planned says that all they name is there
            let asked = if statement.starts_with("SELECT ") {
                format!("EXPLAIN {statement}")
            } else {
                statement.clone()
            };
            let taken = place.cluster.run(&format!("{asked};"));
            assert!(taken.is_ok(), "{statement}: {taken:?}");
            seen += 1;
        }
    }
    assert!(seen >= 15, "they are found: {seen}");
}

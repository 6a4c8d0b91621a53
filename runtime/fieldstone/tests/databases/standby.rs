//! A database with a hot standby that answers for each commit: when the one that takes writes is gone and the other is
//! promoted, servers find it by themselves, and nothing that was acknowledged is lost.

use crate::cities::cities;
use crate::cluster::Cluster;
use crate::crashes::{holds, names, told_while};
use crate::place::{Place, SETTINGS};
use crate::replication::{HINTS, comes_to, give_up_standby, keep_for_rewind, wait_for_standby};
use crate::silence::becomes_ready;
use crate::single::finds;
use crate::support::{TIMEOUT, process, text};
use serde_json::Value;
use std::time::{Duration, Instant};

const WRITERS: usize = 4;
/// How long writers write before and after.
const PAUSE: Duration = Duration::from_millis(800);

/// A standby that answers for each commit.
fn with_standby(place: &Place) -> Cluster {
    let standby = place.cluster.start_standby(SETTINGS).expect("a standby");
    wait_for_standby(&place.cluster).expect("it answers for commits");
    standby
}

/// Waits until a write waits for the standby.
fn write_waits(cluster: &Cluster) {
    let question = "SELECT 'waits' FROM pg_stat_activity WHERE wait_event = 'SyncRep';";
    comes_to(cluster, question, "waits").expect("a write that waits");
}

pub(crate) fn a_standby_that_is_promoted_has_all_that_was_acknowledged() {
    // by which one that crashed can be brought back to where both were the same
    let place = Place::alone_with(HINTS);
    keep_for_rewind(&place.cluster).expect("settings");
    let key = place.company();
    let standby = with_standby(&place);
    let address = place.address_with(&standby);
    let servers = [
        place.serve_at(&address, "one", &[]),
        place.serve_at(&address, "other", &[]),
    ];
    let records = cities(&servers[0], &key);
    let told = told_while(&servers.each_ref(), (&key, &records), WRITERS, |counts| {
        counts.wait_for_each();
        std::thread::sleep(PAUSE);
        place.cluster.kill().expect("it runs");
        standby.promote().expect("it takes writes");
        for server in &servers {
            becomes_ready(server);
        }
        counts.wait_for_each();
        std::thread::sleep(PAUSE);
    });
    let there = names(&servers[1], &key, &records);
    holds(&told, &there);
    let mut check = process(place.path());
    check.env("FIELDSTONE_DATABASE", &address);
    let checked = check.args(["--data", "data", "check"]).output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));

    // the one that crashed follows the new one, and has what was written since
    let settings = format!("{SETTINGS} {HINTS}");
    place
        .cluster
        .follow(&standby, &settings)
        .expect("a standby");
    let database = place.database();
    let ask = |question: &str| format!("\\connect {database}\n{question};");
    let follows = ask("SELECT 'follows: ' || pg_is_in_recovery()");
    comes_to(&place.cluster, &follows, "follows: true").expect("it follows");
    let made = servers[0].send("POST", &key, &records, r#"{"Name": "Behind it"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let question = ask("SELECT 'records: ' || count(*) FROM records");
    let told = standby.run(&question).expect("it is asked");
    let count = told.lines().find(|line| line.contains("records: "));
    let count = count.expect("a count").trim();
    comes_to(&place.cluster, &question, count).expect("it has what was written");
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
        write_waits(&place.cluster);
        let began = Instant::now();
        while server.get("", "/readyz").status != 503 {
            assert!(began.elapsed() < TIMEOUT, "it says that it is ready");
            std::thread::sleep(Duration::from_millis(100));
        }
        let read = server.get(&key, &format!("{records}/by-pk/Before"));
        assert_eq!(read.status, 200, "{}", read.body);
        give_up_standby(&place.cluster).expect("settings");
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
        write_waits(&place.cluster);
        befalls(&place.cluster);
        waiting.join().expect("an answer")
    });
    assert_eq!(ended.status, 503, "{}", ended.body);
    place.cluster.kill().expect("it runs");
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
        cluster.kill().expect("it runs");
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
    let mut command = process(place.path());
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
    comes_to(&standby, &question, "there: 1").expect("it follows");
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
    place.cluster.kill().expect("it runs");
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

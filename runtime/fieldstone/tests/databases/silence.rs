//! A network that goes silent between a server and its database: whoever asks is answered in time, nothing is half done,
//! and the service comes back by itself.

use crate::cities::cities;
use crate::crashes::{holds, names, told_while};
use crate::place::Place;
use crate::replication::{comes_to, tell_commits};
use crate::support::{Server, TIMEOUT};
use crate::way::{Silence, Way};
use std::time::{Duration, Instant};

const WRITERS: usize = 4;
/// How long the database may be silent before a connection counts as lost; and how long the network is.
const ANSWER_SECONDS: &str = "2";
const SILENCE: Duration = Duration::from_secs(7);
/// Twice the time of an answer, that of a connection, and what a busy machine adds.
const READ_MAX: Duration = Duration::from_secs(25);
/// As long as a commit is looked up that got no answer, and what a read takes.
const WRITE_MAX: Duration = Duration::from_secs(55);

/// Waits until the server reads and writes.
pub(crate) fn becomes_ready(server: &Server) {
    let began = Instant::now();
    while server.get("", "/readyz").status != 200 {
        assert!(began.elapsed() < TIMEOUT, "it does not come back");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Reads while the network is silent: an answer, or that there is none now, comes in time.
fn is_answered(server: &Server, key: &str, path: &str) {
    let began = Instant::now();
    let read = server.get(key, path);
    let took = began.elapsed();
    assert!(took < READ_MAX, "{path} is answered in time: {took:?}");
    assert!(
        matches!(read.status, 200 | 503),
        "{path}: {} {}",
        read.status,
        read.body
    );
    if read.status == 503 {
        assert!(read.header("retry-after").is_some(), "{}", read.head);
    }
}

/// Writers write while the network goes silent and comes back; what they were told holds.
fn silent(way_of: fn(&Place) -> Way, how: Silence) {
    let place = Place::alone();
    let key = place.company();
    let way = way_of(&place);
    let arguments = ["--database-answer-seconds", ANSWER_SECONDS];
    let server = place.serve_by(&way, "one", &arguments);
    let records = cities(&server, &key);
    let paths = [
        format!("{records}/by-pk/Delft"),
        format!("{records}?pageSize=100"),
        "/v1/dataobjects/search?query=Delft".to_owned(),
    ];
    let told = told_while(&[&server], (&key, &records), WRITERS, |counts| {
        std::thread::sleep(Duration::from_millis(500));
        way.be_silent(how);
        let began = Instant::now();
        // the network stays silent until each of them was answered
        std::thread::scope(|scope| {
            for path in &paths {
                let (server, key) = (&server, &key);
                scope.spawn(move || is_answered(server, key, path));
            }
        });
        std::thread::sleep(SILENCE.saturating_sub(began.elapsed()));
        way.open();
        becomes_ready(&server);
        counts.wait_for_each();
    });
    let longest = told.iter().map(|told| told.longest).max();
    let longest = longest.expect("writers");
    assert!(longest < WRITE_MAX, "a write took {longest:?}");
    let there = names(&server, &key, &records);
    holds(&told, &there);
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

pub(crate) fn a_network_that_holds_everything_back_for_a_while_loses_nothing() {
    silent(Place::way, Silence::Held);
}

pub(crate) fn a_network_that_loses_what_is_said_is_told_in_time_and_healed() {
    silent(Place::way, Silence::Lost);
}

pub(crate) fn a_network_that_lets_in_and_holds_what_is_said_then_loses_nothing() {
    silent(Place::way, Silence::Greeted);
}

pub(crate) fn a_network_that_carries_no_answers_is_told_in_time_and_healed() {
    silent(Place::way, Silence::AnswersHeld);
}

pub(crate) fn a_network_whose_packets_are_lost_is_told_in_time_and_healed() {
    silent(Place::way_by_tcp, Silence::Cut);
}

/// Times of the address alone, by which TCP gives up: nothing arrives, no sign comes of what was sent, and none of who is asked
/// whether he is there.
const TIMES_OF_TCP: &str = "connect_timeout=2 tcp_user_timeout=3 keepalives_idle=1 keepalives_interval=1 keepalives_retries=3";
const NO_TIME_OF_ANSWERS: &str = "3600";

pub(crate) fn connections_by_tcp_whose_packets_are_lost_end_by_their_own_times() {
    let place = Place::alone();
    let key = place.company();
    let way = place.way_by_tcp();
    let address = format!("{} {TIMES_OF_TCP}", way.address(place.database()));
    let arguments = ["--database-answer-seconds", NO_TIME_OF_ANSWERS];
    let server = place.serve_at(&address, "one", &arguments);
    let records = cities(&server, &key);
    let path = format!("{records}/by-pk/Delft");
    assert_eq!(server.get(&key, &path).status, 200);
    let database = place.database();
    let hold = format!("\\connect {database}\nBEGIN; LOCK TABLE records; SELECT pg_sleep(60);");
    std::thread::scope(|scope| {
        let held = scope.spawn(|| place.cluster.run(&hold));
        let sleeps = "SELECT 'sleeps' FROM pg_stat_activity WHERE wait_event = 'PgSleep';";
        comes_to(&place.cluster, sleeps, "sleeps").expect("it is held");
        // the database has heard what this one asks, so that nothing which was sent is without a sign
        let waiting = scope.spawn(|| is_answered(&server, &key, &path));
        let waits = "SELECT 'waits' FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND query LIKE '%primary_key = ANY%';";
        comes_to(&place.cluster, waits, "waits").expect("it is asked");
        way.be_silent(Silence::Cut);
        is_answered(&server, &key, &path);
        waiting.join().expect("an answer in time");
        way.open();
        let ended =
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep';";
        place.cluster.run(ended).expect("it is told");
        // its session was ended, which is an error
        let _ = held.join().expect("it is run");
    });
    becomes_ready(&server);
    let read = server.get(&key, &path);
    assert_eq!(read.status, 200, "{}", read.body);
}

pub(crate) fn a_server_that_hears_nothing_from_its_database_ends_when_it_is_told_to() {
    let place = Place::new();
    let _ = place.company();
    let way = place.way();
    let arguments = ["--database-answer-seconds", ANSWER_SECONDS];
    let server = place.serve_by(&way, "one", &arguments);
    way.be_silent(Silence::Greeted);
    // what it does by itself waits for an answer by then
    std::thread::sleep(Duration::from_secs(1));
    server.signal("-TERM");
    // within the patience of stories; how it ends, the database has no part in
    let _ = server.wait();
}

/// Has every commit wait, done as it is, for a standby that there is not; or none.
fn hold_commits(place: &Place, is_held: bool) {
    let standby = if is_held { "nobody" } else { "" };
    let told = place.cluster.run(&format!(
        "ALTER SYSTEM SET synchronous_standby_names = '{standby}'; SELECT pg_reload_conf();"
    ));
    told.expect("it is told");
    let names = "SELECT 'it is ' || quote_literal(current_setting('synchronous_standby_names'));";
    comes_to(&place.cluster, names, &format!("it is '{standby}'")).expect("a new session has it");
    tell_commits(&place.cluster).expect("a checkpoint");
}

pub(crate) fn a_commit_whose_outcome_nobody_can_learn_is_told_as_such_and_not_done_again() {
    let place = Place::alone();
    let key = place.company();
    let server = place.serve("one", &["--database-answer-seconds", "1"]);
    let records = cities(&server, &key);
    hold_commits(&place, true);
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(made.status, 503, "{}", made.body);
    assert!(made.header("retry-after").is_some(), "{}", made.head);
    let message = made.json()["message"].to_string();
    assert!(
        message.contains("whether it was done is not known"),
        "{message}"
    );
    hold_commits(&place, false);
    becomes_ready(&server);
    let read = server.get(&key, &format!("{records}/by-pk/Gouda"));
    assert_eq!(read.status, 200, "it was done: {}", read.body);
    assert_eq!(read.json()["_version"], 0, "once");
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

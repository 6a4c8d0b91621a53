//! A server that stands still in the middle of a transaction, and others that wait for the row that it holds.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{Server, TIMEOUT};
use std::time::{Duration, Instant};

/// How long a write may wait: for ten seconds, in which the database ends such a session, and some of a machine that does much else.
const HELD_UP_MAX: Duration = Duration::from_secs(30);
/// What the row is held with meanwhile.
const HOLDS: &str = "pg_sleep(60)";

/// What is told of other sessions with the database, one at the least of which is in this state.
fn asked(place: &Place, what: &str, state: &str) -> String {
    let script = format!(
        "\\connect {}
SELECT 'told: ' || count({what}) FROM pg_stat_activity
 WHERE datname = current_database() AND pid <> pg_backend_pid() AND {state};",
        place.database()
    );
    place.cluster.run(&script).expect("it is told")
}

/// Waits until another session is in this state.
fn wait_until(place: &Place, state: &str) {
    let began = Instant::now();
    while asked(place, "*", state).contains("told: 0") {
        assert!(began.elapsed() < TIMEOUT, "no session: {state}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub(crate) fn a_server_that_stands_still_in_a_transaction_holds_others_up_for_some_seconds_only() {
    let place = Place::new();
    let key = place.company();
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    let records = cities(&one, &key);
    let create = |server: &Server, name: &str| {
        let body = format!("{{\"Name\": \"{name}\"}}");
        server.send("POST", &key, &records, &body)
    };
    assert_eq!(create(&one, "Leiden").status, 201);
    assert_eq!(create(&other, "Gouda").status, 201);
    // each write asks for this row
    let hold = format!(
        "\\connect {}
BEGIN; SELECT 'held: ' || value FROM counters WHERE name = 'log' FOR UPDATE; SELECT {HOLDS}; COMMIT;",
        place.database()
    );
    std::thread::scope(|scope| {
        scope.spawn(|| place.cluster.run(&hold));
        let is_held = format!("query LIKE '%{HOLDS}%'");
        wait_until(&place, &is_held);
        let late = scope.spawn(|| create(&one, "Late"));
        wait_until(
            &place,
            "wait_event_type = 'Lock' AND query LIKE '%counters%'",
        );
        one.signal("-STOP");
        let let_go = asked(&place, "pg_terminate_backend(pid)", &is_held);
        // what has the row now is the session of the server that stands still
        wait_until(
            &place,
            "state = 'idle in transaction' AND query LIKE '%counters%'",
        );
        let began = Instant::now();
        let made = create(&other, "Meanwhile");
        let took = began.elapsed();
        one.signal("-CONT");
        assert!(let_go.contains("told: 1"), "{let_go}");
        assert_eq!(made.status, 201, "{}", made.body);
        assert!(took < HELD_UP_MAX, "{took:?}");
        // and who waited for the server is answered when it goes on
        let late = late.join().expect("an answer");
        assert_eq!(late.status, 201, "{}", late.body);
    });
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

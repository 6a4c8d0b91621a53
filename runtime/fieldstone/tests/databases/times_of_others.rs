//! A role or a database that is told short times, as for people who ask by hand, or to answer in another way: this program has
//! settings of its own.

use crate::cities::cities;
use crate::place::Place;
use crate::support::{Server, TIMEOUT};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const RECORDS: usize = 2_500;
/// How long a session may be idle, where that is told.
const IDLE: Duration = Duration::from_millis(500);

pub(crate) fn times_that_a_database_is_told_for_others_end_nothing_of_a_server() {
    let place = Place::new();
    let key = place.company();
    let database = place.database();
    let told = place.cluster.run(&format!(
        "ALTER DATABASE {database} SET statement_timeout = '1ms';
ALTER DATABASE {database} SET lock_timeout = '20ms';
ALTER DATABASE {database} SET idle_session_timeout = '{}ms';
SELECT 'told: ' || count(*) FROM pg_db_role_setting;",
        IDLE.as_millis()
    ));
    assert!(told.expect("it is told").contains("told: "));
    let server = place.serve("one", &[]);
    let mut lines = String::new();
    for number in 0..RECORDS {
        writeln!(lines, "{{\"Name\": \"K{number}\", \"People\": {number}}}").expect("a text");
    }
    std::fs::write(place.path().join("many.ndjson"), lines).expect("written");
    place.json(&["import", "many.ndjson", "--into", "Places/City/Cities"]);
    finds(&server, &key, &format!("K{}", RECORDS - 1), 1);
    let records = cities(&server, &key);
    for number in 0..3 {
        // sessions that wait longer than they may
        std::thread::sleep(IDLE * 3);
        for more in 0..10 {
            let body = format!("{{\"Name\": \"L{number} {more}\"}}");
            let made = server.send("POST", &key, &records, &body);
            assert_eq!(made.status, 201, "{}", made.body);
            let page = server.get(&key, &format!("{records}?pageSize=100"));
            assert_eq!(page.status, 200, "{}", page.body);
        }
    }
    server.stop();
}

/// Waits until a search finds so many.
fn finds(server: &Server, key: &str, query: &str, expected: usize) {
    let path = format!("/v1/dataobjects/search?query={query}");
    let began = Instant::now();
    loop {
        let found = server.get(key, &path);
        assert!(matches!(found.status, 200 | 503), "{}", found.body);
        if found.status == 200 && found.json()["total"] == expected {
            return;
        }
        assert!(began.elapsed() < TIMEOUT, "the index: {}", found.body);
        std::thread::sleep(Duration::from_millis(100));
    }
}

pub(crate) fn settings_that_a_database_is_told_for_others_leave_no_hit_out() {
    let place = Place::new();
    let key = place.company();
    let database = place.database();
    let mut lines = String::new();
    for number in 0..RECORDS {
        let name = if number % 20 == 0 { "Leiden" } else { "Gouda" };
        writeln!(lines, "{{\"Name\": \"{name} {number}\"}}").expect("a text");
    }
    std::fs::write(place.path().join("many.ndjson"), lines).expect("written");
    place.json(&["import", "many.ndjson", "--into", "Places/City/Cities"]);
    let server = place.serve("one", &[]);
    finds(&server, &key, "Leiden", RECORDS / 20);
    server.stop();
    // what waits to be put into the index is looked through as a whole
    let told = place.cluster.run(&format!(
        "\\connect {database}
SELECT gin_clean_pending_list('search_words_lexemes');
ALTER DATABASE {database} SET gin_fuzzy_search_limit = 3;
ALTER DATABASE {database} SET bytea_output = 'escape';
SELECT 'told: ' || count(*) FROM pg_db_role_setting;"
    ));
    assert!(told.expect("it is told").contains("told: "));
    let server = place.serve("one", &[]);
    for _ in 0..5 {
        let found = server.get(&key, "/v1/dataobjects/search?query=Leiden");
        assert_eq!(found.status, 200, "{}", found.body);
        assert_eq!(found.json()["total"], RECORDS / 20, "{}", found.body);
    }
    // and what is written from now on is found by all that was
    let made = server.send(
        "POST",
        &key,
        &cities(&server, &key),
        r#"{"Name": "Leiden again"}"#,
    );
    assert_eq!(made.status, 201, "{}", made.body);
    let found = server.get(&key, "/v1/dataobjects/search?query=Leiden");
    assert_eq!(found.json()["total"], RECORDS / 20 + 1, "{}", found.body);
    server.stop();
}

pub(crate) fn a_write_that_takes_longer_than_the_address_allows_may_come_again() {
    let place = Place::new();
    let key = place.company();
    let address = format!("{} options='-c statement_timeout=2s'", place.address());
    let server = place.serve_at(&address, "one", &[]);
    let records = cities(&server, &key);
    let create = |name: &str| {
        let body = format!("{{\"Name\": \"{name}\"}}");
        server.send("POST", &key, &records, &body)
    };
    assert_eq!(create("Leiden").status, 201);
    // each write asks for this row
    let held = place.hold("SELECT value FROM counters WHERE name = 'log' FOR UPDATE");
    let refused = create("City");
    assert_eq!(refused.status, 503, "{}", refused.body);
    assert!(refused.header("retry-after").is_some(), "{}", refused.head);
    let told = "took longer for this than it may";
    assert!(refused.body.contains(told), "{}", refused.body);
    server.wait_for_error("statement_timeout");
    drop(held);
    assert_eq!(create("Gouda").status, 201);
}

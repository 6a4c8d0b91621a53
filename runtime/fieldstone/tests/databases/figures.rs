//! Figures of a server on a database: what they have of a folder's, and what in its place.

use crate::cities::cities;
use crate::place::Place;
use crate::scrape::{WATCHED, address_of, figure, find_figure, scrape};
use crate::support::TIMEOUT;
use std::time::{Duration, Instant};

pub(crate) fn a_server_on_a_database_tells_of_its_writer_its_size_and_the_room_of_its_folder() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &WATCHED);
    let address = address_of(&server);
    let records = cities(&server, &key);
    for number in 0..5 {
        let body = format!(r#"{{"Name": "City {number}"}}"#);
        let made = server.send("POST", &key, &records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
    }
    // a commit is counted after it was answered
    let began = Instant::now();
    let text = loop {
        let text = scrape(&address);
        if find_figure(&text, "fieldstone_commit_duration_seconds_count") >= Some(5.0) {
            break text;
        }
        assert!(began.elapsed() < TIMEOUT, "{text}");
        std::thread::sleep(Duration::from_millis(50));
    };
    for (name, least) in [
        ("fieldstone_ready", 1.0),
        ("fieldstone_writer_queue_jobs", 0.0),
        ("fieldstone_database_bytes", 1_000_000.0),
        ("fieldstone_disk_free_bytes", 1.0),
        ("fieldstone_index_lag_entries", 0.0),
        ("fieldstone_memory_budget_bytes", 1.0),
        ("fieldstone_database_connections{state=\"in_use\"}", 0.0),
        ("fieldstone_database_connections{state=\"idle\"}", 1.0),
        ("fieldstone_database_connections{state=\"waiting\"}", 0.0),
        ("fieldstone_database_retries_total", 0.0),
        ("fieldstone_database_answer_duration_seconds_count", 10.0),
    ] {
        assert!(figure(&text, name) >= least, "{name}: {text}");
    }
    assert!(figure(&text, "fieldstone_writer_queue_jobs") < 0.1);
    assert!(!text.contains("fieldstone_file_bytes{"), "{text}");
    server.stop();
}

pub(crate) fn figures_tell_of_connections_that_are_waited_for_and_of_work_that_is_tried_again() {
    const CONNECTIONS: &str = "fieldstone_database_connections";
    let place = Place::new();
    let key = place.company();
    let server = place.serve(
        "one",
        &[&WATCHED[..], &["--database-connections", "2"]].concat(),
    );
    let (address, records) = (address_of(&server), cities(&server, &key));
    let is_crowded = || {
        let text = scrape(&address);
        let of = |state| figure(&text, &format!("{CONNECTIONS}{{state=\"{state}\"}}"));
        of("in_use") > 1.9 && of("waiting") > 0.9
    };
    let began = Instant::now();
    let held = place.hold("LOCK TABLE records");
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| server.get(&key, &format!("{records}?pageSize=10")));
        }
        while !is_crowded() {
            assert!(began.elapsed() < TIMEOUT, "{}", scrape(&address));
        }
        drop(held);
    });
    let retries = || figure(&scrape(&address), "fieldstone_database_retries_total");
    let before = retries();
    let held = place.hold("LOCK TABLE records");
    std::thread::scope(|scope| {
        let (server, key) = (&server, &key);
        let read = scope.spawn(|| server.get(key, &records).status);
        // a read that is under way, so that it is lost and not only its connection
        while retries() <= before {
            assert!(began.elapsed() < TIMEOUT, "{}", scrape(&address));
            place.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock'",
            );
        }
        drop(held);
        assert_eq!(read.join().expect("an answer"), 200);
    });
    server.stop();
}

pub(crate) fn a_write_that_fails_among_others_is_counted_as_one_that_fails_alone() {
    let place = Place::new();
    let key = place.company();
    place.sql("ALTER TABLE records ADD CONSTRAINT judges CHECK (body NOT LIKE '%Nowhere%')");
    let server = place.serve("one", &WATCHED);
    let address = address_of(&server);
    let records = cities(&server, &key);
    let failed = || figure(&scrape(&address), "fieldstone_failed_commits_total");
    assert!(failed().abs() < 0.1, "it is there before anything fails");
    std::thread::scope(|scope| {
        // what every commit asks for: the first write waits for it, and those that come meanwhile are one group
        let held = place.hold("SELECT value FROM counters WHERE name = 'log' FOR UPDATE");
        for (name, status) in [
            ("First", 201),
            ("Gouda", 201),
            ("Nowhere", 500),
            ("Hoorn", 201),
        ] {
            let (server, key, records) = (&server, &key, &records);
            scope.spawn(move || {
                let body = format!(r#"{{"Name": "{name}"}}"#);
                let made = server.send("POST", key, records, &body);
                assert_eq!(made.status, status, "{name}: {}", made.body);
            });
            std::thread::sleep(Duration::from_millis(200));
        }
        drop(held);
    });
    let failed = failed();
    assert!((failed - 1.0).abs() < 0.1, "{failed}");
    server.stop();
}

//! A newer program has changed the tables of the database: servers of this one say so and do nothing more.

use crate::cities::cities;
use crate::place::Place;
use crate::support::TIMEOUT;
use std::time::{Duration, Instant};

/// A step as a newer program does it, but for what it would change.
const STEP: &str = "BEGIN;
    UPDATE counters SET value = value + 1 WHERE name = 'catalog' AND value > 0;
    INSERT INTO migrations (number) SELECT max(number) + 1 FROM migrations;
    COMMIT;";

pub(crate) fn a_server_stops_where_a_newer_program_has_changed_the_tables_and_none_starts() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &[]);
    let records = cities(&server, &key);
    assert_eq!(server.get(&key, &records).status, 200);
    assert_eq!(server.get("", "/readyz").status, 200);
    let script = format!("\\connect {}\n{STEP}", place.database());
    place.cluster.run(&script).expect("it is done");
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    let read = server.get(&key, &records);
    for answer in [made, read] {
        assert_eq!(answer.status, 503, "{} {}", answer.head, answer.body);
        assert!(answer.header("retry-after").is_some(), "{}", answer.head);
        let told = answer.json()["message"].to_string();
        assert!(told.contains("a newer version of the service"), "{told}");
    }
    let began = Instant::now();
    let ready = loop {
        // one that was found ready is told so for some seconds more
        let ready = server.get("", "/readyz");
        if ready.status != 200 {
            break ready;
        }
        assert!(began.elapsed() < TIMEOUT, "it does not see it");
        std::thread::sleep(Duration::from_millis(200));
    };
    assert_eq!(ready.status, 503, "{}", ready.body);
    let told = ready.json()["message"].to_string();
    assert!(told.contains("a newer version of the service"), "{told}");
    assert_eq!(server.get("", "/healthz").status, 200, "the process lives");
    server.signal("-TERM");
    let (status, errors) = server.wait();
    // it could not note what it had to note at its end, and says so
    assert_eq!(status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("a newer program has changed the tables"),
        "{errors}"
    );

    for command in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["migrate"],
        &["check"],
    ] {
        let told = place.fail(command);
        for words in [
            place.database(),
            "newer than this program's",
            "use the version of the program that brought it there",
        ] {
            assert!(told.contains(words), "{command:?}: {told}");
        }
    }
    let look = format!(
        "\\connect {}\nSELECT 'there: ' || count(*) FROM records WHERE primary_key = 'Gouda';",
        place.database()
    );
    let found = place.cluster.run(&look).expect("it is asked");
    assert!(found.contains("there: 0"), "{found}");
}

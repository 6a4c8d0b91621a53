//! A database that takes no writes for a while, since its sessions keep what they began with, or since others are always faster:
//! servers are none the worse after.

use crate::cities::cities;
use crate::place::Place;
use crate::silence::becomes_ready;
use crate::support::TIMEOUT;
use std::time::{Duration, Instant};

/// Has the database begin its sessions in another way, and end those that there are.
fn sessions_begin_anew(place: &Place, change: &str) {
    let database = place.database();
    let script = format!(
        "ALTER DATABASE {database} {change};
SELECT 'ended: ' || count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{database}';"
    );
    let told = place.cluster.run(&script).expect("it is told");
    assert!(told.contains("ended: "), "{told}");
}

pub(crate) fn writes_come_back_once_the_database_takes_some() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &[]);
    let records = cities(&server, &key);
    let create = |name: &str| {
        let body = format!("{{\"Name\": \"{name}\"}}");
        server.send("POST", &key, &records, &body)
    };
    assert_eq!(create("Before").status, 201);
    sessions_begin_anew(&place, "SET default_transaction_read_only = on");
    let began = Instant::now();
    for number in 0..5 {
        let refused = create(&format!("Meanwhile {number}"));
        assert_eq!(refused.status, 503, "{}", refused.body);
        assert!(refused.header("Retry-After").is_some(), "{}", refused.head);
        let read = server.get(&key, &format!("{records}/by-pk/Before"));
        assert_eq!(read.status, 200, "{}", read.body);
    }
    let ready = server.get("", "/readyz");
    assert_eq!(ready.status, 503, "{}", ready.body);
    assert!(
        ready.body.contains("the database is read only"),
        "{}",
        ready.body
    );
    let message = place.fail(&["key", "create", "late", "--role", "MEMBER"]);
    assert!(
        message
            .contains("the database takes no writes (a standby, or default_transaction_read_only)"),
        "{message}"
    );
    // nobody ends the sessions that began meanwhile
    let reset = format!(
        "ALTER DATABASE {} RESET default_transaction_read_only;",
        place.database()
    );
    place.cluster.run(&reset).expect("it is told");
    let mut number = 0;
    while create(&format!("Behind {number}")).status != 201 {
        number += 1;
        assert!(began.elapsed() < TIMEOUT, "no write comes back");
        std::thread::sleep(Duration::from_millis(100));
    }
    becomes_ready(&server);
    // not one session is left that would refuse
    for number in 0..50 {
        let made = create(&format!("Later {number}"));
        assert_eq!(made.status, 201, "{}", made.body);
    }
    server.stop();
}

/// As where others write the same rows all the time.
pub(crate) fn what_is_taken_back_each_time_may_be_asked_again() {
    let place = Place::new();
    let (key, root) = (place.company(), place.root());
    let server = place.serve("one", &[]);
    let records = cities(&server, &key);
    let tell = |script: &str| {
        let script = format!("\\connect {}\n{script};", place.database());
        place.cluster.run(&script).expect("it is told");
    };
    tell(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           RAISE EXCEPTION 'taken back by the story' USING ERRCODE = '40001';
         END $$;
         CREATE TRIGGER fails BEFORE INSERT ON commits FOR EACH ROW EXECUTE FUNCTION fail()",
    );
    let writes = [
        (&key, &*records, r#"{"Name": "Leiden"}"#),
        (&root, "/admin/api/v1/areas", r#"{"name": "Later"}"#),
    ];
    for (credential, path, body) in writes {
        let refused = server.send("POST", credential, path, body);
        assert_eq!(refused.status, 503, "{path}: {}", refused.body);
        assert!(refused.header("Retry-After").is_some(), "{}", refused.head);
        assert!(
            refused.body.contains("nothing was done"),
            "{}",
            refused.body
        );
    }
    server.wait_for_error("taken back by the story");
    tell("DROP TRIGGER fails ON commits");
    for (credential, path, body) in writes {
        let made = server.send("POST", credential, path, body);
        assert_eq!(made.status, 201, "{path}: {}", made.body);
    }
    server.stop();
}

//! Ten servers that are started at once on a database with nothing in it: one of them makes each table and the secret, and
//! all of them serve one store.

use crate::museum::{hall, link};
use crate::place::Place;
use crate::settings::migrations;
use crate::silence::becomes_ready;
use crate::support::Server;
use serde_json::json;

const SERVERS: usize = 10;

pub(crate) fn ten_servers_that_start_on_an_empty_database_at_once_serve_one_store() {
    let place = Place::new();
    let servers: Vec<Server> = std::thread::scope(|scope| {
        let place = &place;
        let begun: Vec<_> = (0..SERVERS)
            .map(|_| scope.spawn(move || place.serve("files", &[])))
            .collect();
        let started = begun.into_iter().map(|it| it.join().expect("it starts"));
        started.collect()
    });
    for server in &servers {
        becomes_ready(server);
    }
    let look = format!(
        "\\connect {}\nSELECT 'step ' || number FROM migrations WHERE number > 0;
         SELECT 'kept: ' || id FROM catalog WHERE kind = 'setting' AND id = 'secret';",
        place.database()
    );
    let told = place.cluster.run(&look).expect("it is asked");
    let files = std::fs::read_dir(migrations()).expect("a folder").count();
    assert_eq!(told.matches("step ").count(), files, "{told}");
    assert_eq!(told.matches("kept: ").count(), 1, "{told}");
    assert_eq!(place.json(&["migrate"])["steps"], 0);

    let keeper = place.museum();
    let hall = hall(&servers[0], &keeper);
    let sent = servers[0].send_file(&keeper, &format!("{hall}/files"), "of all of them");
    assert_eq!(sent.status, 201, "{}", sent.body);
    let records = format!("{hall}/dataobjects");
    let body = json!({"No": "1", "Paper": sent.json()["fileId"]}).to_string();
    let made = servers[1].send("POST", &keeper, &records, &body);
    assert_eq!(made.status, 201, "{}", made.body);
    // each signs with the one secret, and has the ids of all
    for (number, server) in servers.iter().enumerate() {
        let next = &servers[(number + 1) % SERVERS];
        let paper = next.get("", &link(server, &keeper));
        assert_eq!((paper.status, &*paper.body), (200, "of all of them"));
        let body = format!(r#"{{"No": "S{number}"}}"#);
        let made = server.send("POST", &keeper, &records, &body);
        assert_eq!(made.status, 201, "{}", made.body);
        let seen = next.get(&keeper, &format!("{records}/by-pk/S{number}"));
        assert_eq!(seen.json()["_dataObjectId"], made.json()["_dataObjectId"]);
    }
    for server in servers {
        server.stop();
    }
    let checked = place.within("files").arg("check").output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "counters and keys are exact");
}

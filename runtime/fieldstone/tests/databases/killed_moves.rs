//! Moves that are killed on their way: they go on, and nobody serves what is not whole.

use crate::cities::{CITIES, cities};
use crate::forged_rows::forge_row;
use crate::moves::{command, company, moved, moved_by, refused, run};
use crate::place::{Place, names, serve_folder};
use crate::support::{self, Server, fieldstone, text};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

/// How often a move is begun that shall be killed before its end.
const TRIES: usize = 10;
/// How many kills share the time that a whole move takes.
const TURNS: u32 = 16;

/// How far a move into a database is: the words that the database has of it.
fn progress(place: &Place) -> String {
    let script = format!(
        "\\c {}\n\\t on\nSELECT document FROM moves;",
        place.database()
    );
    place.cluster.run(&script).unwrap_or_default()
}

/// Begins a move into a database and kills it when it has written records; the key of the company that is moved.
fn killed_on_its_way() -> (Place, String) {
    for _ in 0..TRIES {
        let place = Place::new();
        let key = company(&place);
        let mut begun = command(&place, "data", &place.address())
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        let began = Instant::now();
        let is_on_its_way = loop {
            let told = progress(&place);
            // the third part is the records'
            if told.contains("\"parts\":2,\"after\":{") || told.contains("\"parts\":3") {
                break true;
            }
            if begun.try_wait().expect("a child").is_some() {
                break false;
            }
            assert!(began.elapsed() < support::TIMEOUT, "{told}");
            std::thread::sleep(Duration::from_millis(2));
        };
        begun.kill().expect("it is killed");
        begun.wait().expect("it ended");
        if is_on_its_way && progress(&place).contains("\"parts\"") {
            return (place, key);
        }
    }
    panic!("each of {TRIES} moves was over before it was killed");
}

pub(crate) fn a_move_that_is_killed_goes_on_and_nobody_serves_it_before() {
    let (place, _) = killed_on_its_way();
    let message = place.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(message.contains("is not whole"), "{message}");
    let message = place.fail(&["key", "list"]);
    assert!(message.contains("is not whole"), "{message}");
    let told = moved(&place, "data", &place.address());
    let parts = told["parts"].as_array().expect("parts");
    let of_cities = |part: &&Value| {
        let what = part["what"].as_str().unwrap_or_default();
        what.starts_with("records of Cities")
    };
    let of_cities = parts.iter().find(of_cities).expect("the cities");
    assert_eq!(of_cities["to"]["rows"], CITIES, "{told}");
    assert!(place.run(&["check"]).status.success());
}

/// Begins a move and kills it after a while; whether it was killed before its end.
fn is_killed_after(place: &Place, (from, to): (&str, &str), pause: Duration) -> bool {
    let mut begun = command(place, from, to)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(pause);
    if begun.try_wait().expect("a child").is_some() {
        return false;
    }
    begun.kill().expect("it is killed");
    begun.wait().expect("it ended");
    true
}

/// Whether who opens a target, a folder or a database, to look or to serve it, is told that it is not whole.
fn is_half(place: &Place, to: &str) -> bool {
    let is_refused = |arguments: &[&str]| {
        let mut program = fieldstone(place.path());
        if to.contains("dbname=") {
            program.args(["--database", to, "--data", "files-of-database"]);
        } else {
            program.args(["--data", to]);
        }
        let output = program.args(arguments).output().expect("it starts");
        text(&output.stderr).contains("is not whole")
    };
    let is_half = is_refused(&["key", "list"]);
    if is_half {
        assert!(is_refused(&["serve", "--listen", "127.0.0.1:0"]), "{to}");
    }
    is_half
}

/// Moves, and is killed each time a little later; how often the target was refused meanwhile.
fn killed_again_and_again(place: &Place, (from, to): (&str, &str), whole: Duration) -> u32 {
    let mut refused = 0;
    for turn in 1.. {
        if !is_killed_after(place, (from, to), whole * turn / TURNS) {
            break;
        }
        refused += u32::from(is_half(place, to));
    }
    refused
}

pub(crate) fn a_move_into_a_folder_that_is_killed_again_and_again_comes_to_its_end() {
    let place = Place::new();
    let key = company(&place);
    let address = place.address();
    moved(&place, "data", &address);
    let began = Instant::now();
    moved_by(command(&place, &address, "whole"));
    let whole = began.elapsed();
    let mut folders = (0..TRIES).map(|number| format!("back-{number}"));
    let back = folders.find(|back| killed_again_and_again(&place, (&address, back), whole) > 0);
    let back = back.expect("one was killed on its way");
    let server = serve_folder(&place, &back);
    assert_eq!(names(&server, &key).len(), CITIES);
    server.stop();
    let mut check = fieldstone(place.path());
    let checked = check.args(["--data", &back, "check"]).output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}

pub(crate) fn a_move_into_a_database_that_is_killed_again_and_again_comes_to_its_end() {
    let (place, key) = killed_on_its_way();
    let (there, whole) = (place.address(), Place::new());
    assert!(is_half(&place, &there), "it is on its way");
    let began = Instant::now();
    moved_by(command(&place, "data", &whole.address()));
    killed_again_and_again(&place, ("data", &there), began.elapsed());
    let server = place.serve("files", &[]);
    assert_eq!(names(&server, &key).len(), CITIES);
    server.stop();
    let checked = place.run(&["check"]);
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}

/// Adds a city, and stops the server.
fn write_late(server: Server, key: &str) {
    let made = server.send("POST", key, &cities(&server, key), r#"{"Name": "Late"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
}

pub(crate) fn a_move_whose_source_was_written_since_it_was_killed_is_refused() {
    let (place, key) = killed_on_its_way();
    let (half, whole) = (place.address(), Place::new());
    let address = whole.address();
    moved(&place, "data", &address);
    write_late(serve_folder(&place, "data"), &key);
    let told = refused(&place, "data", &half);
    assert!(told.contains("this one was written since"), "{told}");

    let half = folder_killed_on_its_way(&place, &address);
    write_late(whole.serve("files", &[]), &key);
    let told = refused(&place, &address, &half);
    assert!(told.contains("this one was written since"), "{told}");
}

pub(crate) fn a_row_that_is_another_in_the_target_is_told() {
    let (place, _) = killed_on_its_way();
    let script = format!(
        "\\c {}\nUPDATE records SET version = version + 1 WHERE sequence = 1;",
        place.database()
    );
    place.cluster.run(&script).expect("it is done");
    let differ = differing(&run(&place, "data", &place.address()));
    assert_eq!(differ.len(), 1, "{differ:?}");
    let message = place.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(message.contains("is not whole"), "{message}");
}

/// The parts of which a move tells that they are not the same.
fn differing(output: &Output) -> Vec<Value> {
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told["isSame"], false);
    let parts = told["parts"].as_array().expect("parts").iter();
    let differ = parts.filter(|part| part["isSame"] == false);
    differ.cloned().collect()
}

/// Whether a folder has a record already, and is not whole.
fn is_on_its_way(file: &Path) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let has_record = |store: Connection| {
        let found = store.query_row("SELECT count(*) FROM records", [], |row| row.get(0));
        found.unwrap_or(0_i64) > 0
    };
    file.is_file() && Connection::open_with_flags(file, flags).is_ok_and(has_record)
}

/// Begins moves into folders until one is killed that has written records; its folder.
fn folder_killed_on_its_way(place: &Place, from: &str) -> String {
    for turn in 1..=TRIES {
        let folder = format!("half-{turn}");
        let file = place.path().join(&folder).join("fieldstone.db");
        let mut begun = command(place, from, &folder)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        while !is_on_its_way(&file) && begun.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        begun.kill().expect("it is killed");
        begun.wait().expect("it ended");
        if is_half(place, &folder) {
            return folder;
        }
    }
    panic!("each of {TRIES} moves was over before it was killed");
}

pub(crate) fn a_row_that_is_another_in_a_folder_is_told() {
    let place = Place::new();
    company(&place);
    moved(&place, "data", &place.address());
    let folder = folder_killed_on_its_way(&place, &place.address());
    let file = place.path().join(&folder).join("fieldstone.db");
    let mut store = Connection::open(file).expect("the store's file");
    // a row that is as it was written, though not by the move
    forge_row(
        &mut store,
        "UPDATE records SET body = replace(body, 'City', 'Town')
           WHERE place = (SELECT min(place) FROM records)",
    );
    drop(store);
    let differ = differing(&run(&place, &place.address(), &folder));
    let is_of_cities = |part: &Value| {
        let what = part["what"].as_str().unwrap_or_default();
        what.starts_with("records of Cities")
    };
    assert!(differ.iter().any(is_of_cities), "{differ:?}");
    let mut serve = fieldstone(place.path());
    serve.args(["--data", &folder, "serve", "--listen", "127.0.0.1:0"]);
    let refused = serve.output().expect("it starts");
    let message = text(&refused.stderr);
    assert!(message.contains("is not whole"), "{message}");
}

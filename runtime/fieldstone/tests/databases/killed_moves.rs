//! Moves that are killed on their way: they go on, and nobody serves what is not whole.

use crate::cities::{CITIES, company};
use crate::moves::{command, moved, run};
use crate::place::{Place, names, serve_folder};
use crate::support::{self, fieldstone, text};
use serde_json::Value;
use std::process::Stdio;
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

/// Begins a move into a database and kills it when it has written records.
fn killed_on_its_way() -> Place {
    for _ in 0..TRIES {
        let place = Place::new();
        company(place.path());
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
            return place;
        }
    }
    panic!("each of {TRIES} moves was over before it was killed");
}

pub(crate) fn a_move_that_is_killed_goes_on_and_nobody_serves_it_before() {
    let place = killed_on_its_way();
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

/// Moves into a folder, and is killed each time a little later; how often the folder was refused meanwhile.
fn killed_again_and_again(place: &Place, folder: &str, whole: Duration) -> u32 {
    let mut refused = 0;
    for turn in 1.. {
        let mut begun = command(place, &place.address(), folder)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(whole * turn / TURNS);
        if begun.try_wait().expect("a child").is_some() {
            break;
        }
        begun.kill().expect("it is killed");
        begun.wait().expect("it ended");
        let mut list = fieldstone(place.path());
        let listed = list.args(["--data", folder, "key", "list"]).output();
        let told = text(&listed.expect("it starts").stderr);
        refused += u32::from(told.contains("is not whole"));
    }
    refused
}

pub(crate) fn a_move_into_a_folder_that_is_killed_again_and_again_comes_to_its_end() {
    let place = Place::new();
    let key = company(place.path());
    moved(&place, "data", &place.address());
    let began = Instant::now();
    moved(&place, &place.address(), "whole");
    let whole = began.elapsed();
    let folders = (0..TRIES).map(|number| format!("back-{number}"));
    let mut killed = folders.filter(|back| killed_again_and_again(&place, back, whole) > 0);
    let back = killed.next().expect("one was killed on its way");
    let server = serve_folder(&place, &back);
    assert_eq!(names(&server, &key).len(), CITIES);
    server.stop();
    let mut check = fieldstone(place.path());
    let checked = check.args(["--data", &back, "check"]).output();
    let checked = checked.expect("it starts");
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}

pub(crate) fn a_row_that_is_another_in_the_target_is_told() {
    let place = killed_on_its_way();
    let script = format!(
        "\\c {}\nUPDATE records SET body = replace(body, 'City', 'Town') WHERE sequence = 1;",
        place.database()
    );
    place.cluster.run(&script).expect("it is done");
    let output = run(&place, "data", &place.address());
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told["isSame"], false);
    let parts = told["parts"].as_array().expect("parts").iter();
    let differ: Vec<_> = parts.filter(|part| part["isSame"] == false).collect();
    assert_eq!(differ.len(), 1, "{told}");
    let message = place.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(message.contains("is not whole"), "{message}");
}

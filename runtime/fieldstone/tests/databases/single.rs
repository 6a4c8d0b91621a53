//! One server on a database: what it serves, and what it says when the database is stopped.

use crate::addresses::{Asked, operations, pages};
use crate::cities::cities;
use crate::limits::{PASSWORD, sign_in};
use crate::museum::{add_paper, hall, link};
use crate::place::{Place, SETTINGS};
use crate::scrape::{WATCHED, address_of, figure, scrape};
use crate::silence::becomes_ready;
use crate::support::{Response, Server, TIMEOUT, text};
use std::time::{Duration, Instant};

/// Waits until a search finds so many records.
pub(crate) fn finds(server: &Server, key: &str, word: &str, count: usize) {
    let path = format!("/v1/dataobjects/search?query={word}");
    let began = Instant::now();
    loop {
        let found = server.get(key, &path);
        if found.status == 200 && found.json()["total"] == count {
            return;
        }
        assert!(began.elapsed() < TIMEOUT, "{} {}", found.head, found.body);
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// An index is lost by hand here, once as another version of the program would have written it.
pub(crate) fn an_index_of_another_version_is_made_anew_by_the_next_server() {
    let place = Place::new();
    let key = place.company();
    let restarted = |lost: &str, count: usize| {
        let script = format!("\\connect {}\n{lost}", place.database());
        place.cluster.run(&script).expect("it is done");
        let server = place.serve("one", &[]);
        finds(&server, &key, "delft", count);
        server.stop();
    };
    restarted("", 1);
    let lost = "DELETE FROM search_words;";
    restarted(&format!("{lost} UPDATE search_progress SET format = 1;"), 1);
    // it is of this version now, and who has nothing to read again does not look into it
    restarted(lost, 0);
}

pub(crate) fn a_database_serves_what_a_folder_serves() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &[]);
    let records = cities(&server, &key);
    let made = server.send(
        "POST",
        &key,
        &records,
        r#"{"Name": "Gouda", "People": 75000}"#,
    );
    assert_eq!(made.status, 201, "{}", made.body);
    let again = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(again.status, 400, "{}", again.body);
    let read = server.get(&key, &format!("{records}/by-pk/Gouda")).json();
    assert_eq!(read["People"], 75000, "{read}");
    let listed = server.get(&key, &records).json();
    assert_eq!(
        listed["items"].as_array().map(Vec::len),
        Some(4),
        "{listed}"
    );
    finds(&server, &key, "gouda", 1);
    assert_eq!(server.get("", "/readyz").status, 200);

    // beside the server, by the command: an import is a job
    std::fs::write(
        place.path().join("more.ndjson"),
        "{\"Name\": \"Leiden\", \"People\": 127000}\n",
    )
    .expect("written");
    place.json(&["import", "more.ndjson", "--into", "Places/City/Cities"]);
    let read = server.get(&key, &format!("{records}/by-pk/Leiden"));
    assert_eq!(read.status, 200, "{}", read.body);
    finds(&server, &key, "leiden", 1);
    let errors = server.stop();
    assert!(
        errors.contains("give --s3-bucket"),
        "it says where files are: {errors}"
    );

    let server = place.serve("one", &[]);
    let read = server.get(&key, &format!("{records}/by-pk/Gouda"));
    assert_eq!(read.status, 200, "what was there is kept: {}", read.body);
    finds(&server, &key, "gouda", 1);
    let checked = place.run(&["check"]);
    let told = text(&checked.stdout);
    assert!(
        checked.status.success() && told.contains("is sound"),
        "{told}"
    );
    assert!(
        !place.path().join("one/fieldstone.db").exists(),
        "no store is in the folder"
    );
}

pub(crate) fn a_manifest_brings_more_records_than_there_are_connections() {
    let place = Place::new();
    place.company();
    let many: Vec<_> = (0..3_000)
        .map(|number| format!("{{\"Name\": \"Place {number}\", \"People\": {number}}}\n"))
        .collect();
    std::fs::write(place.path().join("cities.ndjson"), many.concat()).expect("written");
    let applied = place.json(&["apply", "company.yaml"]);
    assert_eq!(applied["records"][0]["created"], 3_000, "{applied}");
    let again = place.json(&["apply", "company.yaml"]);
    assert_eq!(again["records"][0]["unchanged"], 3_000, "{again}");
}

/// How many ask at once.
const ASKERS: usize = 32;
/// What is answered without the database.
const ANSWERED: [&str; 3] = ["GET /", "GET /healthz", "GET /openapi.json"];

/// What is wrong with an answer while the database is stopped.
fn wrong(line: &str, is_of_people: bool, answer: &Response) -> Option<String> {
    let is_right = if ANSWERED.contains(&line) {
        answer.status == 200
    } else {
        let kind = answer.header("content-type");
        let is_page = kind.is_some_and(|kind| kind.starts_with("text/html"));
        answer.status == 503
            && answer.header("retry-after").is_some()
            && is_page == is_of_people
            && is_page == answer.body.contains("<h1>")
    };
    (!is_right).then(|| format!("{line}: {}", answer.head))
}

/// What is wrong with the answers to all of these, of which many are asked at once: each waits a while for the database.
fn all_wrong(server: &Server, asked: &[Asked]) -> Vec<String> {
    std::thread::scope(|scope| {
        let begun: Vec<_> = (0..ASKERS)
            .map(|asker| {
                scope.spawn(move || {
                    let own = asked.iter().skip(asker).step_by(ASKERS);
                    let told =
                        own.filter_map(|it| wrong(&it.line(), it.is_of_people(), &it.send(server)));
                    told.collect::<Vec<_>>()
                })
            })
            .collect();
        let told = begun.into_iter().map(|it| it.join().expect("answers"));
        told.flatten().collect()
    })
}

/// The session of somebody who may do everything.
fn session(place: &Place, server: &Server) -> String {
    std::fs::write(place.path().join("password"), PASSWORD).expect("written");
    let create = ["user", "create", "berta", "--email", "berta@example.com"];
    let role = ["--role", "ACCOUNT ADMINISTRATOR"];
    let rest = ["--area", "*", "--password-file", "password"];
    place.json(&[&create[..], &role, &rest].concat());
    let entered = sign_in(server, "berta", PASSWORD);
    assert_eq!(entered.status, 200, "{}", entered.body);
    let token = entered.json()["token"].as_str().map(str::to_owned);
    token.expect("a token")
}

pub(crate) fn a_database_that_is_stopped_is_told_and_healed() {
    let place = Place::alone();
    let key = place.company();
    let keeper = place.museum();
    let server = place.serve("one", &WATCHED);
    let figures = address_of(&server);
    let records = cities(&server, &key);
    let path = format!("{records}/by-pk/Delft");
    let delft = server.get(&key, &path).json();
    let id = delft["_dataObjectId"].as_str().expect("an id");
    let change = format!(r#"{{"_version": {}, "People": 1}}"#, delft["_version"]);
    add_paper(&server, &keeper, "by somebody");
    let paper = link(&server, &keeper);
    assert_eq!(server.get("", &paper).body, "by somebody");
    let files = format!("{}/files", hall(&server, &keeper));
    // pages of searches ask the index
    finds(&server, &key, "delft", 1);
    let mut asked = operations(&server, &key);
    let count = asked.len();
    asked.extend(pages(&server, &session(&place, &server)));
    let (programs, people) = (count, asked.len() - count);
    assert!(programs > 60 && people > 60, "{programs} and {people}");

    place.cluster.stop(false).expect("it stops");
    let began = Instant::now();
    // one that was found ready is told so for some seconds more
    while server.get("", "/readyz").status == 200 {
        assert!(began.elapsed() < TIMEOUT, "it does not see it");
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut told = all_wrong(&server, &asked);
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    let changed = server.send("PUT", &key, &format!("{records}/{id}"), &change);
    let sent = server.send_file(&keeper, &files, "more");
    let read = server.get("", &paper);
    for (line, answer) in [
        ("a record is made", made),
        ("a record is changed", changed),
        ("a file is sent", sent),
        ("a file is read", read),
    ] {
        told.extend(wrong(line, false, &answer));
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
    let ready = figure(&scrape(&figures), "fieldstone_ready");
    assert!(ready < 0.1, "{ready}");

    place.cluster.start_again(SETTINGS).expect("it starts");
    assert_eq!(server.get(&key, &path).status, 200);
    becomes_ready(&server);
    let made = server.send("POST", &key, &records, r#"{"Name": "Gouda"}"#);
    assert_eq!(
        made.status, 201,
        "what was refused was not done: {}",
        made.body
    );
    let read = server.get(&key, &path).json();
    assert_eq!(read, delft, "nor was the change");
    server.stop();
}

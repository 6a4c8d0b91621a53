//! One server on a database: what it serves, and what it says when the database is stopped.

use crate::cities::cities;
use crate::place::{Place, SETTINGS};
use crate::support::{Server, TIMEOUT, text};
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

pub(crate) fn a_database_that_is_stopped_is_told_and_healed() {
    const SEARCH: &str = "/v1/dataobjects/search?query=delft";
    const CLIENT: &str = r#"{"client_id": "crm", "client_secret": "wharf lantern 83 otter"}"#;
    const SIGN_IN: &str =
        r#"{"tenant": "Acme", "username": "vera", "password": "wharf lantern 83 otter"}"#;
    let place = Place::alone();
    let key = place.company();
    let server = place.serve("one", &[]);
    let records = cities(&server, &key);
    let path = format!("{records}/by-pk/Delft");
    assert_eq!(server.get(&key, &path).status, 200);
    let delft = server.get(&key, &path).json();
    let id = delft["_dataObjectId"].as_str().expect("an id");
    let change = format!(r#"{{"_version": {}, "People": 1}}"#, delft["_version"]);
    let record = format!("{records}/{id}");
    let page = format!("{records}?pageSize=10");
    let asked: [(&str, &str, &str); 10] = [
        ("GET", path.as_str(), ""),
        ("GET", "/readyz", ""),
        ("GET", &page, ""),
        ("GET", SEARCH, ""),
        ("POST", &records, r#"{"Name": "Gouda"}"#),
        ("PUT", &record, &change),
        ("POST", "/oauth2/token", CLIENT),
        ("POST", "/admin/api/v1/sessions", SIGN_IN),
        ("GET", "/app/sign-in", ""),
        ("GET", "/app/jobs", ""),
    ];
    place.cluster.stop(false).expect("it stops");
    for (method, path, body) in asked {
        let answer = server.send(method, &key, path, body);
        let (head, body) = (&answer.head, &answer.body);
        assert_eq!(answer.status, 503, "{method} {path}: {head} {body}");
        let again = answer.header("retry-after");
        assert!(again.is_some(), "{method} {path}: {head}");
        let kind = answer.header("content-type");
        let is_page = kind.is_some_and(|kind| kind.starts_with("text/html"));
        assert_eq!(
            is_page,
            path.starts_with("/app/"),
            "{method} {path}: {head}"
        );
        assert_eq!(is_page, body.contains("<h1>"), "{method} {path}: {body}");
    }
    assert_eq!(server.get("", "/healthz").status, 200, "the process lives");
    place.cluster.start_again(SETTINGS).expect("it starts");
    assert_eq!(server.get(&key, &path).status, 200);
    let began = Instant::now();
    while server.get("", "/readyz").status != 200 {
        assert!(began.elapsed() < TIMEOUT, "it does not heal");
        std::thread::sleep(Duration::from_millis(50));
    }
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

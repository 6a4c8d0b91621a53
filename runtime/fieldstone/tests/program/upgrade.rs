//! Stores of earlier versions of the program: they are read as they are, brought to this version, and have all that they
//! had. What the fixtures are and how they were made, `fixtures/README.md` tells.

use crate::support::{Server, succeed};
use serde_json::Value;
use std::path::Path;
use tempfile::tempdir;

/// What the program made before jobs, webhooks and commit marks: records A to E, of which B was changed three times, C
/// lacks its title, and D was deleted; A has a file.
const VERSION_6: &[u8] = include_bytes!("../../../../fixtures/stores/version_6.tar.zst");
/// The secret of its only key, an administrator's.
const KEY: &str = "fst_7JPIBUogvCaaYQqiYV93xLnng8gRE98G9N15VaRV";
/// Where its records are.
const DATASET: &str = "/v1/businessareas/01a203bd-c2ae-7164-a3e5-66e68d8b0b6f/schemas/exhibit/datasets/01a203bd-c2ba-7882-a427-f1379ea2fb56";

fn unpack(folder: &Path) {
    let decoder = zstd::Decoder::new(VERSION_6).expect("zstd");
    let target = folder.join("data");
    tar::Archive::new(decoder)
        .unpack(&target)
        .expect("a tar archive");
}

/// The records as they were made, by their keys and titles.
fn shown(server: &Server) -> Vec<(String, Value)> {
    let page = server.get(KEY, &format!("{DATASET}/dataobjects")).json();
    let items = page["items"].as_array().expect("records").iter();
    items
        .map(|it| {
            (
                it["No"].as_str().expect("a key").to_owned(),
                it["Title"].clone(),
            )
        })
        .collect()
}

fn as_it_was() -> Vec<(String, Value)> {
    let titles = [
        ("A", Value::from("title of A")),
        ("B", "title 3 of B".into()),
        ("C", Value::Null),
        ("E", "title of E".into()),
    ];
    titles.map(|(key, title)| (key.to_owned(), title)).into()
}

#[test]
fn a_store_of_an_earlier_version_is_checked_backed_up_upgraded_and_served_with_all_it_had() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    unpack(path);
    // as the guide says: looked at and backed up before anything is changed
    assert!(succeed(path, &["check", "--contents"]).contains("is sound"));
    succeed(path, &["backup", "before.tar.zst"]);
    let server = Server::start(path, &[]);
    assert_eq!(shown(&server), as_it_was());
    let first = server
        .get(KEY, &format!("{DATASET}/dataobjects/by-pk/A"))
        .json();
    let link = first["Paper"].as_str().expect("a link");
    let (_, link) = link.split_once(server.address()).expect("its own address");
    assert_eq!(server.get("", link).body, "kept since version 6");
    let found = server.get(KEY, "/v1/dataobjects/search?query=title");
    assert_eq!(found.status, 200, "{}", found.body);
    // what came since works on what was there: history, changes, a new version of an old record
    let (_, dataset) = DATASET.rsplit_once('/').expect("an id");
    let old = server
        .get(KEY, &format!("{DATASET}/dataobjects/by-pk/B"))
        .json();
    let id = old["_dataObjectId"].as_str().expect("an id");
    let past = format!("/admin/api/v1/datasets/{dataset}/records/{id}/history");
    let past = server.get(KEY, &past).json();
    assert_eq!(past["items"].as_array().map(Vec::len), Some(4), "{past}");
    let changes = server.get(KEY, &format!("{DATASET}/changes")).json();
    assert_eq!(
        changes["items"].as_array().map(Vec::len),
        Some(9),
        "{changes}"
    );
    let update = server.send(
        "PUT",
        KEY,
        &format!("{DATASET}/dataobjects/{id}"),
        r#"{"_version": 3, "Title": "of today"}"#,
    );
    assert_eq!(update.status, 204, "{}", update.body);
    server.stop();
    assert!(succeed(path, &["check", "--contents"]).contains("is sound"));
    assert!(succeed(path, &["compact"]).contains("bytes"));
    let server = Server::start(path, &[]);
    assert_eq!(shown(&server)[1].1, "of today");
    server.stop();

    // and what was backed up before is restored by this version, as it was
    let other = path.join("other");
    std::fs::create_dir(&other).expect("a folder");
    succeed(&other, &["restore", "../before.tar.zst"]);
    let server = Server::start(&other, &[]);
    assert_eq!(shown(&server), as_it_was());
    server.stop();
}

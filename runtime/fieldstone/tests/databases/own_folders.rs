//! Servers of one database, each with a folder of its own: what is in the folder of one is not lost where another one meets it.

use crate::cities::cities;
use crate::crashes::names;
use crate::job_files::wait_for;
use crate::museum::{add_paper, link, museum};
use crate::place::Place;
use crate::support::Server;

/// Rows of an import that a server does not live to end.
const ROWS: u32 = 60_000;

/// An import whose server was killed while it was at work, and another server that has met it.
struct LeftImport {
    key: String,
    records: String,
    /// Where the job is asked for.
    path: String,
    other: Server,
}

fn left_import(place: &Place) -> LeftImport {
    place.company();
    let grant = ["--area", "*=view,add,edit"];
    let create = ["key", "create", "root", "--role", "ACCOUNT ADMINISTRATOR"];
    let made = place.json(&[&create[..], &grant].concat());
    let key = made["steps"][0]["secret"].as_str().expect("a secret");
    let one = place.serve("one", &[]);
    let records = cities(&one, key);
    let dataset = records.split('/').nth_back(1).expect("a dataset");
    let lines: Vec<_> = (0..ROWS)
        .map(|row| format!("{{\"Name\": \"K{row}\", \"People\": {row}}}\n"))
        .collect();
    let made = one.send_as(
        "POST",
        key,
        &format!("/admin/api/v1/datasets/{dataset}/imports"),
        "Content-Type: application/x-ndjson",
        &lines.concat(),
    );
    assert_eq!(made.status, 201, "{}", made.body);
    let made = made.json();
    let id = made["jobId"].as_str().expect("an id");
    let path = format!("/admin/api/v1/jobs/{id}");
    let begun = wait_for((&one, key, &path), |job| {
        job["progress"]["rows"].as_u64().unwrap_or_default() > 0
    });
    assert_eq!(begun["state"], "running", "it is killed midway: {begun}");
    drop(one);
    // nobody waits here for the lease of the dead one to run out
    let told = place.cluster.run(&format!(
        "\\connect {}\nUPDATE jobs SET lease_until = 0;",
        place.database()
    ));
    told.expect("it is told");
    let other = place.serve("other", &[]);
    other.wait_for_error("left to the one that has it");
    LeftImport {
        key: key.to_owned(),
        records,
        path,
        other,
    }
}

pub(crate) fn an_import_waits_for_the_server_that_has_its_file() {
    let place = Place::new();
    let LeftImport {
        key,
        records,
        path,
        other,
    } = left_import(&place);
    let waiting = other.get(&key, &path).json();
    assert_eq!(waiting["state"], "running", "{waiting}");
    // its maker has nothing to do yet
    let told = waiting["log"].to_string();
    assert!(!told.contains("cancel the job"), "{waiting}");
    let again = place.serve("one", &[]);
    let ended = wait_for((&again, &key, &path), |job| job["state"] != "running");
    assert_eq!(ended["state"], "done", "{ended}");
    assert_eq!(ended["importResult"]["created"], ROWS, "{ended}");
    assert_eq!(names(&again, &key, &records).len(), ROWS as usize + 3);
}

pub(crate) fn an_import_whose_server_is_gone_for_good_ends_when_it_is_cancelled() {
    let place = Place::new();
    let left = left_import(&place);
    let cancel = format!("{}/cancel", left.path);
    let cancelled = left.other.send("POST", &left.key, &cancel, "");
    assert_eq!(cancelled.status, 200, "{}", cancelled.body);
    wait_for((&left.other, &left.key, &left.path), |job| {
        job["state"] == "cancelled"
    });
}

pub(crate) fn a_link_to_a_content_that_another_server_has_is_404_and_the_log_says_why() {
    let place = Place::new();
    let key = museum(place.path(), |arguments| place.json(arguments));
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    add_paper(&one, &key, "by one of them");
    let path = link(&one, &key);
    let paper = one.get("", &path);
    assert_eq!((paper.status, &*paper.body), (200, "by one of them"));
    let missing = other.get("", &path);
    assert_eq!(missing.status, 404, "{}", missing.body);
    other.wait_for_error("must share their folder of files");
}

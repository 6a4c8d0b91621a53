//! A server that stands still while it writes a file of a job, as a machine that is paused does, and wakes once another one on the
//! same folder has ended the job: what that one made stays whole.

use crate::cities::cities;
use crate::job_files::wait_for;
use crate::place::Place;
use crate::support::{CITY, Server, write_company};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Records of more than one piece of a file, which has 4 MiB.
const ROWS: usize = 24_000;
const NAME_LENGTH: usize = 190;
/// How often an export is asked for that was over before its server stood still.
const TRIES_MAX: usize = 20;

/// What the place's database answers.
fn told(place: &Place, sql: &str) -> String {
    let ran = place
        .cluster
        .run(&format!("\\connect {}\n{sql}", place.database()));
    ran.expect("it is told")
}

/// A company with many cities of long names; a key that may ask for jobs.
fn company(place: &Place) -> String {
    write_company(place.path());
    let city = CITY.replace("\"max\": 20", "\"max\": 200");
    std::fs::write(place.path().join("city.json"), city).expect("written");
    place.json(&["apply", "company.yaml"]);
    let mut lines = String::new();
    let rest = "x".repeat(NAME_LENGTH);
    for row in 0..ROWS {
        writeln!(lines, "{{\"Name\": \"K{row}{rest}\", \"People\": {row}}}").expect("a text");
    }
    std::fs::write(place.path().join("many.ndjson"), lines).expect("written");
    place.json(&["import", "many.ndjson", "--into", "Places/City/Cities"]);
    place.root_with(&["--area", "*=view"])
}

/// Has a server stand still in the middle of an export; where the job is asked for.
fn still_midway(place: &Place, server: &Server, key: &str, format: &str) -> String {
    let records = cities(server, key);
    let dataset = records.split('/').nth_back(1).expect("a dataset");
    let exports = format!("/admin/api/v1/datasets/{dataset}/exports");
    for _ in 0..TRIES_MAX {
        let asked = format!("{{\"format\": \"{format}\"}}");
        let made = server.send("POST", key, &exports, &asked);
        assert_eq!(made.status, 201, "{}", made.body);
        let made = made.json();
        let id = made["jobId"].as_str().expect("an id");
        let path = format!("/admin/api/v1/jobs/{id}");
        wait_for((server, key, &path), |job| job["state"] != "queued");
        std::thread::sleep(Duration::from_millis(100));
        server.signal("-STOP");
        let state = told(
            place,
            &format!("SELECT 'is ' || state FROM jobs WHERE id = '{id}';"),
        );
        if state.contains("is running") {
            return path;
        }
        server.signal("-CONT");
    }
    panic!("each export was over at once");
}

fn wakes_without_harm(place: &Place, key: &str, format: &str) {
    let one = place.serve("shared", &[]);
    let path = still_midway(place, &one, key, format);
    place.end_leases_of_jobs();
    let other = place.serve("shared", &[]);
    let ended = wait_for((&other, key, &path), |job| job["state"] != "running");
    assert_eq!(ended["state"], "done", "{format}: {ended}");
    let export = format!("{path}/export");
    let read = other.get(key, &export);
    assert_eq!(read.status, 200, "{format}: {}", read.head);
    one.signal("-CONT");
    one.wait_for_error("someone else has it");
    // what it had begun to write may come to the disk yet
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) {
        for server in [&other, &one] {
            let again = server.get(key, &export);
            assert_eq!(again.status, 200, "{format}: {}", again.head);
            assert!(again.body == read.body, "{format}: it is another file");
        }
    }
    if format == "ndjson" {
        assert_eq!(ended["files"][0]["bytes"], read.body.len(), "{ended}");
        // and the three of the company
        assert_eq!(read.body.lines().count(), ROWS + 3);
    }
    one.stop();
    other.stop();
}

pub(crate) fn a_server_that_wakes_harms_no_export_that_another_one_ended_meanwhile() {
    let place = Place::new();
    let key = company(&place);
    for format in ["ndjson", "xlsx"] {
        wakes_without_harm(&place, &key, format);
    }
}

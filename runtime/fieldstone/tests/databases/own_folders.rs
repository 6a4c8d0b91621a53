//! Servers of one database, each with a folder of its own: what is in the folder of one is not lost where another one meets it.

use crate::cities::cities;
use crate::crashes::{ROWS, company, import_midway, names};
use crate::job_files::wait_for;
use crate::museum::{add_paper, link};
use crate::place::{Place, with_bucket};
use crate::storage::Storage;
use crate::support::{Server, process};

/// An import whose server was killed while it was at work, and another server that has met it.
struct LeftImport {
    key: String,
    records: String,
    /// Where the job is asked for.
    path: String,
    other: Server,
}

fn left_import(place: &Place) -> LeftImport {
    let key = company(place);
    let one = place.serve("one", &[]);
    let records = cities(&one, &key);
    let (path, held) = import_midway(place, &one, (&key, &records));
    drop(one);
    drop(held);
    place.end_leases_of_jobs();
    let other = place.serve("other", &[]);
    other.wait_for_error("left to the one that has it");
    LeftImport {
        key,
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
    // it looks again when its own lease has run out
    place.end_leases_of_jobs();
    wait_for((&left.other, &left.key, &left.path), |job| {
        job["state"] == "cancelled"
    });
}

pub(crate) fn a_link_to_a_content_that_another_server_has_is_404_and_the_log_says_why() {
    let place = Place::new();
    let key = place.museum();
    let (one, other) = (place.serve("one", &[]), place.serve("other", &[]));
    add_paper(&one, &key, "by one of them");
    let path = link(&one, &key);
    let paper = one.get("", &path);
    assert_eq!((paper.status, &*paper.body), (200, "by one of them"));
    let missing = other.get("", &path);
    assert_eq!(missing.status, 404, "{}", missing.body);
    other.wait_for_error("must share their folder of files");
}

pub(crate) fn a_content_in_a_bucket_is_given_by_each_server_and_each_says_where_the_rest_is() {
    let place = Place::new();
    let key = place.museum();
    let storage = Storage::start(&place.path().join("storage"));
    let serve = |data: &str| {
        let mut command = with_bucket(process(place.path()), &storage);
        command.env("FIELDSTONE_DATABASE", place.address());
        command.args(["--data", data, "serve", "--listen", "127.0.0.1:0"]);
        Server::spawn(command)
    };
    let (one, other) = (serve("one"), serve("other"));
    add_paper(&one, &key, "by one of them");
    let paper = other.get("", &link(&one, &key));
    assert_eq!((paper.status, &*paper.body), (200, "by one of them"));
    for (server, folder) in [(one, "one"), (other, "other")] {
        let told = server.stop();
        let share = "where several servers share the database, have them share that folder, too";
        for words in [
            "files of imports and exports are in ".to_owned(),
            format!("{folder}; {share}"),
        ] {
            assert!(told.contains(&words), "{told}");
        }
        assert!(!told.contains("give --s3-bucket"), "{told}");
    }
}

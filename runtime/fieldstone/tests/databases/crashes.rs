//! Servers and databases that end without a word: what was acknowledged is there, once, and work goes on.

use crate::cities::cities;
use crate::place::{Place, SETTINGS};
use crate::support::{Server, TIMEOUT, write_company};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the database crashes.
const CRASHES: usize = 5;
/// How long writers write before it does.
const PAUSE: Duration = Duration::from_millis(400);
const WRITERS: usize = 6;
/// Rows of an import that a server does not live to end.
const ROWS: u32 = 60_000;

/// What a writer was told: the keys that were created, and those of which it does not know; and how long it waited for an
/// answer at most.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) created: Vec<String>,
    pub(crate) refused: Vec<String>,
    pub(crate) longest: Duration,
}

fn write(server: &Server, (key, records): (&str, &str), writer: usize, end: &AtomicBool) -> Told {
    let mut told = Told::default();
    for number in 0.. {
        if end.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("W{writer}-{number}");
        let began = Instant::now();
        let made = server.send("POST", key, records, &json!({"Name": name}).to_string());
        told.longest = told.longest.max(began.elapsed());
        match made.status {
            201 => told.created.push(name),
            503 => told.refused.push(name),
            status => panic!("{status}: {}", made.body),
        }
    }
    told
}

/// What writers were told who write at these servers, while something befalls them or their database.
pub(crate) fn told_while(
    servers: &[&Server],
    asked: (&str, &str),
    writers: usize,
    befalls: impl FnOnce(),
) -> Vec<Told> {
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let begun: Vec<_> = (0..writers)
            .map(|writer| {
                let (server, end) = (servers[writer % servers.len()], &end);
                scope.spawn(move || write(server, asked, writer, end))
            })
            .collect();
        befalls();
        end.store(true, Ordering::Relaxed);
        let joined = begun.into_iter().map(|it| it.join().expect("it wrote"));
        joined.collect()
    })
}

pub(crate) fn a_database_that_crashes_under_load_loses_nothing_that_was_acknowledged() {
    crash(&Place::alone(), SETTINGS);
}

/// It would flush what it acknowledges ten seconds later.
pub(crate) fn what_a_database_is_told_to_flush_later_is_flushed_before_it_is_acknowledged() {
    let later = "-c wal_writer_delay=10s";
    let place = Place::alone_with(later);
    let database = place.database();
    let told = place.cluster.run(&format!(
        "ALTER DATABASE {database} SET synchronous_commit = off;
SELECT 'told: ' || count(*) FROM pg_db_role_setting;"
    ));
    assert!(told.expect("it is told").contains("told: 1"));
    crash(&place, &format!("{SETTINGS} {later}"));
}

pub(crate) fn a_database_that_does_not_flush_at_all_is_told_in_the_log() {
    let place = Place::alone_with("-c fsync=off -c full_page_writes=off");
    let server = place.serve("one", &[]);
    for setting in ["fsync", "full_page_writes"] {
        server.wait_for_error(&format!("the database has {setting} = off"));
    }
    let sound = Place::new();
    let errors = sound.serve("one", &[]).stop();
    assert!(!errors.contains(" = off"), "{errors}");
}

/// Has a database crash again and again under load, and looks that all is there that was acknowledged.
fn crash(place: &Place, settings: &str) {
    let key = place.company();
    let servers = [place.serve("one", &[]), place.serve("other", &[])];
    let records = cities(&servers[0], &key);
    let told = told_while(&servers.each_ref(), (&key, &records), WRITERS, || {
        for _ in 0..CRASHES {
            std::thread::sleep(PAUSE);
            place.cluster.stop(true).expect("it stops");
            place.cluster.start_again(settings).expect("it starts");
        }
        std::thread::sleep(PAUSE);
    });
    let there = names(&servers[1], &key, &records);
    let created: BTreeSet<_> = told
        .iter()
        .flat_map(|told| &told.created)
        .cloned()
        .collect();
    let refused: BTreeSet<_> = told
        .iter()
        .flat_map(|told| &told.refused)
        .cloned()
        .collect();
    assert!(created.len() > CRASHES, "they wrote: {}", created.len());
    let lost: Vec<_> = created.difference(&there).collect();
    assert!(lost.is_empty(), "acknowledged, and not there: {lost:?}");
    let written: BTreeSet<_> = there
        .into_iter()
        .filter(|name| name.starts_with('W'))
        .collect();
    let unasked: Vec<_> = written.difference(&created).collect();
    // one that was refused for lack of a database was not done
    assert!(
        unasked.is_empty(),
        "there, and told as not done ({}): {unasked:?}",
        refused.len()
    );
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

/// The keys of all records, each of which must be there once.
pub(crate) fn names(server: &Server, key: &str, records: &str) -> BTreeSet<String> {
    let (mut found, mut next) = (BTreeSet::new(), String::new());
    loop {
        let page = server
            .get(key, &format!("{records}?pageSize=1000{next}"))
            .json();
        for item in page["items"].as_array().unwrap_or_else(|| panic!("{page}")) {
            let name = item["Name"].as_str().expect("a key").to_owned();
            assert!(found.insert(name), "it is there twice: {item}");
        }
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => return found,
        }
    }
}

pub(crate) fn an_import_whose_server_is_killed_goes_on_at_another() {
    let place = Place::new();
    write_company(place.path());
    place.json(&["apply", "company.yaml"]);
    let made = place.json(&[
        "key",
        "create",
        "root",
        "--role",
        "ACCOUNT ADMINISTRATOR",
        "--area",
        "*=view,add,edit",
    ]);
    let key = made["steps"][0]["secret"]
        .as_str()
        .expect("a secret")
        .to_owned();
    // files of jobs are in a folder that both see
    let (one, other) = (place.serve("shared", &[]), place.serve("shared", &[]));
    let records = cities(&one, &key);
    let dataset = records
        .split('/')
        .nth_back(1)
        .expect("a dataset")
        .to_owned();
    let lines: Vec<_> = (0..ROWS)
        .map(|row| format!("{{\"Name\": \"K{row}\", \"People\": {row}}}\n"))
        .collect();
    let lines = lines.concat();
    let imports = format!("/admin/api/v1/datasets/{dataset}/imports");
    let made = one.send_as(
        "POST",
        &key,
        &imports,
        "Content-Type: application/x-ndjson",
        &lines,
    );
    assert_eq!(made.status, 201, "{}", made.body);
    let id = made.json()["jobId"].as_str().expect("an id").to_owned();
    let path = format!("/admin/api/v1/jobs/{id}");
    let job = |server: &Server| -> Value { server.get(&key, &path).json() };
    let began = Instant::now();
    let at_work = loop {
        let job = job(&other);
        if job["progress"]["rows"].as_u64().unwrap_or_default() > 0 || job["state"] == "done" {
            break job;
        }
        assert!(began.elapsed() < TIMEOUT, "it does not begin: {job}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(
        at_work["state"], "running",
        "it lives long enough to be killed: {at_work}"
    );
    // the one that works is not known, so both end without a word, and one comes back
    drop((one, other));
    let again = place.serve("shared", &[]);
    let began = Instant::now();
    let ended = loop {
        let job = job(&again);
        if job["state"] == "done" {
            break job;
        }
        assert!(began.elapsed() < 2 * TIMEOUT, "nobody takes it over: {job}");
        std::thread::sleep(Duration::from_millis(200));
    };
    assert_eq!(ended["importResult"]["created"], ROWS, "{ended}");
    assert_eq!(names(&again, &key, &records).len(), ROWS as usize + 3);
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

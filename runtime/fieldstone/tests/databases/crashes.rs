//! Servers and databases that end without a word: what was acknowledged is there, once, and work goes on.

use crate::cities::cities;
use crate::ends::Ends;
use crate::job_files::wait_for;
use crate::place::{Hold, Place, SETTINGS};
use crate::support::{Response, Server, TIMEOUT};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often the database crashes.
const CRASHES: usize = 5;
/// How long writers write before it does.
const PAUSE: Duration = Duration::from_millis(400);
const WRITERS: usize = 6;
/// Rows of an import that a server does not live to end.
pub(crate) const ROWS: u32 = 6_000;
/// Has a job wait at the row in their middle for whoever holds [`STOP`].
const STANDS: &str = "CREATE FUNCTION stand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW;
   END $$;
   CREATE TRIGGER stands BEFORE INSERT OR UPDATE ON records
     FOR EACH ROW WHEN (NEW.primary_key = 'K3000') EXECUTE FUNCTION stand()";
const STOP: &str = "SELECT pg_advisory_lock(1)";

/// What a writer was told: the keys that were created, and those of which it does not know; and how long it waited for an
/// answer at most.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) created: Vec<String>,
    pub(crate) refused: Vec<String>,
    pub(crate) longest: Duration,
}

/// How many creates of each writer were acknowledged so far.
pub(crate) struct Counts(Vec<AtomicUsize>);

impl Counts {
    fn now(&self) -> Vec<usize> {
        let counts = self.0.iter();
        counts.map(|count| count.load(Ordering::SeqCst)).collect()
    }

    /// Waits until a create of each writer is acknowledged that it sent behind this moment: that is the second one from now on.
    pub(crate) fn wait_for_each(&self) {
        let (before, began) = (self.now(), Instant::now());
        loop {
            let now = self.now();
            if before
                .iter()
                .zip(&now)
                .all(|(before, now)| before + 2 <= *now)
            {
                return;
            }
            assert!(
                began.elapsed() < TIMEOUT,
                "a writer does not write any more: {before:?}, {now:?}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn write(
    server: &Server,
    (key, records): (&str, &str),
    (writer, count): (usize, &AtomicUsize),
    end: &AtomicBool,
) -> Told {
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
            201 => {
                told.created.push(name);
                count.fetch_add(1, Ordering::SeqCst);
            }
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
    befalls: impl FnOnce(&Counts),
) -> Vec<Told> {
    let end = AtomicBool::new(false);
    let counts = Counts((0..writers).map(|_| AtomicUsize::new(0)).collect());
    std::thread::scope(|scope| {
        let ends = Ends(&end);
        let begun: Vec<_> = (0..writers)
            .zip(&counts.0)
            .map(|(writer, count)| {
                let (server, end) = (servers[writer % servers.len()], &end);
                scope.spawn(move || write(server, asked, (writer, count), end))
            })
            .collect();
        befalls(&counts);
        drop(ends);
        let joined = begun.into_iter().map(|it| it.join().expect("it wrote"));
        joined.collect()
    })
}

/// Asserts that what writers were told holds by the keys that are there; which were created.
pub(crate) fn holds(told: &[Told], there: &BTreeSet<String>) -> BTreeSet<String> {
    let of = |keys: fn(&Told) -> &Vec<String>| -> BTreeSet<String> {
        told.iter().flat_map(keys).cloned().collect()
    };
    let (created, refused) = (of(|told| &told.created), of(|told| &told.refused));
    let lost: Vec<_> = created.difference(there).collect();
    assert!(lost.is_empty(), "acknowledged, and not there: {lost:?}");
    let done: Vec<_> = refused.intersection(there).collect();
    assert!(done.is_empty(), "there, and told as not done: {done:?}");
    created
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
    let told = told_while(&servers.each_ref(), (&key, &records), WRITERS, |_| {
        for _ in 0..CRASHES {
            std::thread::sleep(PAUSE);
            place.cluster.stop(true).expect("it stops");
            place.cluster.start_again(settings).expect("it starts");
        }
        std::thread::sleep(PAUSE);
    });
    let there = names(&servers[1], &key, &records);
    let created = holds(&told, &there);
    assert!(created.len() > CRASHES, "they wrote: {}", created.len());
    let written: BTreeSet<_> = there
        .into_iter()
        .filter(|name| name.starts_with('W'))
        .collect();
    let unasked: Vec<_> = written.difference(&created).collect();
    // each was told: one that was refused for lack of a database was not done
    assert!(
        unasked.is_empty(),
        "there, and told as not done: {unasked:?}"
    );
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

/// All records as they are shown.
fn records_of(server: &Server, key: &str, records: &str) -> Vec<Value> {
    let (mut found, mut next) = (Vec::new(), String::new());
    loop {
        let path = format!("{records}?pageSize=1000{next}");
        let page = server.get(key, &path).json();
        let items = page["items"].as_array();
        found.extend_from_slice(items.unwrap_or_else(|| panic!("{page}")));
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => return found,
        }
    }
}

/// The keys of all records, each of which must be there once.
pub(crate) fn names(server: &Server, key: &str, records: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for item in records_of(server, key, records) {
        let name = item["Name"].as_str().expect("a key").to_owned();
        assert!(found.insert(name), "it is there twice: {item}");
    }
    found
}

/// The company; a key of its administrator that may write its cities.
pub(crate) fn company(place: &Place) -> String {
    place.company();
    place.root_with(&["--area", "*=view,add,edit"])
}

/// What management calls the dataset of these records.
fn dataset_of(records: &str) -> String {
    let dataset = records.split('/').nth_back(1).expect("a dataset");
    format!("/admin/api/v1/datasets/{dataset}")
}

/// Waits until a job that was asked for just now is under way; where it is asked for.
fn midway(server: &Server, key: &str, made: &Response) -> String {
    assert_eq!(made.status, 201, "{}", made.body);
    let made = made.json();
    let id = made["jobId"].as_str().expect("an id");
    let path = format!("/admin/api/v1/jobs/{id}");
    let begun = wait_for((server, key, &path), |job| {
        job["progress"]["rows"].as_u64().unwrap_or_default() > 0
    });
    assert_eq!(begun["state"], "running", "it is killed midway: {begun}");
    path
}

/// Has a server import many cities, and waits until it stands in their middle; where the job is asked for.
pub(crate) fn import_midway<'p>(
    place: &'p Place,
    server: &Server,
    (key, records): (&str, &str),
) -> (String, Hold<'p>) {
    place.sql(STANDS);
    let held = place.hold(STOP);
    let lines: Vec<_> = (0..ROWS)
        .map(|row| format!("{{\"Name\": \"K{row}\", \"People\": {row}}}\n"))
        .collect();
    let imports = format!("{}/imports", dataset_of(records));
    let kind = "Content-Type: application/x-ndjson";
    let made = server.send_as("POST", key, &imports, kind, &lines.concat());
    (midway(server, key, &made), held)
}

/// Asserts that an import is done, and each row there once.
fn is_imported(place: &Place, server: &Server, (key, records, path): (&str, &str, &str)) {
    let ended = wait_for((server, key, path), |job| job["state"] != "running");
    assert_eq!(ended["state"], "done", "{ended}");
    assert_eq!(ended["importResult"]["created"], ROWS, "{ended}");
    // and the three of the company
    assert_eq!(names(server, key, records).len(), ROWS as usize + 3);
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

pub(crate) fn an_import_whose_server_is_killed_goes_on_at_another() {
    let place = Place::new();
    let key = company(&place);
    // files of jobs are in a folder that both see
    let (one, other) = (place.serve("shared", &[]), place.serve("shared", &[]));
    let records = cities(&one, &key);
    let (path, held) = import_midway(&place, &one, (&key, &records));
    // the one that works is not known, so both end without a word, and one comes back
    drop((one, other));
    drop(held);
    let again = place.serve("shared", &[]);
    let left = again.get(&key, &path).json();
    // the lease runs out by itself, here after some seconds
    place.sql(
        "UPDATE jobs SET lease_until = extract(epoch FROM clock_timestamp())::bigint * 1000 + 3000",
    );
    wait_for((&again, &key, &path), |job| {
        job["progress"] != left["progress"]
    });
    is_imported(&place, &again, (&key, &records, &path));
}

/// Starts another server beside one that is at work on a job, which stands still until that is there, and then kills the first one.
fn killed_beside_another(place: &Place, one: Server, (key, path): (&str, &str)) -> Server {
    one.signal("-STOP");
    let other = place.serve("shared", &[]);
    let job = other.get(key, path).json();
    assert_eq!(job["state"], "running", "the first one has it: {job}");
    // it is killed by that
    drop(one);
    place.end_leases_of_jobs();
    other
}

pub(crate) fn a_living_server_takes_over_the_jobs_of_one_that_is_killed() {
    let place = Place::new();
    let key = company(&place);
    let one = place.serve("shared", &[]);
    let records = cities(&one, &key);
    let (path, held) = import_midway(&place, &one, (&key, &records));
    let other = killed_beside_another(&place, one, (&key, &path));
    drop(held);
    is_imported(&place, &other, (&key, &records, &path));

    let held = place.hold(STOP);
    let repairs = format!("{}/repairs", dataset_of(&records));
    let set = r#"{"field": "People", "action": {"set": 7}}"#;
    let made = other.send("POST", &key, &repairs, set);
    let path = midway(&other, &key, &made);
    let third = killed_beside_another(&place, other, (&key, &path));
    drop(held);
    let ended = wait_for((&third, &key, &path), |job| job["state"] != "running");
    assert_eq!(ended["state"], "done", "{ended}");
    // one has the value already
    assert_eq!(ended["revisionResult"]["changed"], ROWS + 2, "{ended}");
    for record in records_of(&third, &key, &records) {
        let once = i32::from(record["Name"] != "K7");
        assert_eq!(record["_version"], once, "{record}");
        assert_eq!(record["People"], 7, "{record}");
    }
    assert!(
        place.run(&["check"]).status.success(),
        "counters and keys are exact"
    );
}

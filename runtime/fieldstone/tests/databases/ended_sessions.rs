//! Connections that the database ends, again and again: whoever only reads notices nothing.

use crate::cities::cities;
use crate::ends::Ends;
use crate::place::Place;
use crate::support::{Server, TIMEOUT};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often all connections of the server are ended. Each reader is answered between two times, so that no read is met as often as it
/// is tried.
const TURNS: usize = 25;
/// Readers of each kind.
const READERS: usize = 2;

/// What is read: a record by its key, a page, the counts of a dataset, changes, a record's history, and a search.
fn paths(server: &Server, key: &str) -> Vec<String> {
    let records = cities(server, key);
    let dataset = records.trim_end_matches("/dataobjects");
    let (datasets, id) = dataset.rsplit_once('/').expect("a dataset");
    let delft = server.get(key, &format!("{records}/by-pk/Delft")).json();
    let delft = delft["_dataObjectId"].as_str().expect("an id");
    vec![
        format!("{records}/by-pk/Delft"),
        format!("{records}?pageSize=100"),
        datasets.to_owned(),
        format!("{dataset}/changes?pageSize=100"),
        format!("/admin/api/v1/datasets/{id}/records/{delft}/history"),
        "/v1/dataobjects/search?query=Delft".to_owned(),
    ]
}

pub(crate) fn sessions_that_the_database_ends_are_no_error_to_readers() {
    let place = Place::new();
    place.company();
    let create = ["key", "create", "reader", "--role", "ACCOUNT ADMINISTRATOR"];
    let made = place.json(&[&create[..], &["--area", "Places=view"]].concat());
    let key = made["steps"][0]["secret"].as_str().expect("a secret");
    let server = place.serve("one", &[]);
    let paths = paths(&server, key);
    for path in &paths {
        let began = Instant::now();
        // at first the index is not ready
        while server.get(key, path).status != 200 {
            assert!(began.elapsed() < TIMEOUT, "{path} can't be read");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let end = format!(
        "SELECT 'ended: ' || count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{}';",
        place.database()
    );
    let (is_over, mut ended) = (AtomicBool::new(false), 0);
    let counts: Vec<_> = (0..READERS * paths.len())
        .map(|_| AtomicU64::new(0))
        .collect();
    let now = || -> Vec<u64> {
        let counts = counts.iter();
        counts.map(|count| count.load(Ordering::Relaxed)).collect()
    };
    std::thread::scope(|scope| {
        let _ends = Ends(&is_over);
        let mut readers = Vec::new();
        for (path, count) in paths.iter().cycle().zip(&counts) {
            let (server, is_over) = (&server, &is_over);
            let reader = scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let answer = server.get(key, path);
                    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
            readers.push(reader);
        }
        for _ in 0..TURNS {
            let before = now();
            let told = place.cluster.run(&end).expect("it is told");
            let count = told
                .lines()
                .find_map(|line| line.trim().strip_prefix("ended: "));
            let count = count.expect("a count").parse::<usize>();
            ended += count.expect("a number");
            let began = Instant::now();
            while now()
                .iter()
                .zip(&before)
                .any(|(now, before)| now < &(before + 2))
            {
                let has_failed = readers
                    .iter()
                    .any(std::thread::ScopedJoinHandle::is_finished);
                assert!(!has_failed, "a reader met an error");
                assert!(began.elapsed() < TIMEOUT, "a reader is not answered");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    });
    assert!(ended >= TURNS, "{ended} sessions were ended");
    server.stop();
}

//! Connections that the database ends, again and again: whoever only reads notices nothing.

use crate::cities::cities;
use crate::ends::Ends;
use crate::place::Place;
use crate::support::{Server, TIMEOUT};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often all connections of the server are ended, and what is between two times: longer than a read takes on a machine that does
/// much else, so that none is met as often as it is tried.
const TURNS: usize = 50;
const PAUSE: Duration = Duration::from_millis(120);
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
    let counts: Vec<AtomicU64> = paths.iter().map(|_| AtomicU64::new(0)).collect();
    std::thread::scope(|scope| {
        let _ends = Ends(&is_over);
        for (path, count) in paths
            .iter()
            .zip(&counts)
            .cycle()
            .take(READERS * paths.len())
        {
            let (server, is_over) = (&server, &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let answer = server.get(key, path);
                    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..TURNS {
            let told = place.cluster.run(&end).expect("it is told");
            let count = told
                .lines()
                .find_map(|line| line.trim().strip_prefix("ended: "));
            let count = count.expect("a count").parse::<usize>();
            ended += count.expect("a number");
            std::thread::sleep(PAUSE);
        }
    });
    assert!(ended >= TURNS, "{ended} sessions were ended");
    for (path, count) in paths.iter().zip(&counts) {
        let count = count.load(Ordering::Relaxed);
        assert!(count >= TURNS as u64 / 2, "{path} was read {count} times");
    }
    server.stop();
}

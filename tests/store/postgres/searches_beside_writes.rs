//! Searches that take long leave connections to others, as many of them as there are.

use crate::engines::{each, wait};
use crate::finder::{aim, first_page, text};
use crate::locked::while_locked;
use crate::test_dataset::TestDataset;
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use runtime::store::search::SearchIndex;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const CONNECTIONS: usize = 4;
/// What keeps searches from looking, and no write.
const LOCK: &str = "LOCK TABLE search_records IN ACCESS EXCLUSIVE MODE";
const WAITING: &str = "SELECT 'waiting: ' || count(*) FROM pg_locks
    WHERE NOT granted AND relation = 'search_records'::regclass";
/// Until as many look as may.
const SETTLED: Duration = Duration::from_millis(500);
/// Less than a connection is waited for.
const IN_TIME: Duration = Duration::from_secs(8);

#[test]
fn a_write_is_done_while_more_searches_than_there_are_connections_take_long() {
    each(|folder| {
        let options = PostgresOptions {
            connections_max: CONNECTIONS,
            ..PostgresOptions::default()
        };
        let store = wait(PostgresStore::open(folder.address(), options));
        let index: Arc<dyn SearchIndex> = Arc::new(wait(store.search()));
        let dataset = TestDataset::new(Arc::new(store), 1);
        dataset.create("K0");
        let mut searches = Vec::new();
        while_locked(folder, LOCK, || {
            let search = |_| {
                let index = index.clone();
                thread::spawn(move || {
                    let search = first_page(text("ada"), &[aim(1, "s", &[("Name", "a")])]);
                    wait(async { index.find(search).await })
                })
            };
            searches.extend((0..2 * CONNECTIONS).map(search));
            let began = Instant::now();
            while folder.told(WAITING).contains("waiting: 0") {
                assert!(began.elapsed() < IN_TIME, "nothing is looked for");
                thread::sleep(Duration::from_millis(20));
            }
            thread::sleep(SETTLED);
            let began = Instant::now();
            dataset.create("K1");
            let took = began.elapsed();
            assert!(took < IN_TIME, "{took:?}");
        });
        for search in searches {
            let page = search.join().expect("no panic");
            assert!(page.places.is_empty(), "{page:?}");
        }
    });
}

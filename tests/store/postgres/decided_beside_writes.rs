//! Whoever decides comes through beside servers that write all the time: of each, writes share what a decision needs alone, and of
//! several there is always one that is under way.

use crate::engines::{each, wait};
use crate::nouns::{area, tenant};
use crate::test_dataset::TestDataset;
use crate::two_servers::put;
use runtime::store::Catalogs as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tests::ends::Ends;

const SERVERS: u32 = 4;
/// So many at each, so that one waits whenever a commit is done.
const WRITERS: u32 = 4;
/// Writes that were done before somebody decides: all are at it by then.
const WRITTEN: u64 = 100;
const DECISIONS: u32 = 3;
/// Longer than it takes on a machine that does much else, and shorter than an answer is waited for.
const IN_TIME: Duration = Duration::from_secs(10);

#[test]
fn a_decision_is_made_in_time_beside_servers_that_write_all_the_time() {
    each(|folder| {
        let servers: Vec<_> = (0..SERVERS).map(|_| folder.server()).collect();
        put(&servers[0], vec![tenant("t").into()]);
        let (end, written) = (AtomicBool::new(false), AtomicU64::new(0));
        thread::scope(|scope| {
            let ends = Ends(&end);
            for (number, server) in (1..).zip(&servers) {
                for writer in 0..WRITERS {
                    let dataset = TestDataset::new(server.clone(), number);
                    let (end, written) = (&end, &written);
                    scope.spawn(move || {
                        for turn in 0_u64.. {
                            if end.load(Ordering::Relaxed) {
                                return;
                            }
                            dataset.create(&format!("K{writer} {turn}"));
                            written.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            }
            let began = Instant::now();
            while written.load(Ordering::Relaxed) < WRITTEN {
                assert!(began.elapsed() < 6 * IN_TIME, "nothing is written");
                thread::sleep(Duration::from_millis(20));
            }
            for number in 0..DECISIONS {
                let began = Instant::now();
                put(
                    &servers[0],
                    vec![area(&format!("a{number}"), "Area").into()],
                );
                let took = began.elapsed();
                assert!(took < IN_TIME, "{took:?}");
            }
            drop(ends);
        });
        for (number, server) in (1..).zip(&servers) {
            wait(server.be_current().expect("others may write"));
            assert_eq!(server.catalog().areas.len(), DECISIONS as usize);
            TestDataset::new(server.clone(), number).is_sound();
        }
    });
}

//! The search index is fed by a thread of its own, which gives way to those that answer, as the system tells of the server's
//! threads.

use crate::cities::{CITIES, company};
use crate::support::{Server, TIMEOUT};
use std::fs;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// How the thread is called, as far as the system keeps names.
const NAME: &str = "fieldstone-inde";
const VERIFIER: &str = "fieldstone-veri";
/// How much more than the others it gives way, where there is so much: nobody gives way by more than the most.
const NICE: i64 = 5;
const NICE_MAX: i64 = 19;

/// What the system tells of a thread.
#[derive(Debug)]
struct Thread {
    name: String,
    nice: i64,
    /// Hundredths of a second that it has worked.
    ticks: u64,
}

/// The threads of a process; those that end meanwhile are left out.
fn threads(process: u32) -> Vec<Thread> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("a process");
    let told = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("stat")).ok());
    told.map(|stat| of_stat(&stat)).collect()
}

/// A thread by its line of figures: a number, its name in brackets, which may have some itself, and what follows.
fn of_stat(stat: &str) -> Thread {
    let (_, rest) = stat.split_once('(').expect("a name");
    let (name, figures) = rest.rsplit_once(") ").expect("its end");
    let figures: Vec<&str> = figures.split(' ').collect();
    // the state is the third of all
    let figure = |number: usize| figures[number - 3].parse::<i64>().expect("a number");
    Thread {
        name: name.to_owned(),
        nice: figure(19),
        ticks: (figure(14) + figure(15)).unsigned_abs(),
    }
}

#[test]
fn the_index_is_fed_by_a_thread_of_its_own_that_gives_way_to_the_others() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &[]);
    // all records are read by it, the last of them, too
    let last = format!("/v1/dataobjects/search?query={}", CITIES - 1);
    let began = Instant::now();
    while server.get(&key, &last).json()["total"] != 1 {
        assert!(began.elapsed() < TIMEOUT, "the index is not made");
        std::thread::sleep(Duration::from_millis(20));
    }
    // the verifier of the index gives way, too
    let all = threads(server.id()).into_iter();
    let (indexers, others): (Vec<_>, Vec<_>) = all
        .filter(|thread| thread.name != VERIFIER)
        .partition(|thread| thread.name == NAME);
    let [indexer] = &indexers[..] else {
        panic!("one thread feeds it: {indexers:?} of {others:?}");
    };
    assert!(indexer.ticks > 0, "the work is its own: {indexer:?}");
    let of_all = others.iter().map(|thread| thread.nice).min();
    let of_all = of_all.expect("others");
    assert_eq!((of_all + NICE).min(NICE_MAX), indexer.nice);
    // all of them are as nice as can be where this was asked of the whole process
    if of_all < NICE_MAX {
        let as_nice = others.iter().find(|thread| thread.nice >= indexer.nice);
        assert!(
            as_nice.is_none(),
            "who answers does not give way: {as_nice:?}"
        );
    }
    server.stop();
}

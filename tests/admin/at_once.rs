//! What many ask at once.

use std::thread;

/// What so many are answered that ask at the same moment, each by its number, in the order of these.
pub(crate) fn at_once<T: Send>(count: usize, ask: impl Fn(usize) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let ask = &ask;
        let threads: Vec<_> = (0..count).map(|at| scope.spawn(move || ask(at))).collect();
        let ended = threads.into_iter().map(|it| it.join().expect("an answer"));
        ended.collect()
    })
}

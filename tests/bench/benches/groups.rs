//! How many writes share a sync, and what each costs, with a writer that waits a moment for those it just answered and
//! with one that does not. The store itself is asked; between two writes each client takes the processor for as long as
//! a request over HTTP does. It never changes a setting.

mod creates;

use creates::record;
use sqlite::{SqliteOptions, SqliteStore};
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::Records as _;
use store::records::WriteVerdict;
use tempfile::TempDir;

/// Writers at once.
const WRITERS: [u64; 5] = [1, 2, 8, 16, 64];
/// Rounds of turns, of which the median counts.
const ROUNDS: usize = 5;
/// Bytes of a record's values.
const BYTES: usize = 480;
/// Microseconds in which the system counts a process's time.
const TICK: f64 = 10_000.0;

/// A store whose writer waits or does not, and what was measured of it.
struct Contender {
    gathers: bool,
    store: Arc<SqliteStore>,
    next: Arc<AtomicU64>,
    rounds: Vec<Round>,
    _folder: TempDir,
}

/// What a round came to.
#[derive(Clone, Copy)]
struct Round {
    syncs: f64,
    processor: f64,
    wall: f64,
    median: f64,
    p99: f64,
}

fn main() {
    let measures = std::env::args().any(|argument| argument == "--measure");
    // what one request takes the processor for, over HTTP
    let request = spins(Duration::from_micros(40));
    let rounds = if measures { ROUNDS } else { 1 };
    let folder = Path::new("target");
    std::fs::create_dir_all(folder).expect("the folder");
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    if !measures {
        println!("A trial: these figures mean nothing; `--measure` measures.\n");
    }
    println!(
        "| writers | waits | syncs for 10,000 | processor µs a create | wall µs a create | p50 ms | p99 ms |"
    );
    println!("| -: | - | -: | -: | -: | -: | -: |");
    for writers in WRITERS {
        // few writers are slow, and each round has many groups all the same
        let creates = if measures {
            (writers * 400).min(10_000)
        } else {
            200
        };
        let mut contenders = [false, true].map(|gathers| Contender::new(gathers, folder));
        for round in 0..rounds {
            // each second time in reverse, so that none is always behind the other
            let mut order: Vec<_> = contenders.iter_mut().collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for contender in order {
                let round = tokio.block_on(contender.measure(writers, creates, request));
                contender.rounds.push(round);
            }
        }
        for contender in &contenders {
            print(contender, writers);
        }
    }
}

impl Contender {
    fn new(gathers: bool, folder: &Path) -> Self {
        let folder = tempfile::tempdir_in(folder).expect("a folder");
        let options = SqliteOptions {
            record_cache_bytes: 0,
            gathers,
            ..SqliteOptions::default()
        };
        let store = SqliteStore::open_with(folder.path(), options).expect("a store");
        Contender {
            gathers,
            store: Arc::new(store),
            next: Arc::default(),
            rounds: Vec::new(),
            _folder: folder,
        }
    }

    async fn measure(&self, writers: u64, creates: u64, request: u64) -> Round {
        let end = self.next.load(Ordering::Relaxed) + creates;
        let (syncs, processor) = (self.store.transactions(), processor());
        let began = Instant::now();
        let writer = |_| {
            let (store, next) = (self.store.clone(), self.next.clone());
            tokio::spawn(async move {
                let mut took = Vec::new();
                while next.load(Ordering::Relaxed) < end {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    spin(request);
                    let began = Instant::now();
                    let verdict = store.write(record(number, BYTES)).await;
                    let is_done = matches!(verdict, Ok(WriteVerdict::Done { .. }));
                    assert!(is_done, "{verdict:?}");
                    took.push(began.elapsed());
                }
                took
            })
        };
        let writers: Vec<_> = (0..writers).map(writer).collect();
        let mut took = Vec::new();
        for writer in writers {
            took.extend(writer.await.expect("no writer panics"));
        }
        let wall = began.elapsed();
        took.sort_unstable();
        let at = |percent: usize| took[(took.len() - 1) * percent / 100].as_secs_f64() * 1e3;
        let count = number(took.len() as u64);
        Round {
            syncs: number(self.store.transactions() - syncs) / count * 10_000.0,
            processor: (self::processor() - processor) / count,
            wall: wall.as_secs_f64() * 1e6 / count,
            median: at(50),
            p99: at(99),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "a figure for reading")]
fn number(count: u64) -> f64 {
    count as f64
}

/// Takes the processor for so many steps.
fn spin(steps: u64) {
    for step in 0..steps {
        black_box(step);
    }
}

/// How many steps take so long, at best.
fn spins(time: Duration) -> u64 {
    const STEPS: u64 = 1_000_000;
    let run = |_| {
        let began = Instant::now();
        spin(STEPS);
        began.elapsed()
    };
    let best = (0..20).map(run).min().unwrap_or(time);
    let steps = u128::from(STEPS) * time.as_nanos() / best.as_nanos().max(1);
    u64::try_from(steps).unwrap_or(STEPS)
}

/// Microseconds of the processor that this process took so far, where the system tells.
fn processor() -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = told.rsplit(')').next().unwrap_or_default();
    let ticks = behind_name.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        * TICK
}

fn print(contender: &Contender, writers: u64) {
    let median = |of: &dyn Fn(&Round) -> f64| {
        let mut all: Vec<f64> = contender.rounds.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    println!(
        "| {writers} | {} | {:.0} | {:.1} | {:.1} | {:.2} | {:.2} |",
        if contender.gathers { "yes" } else { "no" },
        median(&|round| round.syncs),
        median(&|round| round.processor),
        median(&|round| round.wall),
        median(&|round| round.median),
        median(&|round| round.p99),
    );
}

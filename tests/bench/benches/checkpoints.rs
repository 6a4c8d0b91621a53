//! What creates cost by how many pages the write-ahead log holds when they are brought into the database: the fewer,
//! the less is at stake when the log rots, and the more often a page that is hot is written again. The store itself is
//! asked, by many at once, with keys in no order. It never changes a setting: the curve is for who decides.

mod creates;

use clap::Parser;
use creates::record;
use sqlite::{SqliteOptions, SqliteStore};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::Records as _;
use store::records::WriteVerdict;
use tempfile::TempDir;

/// Pages of the log, the setting of today last.
const PAGES: [u32; 5] = [1_000, 2_000, 4_000, 8_000, 16_000];
/// Bytes of a page.
const PAGE_BYTES: f64 = 4096.0;

#[derive(Parser)]
struct Arguments {
    /// Measures the curve: minutes
    #[arg(long)]
    curve: bool,

    /// Records that each store has before
    #[arg(long, default_value_t = 200_000)]
    records: u64,

    /// Bytes of a record's values
    #[arg(long, default_value_t = 500)]
    bytes: usize,

    /// Writers at once
    #[arg(long, default_value_t = 64)]
    writers: u64,

    /// Seconds of a round
    #[arg(long, default_value_t = 6.0)]
    seconds: f64,

    /// Rounds, of which the median counts
    #[arg(long, default_value_t = 7)]
    rounds: usize,

    /// A folder on the disk to measure
    #[arg(long, default_value = "target")]
    folder: PathBuf,

    /// What `cargo bench` says to every bench
    #[arg(long, hide = true)]
    bench: bool,
}

/// A store with one of the settings, and what was measured of it.
struct Contender {
    pages: u32,
    store: Arc<SqliteStore>,
    next: Arc<AtomicU64>,
    rounds: Vec<Round>,
    _folder: TempDir,
}

/// What a round came to.
struct Round {
    per_second: f64,
    p99: Duration,
    longest: Duration,
    written: f64,
}

fn main() {
    let mut arguments = Arguments::parse();
    if !arguments.curve {
        (arguments.records, arguments.rounds) = (1000, 1);
        arguments.seconds = 0.1;
    }
    std::fs::create_dir_all(&arguments.folder).expect("the folder");
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let tokio = tokio.expect("a runtime");
    let mut contenders = PAGES.map(|pages| Contender::new(pages, &arguments));
    for contender in &contenders {
        tokio.block_on(contender.seed(&arguments));
    }
    for round in 0..arguments.rounds {
        // each second time in reverse, so that none is always behind the same
        let mut order: Vec<_> = contenders.iter_mut().collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for contender in order {
            let time = Duration::from_secs_f64(arguments.seconds);
            let measured = tokio.block_on(contender.measure(&arguments, time));
            contender.rounds.push(measured);
        }
    }
    if !arguments.curve {
        println!("A trial: these figures mean nothing; `--curve` measures.\n");
    }
    print(&contenders, &arguments);
}

impl Contender {
    fn new(pages: u32, arguments: &Arguments) -> Self {
        let folder = tempfile::tempdir_in(&arguments.folder).expect("a folder");
        let options = SqliteOptions {
            checkpoint_pages: pages,
            record_cache_bytes: 0,
            ..SqliteOptions::default()
        };
        let store = SqliteStore::open_with(folder.path(), options).expect("a store");
        Contender {
            pages,
            store: Arc::new(store),
            next: Arc::default(),
            rounds: Vec::new(),
            _folder: folder,
        }
    }

    async fn seed(&self, arguments: &Arguments) {
        let enough = arguments.records;
        self.create(arguments, 256, move |_, number| number >= enough)
            .await;
    }

    async fn measure(&self, arguments: &Arguments, time: Duration) -> Round {
        // what the others left to write is not this one's
        tokio::time::sleep(time / 10).await;
        let (began, before) = (Instant::now(), written());
        let is_over = move |now: Instant, _| now - began >= time;
        let mut took = self.create(arguments, arguments.writers, is_over).await;
        let (seconds, after) = (began.elapsed().as_secs_f64(), written());
        took.sort_unstable();
        let at = |percent: usize| took[(took.len() - 1) * percent / 100];
        let count = number(took.len() as u64);
        Round {
            per_second: count / seconds,
            p99: at(99),
            longest: at(100),
            written: after
                .zip(before)
                .map_or(f64::NAN, |(after, before)| number(after - before) / count),
        }
    }

    /// Creates records, so many at once, until it is over; how long each took.
    async fn create(
        &self,
        arguments: &Arguments,
        writers: u64,
        is_over: impl Fn(Instant, u64) -> bool + Copy + Send + 'static,
    ) -> Vec<Duration> {
        let bytes = arguments.bytes;
        let writer = |_| {
            let (store, next) = (self.store.clone(), self.next.clone());
            tokio::spawn(async move {
                let mut took = Vec::new();
                loop {
                    let began = Instant::now();
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if is_over(began, number) {
                        return took;
                    }
                    let verdict = store.write(record(number, bytes)).await;
                    assert!(
                        matches!(verdict, Ok(WriteVerdict::Done { .. })),
                        "{verdict:?}"
                    );
                    took.push(began.elapsed());
                }
            })
        };
        let writers: Vec<_> = (0..writers).map(writer).collect();
        let mut all = Vec::new();
        for writer in writers {
            all.extend(writer.await.expect("no writer panics"));
        }
        all
    }
}

#[allow(clippy::cast_precision_loss, reason = "a figure for reading")]
fn number(count: u64) -> f64 {
    count as f64
}

/// Bytes that this process had written to disks so far, where the system tells.
fn written() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/self/io").ok()?;
    let line = told
        .lines()
        .find_map(|line| line.strip_prefix("write_bytes: "))?;
    line.parse().ok()
}

fn print(contenders: &[Contender], arguments: &Arguments) {
    let median = |contender: &Contender, of: &dyn Fn(&Round) -> f64| {
        let mut all: Vec<f64> = contender.rounds.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let today = contenders
        .last()
        .map(|last| median(last, &|round| round.per_second));
    let today = today.unwrap_or(f64::NAN);
    println!(
        "| pages | MiB at stake | creates/s | of today's | p99 ms | longest ms | KiB written for each |"
    );
    println!("| -: | -: | -: | -: | -: | -: | -: |");
    for contender in contenders {
        let rate = median(contender, &|round| round.per_second);
        println!(
            "| {} | {:.1} | {rate:.0} | {:.2} | {:.1} | {:.0} | {:.1} |",
            contender.pages,
            f64::from(contender.pages) * PAGE_BYTES / f64::from(1 << 20),
            rate / today,
            median(contender, &|round| round.p99.as_secs_f64() * 1e3),
            median(contender, &|round| round.longest.as_secs_f64() * 1e3),
            median(contender, &|round| round.written / 1024.0),
        );
    }
    println!(
        "\n{} records before, {} bytes each, {} writers, rounds of {} s in turns, medians of {}.",
        arguments.records, arguments.bytes, arguments.writers, arguments.seconds, arguments.rounds
    );
}

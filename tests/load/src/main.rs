//! The load generator: it starts the real program on a fresh folder of records and a bare axum program
//! beside it, asks both in turns, compares every answer, and prints a table.

mod bare;
#[path = "../../support/cargo.rs"]
#[allow(unreachable_pub, reason = "made for suites too")]
mod cargo;
mod client;
#[path = "../../support/cluster.rs"]
#[allow(dead_code, unreachable_pub, reason = "made for tests too")]
mod cluster;
mod database;
mod datasets;
mod digits;
mod drive;
mod floors;
mod forms;
mod ground;
mod import;
mod large;
mod machine;
mod pages;
mod pocketbase;
#[path = "../../support/postgresql_programs.rs"]
mod postgresql_programs;
#[path = "../../support/processes.rs"]
#[allow(dead_code, reason = "made for proofs too")]
mod processes;
mod program;
mod records;
mod report;
mod run;
mod scenario;
mod search;
mod searches;
mod seed;
mod slow;
mod target;
mod turns;
mod writes;

use anyhow::{Context as _, ensure};
use clap::{Parser, Subcommand, ValueEnum as _};
use drive::Load;
use ground::{Ground, Part};
use program::Cores;
use slow::Crowd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use turns::Plan;

const RECORDS_MAX: u64 = 5_000_000;
/// What a slow client is given beyond a round, so that it holds until the round's end.
const CROWD_SECONDS_MORE: f64 = 3.0;
/// The same beside other rehearsals, all of which share two cores.
const CROWD_SECONDS_MORE_OF_A_REHEARSAL: f64 = 12.0;

/// Measures the service beside a bare server, in the same run and in turns.
#[derive(Parser)]
#[command(name = "load", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    other: Option<Other>,

    /// Records to begin with
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..=RECORDS_MAX))]
    records: u64,

    /// Records of the large dataset that a small one is compared with
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..=RECORDS_MAX))]
    large: u64,

    /// Records of the small one
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(100..=RECORDS_MAX))]
    small: u64,

    /// Connections of the closed loop
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=512))]
    connections: u64,

    /// Clients that hold half a request
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=400))]
    slow: u64,

    /// Seconds of a round
    #[arg(long, default_value_t = 4.0, value_parser = seconds)]
    seconds: f64,

    /// Rounds, of which the median counts
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=21))]
    rounds: u64,

    /// Only these parts
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,

    /// What the service logs; the program's own default unless said
    #[arg(long, default_value = "info")]
    log: String,

    /// More for `fieldstone serve`, such as `--serve-with=--page-cache-bytes=0`; may be given again
    #[arg(long, allow_hyphen_values = true)]
    serve_with: Vec<String>,

    /// A folder on the disk to measure; a fresh one is made in it, and removed at the end
    #[arg(long, default_value = "target")]
    folder: PathBuf,

    /// The program to measure, instead of building it
    #[arg(long)]
    program: Option<PathBuf>,

    /// The program of `PocketBase`, to be measured beside, too
    #[arg(long)]
    pocketbase: Option<PathBuf>,

    /// Runs also where figures mean nothing: in a debug build
    #[arg(long)]
    rehearsal: bool,
}

#[derive(Subcommand)]
enum Other {
    /// The bare server (started by the load generator)
    #[command(hide = true)]
    Bare(bare::Options),
    /// Many large datasets of one store: how start, memory, reads, searches and backups grow with their number
    Datasets(datasets::Options),
    /// Pages of the application on a large dataset: how long they take
    Pages(pages::Options),
    /// The service on PostgreSQL, beside pgbench on the same tables of a cluster of its own
    Database(database::Options),
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    if (0.1..=120.0).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("it must be from 0.1 to 120".to_owned())
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Some(Other::Bare(options)) = &arguments.other {
        return bare::run(options);
    }
    ensure!(
        !cfg!(debug_assertions) || arguments.rehearsal,
        "figures of a debug build mean nothing; run `cargo run --release -p load`, or give --rehearsal"
    );
    std::fs::create_dir_all(&arguments.folder)?;
    let folder = arguments.folder.canonicalize()?;
    let folder = folder.join(format!("load-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let measured = match arguments.other {
        Some(Other::Datasets(options)) => many(&arguments, &folder, options),
        Some(Other::Pages(options)) => of_pages(&arguments, &folder, options),
        Some(Other::Database(options)) => measure(&arguments, &folder, Some(options)),
        _ => measure(&arguments, &folder, None),
    };
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn many(arguments: &Arguments, folder: &Path, options: datasets::Options) -> anyhow::Result<()> {
    let Ground { program, cores, .. } = ground(arguments, folder)?;
    let runtime = begin(arguments)?;
    runtime.block_on(datasets::run(&program, folder, cores, options))
}

fn of_pages(arguments: &Arguments, folder: &Path, options: pages::Options) -> anyhow::Result<()> {
    let Ground { program, cores, .. } = ground(arguments, folder)?;
    let runtime = begin(arguments)?;
    runtime.block_on(pages::run(&program, folder, cores, options))
}

/// What the client runs on, one thread; a rehearsal says that it is one.
fn begin(arguments: &Arguments) -> anyhow::Result<tokio::runtime::Runtime> {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build()?;
    if arguments.rehearsal {
        println!("A rehearsal: these figures mean nothing.\n");
    }
    Ok(runtime)
}

fn measure(
    arguments: &Arguments,
    folder: &Path,
    on: Option<database::Options>,
) -> anyhow::Result<()> {
    let ground = ground(arguments, folder)?;
    let began = Instant::now();
    // one thread for all connections: the client has one core
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build()?;
    let mut report = runtime.block_on(async {
        match on {
            Some(options) => database::run(&ground, options).await,
            None => run::run(&ground).await,
        }
    })?;
    let syncs = report::disk(&machine::sync_times(folder)?);
    let took = began.elapsed();
    report
        .notes
        .extend([how(&ground), syncs, about(&ground, took)?]);
    if arguments.rehearsal {
        println!("A rehearsal: these figures mean nothing.\n");
    }
    report.print();
    // a debug build is rehearsed with, and is as slow as it is
    if cfg!(debug_assertions) {
        return Ok(());
    }
    report.judge()
}

fn ground(arguments: &Arguments, folder: &Path) -> anyhow::Result<Ground> {
    let found = |path: &PathBuf| {
        path.canonicalize()
            .with_context(|| format!("can't find {}", path.display()))
    };
    let program = match &arguments.program {
        Some(program) => found(program)?,
        None => program::built()?,
    };
    let more = if arguments.rehearsal {
        CROWD_SECONDS_MORE_OF_A_REHEARSAL
    } else {
        CROWD_SECONDS_MORE
    };
    let crowd_seconds = (arguments.seconds + more).ceil();
    let plan = Plan {
        load: Load {
            connections: arguments.connections,
            time: Duration::from_secs_f64(arguments.seconds),
            every: None,
        },
        rounds: arguments.rounds,
        crowd: Crowd {
            count: arguments.slow,
            time: Duration::from_secs_f64(crowd_seconds),
        },
    };
    Ok(Ground {
        program,
        pocketbase: arguments.pocketbase.as_ref().map(found).transpose()?,
        folder: folder.to_owned(),
        log: arguments.log.clone(),
        database: None,
        serve_with: arguments.serve_with.clone(),
        cores: Cores::choose()?,
        plan,
        parts: match arguments.only.as_slice() {
            [] => Part::value_variants().to_vec(),
            only => only.to_vec(),
        },
        records: arguments.records,
        large: arguments.large,
        small: arguments.small,
    })
}

/// How it was measured.
fn how(ground: &Ground) -> String {
    let Plan { load, rounds, .. } = ground.plan;
    format!(
        "Records of 12 fields and about 500 bytes; {} connections, each asking again as soon as it is answered, keys uniformly random; rounds of {} s after a warm-up, in turns and each second time in reverse (A B, B A …), of each figure the median of {rounds}. Answers are parsed and compared value by value, pages byte by byte with what was so compared before; the credential goes with each request, the bare server asks for none. The service is started with its own defaults but for its time-outs; log at `{}`{}.",
        load.connections,
        load.time.as_secs_f64(),
        ground.log,
        ground
            .serve_with
            .iter()
            .fold(String::new(), |told, more| told + ", `" + more + "`")
    )
}

/// Where it was measured.
fn about(ground: &Ground, took: Duration) -> anyhow::Result<String> {
    let Cores {
        server,
        client,
        count,
        ..
    } = ground.cores;
    let shared = if server == client {
        " (the same: rates mean little)"
    } else {
        ""
    };
    Ok(format!(
        "{count} cores, {}; servers on core {server}, client on core {client}{shared}. The run took {:.0} s.",
        machine::memory_and_kernel()?,
        took.as_secs_f64()
    ))
}

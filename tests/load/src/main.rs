//! The load generator: it starts the real program on a fresh folder of records and a bare axum program
//! beside it, asks both in turns, compares every answer, and prints a table. It measures releases only.

mod bare;
mod client;
mod disk;
mod drive;
mod program;
mod records;
mod report;
mod scenario;
mod seed;
mod target;

use anyhow::{Context as _, ensure};
use clap::{Parser, Subcommand};
use drive::{Load, Round};
use program::{Cores, Running};
use scenario::Scenario;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use target::Target;

const RECORDS_MAX: u64 = 5_000_000;

/// Measures the service beside a bare server, in the same run and in turns.
#[derive(Parser)]
#[command(name = "load")]
struct Arguments {
    #[command(subcommand)]
    other: Option<Other>,

    /// Records to begin with
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1_000..=RECORDS_MAX))]
    records: u64,

    /// Connections of the closed loop
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=512))]
    connections: u64,

    /// Seconds of a round
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=120))]
    seconds: u64,

    /// Rounds, of which the median counts
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=21))]
    rounds: u64,

    /// Only the scenarios whose name begins so
    #[arg(long, default_value = "")]
    only: String,

    /// What the service logs; the program's own default unless said
    #[arg(long, default_value = "info")]
    log: String,

    /// A folder on the disk to measure; a fresh one is made in it, and removed at the end
    #[arg(long, default_value = "target")]
    folder: PathBuf,

    /// The program to measure, instead of building it
    #[arg(long)]
    program: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Other {
    /// The bare server (started by the load generator)
    #[command(hide = true)]
    Bare(bare::Options),
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    ensure!(
        !cfg!(debug_assertions),
        "figures of a debug build mean nothing; run `cargo run --release -p load`"
    );
    if let Some(Other::Bare(options)) = &arguments.other {
        return bare::run(options);
    }
    let program = match &arguments.program {
        Some(program) => program.canonicalize().context("can't find the program")?,
        None => program::built()?,
    };
    let cores = Cores::choose()?;
    std::fs::create_dir_all(&arguments.folder)?;
    let folder = arguments.folder.canonicalize()?;
    let folder = folder.join(format!("load-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let measured = measure(&arguments, &program, &folder, cores);
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn measure(
    arguments: &Arguments,
    program: &Path,
    folder: &Path,
    cores: Cores,
) -> anyhow::Result<()> {
    let began = Instant::now();
    let seeded = seed::seed(program, folder, arguments.records)?;
    eprintln!(
        "{} records loaded in {:.1} s",
        arguments.records,
        began.elapsed().as_secs_f64()
    );
    let mut serve = seed::fieldstone(program, folder);
    serve.args(["--log", &arguments.log, "serve", "--listen", "127.0.0.1:0"]);
    serve.stderr(Stdio::null());
    let service = Running::start(serve, cores)?;
    let mut bare = Command::new(std::env::current_exe()?);
    bare.args(["bare", "--records", &arguments.records.to_string()]);
    bare.arg("--file").arg(folder.join("bare"));
    let bare = Running::start(bare, cores)?;
    let mut service = Target::new(
        "fieldstone",
        service,
        seeded.path.clone(),
        arguments.records,
    );
    service.key = Some(seeded.key);
    service.is_service = true;
    let bare = Target::new("bare axum", bare, seeded.path, arguments.records);
    // one thread for all connections: the client has one core
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build()?;
    let (service, bare) = runtime.block_on(ask(arguments, service, bare))?;
    print_about(arguments, cores, &service)?;
    report::disk(&disk::sync_times(folder)?);
    service.running.stop()?;
    bare.running.stop()
}

/// Asks both in turns; afterwards they are given back.
async fn ask(
    arguments: &Arguments,
    mut service: Target,
    mut bare: Target,
) -> anyhow::Result<(Target, Target)> {
    // every record is read and compared once, which also warms the caches
    for target in [&mut service, &mut bare] {
        let began = Instant::now();
        target.walk().await?;
        let took = began.elapsed().as_secs_f64();
        eprintln!("{}: all records compared in {took:.1} s", target.name);
    }
    service.catch_up().await?;
    let load = Load {
        connections: arguments.connections,
        time: Duration::from_secs(arguments.seconds),
    };
    let (mut service, mut bare) = (Arc::new(service), Arc::new(bare));
    let mut lines = Vec::new();
    let named = |scenario: &Scenario| scenario.name().starts_with(&arguments.only);
    for scenario in Scenario::ALL.into_iter().filter(named) {
        let mut rounds: [Vec<Round>; 2] = [Vec::new(), Vec::new()];
        for number in 0..arguments.rounds {
            for (target, rounds) in [&mut service, &mut bare].into_iter().zip(&mut rounds) {
                let own = Arc::get_mut(target).context("a round still holds its target")?;
                if scenario == Scenario::List {
                    own.refresh_pages().await?;
                }
                if number == 0 {
                    let warm = Load {
                        time: Duration::from_secs(1),
                        ..load
                    };
                    drive::round(target, scenario, warm, 99).await?;
                }
                let round = drive::round(target, scenario, load, number).await?;
                eprintln!("{}, {}: {:.0}/s", target.name, scenario.name(), round.rate);
                rounds.push(round);
            }
        }
        let [of_service, of_bare] = rounds.map(|rounds| drive::median(&rounds));
        lines.push(report::Line {
            scenario,
            service: of_service,
            bare: of_bare,
            memory: service.running.memory()?.0,
        });
    }
    report::table(&lines);
    let alone = |target| Arc::into_inner(target).context("a round still holds its target");
    Ok((alone(service)?, alone(bare)?))
}

fn print_about(arguments: &Arguments, cores: Cores, service: &Target) -> anyhow::Result<()> {
    let (now, most) = service.running.memory()?;
    let Arguments {
        records,
        connections,
        seconds,
        rounds,
        log,
        ..
    } = arguments;
    println!(
        "\n{records} records of 12 fields, {connections} connections, median of {rounds} rounds of {seconds} s in turns; server on core {}, client on core {}; log at `{log}`; memory at the end {} MiB, {} MiB at most.",
        cores.server,
        cores.client,
        now >> 20,
        most >> 20
    );
    println!("Every answer was parsed (pages: once, then compared byte for byte) and compared.");
    Ok(())
}

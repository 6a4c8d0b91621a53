//! Many large datasets of one store: each is imported as an operator would, then the service is started on what is there,
//! asked, ended and backed up. The table tells how each cost grows with the number of datasets. It compares with nothing.

mod asker;

use crate::digits::grouped;
use crate::import::write_lines;
use crate::machine;
use crate::program::{Cores, Running};
use crate::records::SCHEMA;
use crate::seed::fieldstone;
use anyhow::{Context as _, ensure};
use asker::Asker;
use clap::Args;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// What is made, and how often it is asked.
#[derive(Args, Clone, Copy)]
pub(crate) struct Options {
    /// How many datasets
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=100))]
    count: u64,

    /// Records of each
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(200..=5_000_000))]
    each: u64,

    /// How often each thing is asked for, one after another
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(10..=100_000))]
    asked: u64,
}

/// What the store has and what opens it.
struct Made {
    /// The addresses of the datasets' records.
    paths: Vec<String>,
    key: String,
}

/// A row of the table.
#[derive(Default)]
struct Row {
    datasets: u64,
    import: Duration,
    indexed: Duration,
    start: Duration,
    memory_at_start: u64,
    memory_after: u64,
    times: [Times; 4],
    backup: Duration,
    backup_bytes: u64,
    store_bytes: u64,
}

/// Times of one kind of request.
#[derive(Clone, Copy, Default)]
struct Times {
    middle: Duration,
    p99: Duration,
}

/// Makes the datasets and prints the table.
pub(crate) async fn run(
    program: &Path,
    folder: &Path,
    cores: Cores,
    options: Options,
) -> anyhow::Result<()> {
    let Options { count, each, .. } = options;
    let made = begin(program, folder, count)?;
    write_lines(&folder.join("rows.ndjson"), each)?;
    let mut rows = Vec::new();
    for there in 1..=count {
        let began = Instant::now();
        import(program, folder, there)?;
        let import = began.elapsed();
        eprintln!("dataset {there}: {:.1} s", import.as_secs_f64());
        // the first, half of them, all of them
        if [1, count.div_ceil(2), count].contains(&there) {
            let row = Row {
                datasets: there,
                import,
                ..Row::default()
            };
            rows.push(measured(row, program, folder, (cores, options), &made).await?);
        }
    }
    print(&rows, options)?;
    Ok(())
}

/// A store with datasets of no records.
fn begin(program: &Path, folder: &Path, count: u64) -> anyhow::Result<Made> {
    let mut manifest = "tenants:
  - name: Load
    roles:
      - name: Load
        permissions: {DATA OBJECTS: [view], DATASET OBJECTS SEARCH: [view]}
    apiKeys:
      - {name: load, roles: [Load], areas: {Load: [view]}}
    areas:
      - name: Load
        schemas:
          - document: schema.json
            datasets:
"
    .to_owned();
    for number in 1..=count {
        writeln!(manifest, "              - name: {}", name(number))?;
    }
    std::fs::write(folder.join("load.yaml"), manifest)?;
    std::fs::write(folder.join("schema.json"), SCHEMA)?;
    let output = fieldstone(program, folder, None)
        .args(["--log", "error", "apply", "load.yaml", "--format", "json"])
        .stderr(Stdio::inherit())
        .output()
        .context("can't start the program")?;
    ensure!(output.status.success(), "the datasets could not be made");
    let applied: Value = serde_json::from_slice(&output.stdout)?;
    let step = |what: &str, name: &str, member: &str| {
        let mut steps = applied["steps"].as_array().into_iter().flatten();
        let step = steps.find(|step| step["what"] == what && step["name"] == name);
        let member = step.and_then(|step| step[member].as_str());
        let member = member.with_context(|| format!("the program told of no {what} {name}"));
        member.map(str::to_owned)
    };
    let area = step("area", "Load", "id")?;
    let schema = step("schema", "Product", "id")?;
    let path = |number: u64| {
        let dataset = step("dataset", &name(number), "id")?;
        anyhow::Ok(format!(
            "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects"
        ))
    };
    Ok(Made {
        paths: (1..=count).map(path).collect::<Result<_, _>>()?,
        key: step("API key", "load", "secret")?,
    })
}

fn name(number: u64) -> String {
    format!("Products{number}")
}

fn import(program: &Path, folder: &Path, number: u64) -> anyhow::Result<()> {
    let status = fieldstone(program, folder, None)
        .args(["--log", "error", "import", "rows.ndjson"])
        .args(["--into", &format!("Load/Product/{}", name(number))])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("can't start the program")?;
    ensure!(status.success(), "an import ended with {status}");
    Ok(())
}

/// Starts the service on what is there, asks it, ends it and takes a backup.
async fn measured(
    mut row: Row,
    program: &Path,
    folder: &Path,
    (cores, options): (Cores, Options),
    made: &Made,
) -> anyhow::Result<Row> {
    let serve = || {
        let mut serve = fieldstone(program, folder, None);
        serve.args(["--log", "error", "serve", "--listen", "127.0.0.1:0"]);
        serve.stderr(Stdio::null());
        Running::start(serve, cores)
    };
    // the index has all of it first: its making is no part of a start
    let began = Instant::now();
    let running = serve()?;
    Asker::new(&running, made, &row, options)
        .await?
        .wait_for_index()
        .await?;
    row.indexed = began.elapsed();
    running.stop()?;
    let began = Instant::now();
    let running = serve()?;
    let mut asker = Asker::new(&running, made, &row, options).await?;
    asker.key(0).await?;
    row.start = began.elapsed();
    row.memory_at_start = running.memory()?;
    for (kind, times) in row.times.iter_mut().enumerate() {
        let mut all = Vec::new();
        for turn in 0..options.asked {
            all.push(asker.ask(kind, turn).await?);
        }
        all.sort_unstable();
        let at = |share: usize| all[(all.len() - 1) * share / 100];
        *times = Times {
            middle: at(50),
            p99: at(99),
        };
    }
    row.memory_after = running.memory()?;
    running.stop()?;
    row.store_bytes = bytes_of(&folder.join("data"))?;
    let file = folder.join("backup.fieldstone");
    let began = Instant::now();
    let status = fieldstone(program, folder, None)
        .args(["--log", "error", "backup", "backup.fieldstone"])
        .stdout(Stdio::null())
        .status();
    ensure!(status?.success(), "there is no backup");
    row.backup = began.elapsed();
    row.backup_bytes = std::fs::metadata(&file)?.len();
    std::fs::remove_file(file)?;
    Ok(row)
}

/// Bytes of all files of a folder.
fn bytes_of(folder: &Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                bytes += entry.metadata()?.len();
            }
        }
    }
    Ok(bytes)
}

fn print(rows: &[Row], options: Options) -> anyhow::Result<()> {
    let Options { each, asked, .. } = options;
    println!(
        "| datasets | import of the last, s; rows/s | indexed, s | start, ms | RSS then, MiB | RSS after, MiB | by key, ms | page of 100, ms | search in one, ms | search in all, ms | store, MiB | backup, s; MiB |"
    );
    println!("|{}", " -: |".repeat(12));
    for row in rows {
        let seconds = row.import.as_secs_f64().max(1e-9);
        let rate = grouped(f64::from(u32::try_from(each)?) / seconds);
        let mib = |bytes: u64| grouped(bytes >> 20);
        let times = row.times.map(|times| {
            let [middle, p99] = [times.middle, times.p99].map(|time| time.as_secs_f64() * 1e3);
            format!("{middle:.2} / {p99:.2}")
        });
        println!(
            "| {} | {seconds:.1}; {rate} | {:.1} | {:.0} | {} | {} | {} | {} | {:.1}; {} |",
            row.datasets,
            row.indexed.as_secs_f64(),
            row.start.as_secs_f64() * 1e3,
            mib(row.memory_at_start),
            mib(row.memory_after),
            times.join(" | "),
            mib(row.store_bytes),
            row.backup.as_secs_f64(),
            mib(row.backup_bytes),
        );
    }
    println!(
        "\n{} records in each dataset; p50 / p99 of {} requests, one after another on one connection, datasets and records by chance, pages as they follow one another. Indexed: from a start until a search finds the last record of the newest dataset. Start: from the command to the first record by key, the index whole.",
        grouped(each),
        grouped(asked)
    );
    println!("\n{}.", machine::memory_and_kernel()?);
    Ok(())
}

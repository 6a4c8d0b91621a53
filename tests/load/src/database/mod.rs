//! The service on PostgreSQL: a cluster is started for it, and what the service does is measured beside what `pgbench`,
//! or `COPY`, does with the same tables of the same cluster. All share the machine's cores.

mod by_size;
mod pgbench;
mod sizes;
mod two_servers;

use crate::cluster::{self, Cluster};
use crate::digits::grouped;
use crate::drive::{self, Round};
use crate::ground::{Ground, service, started, stop};
use crate::import::{self, write_lines};
use crate::report::Report;
use crate::scenario::Scenario;
use crate::seed::{Content, Seeded, seed};
use crate::target::Target;
use anyhow::{Context as _, anyhow, ensure};
use clap::Args;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Durable, as PostgreSQL is unless told otherwise; with memory and log for what is measured: a quarter of 16 GiB, as its
/// manual advises.
const SETTINGS: &str = "-c max_connections=300 -c shared_buffers=4GB -c max_wal_size=4GB";
/// How many pages are asked for, at random.
const PAGES_MAX: u64 = 1024;
/// What an import fills that search reads.
const TABLES: [&str; 6] = [
    "records",
    "change_log",
    "search_records",
    "search_words",
    "search_keys",
    "search_marks",
];

/// Which databases are filled.
#[derive(Args, Clone, Copy)]
pub(crate) struct Options {
    /// Records of the large database that a small one is compared with
    #[arg(long, default_value_t = 5_000_000, value_parser = clap::value_parser!(u64).range(1_000..=20_000_000))]
    many: u64,

    /// Records of the small one
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(100..=1_000_000))]
    few: u64,

    /// Records of a file that is imported
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(100..=20_000_000))]
    import: u64,
}

/// A cluster with what `pgbench` needs to know.
struct Place {
    cluster: Cluster,
    programs: PathBuf,
}

impl Place {
    fn start() -> anyhow::Result<Self> {
        let programs = cluster::programs().context("there is no PostgreSQL here to measure")?;
        let cluster = Cluster::start_on_disk(&programs, SETTINGS).map_err(|why| anyhow!(why))?;
        Ok(Place { cluster, programs })
    }

    fn run(&self, script: &str) -> anyhow::Result<String> {
        self.cluster.run(script).map_err(|why| anyhow!(why))
    }

    /// What a run stands on, in a database of its own.
    fn ground(&self, ground: &Ground, name: &str) -> anyhow::Result<Ground> {
        self.run(&format!("CREATE DATABASE {name};"))?;
        Ok(Ground {
            database: Some(self.cluster.address(name)),
            ..ground.clone()
        })
    }

    /// A copy of a database that nobody uses, whose primary keys are numbers that `pgbench` can make.
    fn copy(&self, of: &str, name: &str) -> anyhow::Result<String> {
        self.run(&format!(
            "CREATE DATABASE {name} TEMPLATE {of};
\\connect {name}
UPDATE records SET primary_key = 'P' || lpad(to_hex(sequence), 16, '0');
VACUUM FULL records;
VACUUM ANALYZE;
CHECKPOINT;"
        ))?;
        Ok(self.cluster.address(name))
    }

    /// The one dataset of a database, and its first and last sequence.
    fn dataset(&self, name: &str) -> anyhow::Result<[i64; 3]> {
        let told = self.run(&format!(
            "\\connect {name}
\\pset tuples_only on
\\pset format unaligned
SELECT dataset, min(sequence), max(sequence) FROM records GROUP BY dataset;"
        ))?;
        let line = told.lines().find(|line| line.contains('|'));
        let line = line.with_context(|| format!("no dataset in {name}: {told}"))?;
        let numbers: Result<Vec<i64>, _> = line.split('|').map(str::parse).collect();
        <[i64; 3]>::try_from(numbers?).map_err(|_| anyhow!("no dataset in {name}: {line}"))
    }
}

/// All rows.
pub(crate) async fn run(ground: &Ground, options: Options) -> anyhow::Result<Report> {
    let place = Place::start()?;
    let mut report = Report::default();
    beside_pgbench(&place, ground, &mut report).await?;
    imported(&place, ground, options.import, &mut report).await?;
    by_size::measure(&place, ground, options, &mut report).await?;
    report.notes.push(format!(
        "PostgreSQL {}, {SETTINGS}; it has both cores, the service one of them, the client and `pgbench` the other; two servers, and the one beside them, may use both. The import and its `COPY` are one run each.",
        version(&place)?
    ));
    Ok(report)
}

fn version(place: &Place) -> anyhow::Result<String> {
    let told = place.run("\\pset tuples_only on\nSHOW server_version;")?;
    Ok(told
        .trim()
        .lines()
        .last()
        .unwrap_or_default()
        .trim()
        .to_owned())
}

/// Records in the order of their numbers, as an import brings them.
fn filled(ground: &Ground, name: &str, records: u64) -> anyhow::Result<Seeded> {
    let began = Instant::now();
    let folder = ground.folder.join(name);
    let content = Content::clean(1);
    let mut seeded = seed(
        &ground.program,
        &folder,
        ground.database.as_deref(),
        content,
    )?;
    write_lines(&folder.join("rows.ndjson"), records - 1)?;
    import::import(ground, &folder)?;
    std::fs::remove_file(folder.join("rows.ndjson"))?;
    seeded.took = began.elapsed();
    eprintln!(
        "{} records imported in {:.1} s",
        grouped(records),
        seeded.took.as_secs_f64()
    );
    Ok(seeded)
}

/// Rates by primary key, of pages and of creates.
async fn beside_pgbench(place: &Place, ground: &Ground, report: &mut Report) -> anyhow::Result<()> {
    let own = place.ground(ground, "one")?;
    let seeded = filled(&own, "one", own.records)?;
    let bench = place.copy("one", "beside")?;
    let [dataset, first, last] = place.dataset("beside")?;
    // before anything is created, all records are known
    let two = two_servers::measure(&own, seeded.clone()).await?;
    let ours = service(&own, "one", seeded, own.records, PAGES_MAX, &[]).await?;
    let columns =
        "dataset, sequence, nonce, version, schema_version, body, errors, hidden, deleted";
    let get = format!(
        "\\set n random({first}, {last})
SELECT {columns} FROM records WHERE dataset = {dataset} AND NOT deleted
  AND primary_key = 'P' || lpad(to_hex(:n::bigint), 16, '0');\n"
    );
    let page = format!(
        "\\set n random({first}, {last} - 100)
SELECT {columns} FROM records WHERE dataset = {dataset} AND NOT deleted AND sequence > :n
  ORDER BY sequence LIMIT 100;\n"
    );
    let rows = [
        (
            Scenario::Get,
            "point select by the same index",
            get,
            "≥ 0.6",
        ),
        (Scenario::List, "the same query", page, "≥ 0.5"),
        (
            Scenario::Create,
            "a pipelined transaction each, with the same counters",
            create(dataset, true),
            "≥ 2",
        ),
        (
            Scenario::Create,
            "the same without counters that are exact",
            create(dataset, false),
            "–",
        ),
    ];
    for (scenario, what, script, to_reach) in rows {
        let (our, their) = in_turns(place, &ours, &bench, scenario, &script, &own).await?;
        row(report, scenario.name(), what, our, their, to_reach);
    }
    report.plain.push(two);
    stop(ours)
}

/// What a create writes, as one transaction: the record and its entry of the change log, between the rows of counters
/// that the store keeps exact, or without them.
fn create(dataset: i64, has_counters: bool) -> String {
    let [counted, numbered] = if has_counters {
        [
            format!(
                "UPDATE dataset_state SET records = records + 1, last_sequence = last_sequence + 1 WHERE dataset = {dataset};"
            ),
            "UPDATE counters SET value = value + 1 WHERE name = 'log';".to_owned(),
        ]
    } else {
        Default::default()
    };
    format!(
        "\\set n random(1000000000, 1000000000000000)
\\startpipeline
BEGIN;
{counted}
{numbered}
INSERT INTO records (dataset, sequence, nonce, version, schema_version, deleted, last_change, primary_key, errors, hidden, body)
  SELECT dataset, :n, nonce, 0, schema_version, false, :n, 'Q' || lpad(to_hex(:n::bigint), 16, '0'), errors, hidden, body
  FROM records WHERE dataset = {dataset} AND sequence = 1;
INSERT INTO change_log (dataset, number, sequence, nonce, action, version, schema_version, at, actor, prior, before, after, errors, hidden, digest)
  SELECT dataset, :n, :n, nonce, action, version, schema_version, at, actor, prior, before, after, errors, hidden, digest
  FROM change_log WHERE dataset = {dataset} AND number = 1;
COMMIT;
\\endpipeline\n"
    )
}

/// The rates of both, in turns: of each the median.
async fn in_turns(
    place: &Place,
    ours: &Arc<Target>,
    bench: &str,
    scenario: Scenario,
    script: &str,
    ground: &Ground,
) -> anyhow::Result<(Round, f64)> {
    let load = ground.plan.load;
    let (mut rounds, mut rates) = (Vec::new(), Vec::new());
    for number in 0..ground.plan.rounds {
        let asked =
            |time: Duration| pgbench::rate(&place.programs, bench, script, load.connections, time);
        if number.is_multiple_of(2) {
            rounds.push(drive::round(ours, scenario, load, number).await?);
            rates.push(asked(load.time)?);
        } else {
            rates.push(asked(load.time)?);
            rounds.push(drive::round(ours, scenario, load, number).await?);
        }
    }
    rates.sort_unstable_by(f64::total_cmp);
    let rate = rates.get(rates.len() / 2).copied().unwrap_or_default();
    Ok((drive::median(&rounds), rate))
}

fn row(report: &mut Report, what: &str, baseline: &str, our: Round, their: f64, to_reach: &str) {
    report.plain.push([
        what.to_owned(),
        format!("`pgbench`, {baseline}"),
        told(our),
        format!("{}/s", grouped(their)),
        format!("{:.2}", our.rate / their),
        to_reach.to_owned(),
    ]);
}

fn told(round: Round) -> String {
    let Round {
        rate,
        p50,
        p99,
        cpu,
        ..
    } = round;
    format!("{}/s; {p50:.1} / {p99:.1} ms; {cpu:.0} µs", grouped(rate))
}

/// A file of records until a search finds the last one, beside `COPY` of the same rows into the same tables.
async fn imported(
    place: &Place,
    ground: &Ground,
    records: u64,
    report: &mut Report,
) -> anyhow::Result<()> {
    let own = place.ground(ground, "imported")?;
    let folder = own.folder.join("imported");
    let content = Content::clean(1);
    let seeded = seed(&own.program, &folder, own.database.as_deref(), content)?;
    place.run("CREATE DATABASE copied TEMPLATE imported;")?;
    write_lines(&folder.join("rows.ndjson"), records)?;
    let began = Instant::now();
    import::import(&own, &folder)?;
    let target = started(&own, "imported", seeded, records + 1, &[])?;
    target.catch_up().await?;
    let ours = began.elapsed();
    target.running.stop()?;
    let theirs = copied(place)?;
    let rate = |took: Duration| -> anyhow::Result<String> {
        let seconds = took.as_secs_f64();
        let count = f64::from(u32::try_from(records)?);
        Ok(format!("{seconds:.1} s; {}/s", grouped(count / seconds)))
    };
    report.plain.push([
        format!(
            "import of {} lines of NDJSON until a search finds the last",
            grouped(records)
        ),
        "`COPY` of the same rows into the same tables and indexes".to_owned(),
        rate(ours)?,
        rate(theirs)?,
        format!("{:.2}", theirs.as_secs_f64() / ours.as_secs_f64()),
        "≥ 0.5".to_owned(),
    ]);
    sizes::of_records(place, "imported", records, report)
}

/// How long `COPY` takes for all rows of the tables that an import fills.
fn copied(place: &Place) -> anyhow::Result<Duration> {
    let folder = tempfile::tempdir()?;
    let file = |table: &str| folder.path().join(table).display().to_string();
    let each = |line: fn(&str, &str) -> String| {
        let lines = TABLES.map(|table| line(table, &file(table)));
        lines.concat()
    };
    let out = each(|table, file| format!("\\copy {table} TO '{file}'\n"));
    let out = format!("\\connect imported\n{out}");
    let emptied = each(|table, _| format!("TRUNCATE {table};\n"));
    let copied = each(|table, file| format!("\\copy {table} FROM '{file}'\n"));
    let into = format!(
        "\\connect copied\n{emptied}BEGIN;\n{copied}COMMIT;\nSELECT 'rows:' || count(*) FROM records;\n"
    );
    // the user that runs the client must be able to write there
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777))?;
    place.run(&out)?;
    let began = Instant::now();
    let told = place.run(&into)?;
    let took = began.elapsed();
    ensure!(told.contains("rows:"), "the rows were not copied: {told}");
    Ok(took)
}

//! What a run stands on: its settings, and the servers that it starts on records, ours and the bare one.

use crate::digits::grouped;
use crate::drive;
use crate::program::{Cores, Running};
use crate::scenario::Scenario;
use crate::seed::{Content, Seeded, fieldstone, seed};
use crate::target::{Kind, Target};
use crate::turns::Plan;
use anyhow::Context as _;
use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

/// A part of the table, in the order of measuring: creates add to the end of what the parts before read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Records by primary key
    Get,
    /// Pages of 100
    List,
    /// Beside clients that hold half a request
    Slow,
    /// Creates
    Create,
    /// Updates
    Update,
    /// Nine records by primary key, one update
    Mix,
    /// Creates of few connections beside many
    Few,
    /// Creates that arrive at half the full rate
    Arriving,
    /// What a record and an update take of the disk
    Disk,
    /// Records by primary key, of many and of few
    Size,
    /// Records and pages of many, with the caches at 0
    Cold,
    /// Searches among many
    Search,
    /// What searches ask for beside words, among many of which few are faulty
    Forms,
    /// Memory after all of it, of many
    Memory,
    /// What SQLite takes by itself, of many
    Floors,
    /// Many records from a file until a search finds them
    Import,
}

impl Part {
    /// Whether it is about the large dataset.
    pub(crate) fn is_large(self) -> bool {
        matches!(
            self,
            Part::Size | Part::Cold | Part::Search | Part::Memory | Part::Floors
        )
    }
}

/// What a run stands on.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) program: PathBuf,
    pub(crate) pocketbase: Option<PathBuf>,
    /// A fresh folder.
    pub(crate) folder: PathBuf,
    pub(crate) log: String,
    /// The database of the store; none where it is in a data folder.
    pub(crate) database: Option<String>,
    /// More for `serve`.
    pub(crate) serve_with: Vec<String>,
    pub(crate) cores: Cores,
    pub(crate) plan: Plan,
    pub(crate) parts: Vec<Part>,
    pub(crate) records: u64,
    pub(crate) large: u64,
    pub(crate) small: u64,
}

/// Loads records into a folder of this name.
pub(crate) fn load(ground: &Ground, name: &str, records: u64) -> anyhow::Result<Seeded> {
    let folder = ground.folder.join(name);
    let seeded = seed(
        &ground.program,
        &folder,
        ground.database.as_deref(),
        Content::clean(records),
    )?;
    let took = seeded.took.as_secs_f64();
    eprintln!("{} records loaded in {took:.1} s", grouped(records));
    Ok(seeded)
}

/// The row of reads by primary key.
pub(crate) fn keyed(records: u64) -> String {
    format!("{}, {} records", Scenario::Get.name(), grouped(records))
}

/// The service on a folder of records, all of them read and compared twice, in pages and by primary key,
/// which warms the caches.
pub(crate) async fn service(
    ground: &Ground,
    name: &str,
    seeded: Seeded,
    records: u64,
    pages_max: u64,
    more: &[&str],
) -> anyhow::Result<Arc<Target>> {
    let mut target = started(ground, name, seeded, records, more)?;
    walk(&mut target, pages_max).await?;
    target.catch_up().await?;
    let target = Arc::new(target);
    drive::warm(&target, ground.plan.load.connections).await?;
    Ok(target)
}

/// The service on a folder of records, asked for nothing yet.
pub(crate) fn started(
    ground: &Ground,
    name: &str,
    seeded: Seeded,
    records: u64,
    more: &[&str],
) -> anyhow::Result<Target> {
    let folder = ground.folder.join(name);
    let mut serve = fieldstone(&ground.program, &folder, ground.database.as_deref());
    serve.args(["--log", &ground.log, "serve", "--listen", "127.0.0.1:0"]);
    let seconds = ground.plan.crowd.time.as_secs().to_string();
    serve.args(["--head-seconds", &seconds, "--body-seconds", &seconds]);
    // what a row is about comes before what the whole run is given
    let name_of = |setting: &str| setting.split('=').next().map(str::to_owned);
    let is_free = |given: &&String| !more.iter().any(|own| name_of(own) == name_of(given));
    serve
        .args(ground.serve_with.iter().filter(is_free))
        .args(more)
        .stderr(Stdio::null());
    let running = Running::start(serve, ground.cores)?;
    let mut target = Target::new(Kind::Service, running, seeded.path, records);
    target.key = Some(seeded.key);
    Ok(target)
}

async fn walk(target: &mut Target, pages_max: u64) -> anyhow::Result<()> {
    let began = Instant::now();
    target.walk(pages_max).await?;
    let took = began.elapsed().as_secs_f64();
    let Target { name, seeded, .. } = target;
    eprintln!("{name}: all {seeded} records compared in {took:.1} s");
    Ok(())
}

/// The bare server with so many records.
pub(crate) async fn bare(
    ground: &Ground,
    file: &str,
    path: String,
    records: u64,
    pages_max: u64,
) -> anyhow::Result<Arc<Target>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bare", "--records", &records.to_string()]);
    command.arg("--file").arg(ground.folder.join(file));
    let running = Running::start(command, ground.cores)?;
    let mut bare = Target::new(Kind::Bare, running, path, records);
    walk(&mut bare, pages_max).await?;
    Ok(Arc::new(bare))
}

/// The bare server that answers searches: with the same bytes, once the same question was asked of the same index.
pub(crate) fn bare_searcher(
    ground: &Ground,
    index: &Path,
    searches: &Path,
    path: String,
) -> anyhow::Result<Target> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bare", "--records", "0"]);
    command
        .arg("--file")
        .arg(ground.folder.join("bare-searcher"));
    command.arg("--index").arg(index);
    command.arg("--searches").arg(searches);
    let running = Running::start(command, ground.cores)?;
    Ok(Target::new(Kind::Bare, running, path, 0))
}

/// Ends a server as an operator does.
pub(crate) fn stop(target: Arc<Target>) -> anyhow::Result<()> {
    let target = Arc::into_inner(target).context("a round still holds its target")?;
    target.running.stop()
}

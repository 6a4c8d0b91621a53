//! The run, row by row: which servers are started on which records, and what is compared with what.

use crate::digits::grouped;
use crate::drive;
use crate::pocketbase;
use crate::program::{Cores, Running};
use crate::report::{Compared, Line, Report};
use crate::scenario::Scenario;
use crate::seed::{Seeded, fieldstone, seed};
use crate::slow::Half;
use crate::target::{Kind, Target};
use crate::turns::{Measured, Plan, Turn, in_turns};
use anyhow::Context as _;
use clap::ValueEnum;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many pages a list is asked for, at random: all of 100,000 records.
const PAGES_MAX: u64 = 1024;
/// By when beyond its time a slow client is to be gone.
const CUT_LATE_MAX: Duration = Duration::from_secs(1);

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
    /// Records by primary key, of many and of few
    Size,
}

/// What a run stands on.
pub(crate) struct Ground {
    pub(crate) program: PathBuf,
    pub(crate) pocketbase: Option<PathBuf>,
    /// A fresh folder.
    pub(crate) folder: PathBuf,
    pub(crate) log: String,
    /// More for `serve`.
    pub(crate) serve_with: Vec<String>,
    pub(crate) cores: Cores,
    pub(crate) plan: Plan,
    pub(crate) parts: Vec<Part>,
    pub(crate) records: u64,
    pub(crate) large: u64,
    pub(crate) small: u64,
}

/// Servers with the same records: ours, and what it is measured beside.
struct Contenders {
    service: Arc<Target>,
    bare: Arc<Target>,
    pocketbase: Option<Arc<Target>>,
}

pub(crate) async fn run(ground: &Ground) -> anyhow::Result<Report> {
    let mut report = Report::default();
    // all is loaded before this process is bound to a core, so that loading may use them all
    let has_size = ground.parts.contains(&Part::Size);
    let has_others = ground.parts.iter().any(|part| *part != Part::Size);
    let one = has_others.then(|| load(ground, "one", ground.records));
    let sizes = has_size.then(|| {
        anyhow::Ok((
            load(ground, "large", ground.large)?,
            load(ground, "small", ground.small)?,
        ))
    });
    if let Some(seeded) = one {
        let contenders = contenders(ground, seeded?).await?;
        for part in Part::value_variants() {
            if ground.parts.contains(part) {
                measure(ground, &contenders, *part, &mut report).await?;
            }
        }
        stop(contenders.service)?;
        stop(contenders.bare)?;
        contenders.pocketbase.map_or(Ok(()), stop)?;
    }
    if let Some(seeded) = sizes {
        let (large, small) = seeded?;
        by_size(ground, large, small, &mut report).await?;
    }
    Ok(report)
}

fn load(ground: &Ground, name: &str, records: u64) -> anyhow::Result<Seeded> {
    let seeded = seed(&ground.program, &ground.folder.join(name), records)?;
    let took = seeded.took.as_secs_f64();
    eprintln!("{} records loaded in {took:.1} s", grouped(records));
    Ok(seeded)
}

/// The row of reads by primary key.
fn keyed(records: u64) -> String {
    format!("{}, {} records", Scenario::Get.name(), grouped(records))
}

/// The service on a folder of records, all of them read and compared twice, in pages and by primary key,
/// which warms the caches.
async fn service(
    ground: &Ground,
    name: &str,
    seeded: Seeded,
    records: u64,
    pages_max: u64,
) -> anyhow::Result<Arc<Target>> {
    let mut serve = fieldstone(&ground.program, &ground.folder.join(name));
    serve.args(["--log", &ground.log, "serve", "--listen", "127.0.0.1:0"]);
    let seconds = ground.plan.crowd.time.as_secs().to_string();
    serve.args(["--head-seconds", &seconds, "--body-seconds", &seconds]);
    serve.args(&ground.serve_with).stderr(Stdio::null());
    let running = Running::start(serve, ground.cores)?;
    let mut target = Target::new(Kind::Service, running, seeded.path, records);
    target.key = Some(seeded.key);
    walk(&mut target, pages_max).await?;
    target.catch_up().await?;
    let target = Arc::new(target);
    drive::warm(&target, ground.plan.load.connections).await?;
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

async fn contenders(ground: &Ground, seeded: Seeded) -> anyhow::Result<Contenders> {
    let (records, path) = (ground.records, seeded.path.clone());
    let service = service(ground, "one", seeded, records, PAGES_MAX).await?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["bare", "--records", &records.to_string()]);
    command.arg("--file").arg(ground.folder.join("bare"));
    let running = Running::start(command, ground.cores)?;
    let mut bare = Target::new(Kind::Bare, running, path, records);
    walk(&mut bare, PAGES_MAX).await?;
    let pocketbase = match &ground.pocketbase {
        Some(program) => {
            let folder = ground.folder.join("pocketbase");
            let target = pocketbase::start(program, &folder, ground.cores, records).await?;
            Some(Arc::new(target))
        }
        None => None,
    };
    Ok(Contenders {
        service,
        bare: Arc::new(bare),
        pocketbase,
    })
}

async fn measure(
    ground: &Ground,
    contenders: &Contenders,
    part: Part,
    report: &mut Report,
) -> anyhow::Result<()> {
    // the neighbour is to be beaten by three times the best of its kind, which was 2.6 and 3.3 times as fast
    let (scenario, to_reach, neighbours) = match part {
        Part::Get => (Scenario::Get, "≥ 0.6", Some("≥ 7.7")),
        Part::List => (Scenario::List, "≥ 0.4", None),
        Part::Create => (Scenario::Create, "≥ 0.3", Some("≥ 10")),
        Part::Update => (Scenario::Update, "–", None),
        Part::Mix => (Scenario::Mix, "–", None),
        Part::Slow => return beside_slow(ground, &contenders.service, report).await,
        Part::Size => return Ok(()),
    };
    let neighbour = contenders.pocketbase.as_ref().zip(neighbours);
    let mut others = vec![(&contenders.bare, to_reach)];
    others.extend(neighbour);
    let mut turns = vec![Turn::of(&contenders.service)];
    turns.extend(others.iter().map(|(target, _)| Turn::of(target)));
    let mut measured = in_turns(&turns, scenario, &ground.plan).await?.into_iter();
    let ours = measured.next().context("no turn of the service")?;
    if scenario == Scenario::List {
        let (count, bytes) = contenders.service.pages();
        report.notes.push(format!(
            "list: {} pages of {} MiB in all, at random; how much of pages it keeps is the service's own setting, `--page-cache-bytes`.",
            grouped(count),
            bytes >> 20
        ));
    }
    if scenario.writes() {
        report.notes.push(format!(
            "{}: the search index had caught up {:.2} s after the last answer; that time counts.",
            scenario.name(),
            ours.median.behind
        ));
    }
    for ((target, to_reach), theirs) in others.into_iter().zip(measured) {
        report.lines.push(Line {
            what: match scenario {
                Scenario::Get => keyed(ground.records),
                _ => scenario.name().to_owned(),
            },
            baseline: target.name.clone(),
            ours: ours.clone(),
            theirs,
            compared: if scenario.writes() {
                Compared::RateOfWrites
            } else {
                Compared::Rate
            },
            to_reach,
        });
    }
    Ok(())
}

/// The same connections alone, and beside those that hold half a request.
async fn beside_slow(
    ground: &Ground,
    service: &Arc<Target>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let slow = |half| Turn {
        target: service,
        slow: Some(half),
    };
    let turns = [Turn::of(service), slow(Half::Head), slow(Half::Body)];
    let measured = in_turns(&turns, Scenario::Get, &ground.plan).await?;
    let [alone, head, body] = <[Measured; 3]>::try_from(measured)
        .ok()
        .context("a turn is missing")?;
    let crowd = ground.plan.crowd;
    for (what, beside) in [("head", head), ("body", body)] {
        let cuts = beside.cuts.iter();
        let first = cuts.clone().min().copied().unwrap_or_default();
        let last = cuts.max().copied().unwrap_or_default();
        let is_in_time = first >= crowd.time && last <= crowd.time + CUT_LATE_MAX;
        report.notes.push(format!(
            "Half a {what}: all slow clients were cut {:.2} to {:.2} s after connecting, given {} s: {}.",
            first.as_secs_f64(),
            last.as_secs_f64(),
            crowd.time.as_secs(),
            if is_in_time { "in time" } else { "NOT in time" }
        ));
        report.lines.push(Line {
            what: format!(
                "GET by primary key beside {} slow clients holding half a {what}",
                crowd.count
            ),
            baseline: format!("the same {} clients alone", ground.plan.load.connections),
            ours: beside,
            theirs: alone.clone(),
            compared: Compared::P99,
            to_reach: "≤ 2 ×",
        });
    }
    Ok(())
}

async fn by_size(
    ground: &Ground,
    large: Seeded,
    small: Seeded,
    report: &mut Report,
) -> anyhow::Result<()> {
    report.notes.push(format!(
        "`fieldstone apply` loaded {} records in {:.1} s.",
        grouped(ground.large),
        large.took.as_secs_f64()
    ));
    let large = service(ground, "large", large, ground.large, 0).await?;
    let small = service(ground, "small", small, ground.small, 0).await?;
    let turns = [Turn::of(&large), Turn::of(&small)];
    let measured = in_turns(&turns, Scenario::Get, &ground.plan).await?;
    let [ours, theirs] = <[Measured; 2]>::try_from(measured)
        .ok()
        .context("a turn is missing")?;
    report.lines.push(Line {
        what: keyed(ground.large),
        baseline: format!("ours with {} records", grouped(ground.small)),
        ours,
        theirs,
        compared: Compared::Rate,
        to_reach: "≥ 0.9",
    });
    stop(large)?;
    stop(small)
}

fn stop(target: Arc<Target>) -> anyhow::Result<()> {
    let target = Arc::into_inner(target).context("a round still holds its target")?;
    target.running.stop()
}

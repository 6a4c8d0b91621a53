//! The run, row by row: which servers are started on which records, and what is compared with what.

use crate::digits::grouped;
use crate::forms;
use crate::ground::{Ground, Part, bare, keyed, load, service, stop};
use crate::import;
use crate::large;
use crate::pocketbase;
use crate::report::{Compared, Line, Report};
use crate::scenario::Scenario;
use crate::seed::Seeded;
use crate::slow::Half;
use crate::target::Target;
use crate::turns::{Measured, Turn, in_turns};
use crate::writes;
use anyhow::Context as _;
use clap::ValueEnum as _;
use std::sync::Arc;
use std::time::Duration;

/// How many pages a list is asked for, at random: all of 100,000 records.
const PAGES_MAX: u64 = 1024;
/// By when beyond its time a slow client is to be gone.
const CUT_LATE_MAX: Duration = Duration::from_secs(1);

/// Servers with the same records: ours, and what it is measured beside.
struct Contenders {
    service: Arc<Target>,
    bare: Arc<Target>,
    pocketbase: Option<Arc<Target>>,
}

pub(crate) async fn run(ground: &Ground) -> anyhow::Result<Report> {
    let mut report = Report::default();
    // all is loaded before this process is bound to a core, so that loading may use them all
    let has = |part| ground.parts.contains(&part);
    let has_others = ground
        .parts
        .iter()
        .any(|part| !part.is_large() && !matches!(part, Part::Disk | Part::Import | Part::Forms));
    let one = has_others.then(|| load(ground, "one", ground.records));
    let disk = has(Part::Disk).then(|| load(ground, "disk", ground.records));
    let has_large = ground.parts.iter().any(|part| part.is_large());
    let large = has_large.then(|| load(ground, "large", ground.large));
    let small = has(Part::Size).then(|| load(ground, "small", ground.small));
    let forms = has(Part::Forms).then(|| forms::load(ground));
    if has(Part::Import) {
        import::measure(ground, &mut report).await?;
    }
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
    if let Some(seeded) = disk {
        writes::disk(ground, seeded?, &mut report).await?;
    }
    if let Some(seeded) = large {
        large::measure(ground, seeded?, small.transpose()?, &mut report).await?;
    }
    if let Some(seeded) = forms {
        forms::measure(ground, seeded?, &mut report).await?;
    }
    Ok(report)
}

async fn contenders(ground: &Ground, seeded: Seeded) -> anyhow::Result<Contenders> {
    let (records, path) = (ground.records, seeded.path.clone());
    let service = service(ground, "one", seeded, records, PAGES_MAX, &[]).await?;
    let bare = bare(ground, "bare", path, records, PAGES_MAX).await?;
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
        bare,
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
        Part::Create => (Scenario::Create, "≥ 0.5", Some("≥ 10")),
        Part::Update => (Scenario::Update, "≥ 0.5", None),
        Part::Mix => (Scenario::Mix, "–", None),
        Part::Slow => return beside_slow(ground, &contenders.service, report).await,
        Part::Few => return writes::few(ground, &contenders.service, report).await,
        Part::Arriving => {
            let Contenders { service, bare, .. } = contenders;
            return writes::arriving(ground, service, bare, report).await;
        }
        Part::Disk
        | Part::Size
        | Part::Cold
        | Part::Search
        | Part::Forms
        | Part::Memory
        | Part::Floors
        | Part::Import => return Ok(()),
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
        load: None,
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

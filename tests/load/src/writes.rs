//! More rows about writes: with fewer connections, with arrivals that wait for no answer, and what they take of the disk.

use crate::digits::grouped;
use crate::drive::{self, Load};
use crate::ground::{Ground, service, stop};
use crate::machine;
use crate::report::{Compared, Line, Report};
use crate::scenario::Scenario;
use crate::seed::Seeded;
use crate::target::Target;
use crate::turns::{Turn, in_turns, two};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The few connections.
const FEW: u64 = 16;
/// For how many rounds' time there are updates before it is looked what they take of the disk: the index joins its parts
/// now and then, and what one update takes of it is told by many.
const UPDATES_TURNS: u32 = 5;

/// Creates of few connections beside those of all.
pub(crate) async fn few(
    ground: &Ground,
    target: &Arc<Target>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let load = Load {
        connections: FEW.min(ground.plan.load.connections),
        ..ground.plan.load
    };
    let turns = [Turn::of(target).with(load), Turn::of(target)];
    let [ours, theirs] = two(in_turns(&turns, Scenario::Create, &ground.plan).await?)?;
    report.lines.push(Line {
        what: format!("create, {FEW} connections"),
        baseline: format!("ours with {}", ground.plan.load.connections),
        ours,
        theirs,
        compared: Compared::RateOfWrites,
        to_reach: "≥ 0.9",
    });
    Ok(())
}

/// Creates that come at half the rate that was reached, whether the ones before were answered or not; and how long the
/// slowest of a hundred took, then and at the full rate, beside the disk's own. What comes at half the rate goes to the bare
/// server, too: it tells what the machine takes by itself, whoever answers.
pub(crate) async fn arriving(
    ground: &Ground,
    service: &Arc<Target>,
    bare: &Arc<Target>,
    report: &mut Report,
) -> anyhow::Result<()> {
    let syncs = machine::sync_times(&ground.folder)?;
    let sync = syncs.get(syncs.len() * 99 / 100).copied();
    let sync = sync.unwrap_or_default().as_secs_f64() * 1e3;
    let scenario = Scenario::Create;
    let full = in_turns(&[Turn::of(service), Turn::of(bare)], scenario, &ground.plan).await?;
    let [full, full_bare] = two(full)?;
    let load = Load {
        every: Some(Duration::from_secs_f64(2.0 / full.median.rate.max(1.0))),
        ..ground.plan.load
    };
    let turns = [service, bare].map(|target| Turn::of(target).with(load));
    let [half, half_bare] = two(in_turns(&turns, scenario, &ground.plan).await?)?;
    let rows = [
        ("create at full load", full, "≤ 15 ×"),
        ("the bare server's, at full load", full_bare, "–"),
        ("create, arrivals at half the full rate", half, "≤ 5 ×"),
        ("the bare server's, as many arrivals", half_bare, "–"),
    ];
    for (what, measured, to_reach) in rows {
        let round = measured.median;
        report.plain.push([
            what.to_owned(),
            "fdatasync's p99".to_owned(),
            format!(
                "{}/s; {:.2} / {:.2} ms",
                grouped(round.rate),
                round.p50,
                round.p99
            ),
            format!("{sync:.2} ms"),
            format!("p99 {:.1} ×", round.p99 / sync),
            to_reach.to_owned(),
        ]);
    }
    Ok(())
}

/// Bytes of store and index, both closed.
fn sizes(folder: &Path) -> anyhow::Result<(u64, u64)> {
    let of = |name: &str| anyhow::Ok(std::fs::metadata(folder.join("data").join(name))?.len());
    Ok((of("fieldstone.db")?, of("search.db")?))
}

/// What the disk has of a record, and what an update adds.
pub(crate) async fn disk(
    ground: &Ground,
    seeded: Seeded,
    report: &mut Report,
) -> anyhow::Result<()> {
    let (folder, records) = (ground.folder.join("disk"), ground.records);
    let target = service(ground, "disk", seeded.clone(), records, 0, &[]).await?;
    stop(target)?;
    let (store, index) = sizes(&folder)?;
    let target = service(ground, "disk", seeded, records, 0, &[]).await?;
    let load = Load {
        time: ground.plan.load.time * UPDATES_TURNS,
        ..ground.plan.load
    };
    drive::round(&target, Scenario::Update, load, 1).await?;
    let versions = target.versions.iter();
    let updates: u64 = versions
        .map(|version| u64::from(version.load(Ordering::Relaxed)))
        .sum();
    stop(target)?;
    let later = sizes(&folder)?;
    let more = |now: u64, before: u64| now.saturating_sub(before) / updates.max(1);
    let rows = [
        (
            format!("disk of a record, {} records", grouped(records)),
            (store / records, index / records),
            "≤ 750 + 250 bytes",
        ),
        (
            format!("disk of an update, {} updates", grouped(updates)),
            (more(later.0, store), more(later.1, index)),
            "≤ 600 bytes",
        ),
    ];
    for (what, (store, index), to_reach) in rows {
        report.plain.push([
            what,
            "–".to_owned(),
            format!("{store} + {index} bytes"),
            "–".to_owned(),
            "–".to_owned(),
            to_reach.to_owned(),
        ]);
    }
    Ok(())
}

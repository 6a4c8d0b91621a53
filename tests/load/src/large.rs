//! Rows on a large dataset: beside a small one, with caches switched off, and what memory is taken after all of it.

use crate::digits::grouped;
use crate::drive;
use crate::floors;
use crate::ground::{Ground, Part, bare, keyed, service, stop};
use crate::report::{Compared, Line, Report};
use crate::scenario::Scenario;
use crate::search;
use crate::seed::Seeded;
use crate::turns::{Turn, in_turns, two};
use anyhow::Context as _;
use std::sync::Arc;

/// What switches the caches off.
const NO_CACHES: [&str; 2] = ["--record-cache-bytes=0", "--page-cache-bytes=0"];
/// How many pages are asked for, at random: more than a cache of pages holds.
const PAGES_MAX: u64 = 4096;
/// How many MiB of memory are to be taken at most.
const MEMORY_MAX: u64 = 200;

/// All rows of this file that are asked for.
pub(crate) async fn measure(
    ground: &Ground,
    large: Seeded,
    small: Option<Seeded>,
    report: &mut Report,
) -> anyhow::Result<()> {
    report.notes.push(format!(
        "`fieldstone apply` loaded {} records in {:.1} s.",
        grouped(ground.large),
        large.took.as_secs_f64()
    ));
    if let Some(small) = small {
        by_size(ground, large.clone(), small, report).await?;
    }
    if ground.parts.contains(&Part::Cold) {
        cold(ground, large.clone(), report).await?;
    }
    if ground.parts.contains(&Part::Search) {
        search::measure(ground, large.clone(), report).await?;
    }
    if ground.parts.contains(&Part::Floors) {
        // the index has all of it when the service is stopped
        stop(service(ground, "large", large.clone(), ground.large, 0, &[]).await?)?;
        floors::measure(ground, report)?;
    }
    if ground.parts.contains(&Part::Memory) {
        memory(ground, large, report).await?;
    }
    Ok(())
}

async fn by_size(
    ground: &Ground,
    large: Seeded,
    small: Seeded,
    report: &mut Report,
) -> anyhow::Result<()> {
    let large = service(ground, "large", large, ground.large, 0, &[]).await?;
    let small = service(ground, "small", small, ground.small, 0, &[]).await?;
    let turns = [Turn::of(&large), Turn::of(&small)];
    let measured = in_turns(&turns, Scenario::Get, &ground.plan).await?;
    let [ours, theirs] = two(measured)?;
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

/// Records and pages that nothing was kept of.
async fn cold(ground: &Ground, large: Seeded, report: &mut Report) -> anyhow::Result<()> {
    let path = large.path.clone();
    let ours = service(ground, "large", large, ground.large, PAGES_MAX, &NO_CACHES).await?;
    let bare = bare(ground, "bare-large", path, ground.large, PAGES_MAX).await?;
    for (scenario, to_reach) in [(Scenario::Get, "≥ 0.7"), (Scenario::List, "≥ 0.5")] {
        let turns = [Turn::of(&ours), Turn::of(&bare)];
        let [ours, theirs] = two(in_turns(&turns, scenario, &ground.plan).await?)?;
        let records = grouped(ground.large);
        report.lines.push(Line {
            what: format!("{}, {records} records, caches at 0", scenario.name()),
            baseline: bare.name.clone(),
            ours,
            theirs,
            compared: Compared::Rate,
            to_reach,
        });
    }
    stop(ours)?;
    stop(bare)
}

/// What is taken after records and pages were read, words were searched for, and records written.
async fn memory(ground: &Ground, large: Seeded, report: &mut Report) -> anyhow::Result<()> {
    let mut target = service(ground, "large", large, ground.large, PAGES_MAX, &[]).await?;
    let [rare, common] = search::known(ground, &target).await?;
    let own = Arc::get_mut(&mut target).context("a round still holds its target")?;
    own.know([&rare, &common]);
    for scenario in [
        Scenario::Get,
        Scenario::List,
        // before records are made that they would find, too
        Scenario::SearchRare,
        Scenario::SearchCommon,
        Scenario::Create,
        Scenario::Update,
    ] {
        drive::round(&target, scenario, ground.plan.load, 1).await?;
    }
    report
        .plain
        .push(taken(ground.large, target.running.memory()? >> 20));
    stop(target)
}

/// The row of memory; as of all other rows of the table, it stands there, too, where it falls short.
fn taken(records: u64, mebibytes: u64) -> [String; 6] {
    let none = || "–".to_owned();
    let reached = if mebibytes <= MEMORY_MAX {
        "reached"
    } else {
        "NOT reached"
    };
    [
        format!(
            "memory after reads, pages, searches, creates and updates, {} records",
            grouped(records)
        ),
        none(),
        format!("{mebibytes} MiB"),
        none(),
        reached.to_owned(),
        format!("≤ {MEMORY_MAX} MiB"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_beyond_what_may_be_is_said() {
        let told = |mebibytes| {
            let [.., ours, _, reached, to_reach] = taken(1_000_000, mebibytes);
            [ours, reached, to_reach].join("; ")
        };
        assert_eq!(told(200), "200 MiB; reached; ≤ 200 MiB");
        assert_eq!(told(201), "201 MiB; NOT reached; ≤ 200 MiB");
    }
}

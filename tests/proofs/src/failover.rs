//! Failovers: of two clusters the one that takes writes is killed under load, and the other one, which answers for each commit,
//! is promoted. Servers find it by themselves and have all that was acknowledged; then both change places for the next round.

use crate::deployment::Deployment;
use crate::pair::Pair;
use crate::report::Report;
use crate::rounds::Rounds;
use crate::writer::Told;
use anyhow::{Context as _, ensure};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Moments of a kill after the load began, in milliseconds.
const KILL_AFTER: std::ops::Range<u64> = 1..1_000;
/// Fresh clusters each so many rounds.
const ROUNDS_OF_STORE: u64 = 25;

/// What all rounds did.
#[derive(Default)]
struct Sum {
    told: Told,
    records: u64,
    /// How long it took until all servers wrote again.
    healed: Vec<Duration>,
}

/// Fails over so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    rounds.each_store(ROUNDS_OF_STORE, |folder, count| {
        let mut pair = Pair::start()?;
        let program = rounds.program.on(pair.address());
        let programs = [program.clone(), program];
        let mut deployment = Deployment::make(programs, folder, &[], rng.fork())?;
        for round in 0..count {
            let done = fail_over(&mut pair, &mut deployment, &mut sum);
            done.with_context(|| format!("round {round} on its clusters"))?;
        }
        Ok(count)
    })?;
    Ok(report(sum, rounds))
}

fn report(mut sum: Sum, rounds: &Rounds<'_>) -> Report {
    sum.healed.sort_unstable();
    let middle = sum.healed.get(sum.healed.len() / 2);
    let mut report = rounds.report("failovers");
    report.row("failovers, all clients wrote behind each", rounds.count);
    report.writes(sum.told, "writes refused, none there", "nobody knows of");
    report.row("look-ups and searches between", sum.told.reads);
    report.row("records compared", sum.records);
    report.milliseconds("until all servers wrote again (median)", middle.copied());
    report.milliseconds(
        "until all servers wrote again (at most)",
        sum.healed.last().copied(),
    );
    report
}

/// Load, a kill, a promotion, servers that heal by themselves, and the comparison; then the killed one follows.
fn fail_over(pair: &mut Pair, deployment: &mut Deployment, sum: &mut Sum) -> anyhow::Result<()> {
    let before = Duration::from_millis(deployment.rng.u64(KILL_AFTER));
    let mut healed = Duration::ZERO;
    let told = deployment.load(|load| {
        sleep(before);
        let killed = Instant::now();
        pair.fail_over()?;
        load.wait_for_writes()?;
        healed = killed.elapsed();
        load.heal()
    })?;
    let unanswered = told.unanswered;
    ensure!(unanswered == 0, "{unanswered} requests have no answer");
    sum.told.add(told);
    sum.healed.push(healed);
    sum.records += deployment.compare()?;
    pair.follow()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg_attr(not(has_postgresql), ignore = "this machine has no PostgreSQL")]
    #[test]
    fn a_standby_that_is_promoted_has_all_that_was_acknowledged_and_so_has_the_one_behind_it() {
        Rounds::tried("failover", (2, 5), run);
    }
}

//! The closed loop: each connection asks again as soon as it has its answer, for a set time. What came of
//! it is one [`Round`].

use crate::client::Connection;
use crate::program::own_cpu;
use crate::records::{Record, spread};
use crate::scenario::{Asker, Scenario};
use crate::target::{Chance, Kind, Target};
use anyhow::{Context as _, ensure};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Requests of one connection in one round at most, and how much longer than its time a round may take.
const REQUESTS_MAX: usize = 5_000_000;
const OVERTIME_MAX: Duration = Duration::from_secs(30);

/// How hard is asked.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) connections: u64,
    pub(crate) time: Duration,
    /// The time from one arrival to the next, of all connections, where arrivals wait for no answers: then a time counts
    /// from the arrival, and not from when a connection was free.
    pub(crate) every: Option<Duration>,
}

/// What was measured in one round.
#[derive(Clone, Copy, Default)]
pub(crate) struct Round {
    /// Answers a second.
    pub(crate) rate: f64,
    /// Milliseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// Microseconds of the server's processor time for each request.
    pub(crate) cpu: f64,
    /// Shares of a core, 1 for a whole one.
    pub(crate) server_busy: f64,
    pub(crate) client_busy: f64,
    /// Seconds from the last answer until the search index had caught up.
    pub(crate) behind: f64,
}

/// Reads every record by its primary key once, so that what is measured then finds them warm.
pub(crate) async fn warm(target: &Arc<Target>, connections: u64) -> anyhow::Result<()> {
    let mut loops = JoinSet::new();
    for mut asker in askers(target, connections, 0).await? {
        loops.spawn(async move {
            for number in (asker.number..asker.target.seeded).step_by(usize::try_from(asker.of)?) {
                asker.get_number(number).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = loops.join_next().await {
        ended??;
    }
    Ok(())
}

async fn askers(target: &Arc<Target>, of: u64, seed: u64) -> anyhow::Result<Vec<Asker>> {
    let mut askers = Vec::new();
    for number in 0..of {
        askers.push(Asker {
            target: target.clone(),
            connection: Connection::open(target.running.address).await?,
            chance: Chance(spread(seed) ^ spread(number)),
            number,
            of,
            record: Record::default(),
        });
    }
    Ok(askers)
}

/// One round of a scenario against a target.
pub(crate) async fn round(
    target: &Arc<Target>,
    scenario: Scenario,
    load: Load,
    seed: u64,
) -> anyhow::Result<Round> {
    let askers = askers(target, load.connections, seed).await?;
    let (server, client) = (target.running.cpu()?, own_cpu()?);
    let began = Instant::now();
    let mut loops = JoinSet::new();
    for asker in askers {
        loops.spawn(ask_until(asker, scenario, began, load));
    }
    let mut times = Vec::new();
    let all = async {
        while let Some(ended) = loops.join_next().await {
            times.extend(ended??);
        }
        anyhow::Ok(())
    };
    let ended = tokio::time::timeout(load.time + OVERTIME_MAX, all).await;
    ended.with_context(|| format!("a round takes too long: {}", scenario.name()))??;
    let answered = began.elapsed();
    if scenario.writes() && target.kind == Kind::Service {
        target.catch_up().await?;
    }
    let took = began.elapsed();
    ensure!(!times.is_empty(), "nothing was answered");
    times.sort_unstable();
    let server = target.running.cpu()?.saturating_sub(server);
    let client = own_cpu()?.saturating_sub(client);
    let count = f64::from(u32::try_from(times.len())?);
    Ok(Round {
        rate: count / took.as_secs_f64(),
        p50: share_of(&times, 50) * 1e3,
        p99: share_of(&times, 99) * 1e3,
        cpu: server.as_secs_f64() * 1e6 / count,
        server_busy: server.as_secs_f64() / took.as_secs_f64(),
        client_busy: client.as_secs_f64() / took.as_secs_f64(),
        behind: took.saturating_sub(answered).as_secs_f64(),
    })
}

async fn ask_until(
    mut asker: Asker,
    scenario: Scenario,
    start: Instant,
    load: Load,
) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::with_capacity(4096);
    let end = start + load.time;
    // the connections take turns
    let pace = load.every.map(|every| {
        let own = every * u32::try_from(load.connections).unwrap_or(u32::MAX);
        (
            own,
            start + every * u32::try_from(asker.number).unwrap_or(0),
        )
    });
    let mut began = pace.map_or_else(Instant::now, |(_, first)| first);
    while began < end && times.len() < REQUESTS_MAX {
        if pace.is_some() {
            arrive_at(began).await;
        }
        asker.ask(scenario).await?;
        let answered = Instant::now();
        times.push(answered - began);
        began = pace.map_or(answered, |(own, _)| began + own);
    }
    Ok(times)
}

/// Waits until a moment, to some microseconds: the runtime's own timers are late by up to a millisecond, and that would
/// count as the server's.
async fn arrive_at(moment: Instant) {
    const TIMERS_LATE: Duration = Duration::from_millis(2);
    if let Some(early) = moment.checked_sub(TIMERS_LATE) {
        tokio::time::sleep_until(early.into()).await;
    }
    while Instant::now() < moment {
        tokio::task::yield_now().await;
    }
}

/// The seconds that so many of a hundred requests took at most; the times are sorted.
fn share_of(times: &[Duration], percent: usize) -> f64 {
    let index = (times.len() * percent).div_ceil(100).saturating_sub(1);
    times.get(index).map_or(0.0, Duration::as_secs_f64)
}

/// The least and the greatest rate.
pub(crate) fn extremes(rounds: &[Round]) -> (f64, f64) {
    let rates = rounds.iter().map(|round| round.rate);
    let least = rates.clone().fold(f64::INFINITY, f64::min);
    (least, rates.fold(0.0, f64::max))
}

/// Of each figure the median over the rounds.
pub(crate) fn median(rounds: &[Round]) -> Round {
    let of = |figure: fn(&Round) -> f64| {
        let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
        figures.sort_unstable_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied().unwrap_or(0.0)
    };
    Round {
        rate: of(|round| round.rate),
        p50: of(|round| round.p50),
        p99: of(|round| round.p99),
        cpu: of(|round| round.cpu),
        server_busy: of(|round| round.server_busy),
        client_busy: of(|round| round.client_busy),
        behind: of(|round| round.behind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let times: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        assert!((share_of(&times, 50) - 0.1).abs() < 1e-9);
        assert!((share_of(&times, 99) - 0.198).abs() < 1e-9);
        assert!((share_of(&times[..1], 99) - 0.001).abs() < 1e-9);
    }

    #[test]
    fn each_figure_has_its_own_median() {
        let rounds = [(1.0, 9.0), (3.0, 7.0), (2.0, 8.0)];
        let rounds = rounds.map(|(rate, p50)| Round {
            rate,
            p50,
            ..Round::default()
        });
        let median = median(&rounds);
        assert!((median.rate - 2.0).abs() < 1e-9 && (median.p50 - 8.0).abs() < 1e-9);
    }
}

//! Rounds in turns: in each round every server is asked once, there and back (A B, B A, A B …), so that
//! what changes on the machine meanwhile meets all of them alike.

use crate::drive::{self, Load, Round};
use crate::scenario::Scenario;
use crate::slow::{Crowd, Half, Slow};
use crate::target::Target;
use anyhow::Context as _;
use std::sync::Arc;
use std::time::Duration;

/// Before its first round, each server is asked for no longer than this.
const WARM_UP_MAX: Duration = Duration::from_secs(1);
/// The seed of the warm-up's keys, which is no round's.
const WARM_UP_SEED: u64 = 99;

/// How it is measured.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) load: Load,
    pub(crate) rounds: u64,
    pub(crate) crowd: Crowd,
}

/// Whose turn it is, and beside which slow clients.
pub(crate) struct Turn<'t> {
    pub(crate) target: &'t Arc<Target>,
    pub(crate) slow: Option<Half>,
    /// How hard is asked, if not as the plan says.
    pub(crate) load: Option<Load>,
}

impl<'t> Turn<'t> {
    /// Beside no slow ones.
    pub(crate) fn of(target: &'t Arc<Target>) -> Self {
        Turn {
            target,
            slow: None,
            load: None,
        }
    }

    /// Asking so hard.
    pub(crate) fn with(self, load: Load) -> Self {
        Turn {
            load: Some(load),
            ..self
        }
    }
}

/// What came of all turns of one server.
#[derive(Clone)]
pub(crate) struct Measured {
    /// Of each figure the median over the rounds.
    pub(crate) median: Round,
    /// Bytes of the server's memory after the last one.
    pub(crate) memory: u64,
    /// The least and the greatest rate of a round.
    pub(crate) spread: (f64, f64),
    /// After what time each slow client was cut.
    pub(crate) cuts: Vec<Duration>,
}

/// Measures one scenario on several servers.
pub(crate) async fn in_turns(
    turns: &[Turn<'_>],
    scenario: Scenario,
    plan: &Plan,
) -> anyhow::Result<Vec<Measured>> {
    let mut rounds: Vec<Vec<Round>> = turns.iter().map(|_| Vec::new()).collect();
    let mut cuts: Vec<Vec<Duration>> = turns.iter().map(|_| Vec::new()).collect();
    for turn in turns.iter().filter(|turn| turn.slow.is_none()) {
        let load = turn.load.unwrap_or(plan.load);
        let warm_up = Load {
            time: load.time.min(WARM_UP_MAX),
            ..load
        };
        drive::round(turn.target, scenario, warm_up, WARM_UP_SEED).await?;
    }
    for number in 0..plan.rounds {
        let mut order: Vec<usize> = (0..turns.len()).collect();
        if !number.is_multiple_of(2) {
            order.reverse();
        }
        for index in order {
            let Turn { target, slow, load } = &turns[index];
            let slow = match slow {
                Some(half) => Some(Slow::open(target, *half, plan.crowd).await?),
                None => None,
            };
            let round = drive::round(target, scenario, load.unwrap_or(plan.load), number).await?;
            eprintln!(
                "{}, {}: {:.0}/s, p99 {:.1} ms, server busy {:.2}, client busy {:.2}",
                target.name,
                scenario.name(),
                round.rate,
                round.p99,
                round.server_busy,
                round.client_busy
            );
            rounds[index].push(round);
            if let Some(slow) = slow {
                cuts[index].extend(slow.cut().await?);
            }
        }
    }
    let mut measured = Vec::new();
    for ((turn, rounds), cuts) in turns.iter().zip(rounds).zip(cuts) {
        measured.push(Measured {
            median: drive::median(&rounds),
            spread: drive::extremes(&rounds),
            memory: turn.target.running.memory()?,
            cuts,
        });
    }
    Ok(measured)
}

/// What came of two turns.
pub(crate) fn two(measured: Vec<Measured>) -> anyhow::Result<[Measured; 2]> {
    <[Measured; 2]>::try_from(measured)
        .ok()
        .context("a turn is missing")
}

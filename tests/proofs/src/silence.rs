//! A network that goes silent between servers and their database, wholly or in one direction, for a random time under load:
//! whoever asks is answered in time, nothing is half done, and servers heal by themselves. One server reaches the database by a
//! socket file, the other one by TCP, whose own times hold there.

use crate::database::{Database, NAME};
use crate::deployment::{Deployment, SERVERS};
use crate::report::Report;
use crate::rounds::{Deck, Rounds};
use crate::way::{Silence, Way};
use crate::writer::Told;
use anyhow::{Context as _, ensure};
use fastrand::Rng;
use std::ops::Range;
use std::thread::sleep;
use std::time::Duration;

/// How long servers wait for an answer of the database.
const ANSWER_SECONDS: &str = "2";
/// What is promised of servers that wait fifteen (docs/scale.md, "When the database is gone"): reads are answered within forty
/// seconds, and a write whose commit got no answer is looked up for half a minute more.
const READ_MAX: Duration = Duration::from_secs(40);
const WRITE_MAX: Duration = Duration::from_secs(70);
/// How long somebody waits at least where the network is silent until each client was answered: about as long as servers do.
const FELT_MIN: Duration = Duration::from_secs(1);
/// Moments of a silence after the load began, in milliseconds.
const SILENT_AFTER: Range<u64> = 1..400;
/// A fresh database each so many rounds.
const ROUNDS_OF_STORE: u64 = 24;

/// How long the network is silent.
#[derive(Clone, Copy, Debug)]
enum Length {
    /// Shorter than an answer is waited for.
    Short,
    /// Longer than that, or even than a session may keep its locks.
    Long,
    /// Until each client was answered: what it asked when the silence began, and once more.
    Answered,
}

impl Length {
    const ALL: [Length; 3] = [Length::Short, Length::Long, Length::Answered];

    /// A time of that length, if it is one.
    fn time(self, rng: &mut Rng) -> Option<Duration> {
        let milliseconds: Range<u64> = match self {
            Length::Short => 20..2_000,
            Length::Long => 2_000..15_000,
            Length::Answered => return None,
        };
        Some(Duration::from_millis(rng.u64(milliseconds)))
    }
}

/// What all rounds did.
#[derive(Default)]
struct Sum {
    told: Told,
    records: u64,
    until_answered: u64,
}

/// Is silent so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    run_of(rounds, Deck::of(Silence::ALL), Deck::of(Length::ALL))
}

/// Is silent so many times, as these come.
fn run_of(
    rounds: &Rounds<'_>,
    mut silences: Deck<Silence>,
    mut lengths: Deck<Length>,
) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    rounds.each_store(ROUNDS_OF_STORE, |folder, count| {
        let database = Database::start()?;
        let ways = [
            Way::by_file(database.folder()),
            Way::by_tcp(database.folder()),
        ];
        let programs = ways
            .each_ref()
            .map(|way| rounds.program.on(way.address(NAME)));
        let arguments = ["--database-answer-seconds", ANSWER_SECONDS];
        let mut deployment = Deployment::make(programs, folder, &arguments, rng.fork())?;
        for round in 0..count {
            let how = silences.draw(&mut rng).context("a silence")?;
            let length = lengths.draw(&mut rng).context("a length")?;
            let done = be_silent(&ways, (how, length), &mut deployment, &mut sum);
            done.with_context(|| format!("round {round} on its store, {how:?}, {length:?}"))?;
        }
        Ok(count)
    })?;
    let mut report = rounds.report("silences");
    report.row("silences, all clients wrote behind each", rounds.count);
    report.row("of them until all were answered", sum.until_answered);
    report.writes(sum.told, "writes refused, none there", "nobody knows of");
    report.row("look-ups and searches between", sum.told.reads);
    report.row("records compared", sum.records);
    report.milliseconds("for a read at most", Some(sum.told.longest_read));
    report.milliseconds("for a write at most", Some(sum.told.longest_write));
    Ok(report)
}

/// The ways that are silent: one of them or both. A socket file has no packets to lose.
fn silent_of<'w>(ways: &'w [Way; SERVERS], how: Silence, rng: &mut Rng) -> &'w [Way] {
    match rng.usize(..3) {
        0 if how != Silence::Cut => &ways[..1],
        1 => &ways[1..],
        _ => ways,
    }
}

/// Load, a silence, servers that heal by themselves, and the comparison.
fn be_silent(
    ways: &[Way; SERVERS],
    (how, length): (Silence, Length),
    deployment: &mut Deployment,
    sum: &mut Sum,
) -> anyhow::Result<()> {
    let rng = &mut deployment.rng;
    let before = Duration::from_millis(rng.u64(SILENT_AFTER));
    let silent = silent_of(ways, how, rng);
    let time = length.time(rng);
    let told = deployment.load(|load| {
        sleep(before);
        for way in silent {
            way.be_silent(how);
        }
        let ended = match time {
            Some(time) => {
                sleep(time);
                Ok(())
            }
            None => load.wait_for_answers(READ_MAX + WRITE_MAX),
        };
        for way in silent {
            way.open();
        }
        ended?;
        load.heal()?;
        load.wait_for_writes()
    })?;
    let unanswered = told.unanswered;
    ensure!(unanswered == 0, "{unanswered} requests have no answer");
    let (read, write) = (told.longest_read, told.longest_write);
    ensure!(read < READ_MAX, "a read is answered after {read:?}");
    ensure!(write < WRITE_MAX, "a write is answered after {write:?}");
    let most = read.max(write);
    ensure!(
        time.is_some() || most >= FELT_MIN,
        "nobody felt that the network is silent: {most:?}"
    );
    sum.told.add(told);
    sum.until_answered += u64::from(time.is_none());
    sum.records += deployment.compare()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Silences of each kind, so long. Each kind has a database, servers and a folder of its own, and all are waited for at once.
    fn are_silent(lengths_and_seed: fn(Silence) -> (&'static [Length], u64)) {
        std::thread::scope(|scope| {
            for how in Silence::ALL {
                let name = format!("{how:?}");
                let thread = std::thread::Builder::new().name(name);
                let (lengths, seed) = lengths_and_seed(how);
                let run = move || {
                    let count_and_seed = (lengths.len() as u64, seed);
                    Rounds::tried(&format!("silence-{how:?}"), count_and_seed, |rounds| {
                        run_of(rounds, Deck::of([how]), Deck::of(lengths))
                    });
                };
                let spawned = thread.spawn_scoped(scope, run);
                spawned.expect("a thread");
            }
        });
    }

    #[cfg_attr(not(has_postgresql), ignore = "this machine has no PostgreSQL")]
    #[test]
    fn whoever_asks_in_a_short_silence_of_a_network_is_answered_and_nothing_is_half_done() {
        are_silent(|_| (&[Length::Short], 9));
    }

    #[ignore = "it waits for a minute: the full lane runs it"]
    #[test]
    fn large_silences_until_all_are_answered_end_in_time_and_leave_nothing_half_done() {
        are_silent(|how| match how {
            Silence::Held => (&[Length::Short, Length::Answered], 9),
            Silence::AnswersHeld => (&[Length::Short, Length::Long], 17),
            Silence::Greeted => (&[Length::Short, Length::Answered], 10),
            Silence::Lost => (&[Length::Short, Length::Answered], 4),
            Silence::AnswersLost => (&[Length::Short, Length::Long], 20),
            Silence::Cut => (&[Length::Short, Length::Long], 6),
        });
    }
}

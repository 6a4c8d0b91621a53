//! Kills: the program is killed under load at random moments, with jobs and backups under way, started again on the same
//! folder, and compared with what its clients were told.

use crate::ground::Ground;
use crate::jobs::{self, Jobs};
use crate::ledger::{Clock, EVER};
use crate::program::{Program, Server};
use crate::report::Report;
use crate::rounds::{Deck, Rounds};
use crate::verify::{found, verify};
use crate::writer::Told;
use crate::writers::{Ledger, all};
use anyhow::{Context as _, ensure};
use fastrand::Rng;
use std::ops::Range;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// Clients that write.
const WRITERS: usize = 8;
/// Moments of a kill beside a backup, after the load began, in milliseconds.
const KILL_AFTER: Range<u64> = 1..400;
/// The same of one that is to meet the asking of a job.
const KILL_ASKING: Range<u64> = 1..100;
/// Moments of a kill after a job was seen as far as it is to be, in milliseconds: anywhere in a step of it.
const KILL_SEEN: Range<u64> = 0..10;
/// A fresh store each so many rounds.
const ROUNDS_OF_STORE: u64 = 50;
/// A backup is under way in one of so many rounds, and in the next one where a kill broke it off.
const ROUNDS_OF_BACKUP: u64 = 20;
/// From so many rounds on, all that the proof is about has come.
const ROUNDS_OF_ALL: u64 = 20;
/// One of so many kills at least has met a job at work by then.
const KILLS_OF_WORK: u64 = 2;

/// What all rounds did.
#[derive(Default)]
struct Sum {
    told: Told,
    jobs: u64,
    met: u64,
    resumed: u64,
    backups: u64,
    starts: Vec<Duration>,
}

/// Kills so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    rounds.each_store(ROUNDS_OF_STORE, |folder, count| {
        let mut store = Store::make(rounds.program, folder, rng.fork())?;
        for round in 0..count {
            let done = store.round(round, &mut sum);
            done.with_context(|| format!("round {round} on its store"))?;
        }
        sum.jobs += store.jobs.done;
        sum.met += store.jobs.watch.met;
        sum.resumed += store.jobs.watch.resumed;
        Ok(count)
    })?;
    require_all(&sum, rounds.count)?;
    Ok(report(sum, rounds))
}

/// Fails where no job was done, or fewer than half of the kills met one at work, or no backup was whole: then less was shown
/// than the proof says.
fn require_all(sum: &Sum, rounds: u64) -> anyhow::Result<()> {
    if rounds < ROUNDS_OF_ALL {
        return Ok(());
    }
    ensure!(sum.jobs > 0, "in {rounds} rounds no job was done");
    ensure!(
        sum.met * KILLS_OF_WORK >= rounds,
        "of {rounds} kills only {} met a job at work",
        sum.met
    );
    ensure!(sum.backups > 0, "in {rounds} rounds no backup was whole");
    Ok(())
}

fn report(mut sum: Sum, rounds: &Rounds<'_>) -> Report {
    sum.starts.sort_unstable();
    let middle = sum.starts.get(sum.starts.len() / 2);
    let mut report = rounds.report("kills");
    report.row("kills", rounds.count);
    report.writes(sum.told, "writes refused", "cut off");
    report.row("look-ups and searches between", sum.told.reads);
    report.row("jobs done, each row once", sum.jobs);
    report.row("kills of a job at work", sum.met);
    report.row("times a job was at work behind a start", sum.resumed);
    report.row("backups made meanwhile, restored and compared", sum.backups);
    report.milliseconds("to start again (median)", middle.copied());
    report
}

struct Store<'p> {
    program: &'p Program,
    ground: Ground,
    ledger: Ledger,
    jobs: Jobs,
    server: Option<Server>,
    rng: Rng,
    /// What of jobs the next kills are to meet, but beside a backup.
    parts: Deck<Part>,
    /// Whether a kill broke the last backup off.
    is_backup_due: bool,
}

/// What a round has to do with a backup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BackupOf {
    /// There is none.
    None,
    /// The kill may come before its end.
    Kill,
    /// The kill comes behind its end.
    End,
}

/// What of a job a kill is to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Its asking, or its first steps.
    Asking,
    /// Its work: one of ten parts of the first four fifths of it.
    Work(u64),
    /// Its end, or its last steps.
    End,
}

impl Part {
    fn all() -> Vec<Self> {
        let work = (0..10).map(Part::Work);
        [Part::Asking, Part::End].into_iter().chain(work).collect()
    }

    /// Until how many thousandths of the job are done it is looked at.
    fn thousandths(self, rng: &mut Rng) -> u64 {
        match self {
            Part::Work(part) => 80 * part + rng.u64(..80),
            Part::Asking | Part::End => 1_000,
        }
    }

    /// After how many milliseconds the kill comes.
    fn kill_after(self) -> Range<u64> {
        match self {
            Part::Asking => KILL_ASKING,
            Part::Work(_) | Part::End => KILL_SEEN,
        }
    }
}

impl<'p> Store<'p> {
    fn make(program: &'p Program, folder: &Path, rng: Rng) -> anyhow::Result<Self> {
        let ground = Ground::with_job_rows(program, folder, jobs::ROWS)?;
        let server = program.serve(&ground.data, &[])?;
        Ok(Store {
            program,
            ground,
            ledger: Ledger::new(Clock::default(), WRITERS),
            jobs: Jobs::new(),
            server: Some(server),
            rng,
            parts: Deck::of(Part::all()),
            is_backup_due: false,
        })
    }

    /// Load, a kill, a start, and the comparison.
    fn round(&mut self, round: u64, sum: &mut Sum) -> anyhow::Result<()> {
        let server = self.server.take().context("it runs")?;
        let asked = if self.is_backup_due {
            BackupOf::End
        } else if round % ROUNDS_OF_BACKUP == 1 {
            BackupOf::Kill
        } else {
            BackupOf::None
        };
        let mut client = server.client(&self.ground.key);
        self.jobs.end_if_over(&mut client, &self.ground)?;
        let (told, backup) = self.load_and_kill(server, asked)?;
        self.is_backup_due = asked == BackupOf::Kill && backup.is_none();
        ensure!(
            asked != BackupOf::End || backup.is_some(),
            "a backup broke off before the kill"
        );
        sum.told.add(told);
        // a check on every second folder as the kill left it, else beside the server
        let is_first = self.rng.bool();
        if is_first {
            self.program.check(&self.ground.data)?;
        }
        let began = Instant::now();
        let server = self.program.serve(&self.ground.data, &[])?;
        sum.starts.push(began.elapsed());
        let mut client = server.client(&self.ground.key);
        self.jobs
            .watch
            .note_start(&mut client, self.ground.jobs())?;
        let verified = verify(
            &mut client,
            self.ground.load(),
            &self.ledger,
            EVER,
            &mut self.rng,
        )?;
        if let Some(between) = backup {
            self.verify_backup(between)?;
            sum.backups += 1;
        }
        self.ledger.settle(&verified.open);
        self.jobs.verify(&mut client, &self.ground)?;
        if !is_first {
            self.program.check(&self.ground.data)?;
        }
        self.server = Some(server);
        Ok(())
    }

    /// What was told until the kill, and between which stamps a backup was made that is whole.
    fn load_and_kill(
        &mut self,
        server: Server,
        asked: BackupOf,
    ) -> anyhow::Result<(Told, Option<(u64, u64)>)> {
        let Store {
            program,
            ground,
            ledger,
            jobs,
            rng,
            parts,
            ..
        } = self;
        let (ground, program): (&Ground, &Program) = (ground, program);
        let address = server.address;
        let with_backup = asked != BackupOf::None;
        let part = if with_backup { None } else { parts.draw(rng) };
        let enough = part.map_or(1_000, |part| part.thousandths(rng));
        let after = Duration::from_millis(rng.u64(part.map_or(KILL_AFTER, Part::kill_after)));
        let after = after + backup_time(asked);
        let (seed, mut job_rng) = (rng.u64(..), rng.fork());
        let end = AtomicBool::new(false);
        let clock = ledger.clock.clone();
        std::thread::scope(|scope| {
            let writers = scope
                .spawn(|| ledger.write(&[address], &ground.key, ground.load(), seed >> 8, &end));
            let worker = scope.spawn(|| {
                let mut client = crate::http::Client::new(address, &ground.key);
                jobs.begin(program, ground, &mut client, &mut job_rng)?;
                let (watch, place) = (&mut jobs.watch, ground.jobs());
                watch.look(&mut client, place, (jobs::ROWS, enough))
            });
            let backup = with_backup.then(|| scope.spawn(|| back_up(program, ground, &clock)));
            let worker = if matches!(part, Some(Part::Work(_) | Part::End)) {
                joined(worker, "the client of jobs")?;
                None
            } else {
                Some(worker)
            };
            std::thread::sleep(after);
            let is_under_way = || backup.as_ref().is_some_and(|it| !it.is_finished());
            while asked == BackupOf::End && is_under_way() {
                std::thread::sleep(Duration::from_millis(5));
            }
            server.kill()?;
            let told = joined(writers, "a client")?;
            if let Some(worker) = worker {
                joined(worker, "the client of jobs")?;
            }
            let backup = match backup {
                Some(backup) => joined(backup, "the backup")?,
                None => None,
            };
            Ok((told, backup))
        })
    }

    /// Restores a backup and compares it with what was true while it was made.
    fn verify_backup(&self, (from, to): (u64, u64)) -> anyhow::Result<()> {
        let restored = self.ground.folder.join("restored");
        let file = self.ground.folder.join("backup");
        let file_name = file.to_str().context("a path in UTF-8")?;
        self.program.json(&restored, &["restore", file_name])?;
        self.program.check(&restored)?;
        let server = self.program.serve(&restored, &[])?;
        let mut found = found(&mut server.client(&self.ground.key), self.ground.load())?;
        for (key, story) in all(&self.ledger) {
            let state = found.remove(key).unwrap_or(crate::ledger::State::Absent);
            ensure!(
                story.allows_between(from, to, &state),
                "{key} is {state:?} in a backup made from {from} to {to}: {story:?}"
            );
        }
        ensure!(found.is_empty(), "a backup has {found:?}");
        drop(server);
        std::fs::remove_dir_all(restored)?;
        std::fs::remove_file(file)?;
        Ok(())
    }
}

/// What a thread of a load came to.
fn joined<T>(thread: ScopedJoinHandle<'_, anyhow::Result<T>>, who: &str) -> anyhow::Result<T> {
    let ended = thread.join();
    ended.map_err(|_| anyhow::anyhow!("{who} failed"))?
}

/// A backup takes a while: the kill comes later, and still before its end at times.
fn backup_time(asked: BackupOf) -> Duration {
    Duration::from_millis(if asked == BackupOf::Kill { 1_500 } else { 0 })
}

/// A backup beside the server; between which stamps it was made, if it was made to its end.
fn back_up(
    program: &Program,
    ground: &Ground,
    clock: &Clock,
) -> anyhow::Result<Option<(u64, u64)>> {
    let file = ground.folder.join("backup");
    let from = clock.tick();
    let mut backup = program.command(&ground.data);
    backup.arg("backup").arg(&file).args(["--format", "json"]);
    let output = backup.stderr(Stdio::null()).output()?;
    let to = clock.tick();
    if output.status.success() {
        return Ok(Some((from, to)));
    }
    // what broke off leaves nothing that could be taken for a backup
    ensure!(
        !file.exists(),
        "a backup broke off and left a file: {}",
        String::from_utf8_lossy(&output.stdout)
    );
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_kills_that_met_few_jobs_or_no_backup_prove_nothing() {
        let mut sum = Sum {
            jobs: 1,
            met: 10,
            ..Sum::default()
        };
        let required = |sum: &Sum, rounds: u64| {
            let required = require_all(sum, rounds);
            required.map_err(|error| error.to_string())
        };
        assert!(required(&sum, 19).is_ok());
        let refused = Err("in 20 rounds no backup was whole".to_owned());
        assert_eq!(required(&sum, 20), refused);
        sum.backups = 1;
        assert!(required(&sum, 20).is_ok());
        let refused = Err("of 21 kills only 10 met a job at work".to_owned());
        assert_eq!(required(&sum, 21), refused);
        sum.jobs = 0;
        let refused = Err("in 20 rounds no job was done".to_owned());
        assert_eq!(required(&sum, 20), refused);
    }

    #[test]
    fn most_kills_are_to_meet_a_job_before_four_fifths_of_it_are_done() {
        let (all, mut rng) = (Part::all(), Rng::with_seed(1));
        let at_work = all.iter().filter(|part| matches!(part, Part::Work(_)));
        assert!(at_work.clone().count() * 4 > all.len() * 3);
        let mut shares: Vec<_> = at_work.map(|part| part.thousandths(&mut rng)).collect();
        shares.dedup_by_key(|share| *share / 80);
        assert_eq!(shares.len(), 10);
        assert!(shares.is_sorted() && shares.iter().all(|share| *share < 800));
    }
}

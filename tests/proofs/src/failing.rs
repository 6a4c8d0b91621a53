//! Failing I/O: on a disk of ours, calls of the serving program fail under load (bad blocks, no room, short writes, syncs
//! that did not happen). It may refuse, heal or stop and say why; what it acknowledged must be there when it starts again,
//! be it on the disk as it is, or on one whose power went.

use crate::disk::{Disk, Failure, Plan};
use crate::ground::Ground;
use crate::ledger::{Clock, EVER};
use crate::program::{Program, Server};
use crate::report::Report;
use crate::rounds::Rounds;
use crate::verify::verify;
use crate::writer::Told;
use crate::writers::Ledger;
use anyhow::{Context as _, ensure};
use fastrand::Rng;
use std::path::Path;
use std::time::{Duration, Instant};

const WRITERS: usize = 4;
/// A fresh store at the latest after so many rounds.
const ROUNDS_OF_STORE: u64 = 50;
/// How long a program may take to heal or to stop when its disk is well again.
const HEAL_MAX: Duration = Duration::from_secs(90);
const FAILURES: [Failure; 4] = [Failure::Io, Failure::NoRoom, Failure::Short, Failure::Sync];

#[derive(Default)]
struct Sum {
    told: Told,
    failed: u64,
    healed: u64,
    stopped: u64,
    not_started: u64,
    only_read: u64,
    cuts: u64,
    kinds: [u64; FAILURES.len()],
}

/// Fails so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    rounds.each_store(ROUNDS_OF_STORE, |folder, count| {
        let mut store = Store::make(rounds.program, folder, &mut rng)?;
        let (mut done, mut goes_on) = (0, true);
        while goes_on && done < count {
            let on = store.round(&mut sum);
            goes_on = on.with_context(|| format!("round {done} on its store"))?;
            done += 1;
        }
        store.disk.unmount()?;
        Ok(done)
    })?;
    ensure!(sum.failed > 0, "no call failed");
    let mut report = rounds.report("failing I/O");
    report.row("rounds", rounds.count);
    for (failure, count) in FAILURES.iter().zip(sum.kinds) {
        report.row(format!("of these {failure:?}"), count);
    }
    report.row("calls that failed", sum.failed);
    let refused = "writes refused (503), not there";
    report.writes(sum.told, refused, "without an answer or with 500");
    report.row("rounds that healed by themselves", sum.healed);
    report.row("rounds that stopped and said why", sum.stopped);
    report.row("starts that were refused and said why", sum.not_started);
    report.row("starts that only read, and said so", sum.only_read);
    report.row("rounds that ended in a power cut", sum.cuts);
    Ok(report)
}

struct Store<'p> {
    program: &'p Program,
    disk: Disk,
    ground: Ground,
    ledger: Ledger,
    rng: Rng,
    folder: std::path::PathBuf,
}

impl<'p> Store<'p> {
    fn make(program: &'p Program, folder: &Path, rng: &mut Rng) -> anyhow::Result<Self> {
        let clock = Clock::default();
        let disk = Disk::mount(&folder.join("disk"), clock.clone())?;
        let ground = Ground::make(program, &folder.join("disk"))?;
        let mut ledger = Ledger::new(clock, WRITERS);
        ledger.searches = false;
        ledger.disk_fails = true;
        Ok(Store {
            program,
            disk,
            ground,
            ledger,
            rng: rng.fork(),
            folder: folder.to_owned(),
        })
    }

    /// One failure and what comes of it; whether the disk can be used on.
    fn round(&mut self, sum: &mut Sum) -> anyhow::Result<bool> {
        let kind = self.rng.usize(..FAILURES.len());
        sum.kinds[kind] += 1;
        let plan = Plan {
            failure: FAILURES[kind],
            after: self.rng.u64(0..400),
            count: *self.rng.choice(&[1, 1, 3, 1_000_000]).unwrap_or(&1),
        };
        let at_start = self.rng.u32(0..6) == 0;
        if at_start {
            let after = self.rng.u64(0..60);
            self.disk.fail(Some(Plan { after, ..plan }));
        }
        match self.program.serve(&self.ground.data, &[]) {
            Ok(server) => self.load(server, plan, sum)?,
            Err(error) => {
                ensure!(at_start, "it did not start on a disk that is well: {error}");
                let said = error.to_string();
                ensure!(
                    said.contains("error: "),
                    "it did not start and did not say why: {said}"
                );
                sum.not_started += 1;
                self.disk.fail(None);
            }
        }
        let is_cut = self.rng.u32(0..8) == 0;
        if is_cut {
            sum.cuts += 1;
            let cut = self.folder.join("cut");
            let at = self.ledger.clock.tick();
            self.disk.cut(at, &mut self.rng, &cut)?;
            self.compare(&cut.join("data"))?;
            return Ok(false);
        }
        self.compare(&self.ground.data.clone())?;
        Ok(true)
    }

    /// Load while calls fail, and until it heals or stops.
    fn load(&mut self, mut server: Server, plan: Plan, sum: &mut Sum) -> anyhow::Result<()> {
        if self.disk.failed() == 0 {
            self.disk.fail(Some(plan));
        }
        sum.told
            .add(self.write(&server, Duration::from_millis(250))?);
        sum.failed += self.disk.failed();
        self.disk.fail(None);
        let began = Instant::now();
        loop {
            if !server.runs()? {
                let said = server.errors();
                ensure!(
                    said.contains("ERROR") || said.contains("error: "),
                    "it stopped and did not say why: {said}"
                );
                sum.stopped += 1;
                return Ok(());
            }
            let told = self.write(&server, Duration::from_millis(60))?;
            sum.told.add(told);
            if told.acknowledged > 0 {
                sum.healed += 1;
                break;
            }
            // one that found no room when it started says so, and reads until it is started again
            if told.refused > 0 && server.errors().contains("read only until") {
                sum.only_read += 1;
                return server.kill();
            }
            ensure!(
                began.elapsed() < HEAL_MAX,
                "it neither heals nor stops ({plan:?}): {}",
                server.errors()
            );
        }
        if self.rng.bool() {
            return server.kill();
        }
        let (status, said) = server.stop()?;
        ensure!(
            status.success(),
            "asked to stop, it ended with {status}: {said}"
        );
        Ok(())
    }

    fn write(&mut self, server: &Server, time: Duration) -> anyhow::Result<Told> {
        let seed = self.rng.u64(..) >> 8;
        self.ledger
            .write_for(time, server.address, &self.ground, seed)
    }

    /// Starts on a folder and compares.
    fn compare(&mut self, data: &Path) -> anyhow::Result<()> {
        self.program.check(data)?;
        let server = self.program.serve(data, &[])?;
        let mut client = server.client(&self.ground.key);
        let verified = verify(
            &mut client,
            self.ground.load(),
            &self.ledger,
            EVER,
            &mut self.rng,
        )?;
        self.ledger.settle(&verified.open);
        let (status, said) = server.stop()?;
        ensure!(
            status.success(),
            "asked to stop, it ended with {status}: {said}"
        );
        Ok(())
    }
}

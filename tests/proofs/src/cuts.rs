//! Power cuts: the program serves on a disk of ours under load; from the record of its writes and syncs, disks are made as
//! they may be when the power goes at random moments, and each is opened, checked and compared with what had been
//! acknowledged before that moment.

use crate::disk::Disk;
use crate::ground::Ground;
use crate::ledger::Clock;
use crate::program::Program;
use crate::report::Report;
use crate::rounds::Rounds;
use crate::verify::verify;
use crate::writer::Told;
use crate::writers::Ledger;
use anyhow::Context as _;
use fastrand::Rng;
use std::path::Path;
use std::time::Duration;

const WRITERS: usize = 8;
/// Cuts of one record.
const CUTS_OF_RECORD: u64 = 20;
/// How long each record's load lasts, in milliseconds.
const LOAD: std::ops::Range<u64> = 700..2_500;

#[derive(Default)]
struct Sum {
    told: Told,
    calls: usize,
    open: usize,
    records: u64,
}

/// Cuts the power so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    rounds.each_store(CUTS_OF_RECORD, |folder, count| {
        record(rounds.program, folder, count, &mut rng, &mut sum)?;
        Ok(count)
    })?;
    let mut report = rounds.report("power cuts");
    report.row("cuts", rounds.count);
    report.row("writes acknowledged", sum.told.acknowledged);
    report.row("calls of the program that change a disk", sum.calls as u64);
    report.row("calls not synced when the power went", sum.open as u64);
    report.row("records compared behind the cuts", sum.records);
    Ok(report)
}

/// One load on a fresh disk, and cuts within it.
fn record(
    program: &Program,
    folder: &Path,
    count: u64,
    rng: &mut Rng,
    sum: &mut Sum,
) -> anyhow::Result<()> {
    let clock = Clock::default();
    let mounted = folder.join("disk");
    let disk = Disk::mount(&mounted, clock.clone())?;
    let ground = Ground::make(program, &mounted)?;
    let made = clock.tick();
    let mut ledger = Ledger::new(clock.clone(), WRITERS);
    let server = program.serve(&ground.data, &[])?;
    let time = Duration::from_millis(rng.u64(LOAD));
    let told = ledger.write_for(time, server.address, &ground, rng.u64(..) >> 8)?;
    // a second behind the last write the log is brought into the database: some records have that, too
    std::thread::sleep(Duration::from_millis(if rng.bool() { 0 } else { 1_500 }));
    server.kill()?;
    let ended = clock.tick();
    sum.told.add(told);
    sum.calls += disk.calls();
    for number in 0..count {
        let at = rng.u64(made..=ended);
        let cut = folder.join(format!("cut-{number}"));
        cut_at(program, &disk, &ground, &ledger, at, &cut, rng, sum)
            .with_context(|| format!("a cut at {at}, which left {}", cut.display()))?;
        std::fs::remove_dir_all(&cut)?;
    }
    disk.unmount()
}

#[allow(clippy::too_many_arguments, reason = "a cut is made of all of these")]
fn cut_at(
    program: &Program,
    disk: &Disk,
    ground: &Ground,
    ledger: &Ledger,
    at: u64,
    cut: &Path,
    rng: &mut Rng,
    sum: &mut Sum,
) -> anyhow::Result<()> {
    sum.open += disk.cut(at, rng, cut)?;
    let data = cut.join("data");
    let is_first = rng.bool();
    if is_first {
        program.check(&data)?;
    }
    let server = program.serve(&data, &[])?;
    let mut client = server.client(&ground.key);
    let verified = verify(&mut client, ground.load(), ledger, at, rng)?;
    sum.records += verified.records;
    if !is_first {
        program.check(&data)?;
    }
    Ok(())
}

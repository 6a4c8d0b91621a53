//! Power cuts: the program serves on a disk of ours under load; from the record of its writes and syncs, disks are made as
//! they may be when the power goes at random moments, and each is opened, checked and compared with what had been
//! acknowledged before that moment.

use crate::disk::Disk;
use crate::ground::Ground;
use crate::ledger::Clock;
use crate::program::Program;
use crate::report::Report;
use crate::verify::verify;
use crate::writers::{Ledger, Told};
use anyhow::Context as _;
use fastrand::Rng;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
pub(crate) fn run(
    program: &Program,
    folder: &Path,
    rounds: u64,
    seed: u64,
) -> anyhow::Result<Report> {
    let mut rng = Rng::with_seed(seed);
    let (mut sum, began) = (Sum::default(), Instant::now());
    let mut done = 0;
    while done < rounds {
        let count = CUTS_OF_RECORD.min(rounds - done);
        let folder = folder.join(format!("record-{done}"));
        record(program, &folder, count, &mut rng, &mut sum)
            .with_context(|| format!("cuts from {done} of seed {seed}, in {}", folder.display()))?;
        done += count;
        eprintln!("{done} cuts in {} s", began.elapsed().as_secs());
    }
    let mut report = Report::new("power cuts", began.elapsed());
    report.row("cuts", rounds);
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
    let (end, address) = (AtomicBool::new(false), server.address);
    let time = Duration::from_millis(rng.u64(LOAD));
    let seed = rng.u64(..) >> 8;
    let told = std::thread::scope(|scope| {
        let writers = scope.spawn(|| ledger.write(address, &ground.key, ground.load(), seed, &end));
        std::thread::sleep(time);
        end.store(true, Ordering::Relaxed);
        writers
            .join()
            .map_err(|_| anyhow::anyhow!("a client failed"))?
    })?;
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
    disk.unmount()?;
    std::fs::remove_dir_all(folder)?;
    Ok(())
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

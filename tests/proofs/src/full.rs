//! Full disks: on a small file system of its own the disk of a serving program is filled up to its last blocks under load,
//! freed, and filled again, with restarts between. What was acknowledged is there, and it goes on when there is room.

use crate::ground::Ground;
use crate::ledger::{Clock, EVER};
use crate::program::{Program, Server};
use crate::report::Report;
use crate::rounds::{Deck, Rounds};
use crate::verify::verify;
use crate::writer::Told;
use crate::writers::Ledger;
use anyhow::{Context as _, ensure};
use fastrand::Rng;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const WRITERS: usize = 4;
const DISK_BYTES: u64 = 64 << 20;
/// How long a program may take to write again when there is room.
const HEAL_MAX: Duration = Duration::from_secs(90);
const ROUNDS_OF_DISK: u64 = 20;
/// Bytes that are left of a disk that is filled: none, few, and so many that a load may find room.
const LEFT: [u64; 4] = [0, 4 << 10, 64 << 10, 512 << 10];

#[derive(Default)]
struct Sum {
    told: Told,
    starts: u64,
    readings: u64,
}

/// A file system in a file, or, where there are none, in memory.
struct SmallDisk {
    folder: PathBuf,
    kind: &'static str,
}

impl SmallDisk {
    fn mount(folder: &Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let image = folder.with_extension("image");
        File::create(&image)?.set_len(DISK_BYTES)?;
        let made = succeeds(Command::new("mkfs.ext4").arg("-q").arg(&image));
        let mut mount = Command::new("mount");
        mount.args(["-o", "loop"]).arg(&image).arg(folder);
        if made.is_ok() && succeeds(&mut mount).is_ok() {
            return Ok(SmallDisk {
                folder: folder.to_owned(),
                kind: "ext4",
            });
        }
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=32m", "tmpfs"]);
        succeeds(mount.arg(folder)).context("ignored, because this machine allows no mounts")?;
        Ok(SmallDisk {
            folder: folder.to_owned(),
            kind: "tmpfs",
        })
    }

    fn filler(&self) -> PathBuf {
        self.folder.join("filler")
    }

    /// Fills it, but for so many bytes.
    fn fill(&self, leave: u64) -> anyhow::Result<()> {
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(self.filler())?;
        for size in [1 << 20, 1 << 16, 1 << 12, 1 << 9] {
            let piece = vec![7; size];
            while file.write_all(&piece).is_ok() {}
        }
        let length = file.metadata()?.len();
        // a disk that is full may refuse to sync, too
        let _ = file.set_len(length.saturating_sub(leave));
        let _ = file.sync_all();
        Ok(())
    }

    fn free(&self) -> anyhow::Result<()> {
        std::fs::remove_file(self.filler()).context("the filler stays")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // a proof that did not hold has said so already
        let _ = Command::new("umount").arg("-l").arg(&self.folder).status();
    }
}

fn succeeds(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}", said.trim());
    Ok(())
}

/// Fills so many times.
pub(crate) fn run(rounds: &Rounds<'_>) -> anyhow::Result<Report> {
    let (mut rng, mut sum) = (rounds.rng(), Sum::default());
    let mut kind = "";
    rounds.each_store(ROUNDS_OF_DISK, |folder, count| {
        let disk = SmallDisk::mount(&folder.join("disk"))?;
        kind = disk.kind;
        let program = rounds.program;
        let ground = Ground::make(program, &disk.folder.join("ground"))?;
        let mut ledger = Ledger::new(Clock::default(), WRITERS);
        ledger.searches = false;
        ledger.disk_fails = true;
        let mut store = Store {
            program,
            disk,
            ground,
            ledger,
            left: Deck::of(LEFT),
            rng: rng.fork(),
        };
        let mut server = program.serve(&store.ground.data, &[])?;
        for round in 0..count {
            let done = store.round(server, &mut sum);
            server = done.with_context(|| format!("round {round} on its disk"))?;
        }
        Ok(count)
    })?;
    let missed = sum.told.refused + sum.told.unknown;
    ensure!(missed > 0, "each write found room");
    let mut report = rounds.report("full disks");
    report.row(format!("rounds, on {kind}"), rounds.count);
    report.writes(sum.told, "writes refused", "answered with 500");
    report.row("look-ups while it was full", sum.told.reads);
    report.row("kills and starts on a full disk", sum.starts);
    report.row("of these, starts that only read", sum.readings);
    Ok(report)
}

struct Store<'p> {
    program: &'p Program,
    disk: SmallDisk,
    ground: Ground,
    ledger: Ledger,
    left: Deck<u64>,
    rng: Rng,
}

impl Store<'_> {
    /// Fills, goes on, frees, goes on, compares; gives the server that runs then.
    fn round(&mut self, mut server: Server, sum: &mut Sum) -> anyhow::Result<Server> {
        sum.told.add(self.write(&server, 60)?);
        let left = self.left.draw(&mut self.rng).context("so much is left")?;
        self.disk.fill(left)?;
        sum.told.add(self.write(&server, 250)?);
        let mut only_reads = false;
        if self.rng.u32(0..4) == 0 {
            server.kill()?;
            sum.starts += 1;
            server = self.program.serve(&self.ground.data, &[])?;
            let told = self.write(&server, 60)?;
            sum.told.add(told);
            only_reads = told.acknowledged == 0;
            sum.readings += u64::from(only_reads);
        }
        self.disk.free()?;
        if only_reads {
            server.kill()?;
            server = self.program.serve(&self.ground.data, &[])?;
        }
        let began = Instant::now();
        loop {
            let told = self.write(&server, 60)?;
            sum.told.add(told);
            if told.acknowledged > 0 {
                break;
            }
            ensure!(
                began.elapsed() < HEAL_MAX,
                "there is room, and it does not write: {}",
                server.errors()
            );
        }
        if self.rng.bool() {
            server.kill()?;
            self.program.check(&self.ground.data)?;
            server = self.program.serve(&self.ground.data, &[])?;
        }
        let mut client = server.client(&self.ground.key);
        let (load, ledger) = (self.ground.load(), &self.ledger);
        let verified = verify(&mut client, load, ledger, EVER, &mut self.rng)?;
        self.ledger.settle(&verified.open);
        Ok(server)
    }

    fn write(&mut self, server: &Server, milliseconds: u64) -> anyhow::Result<Told> {
        let (time, seed) = (Duration::from_millis(milliseconds), self.rng.u64(..) >> 8);
        self.ledger
            .write_for(time, server.address, &self.ground, seed)
    }
}

//! A PostgreSQL of one's own: in a folder that goes with it, on a socket and no port; where one is root, its own user runs it.

use crate::processes;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, OnceLock};

/// How many sessions are tried that may end by themselves.
const SESSIONS_TRIED: usize = 5;

/// Where the programs of PostgreSQL are, if this machine has them: those of version 15, unless another one is asked for.
pub fn programs() -> Option<PathBuf> {
    crate::postgresql_programs::programs()
}

/// A running server; it ends with this.
pub struct Cluster {
    programs: PathBuf,
    folder: tempfile::TempDir,
    /// Where its files are; those of standbys and copies are there, too.
    place: Place,
    /// Of one that was there before: what opens it.
    elsewhere: Option<String>,
}

impl Cluster {
    /// One that is there already, whatever it is, by its address; it stays.
    ///
    /// # Panics
    /// Where the machine has no room for a folder.
    pub fn at(programs: &Path, address: &str) -> Self {
        Cluster {
            programs: programs.to_owned(),
            folder: folder_in(DISKS[0]).expect("a folder"),
            place: Place::Disk,
            elsewhere: Some(address.to_owned()),
        }
    }

    /// Starts one with the settings that PostgreSQL itself begins with.
    ///
    /// # Errors
    /// What the programs say when it does not start.
    ///
    /// # Panics
    /// Where the machine has no room for a folder or a process.
    pub fn start(programs: &Path) -> Result<Self, String> {
        Self::start_with(programs, "")
    }

    /// Starts one with settings, as PostgreSQL's command line takes them.
    ///
    /// # Errors
    /// What the programs say when it does not start.
    ///
    /// # Panics
    /// Where the machine has no room for a folder or a process.
    pub fn start_with(programs: &Path, settings: &str) -> Result<Self, String> {
        Self::begin(programs, settings, Place::Memory)
    }

    /// Starts one whose commits take as long as the disk does.
    ///
    /// # Errors
    /// What the programs say when it does not start, or that there is no disk.
    ///
    /// # Panics
    /// Where the machine has no room for a folder or a process.
    pub fn start_on_disk(programs: &Path, settings: &str) -> Result<Self, String> {
        Self::begin(programs, settings, Place::Disk)
    }

    fn begin(programs: &Path, settings: &str, place: Place) -> Result<Self, String> {
        let cluster = Cluster {
            programs: programs.to_owned(),
            folder: folder(place)?,
            place,
            elsewhere: None,
        };
        let empty = EMPTY.get_or_init(|| cluster.initialized());
        copy_data(empty.as_ref().map_err(Clone::clone)?, &cluster)?;
        cluster.start_again(settings)?;
        Ok(cluster)
    }

    /// A folder with an empty cluster, which goes with this process.
    fn initialized(&self) -> Result<PathBuf, String> {
        let folder = folder(self.place)?.keep();
        remove_with_process(&folder, None);
        let mut made = self.program("initdb");
        made.args([
            "--auth=trust",
            "--username=postgres",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        succeed(made.arg("-D").arg(folder.join("data")))?;
        Ok(folder)
    }

    /// Starts another one from the files of this one, which was stopped.
    ///
    /// # Errors
    /// What the programs say when it does not start.
    ///
    /// # Panics
    /// Where the machine has no room for a folder or a process.
    pub fn copy(&self, settings: &str) -> Result<Self, String> {
        let copy = Cluster {
            programs: self.programs.clone(),
            folder: folder(self.place)?,
            place: self.place,
            elsewhere: None,
        };
        copy_data(self.folder.path(), &copy)?;
        copy.start_again(settings)?;
        Ok(copy)
    }

    /// Starts another one that follows this one, whatever is written to it, and is read only until it is promoted.
    ///
    /// # Errors
    /// What the programs say when it does not start.
    ///
    /// # Panics
    /// Where the machine has no room for a folder or a process.
    pub fn start_standby(&self, settings: &str) -> Result<Self, String> {
        let standby = Cluster {
            programs: self.programs.clone(),
            folder: folder(self.place)?,
            place: self.place,
            elsewhere: None,
        };
        let mut copied = standby.program("pg_basebackup");
        copied.args(["--write-recovery-conf", "--wal-method=stream", "--no-sync"]);
        copied.args(["--checkpoint=fast", "--username=postgres", "--host"]);
        copied.arg(self.folder.path()).arg("-D");
        succeed(copied.arg(standby.folder.path().join("data")))?;
        standby.start_again(settings)?;
        Ok(standby)
    }

    /// Makes a standby take writes.
    ///
    /// # Errors
    /// What the programs say when it does not.
    ///
    /// # Panics
    /// Where the machine has no room for a process.
    pub fn promote(&self) -> Result<(), String> {
        let mut promoted = self.program("pg_ctl");
        promoted.args(["promote", "--wait", "--silent"]);
        succeed(promoted.arg("-D").arg(self.folder.path().join("data")))
    }

    /// Has one that took writes, and was stopped or killed, follow another one that takes them now, without what it alone had.
    ///
    /// # Errors
    /// What the programs say when it does not: its pages must be checked, or `wal_log_hints` have been on.
    ///
    /// # Panics
    /// Where the machine has no room for a process.
    pub fn follow(&self, other: &Cluster, settings: &str) -> Result<(), String> {
        // before which its files do not say yet that both part
        other.run("CHECKPOINT;")?;
        self.be_forgotten()?;
        let source = other.address("postgres");
        let mut rewound = self.program("pg_rewind");
        rewound.args([
            "--write-recovery-conf",
            "--no-sync",
            "--source-server",
            &source,
        ]);
        succeed(rewound.arg("-D").arg(self.folder.path().join("data")))?;
        self.start_again(settings)
    }

    /// Starts one that was stopped or killed, with settings as PostgreSQL's command line takes them.
    ///
    /// # Errors
    /// What the programs say when it does not start.
    ///
    /// # Panics
    /// Where the machine has no room for a file or a process.
    pub fn start_again(&self, settings: &str) -> Result<(), String> {
        self.be_forgotten()?;
        let socket = self.folder.path().display();
        let options = format!("-k {socket} -c listen_addresses= {settings}");
        let log = self.folder.path().join("log");
        let mut started = self.program("pg_ctl");
        started
            .args(["start", "--wait", "--silent", "-o", &options])
            .arg("-l")
            .arg(&log);
        succeed(started.arg("-D").arg(self.folder.path().join("data")))
    }

    /// Stops it as an operator does, or, at once, as a crash does: what was committed is there when it starts again.
    ///
    /// # Errors
    /// What the programs say when it does not stop.
    ///
    /// # Panics
    /// Where the machine has no room for a file or a process.
    pub fn stop(&self, is_at_once: bool) -> Result<(), String> {
        let mode = if is_at_once { "immediate" } else { "fast" };
        let mut stopped = self.program("pg_ctl");
        stopped.args(["stop", "--silent", "--mode", mode]);
        succeed(stopped.arg("-D").arg(self.folder.path().join("data")))
    }

    /// Ends it as a machine without power does: each of its processes at once, so that none finishes what it is at.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill(&self) -> Result<(), String> {
        processes::kill_with_children(&self.postmaster()?)
    }

    /// Ends the process of one session of a program's, whichever it is. The others are ended by PostgreSQL itself, which then
    /// recovers as after a crash, and nobody has to start it.
    ///
    /// # Errors
    /// When the program has no session.
    ///
    /// # Panics
    /// Where the machine has no room for a process.
    pub fn kill_session(&self, application: &str) -> Result<(), String> {
        let question = format!(
            "SELECT 'session: ' || pid FROM pg_stat_activity WHERE backend_type = 'client backend'
             AND application_name = '{application}' ORDER BY random() LIMIT 1;"
        );
        let mut why = format!("{application} has no session");
        for _ in 0..SESSIONS_TRIED {
            let told = self.run(&question)?;
            let mut lines = told.lines().map(str::trim);
            let id = lines.find_map(|line| line.strip_prefix("session: "));
            // one may end before it is ended
            match id.map(|id| processes::signal("-KILL", &[id])) {
                Some(Ok(())) => return Ok(()),
                Some(Err(error)) => why = error,
                None => {}
            }
        }
        Err(why)
    }

    /// The process that began all others of it.
    fn postmaster(&self) -> Result<String, String> {
        let file = self.folder.path().join("data/postmaster.pid");
        let told = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        Ok(told.lines().next().unwrap_or_default().to_owned())
    }

    /// Waits until the one that was killed is taken for none that runs.
    fn be_forgotten(&self) -> Result<(), String> {
        match self.postmaster() {
            Ok(id) => processes::wait_until_forgotten(&id),
            // it was stopped, or never started
            Err(_) => Ok(()),
        }
    }

    /// Runs a script to its end; what it prints. One of which a statement may fail says so, by `\set ON_ERROR_STOP 0`.
    ///
    /// # Errors
    /// What `psql` says of the first statement that failed, behind which nothing is done, or why it can't be run.
    ///
    /// # Panics
    /// Where the machine has no room for a folder or a process.
    pub fn run(&self, script: &str) -> Result<String, String> {
        let mut psql = self.program("psql");
        let address = self.elsewhere.clone();
        let address = address.unwrap_or_else(|| self.address("postgres"));
        psql.args(["--no-psqlrc", "--quiet", "--dbname", &address]);
        psql.args(["--set", "ON_ERROR_STOP=1"]);
        psql.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = psql.spawn().map_err(|error| format!("psql: {error}"))?;
        let mut input = child.stdin.take().expect("a pipe");
        let script = script.to_owned();
        let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
        let output = child
            .wait_with_output()
            .map_err(|error| format!("psql: {error}"))?;
        let written = writer.join().expect("it wrote");
        // one that failed has not read what was behind that
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            return Err(format!("psql: {}: {told}", output.status));
        }
        written.map_err(|error| format!("psql: {error}"))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Where its socket is.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// All that one of its databases holds, as statements.
    ///
    /// # Errors
    /// When `pg_dump` can't be run.
    pub fn dump(&self, database: &str) -> Result<String, String> {
        let mut dump = self.program("pg_dump");
        let output = dump.arg("--dbname").arg(self.address(database)).output();
        let output = output.map_err(|error| format!("pg_dump: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The address of one of its databases.
    pub fn address(&self, database: &str) -> String {
        if let Some(address) = &self.elsewhere {
            return with_database(address, database);
        }
        let folder = self.folder.path().display();
        format!("host={folder} user=postgres dbname={database}")
    }

    /// Has it end with this process, however that ends: for one that nothing drops.
    ///
    /// # Panics
    /// Where the machine has no room for a process.
    pub fn end_with_process(&self) {
        let mut stop = self.program("pg_ctl");
        stop.args(["stop", "--mode=immediate", "--silent", "-D"]);
        stop.arg(self.folder.path().join("data"));
        remove_with_process(self.folder.path(), Some(&stop));
    }

    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        command
            .current_dir(self.folder.path())
            // `pg_ctl` gives up after a minute, in which a machine that does much else has not recovered
            .env("PGCTLTIMEOUT", "600")
            .env("PGOPTIONS", "-c client_min_messages=error");
        command
    }
}

/// An empty cluster, which all of this process begin as: making it takes longer than anything else that a start does.
static EMPTY: OnceLock<Result<PathBuf, String>> = OnceLock::new();

/// Gives a cluster the files of another one, which does not run.
fn copy_data(from: &Path, to: &Cluster) -> Result<(), String> {
    let mut copied = Command::new("cp");
    copied.arg("-a").arg(from.join("data"));
    succeed(copied.arg(to.folder.path()))
}

/// Has a folder go with this process, however that ends, when another program was run. A shell waits for the end of a pipe that
/// only this process has.
fn remove_with_process(folder: &Path, before: Option<&Command>) {
    let mut waiting = Command::new("sh");
    let script = "cat > /dev/null; folder=$1; shift; \"$@\"; rm -rf \"$folder\"";
    waiting.args(["-c", script, "sh"]).arg(folder);
    match before {
        Some(before) => waiting.arg(before.get_program()).args(before.get_args()),
        None => waiting.arg("true"),
    };
    waiting
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let child = waiting.spawn().expect("a shell");
    // the pipe stays open as long as the process lives
    std::mem::forget(child);
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut stopped = self.program("pg_ctl");
        stopped.args(["stop", "--mode=immediate", "--silent"]);
        // one that never started can't be stopped
        let _ = succeed(stopped.arg("-D").arg(self.folder.path().join("data")));
    }
}

/// An address with another database in it: a URL, or names and values.
pub fn with_database(address: &str, database: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        let kept = address.split_whitespace();
        let kept = kept.filter(|part| !part.starts_with("dbname="));
        let kept: Vec<_> = kept.collect();
        return format!("{} dbname={database}", kept.join(" "));
    };
    let (before, options) = rest.split_once('?').unwrap_or((rest, ""));
    let hosts = before.split('/').next().unwrap_or_default();
    let options = if options.is_empty() {
        String::new()
    } else {
        format!("?{options}")
    };
    format!("{scheme}://{hosts}/{database}{options}")
}

/// Where the files of a cluster are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In memory, if the machine has the room; else on a disk.
    Memory,
    Disk,
}

/// Where a cluster's folder may be, if it is to be on a disk: a socket in it has a short name.
const DISKS: [&str; 2] = ["/tmp", "/var/tmp"];
/// Where it is otherwise. PostgreSQL itself needs this place.
const MEMORY: &str = "/dev/shm";
/// What must be free there, in MiB: the largest suite, `store_postgres`, takes 3.4 GiB.
const MEMORY_MIN: u64 = 8 << 10;
/// File systems that are in memory alone.
const OF_MEMORY: [&[u8]; 2] = [b"tmpfs", b"ramfs"];

/// A folder for the files of a cluster. Tests kill processes and never a machine, so files in memory last as files on a disk do,
/// and a new database takes a tenth of the time. Programs that measure commits need a disk.
fn folder(place: Place) -> Result<tempfile::TempDir, String> {
    static HAS_MEMORY: LazyLock<bool> =
        LazyLock::new(|| is_in_memory(MEMORY) && free(MEMORY) >= MEMORY_MIN);
    if place == Place::Memory && *HAS_MEMORY {
        return folder_in(MEMORY);
    }
    let disk = DISKS.into_iter().find(|place| !is_in_memory(place));
    folder_in(disk.ok_or_else(|| format!("{DISKS:?} are in memory, and a database is not"))?)
}

/// How many MiB are free in a folder's file system.
fn free(folder: &str) -> u64 {
    let mut asked = Command::new("df");
    asked.args(["--block-size=1M", "--output=avail", folder]);
    let told = asked.output().ok();
    let told = told.and_then(|told| String::from_utf8(told.stdout).ok());
    let last = told.as_deref().and_then(|told| told.lines().last());
    last.and_then(|free| free.trim().parse().ok()).unwrap_or(0)
}

/// Whether what a folder keeps is in memory alone; where the machine does not tell, it is not.
pub(crate) fn is_in_memory(folder: &str) -> bool {
    let mut asked = Command::new("stat");
    asked.args(["--file-system", "--format=%T", folder]);
    let told = asked.output();
    told.is_ok_and(|told| OF_MEMORY.contains(&told.stdout.trim_ascii()))
}

/// A folder for a cluster or its tools, in one that is there.
fn folder_in(place: &str) -> Result<tempfile::TempDir, String> {
    let folder = tempfile::Builder::new().prefix("pg").tempdir_in(place);
    let folder = folder.expect("a folder");
    if is_root() {
        succeed(Command::new("chown").arg("postgres").arg(folder.path()))?;
    }
    Ok(folder)
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout == b"0\n")
}

/// Runs a program that must end well. A server that it leaves behind must not hold a pipe of ours.
fn succeed(command: &mut Command) -> Result<(), String> {
    let told = tempfile::NamedTempFile::new().expect("a file");
    let file = || Stdio::from(told.reopen().expect("the file"));
    command.stdin(Stdio::null()).stdout(file()).stderr(file());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            let told = std::fs::read_to_string(told.path()).unwrap_or_default();
            Err(format!("{command:?}: {status}: {told}"))
        }
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

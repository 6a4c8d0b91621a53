//! The programs under measurement: built, started on a core of their own, watched through `/proc`, and
//! ended. What they are asked, others know.

use crate::cargo;
use crate::machine::kilobytes;
use anyhow::{Context as _, bail, ensure};
use rustix::thread::CpuSet;
use serde::Deserialize;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to end, or to take its first connection.
const END_MAX: Duration = Duration::from_secs(60);
const START_MAX: Duration = Duration::from_secs(60);

/// The cores of the two sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cores {
    pub(crate) server: usize,
    pub(crate) client: usize,
    /// How many this process may use.
    pub(crate) count: usize,
    /// Whether servers may use both, and not their own alone.
    pub(crate) is_shared: bool,
}

impl Cores {
    /// The last two cores this process may use: the first one serves interrupts on many machines. Where
    /// there is but one, it is for both; the table tells.
    pub(crate) fn choose() -> anyhow::Result<Self> {
        let allowed = rustix::thread::sched_getaffinity(None)?;
        let own = (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core));
        let own: Vec<usize> = own.collect();
        let (Some(server), Some(client)) = (own.last(), own.iter().rev().nth(1).or(own.last()))
        else {
            bail!("no core is allowed to this process");
        };
        Ok(Cores {
            server: *server,
            client: *client,
            count: own.len(),
            is_shared: false,
        })
    }

    /// The same, but servers may use both.
    pub(crate) fn shared(self) -> Self {
        Cores {
            is_shared: true,
            ..self
        }
    }

    fn of_servers(self) -> Vec<usize> {
        if self.is_shared {
            vec![self.server, self.client]
        } else {
            vec![self.server]
        }
    }
}

/// Binds this thread, and what it starts from now on, to some cores.
fn pin(cores: &[usize]) -> anyhow::Result<()> {
    let mut set = CpuSet::new();
    for core in cores {
        set.set(*core);
    }
    rustix::thread::sched_setaffinity(None, &set).context("can't bind to a core")
}

/// What cargo tells of a thing that it built.
#[derive(Deserialize)]
struct Built {
    executable: Option<PathBuf>,
    target: Option<BuiltTarget>,
}

#[derive(Deserialize)]
struct BuiltTarget {
    name: String,
}

/// Builds the program in the profile of this one; its path, as cargo tells it.
pub(crate) fn built() -> anyhow::Result<PathBuf> {
    let mut build = cargo::command();
    build.args(["build", "--package", "fieldstone"]);
    build.args(["--message-format", "json-render-diagnostics"]);
    build.args([
        "--manifest-path",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"),
    ]);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let output = build.stderr(Stdio::inherit()).output();
    let output = output.context("can't start cargo; name the program with --program")?;
    ensure!(output.status.success(), "the program does not build");
    let messages = String::from_utf8(output.stdout)?;
    let mut built = messages.lines().filter_map(|line| {
        let message: Built = serde_json::from_str(line).ok()?;
        let is_it = message
            .target
            .is_some_and(|target| target.name == "fieldstone");
        message.executable.filter(|_| is_it)
    });
    built
        .next_back()
        .context("cargo tells of no program; name it with --program")
}

/// A server that runs; it is ended when this is dropped.
pub(crate) struct Running {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Running {
    /// Starts a server on its cores. Its first line tells the address.
    pub(crate) fn start(mut command: Command, cores: Cores) -> anyhow::Result<Self> {
        let mut child = spawn(command.stdout(Stdio::piped()), cores)?;
        let stdout = child.stdout.take().context("a server without its output")?;
        let mut line = String::new();
        let read = BufReader::new(stdout).read_line(&mut line);
        let address = line.trim_end().strip_prefix("listening on http://");
        let address = address.and_then(|address| address.parse().ok());
        let Some(address) = address.filter(|_| read.is_ok()) else {
            // it goes, whatever state it is in
            let _ = child.kill();
            let _ = child.wait();
            bail!("a server did not start; it said `{}`", line.trim_end());
        };
        Ok(Running { child, address })
    }

    /// Starts a server that was told where to listen, and waits until it does.
    pub(crate) fn start_at(
        mut command: Command,
        cores: Cores,
        address: SocketAddr,
    ) -> anyhow::Result<Self> {
        let child = spawn(command.stdout(Stdio::null()), cores)?;
        let mut running = Running { child, address };
        let began = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = running.child.try_wait()?;
            ensure!(ended.is_none(), "a server did not start");
            ensure!(began.elapsed() < START_MAX, "a server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(running)
    }

    fn read(&self, file: &str) -> anyhow::Result<String> {
        let path = Path::new("/proc").join(self.child.id().to_string());
        std::fs::read_to_string(path.join(file)).context("a server is gone")
    }

    /// Processor time it has used, its own and the system's for it.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        cpu_of(&self.read("stat")?)
    }

    /// Bytes of memory it has now.
    pub(crate) fn memory(&self) -> anyhow::Result<u64> {
        kilobytes(&self.read("status")?, "VmRSS:")
    }

    /// Ends it as an operator does.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status()?;
        let began = Instant::now();
        while began.elapsed() < END_MAX {
            if let Some(status) = self.child.try_wait()? {
                // the bare server knows no other end than the signal's
                ensure!(
                    status.success() || status.code().is_none(),
                    "it ended with {status}"
                );
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("a server did not end within {} s", END_MAX.as_secs())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // one that has ended can't be ended again
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(command: &mut Command, cores: Cores) -> anyhow::Result<Child> {
    pin(&cores.of_servers())?;
    let child = command.stdin(Stdio::null()).spawn();
    pin(&[cores.client])?;
    child.context("can't start a server")
}

/// Processor time of this process.
pub(crate) fn own_cpu() -> anyhow::Result<Duration> {
    cpu_of(&std::fs::read_to_string("/proc/self/stat")?)
}

/// Processor time of the programs that this process started and that have ended.
pub(crate) fn ended_cpu() -> anyhow::Result<Duration> {
    ticks_of(&std::fs::read_to_string("/proc/self/stat")?, 13)
}

/// Fields 14 and 15 of a `stat` line.
fn cpu_of(stat: &str) -> anyhow::Result<Duration> {
    ticks_of(stat, 11)
}

/// The sum of two fields of a `stat` line, so many behind the name; this, field 2, may hold anything but ends with the
/// last `)`.
fn ticks_of(stat: &str, skipped: usize) -> anyhow::Result<Duration> {
    let (_, rest) = stat.rsplit_once(')').context("no stat line")?;
    let mut fields = rest.split_whitespace().skip(skipped);
    let mut ticks = 0_u32;
    for _ in 0..2 {
        let field = fields.next().context("a short stat line")?;
        ticks += field.parse::<u32>()?;
    }
    let a_second = u32::try_from(rustix::param::clock_ticks_per_second())?;
    Ok(Duration::from_secs(1) * ticks / a_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cores that a server may use, as the system tells them.
    fn allowed(cores: Cores) -> String {
        let mut command = Command::new("cat");
        command.arg("/proc/self/status").stdout(Stdio::piped());
        let child = spawn(&mut command, cores).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        let mut lines = told.lines();
        let allowed = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        allowed.unwrap().trim().to_owned()
    }

    #[test]
    fn a_server_has_its_own_core_or_both() {
        // a thread of its own, which stays bound
        let bound = std::thread::spawn(|| {
            let cores = Cores::choose().unwrap();
            let Cores { server, client, .. } = cores;
            let (least, most) = (server.min(client), server.max(client));
            let both = match most - least {
                0 => least.to_string(),
                1 => format!("{least}-{most}"),
                _ => format!("{least},{most}"),
            };
            assert_eq!(allowed(cores), server.to_string());
            assert_eq!(allowed(cores.shared()), both);
            assert_eq!(allowed(cores), server.to_string());
        });
        bound.join().unwrap();
    }

    #[test]
    fn processor_time_is_read_behind_a_name_with_anything_in_it() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 0 9 0 0 0 150 50 0 0 20 0 1 0 5 0 0";
        let a_second = rustix::param::clock_ticks_per_second();
        let expected = Duration::from_secs(200) / u32::try_from(a_second).unwrap();
        assert_eq!(cpu_of(stat).unwrap(), expected);
        assert_eq!(ticks_of(stat, 13).unwrap(), Duration::ZERO);
        assert!(cpu_of("7 (a) S 1").is_err());
    }
}

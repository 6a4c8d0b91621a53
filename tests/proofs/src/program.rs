//! The program under proof: built, started, killed, and asked to check a store. It is never told that it is watched.

use crate::cargo;
use crate::http::Client;
use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long a server may take to end.
const END_MAX: Duration = Duration::from_secs(60);
/// What is kept of standard error.
const ERROR_BYTES_MAX: usize = 64 << 10;

/// Where the program is, and on what its store is.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    path: PathBuf,
    /// The database of its store, if that is not in its data folder.
    database: Option<String>,
}

impl Program {
    /// The one that is named, or else the newest of this profile, built.
    pub(crate) fn find(named: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(path) = named {
            let path = path.canonicalize().context("there is no such program")?;
            let database = None;
            return Ok(Program { path, database });
        }
        let mut build = cargo::command();
        build.args(["build", "--quiet", "--package", "fieldstone"]);
        build.args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"),
        ]);
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        let status = build.status();
        let status = status.context("can't start cargo; name the program with --program")?;
        ensure!(status.success(), "the program does not build");
        // beside this one, in the folder of the same profile
        let own = std::env::current_exe()?;
        let mut folder = own.parent().context("this program lies in a folder")?;
        // tests lie in a folder below
        if folder.ends_with("deps") {
            folder = folder.parent().context("which lies in another")?;
        }
        let path = folder.join("fieldstone");
        ensure!(
            path.exists(),
            "it is not beside this program; name it with --program"
        );
        let database = None;
        Ok(Program { path, database })
    }

    /// The same with its store in a database.
    pub(crate) fn on(&self, database: String) -> Self {
        Program {
            path: self.path.clone(),
            database: Some(database),
        }
    }

    /// A command on a data folder, without settings from the surroundings.
    pub(crate) fn command(&self, data: &Path) -> Command {
        let mut command = Command::new(&self.path);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("FIELDSTONE_") {
                command.env_remove(name);
            }
        }
        if let Some(database) = &self.database {
            command.env("FIELDSTONE_DATABASE", database);
        }
        command
            .env("FIELDSTONE_DATA", data)
            .args(["--log", "warn"])
            .stdin(Stdio::null());
        command
    }

    /// What a command prints as JSON; it must do all of its work.
    pub(crate) fn json(&self, data: &Path, arguments: &[&str]) -> anyhow::Result<Value> {
        let mut command = self.command(data);
        let output = command
            .args(arguments)
            .args(["--format", "json"])
            .output()?;
        ensure!(
            matches!(output.status.code(), Some(0 | 3)),
            "{arguments:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// Fails unless the store is sound.
    pub(crate) fn check(&self, data: &Path) -> anyhow::Result<()> {
        let report = self.json(data, &["check"])?;
        ensure!(report["isSound"] == true, "`check` says {report}");
        Ok(())
    }

    /// Starts a server on a data folder.
    pub(crate) fn serve(&self, data: &Path, more: &[OsString]) -> anyhow::Result<Server> {
        let mut command = self.command(data);
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(more);
        Server::start(command)
    }
}

#[cfg(test)]
impl Program {
    /// The newest of this profile, built once for all tests, which run beside each other.
    pub(crate) fn built() -> &'static Self {
        static BUILT: std::sync::OnceLock<Program> = std::sync::OnceLock::new();
        BUILT.get_or_init(|| Program::find(None).expect("the program"))
    }
}

/// A server that runs; it is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    errors: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(mut command: Command) -> anyhow::Result<Self> {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the program does not start")?;
        let errors = Arc::new(Mutex::new(String::new()));
        let (stderr, kept) = (child.stderr.take().context("a pipe")?, errors.clone());
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut kept = kept.lock().expect("nobody panics with it");
                if kept.len() < ERROR_BYTES_MAX {
                    *kept += &(line + "\n");
                }
            }
        });
        let stdout = child.stdout.take().context("a pipe")?;
        let mut line = String::new();
        // what is no line is no address
        let _ = BufReader::new(stdout).read_line(&mut line);
        let address = line.trim_end().rsplit_once("http://");
        let mut server = Server {
            child,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            errors,
            reader: Some(reader),
        };
        let Some(address) = address.and_then(|(_, address)| address.parse().ok()) else {
            let (status, errors) = server.ended()?;
            bail!("it did not start ({status}): {errors}");
        };
        server.address = address;
        Ok(server)
    }

    /// What it said on standard error.
    pub(crate) fn errors(&self) -> String {
        self.errors.lock().expect("nobody panics with it").clone()
    }

    pub(crate) fn client(&self, key: &str) -> Client {
        Client::new(self.address, key)
    }

    /// Kills it without a word.
    pub(crate) fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        let (status, errors) = self.ended()?;
        ensure!(
            status.signal() == Some(9),
            "it ended before it was killed ({status}): {errors}"
        );
        Ok(())
    }

    /// Ends it as an operator does; how it ended, and what it said.
    pub(crate) fn stop(mut self) -> anyhow::Result<(ExitStatus, String)> {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status()?;
        self.ended()
    }

    /// Whether it runs.
    pub(crate) fn runs(&mut self) -> anyhow::Result<bool> {
        Ok(self.child.try_wait()?.is_none())
    }

    fn ended(&mut self) -> anyhow::Result<(ExitStatus, String)> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait()? {
                if let Some(reader) = self.reader.take() {
                    let _ = reader.join();
                }
                return Ok((status, self.errors()));
            }
            ensure!(
                began.elapsed() < END_MAX,
                "it does not end: {}",
                self.errors()
            );
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // one that has ended can't be ended again
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

//! Runs of the program within the process of the tests: each on a thread of its own, with its own working directory and umask,
//! as far as the system gives those to a thread. Where it does not, a process is started.

use crate::transcript::{Printer, Transcript};
use fieldstone::Io;
use std::ffi::OsString;
use std::io::{self, Cursor};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;

/// The room that the first thread of a process has for its calls.
const STACK_BYTES: usize = 8 << 20;

/// The program as a process, without settings from the surroundings.
pub(crate) fn process(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldstone"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FIELDSTONE_") {
            command.env_remove(name);
        }
    }
    // the demo's many customers come where a test asks for them
    command.env("FIELDSTONE_DEMO_RECORDS", "0");
    command.current_dir(folder);
    command
}

/// A run that did not begin yet.
pub(crate) struct Program {
    folder: PathBuf,
    arguments: Vec<OsString>,
    last_arguments: Vec<OsString>,
    input: Vec<u8>,
    umask: Option<u32>,
    look_pause: Option<Duration>,
}

/// The program within this process, without variables.
pub(crate) fn fieldstone(folder: &Path) -> Program {
    Program {
        folder: folder.to_owned(),
        arguments: Vec::new(),
        last_arguments: Vec::new(),
        input: Vec::new(),
        umask: None,
        look_pause: None,
    }
}

/// A run that began, and what it prints.
pub(crate) struct Run {
    pub(crate) running: Running,
    pub(crate) output: Transcript,
    pub(crate) errors: Transcript,
}

/// What a run is ended by, and waited for.
pub(crate) enum Running {
    Thread {
        stop: watch::Sender<bool>,
        run: Option<JoinHandle<ExitCode>>,
    },
    Process(Child),
}

impl Program {
    pub(crate) fn arg(&mut self, argument: impl Into<OsString>) -> &mut Self {
        self.args([argument])
    }

    pub(crate) fn args(
        &mut self,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> &mut Self {
        let arguments = arguments.into_iter().map(Into::into);
        self.arguments.extend(arguments);
        self
    }

    /// Arguments after all others: those of a command follow its name.
    pub(crate) fn last_args(&mut self, arguments: &[&str]) -> &mut Self {
        let arguments = arguments.iter().map(Into::into);
        self.last_arguments.extend(arguments);
        self
    }

    /// What it finds on standard input.
    pub(crate) fn input(&mut self, bytes: impl Into<Vec<u8>>) -> &mut Self {
        self.input = bytes.into();
        self
    }

    /// The umask that it finds, where the system gives one to a thread.
    pub(crate) fn umask(&mut self, mask: u32) -> &mut Self {
        self.umask = Some(mask);
        self
    }

    /// How often a server looks whether its own files changed.
    pub(crate) fn look_pause(&mut self, pause: Duration) -> &mut Self {
        self.look_pause = Some(pause);
        self
    }

    /// Runs it to its end.
    #[allow(clippy::unnecessary_wraps, reason = "as that of a process")]
    pub(crate) fn output(&mut self) -> io::Result<Output> {
        Ok(self.begin().output())
    }

    /// Begins it.
    pub(crate) fn begin(&mut self) -> Run {
        let (output, errors) = <(Transcript, Transcript)>::default();
        Run {
            running: self.begin_with(output.writer(), errors.writer()),
            output,
            errors,
        }
    }

    fn begin_with(&mut self, output: Printer, errors: Printer) -> Running {
        let (folder, input) = (self.folder.clone(), std::mem::take(&mut self.input));
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.append(&mut self.last_arguments);
        // the demo's many customers come where a test asks for them
        let has = |word: &str| {
            let mut all = arguments.iter().filter_map(|it| it.to_str());
            all.any(|it| it.starts_with(word))
        };
        if has("serve") && has("--demo") && !has("--demo-records") {
            arguments.push("--demo-records=0".into());
        }
        if !*HAS_OWN_FOLDERS {
            return spawn(&folder, &arguments, input, output, errors);
        }
        let (umask, look_pause) = (self.umask, self.look_pause);
        let (stop, is_stopped) = watch::channel(false);
        let run = move || {
            own_folder(&folder).expect("a folder");
            if let Some(mask) = umask {
                set_umask(mask);
            }
            fieldstone::set_up_process();
            let io = Io::new(Cursor::new(input), output, errors, is_stopped);
            let io = io.with_first_backup_delay(Duration::ZERO);
            let io = match look_pause {
                Some(pause) => io.with_look_pause(pause),
                None => io,
            };
            let name = OsString::from("fieldstone");
            fieldstone::run([name].into_iter().chain(arguments), io)
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        Running::Thread {
            stop,
            run: Some(thread.spawn(run).expect("a thread")),
        }
    }
}

impl Run {
    /// Waits for its end; what it printed.
    pub(crate) fn output(mut self) -> Output {
        self.output.wait_for_end();
        if matches!(self.running, Running::Process(_)) {
            self.errors.wait_for_end();
        }
        Output {
            status: self.running.end(),
            stdout: self.output.bytes(),
            stderr: self.errors.bytes(),
        }
    }
}

/// Starts a process.
fn spawn(
    folder: &Path,
    arguments: &[OsString],
    input: Vec<u8>,
    mut output: Printer,
    mut errors: Printer,
) -> Running {
    let mut command = process(folder);
    command.args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut stderr = child.stderr.take().expect("a pipe");
    std::thread::spawn(move || io::Write::write_all(&mut stdin, &input));
    std::thread::spawn(move || io::copy(&mut stdout, &mut output));
    std::thread::spawn(move || io::copy(&mut stderr, &mut errors));
    Running::Process(child)
}

impl Running {
    /// Waits for its end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        match self {
            Running::Process(child) => child.wait().expect("a child"),
            Running::Thread { run, .. } => {
                let run = run.take().expect("it did not end before");
                let code = run
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                let number = (0..=u8::MAX).find(|&number| ExitCode::from(number) == code);
                ExitStatus::from_raw(i32::from(number.expect("a code")) << 8)
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        match self {
            Running::Process(child) => {
                // one that has ended already can't be ended again
                let _ = child.kill();
                let _ = child.wait();
            }
            Running::Thread { stop, run } => {
                // one that has ended already stops no more, and its panic was told
                let _ = stop.send(true);
                // a test that failed, be it on a run that does not end, does not wait
                if !std::thread::panicking() {
                    let _ = run.take().map(JoinHandle::join);
                }
            }
        }
    }
}

/// Whether a thread can have its own working directory.
static HAS_OWN_FOLDERS: LazyLock<bool> = LazyLock::new(|| {
    let tried = std::thread::spawn(|| own_folder(Path::new("/")).is_ok());
    tried.join().expect("it answers")
});

/// Gives this thread, and those that it begins, a working directory of their own.
#[cfg(target_os = "linux")]
fn own_folder(folder: &Path) -> io::Result<()> {
    nix::sched::unshare(nix::sched::CloneFlags::CLONE_FS)?;
    std::env::set_current_dir(folder)
}

/// Sets the umask of this thread, and of those that it begins.
#[cfg(target_os = "linux")]
fn set_umask(mask: u32) {
    nix::sys::stat::umask(nix::sys::stat::Mode::from_bits_truncate(mask));
}

#[cfg(not(target_os = "linux"))]
fn set_umask(_: u32) {}

#[cfg(not(target_os = "linux"))]
fn own_folder(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

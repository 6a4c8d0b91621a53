//! Runs of the program within the process of the tests: each on a thread of its own, with its own working directory and umask,
//! as far as the system gives those to a thread. Where it does not, a process is started.

use crate::support::process;
use crate::transcript::{Printer, Transcript};
use fieldstone::Io;
use std::ffi::OsString;
use std::io::{self, Cursor};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;

/// The room that the first thread of a process has for its calls.
const STACK_BYTES: usize = 8 << 20;

/// A run that did not begin yet.
pub(crate) struct Program {
    folder: PathBuf,
    arguments: Vec<OsString>,
    input: Vec<u8>,
}

/// The program within this process, without variables.
pub(crate) fn fieldstone(folder: &Path) -> Program {
    Program {
        folder: folder.to_owned(),
        arguments: Vec::new(),
        input: Vec::new(),
    }
}

/// A run that began.
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

    /// What it finds on standard input.
    pub(crate) fn input(&mut self, bytes: impl Into<Vec<u8>>) -> &mut Self {
        self.input = bytes.into();
        self
    }

    /// Runs it to its end.
    #[allow(clippy::unnecessary_wraps, reason = "as that of a process")]
    pub(crate) fn output(&mut self) -> io::Result<Output> {
        let (output, errors) = <(Transcript, Transcript)>::default();
        let mut running = self.begin(output.writer(), errors.writer());
        if matches!(running, Running::Process(_)) {
            output.wait_for_end();
            errors.wait_for_end();
        }
        Ok(Output {
            status: running.end(),
            stdout: output.bytes(),
            stderr: errors.bytes(),
        })
    }

    /// Begins it.
    pub(crate) fn begin(&mut self, output: Printer, errors: Printer) -> Running {
        let (folder, input) = (self.folder.clone(), std::mem::take(&mut self.input));
        let mut arguments = std::mem::take(&mut self.arguments);
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
        let (stop, is_stopped) = watch::channel(false);
        let run = move || {
            own_folder(&folder).expect("a folder");
            fieldstone::set_up_process();
            let io = Io::new(Cursor::new(input), output, errors, is_stopped);
            let io = io.with_first_backup_delay(Duration::ZERO);
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
                let _ = run.take().map(JoinHandle::join);
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

#[cfg(not(target_os = "linux"))]
fn own_folder(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

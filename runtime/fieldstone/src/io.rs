//! What a run of the program reads and writes, and what stops it. A process has one of each; a test gives a run its own, so
//! that many run side by side in one process.
//!
//! The current run is known to each thread of its runtime, as standard output is to each thread of a process. Threads that a
//! store begins by itself don't know it: what they log goes to the log of the process.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tracing::Dispatch;
use tracing::dispatcher::{self, DefaultGuard};

/// Input, output and the wish to stop, of the process or of one run.
pub struct Io(Option<Arc<Own>>);

/// Those of one run. It has no terminal, no environment variables and no signals.
struct Own {
    input: Shared<dyn Read + Send>,
    output: Shared<dyn Write + Send>,
    error: Shared<dyn Write + Send>,
    stop: watch::Receiver<bool>,
    first_backup_delay: Option<Duration>,
    look_pause: Option<Duration>,
}

type Shared<T> = Arc<Mutex<Box<T>>>;

thread_local! {
    static CURRENT: RefCell<Option<Arc<Own>>> = const { RefCell::new(None) };
    static LOG: RefCell<Option<DefaultGuard>> = const { RefCell::new(None) };
}

impl Io {
    /// Those of the process.
    #[must_use]
    pub fn of_process() -> Self {
        Io(None)
    }

    /// Those of one run. A server stops once `stop` is true, or its sender is dropped.
    pub fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        error: impl Write + Send + 'static,
        stop: watch::Receiver<bool>,
    ) -> Self {
        Io(Some(Arc::new(Own {
            input: Arc::new(Mutex::new(Box::new(input))),
            output: Arc::new(Mutex::new(Box::new(output))),
            error: Arc::new(Mutex::new(Box::new(error))),
            stop,
            first_backup_delay: None,
            look_pause: None,
        })))
    }

    /// Sets how long after the start a server makes its first backup, where one is due. A process has its own delay.
    #[must_use]
    pub fn with_first_backup_delay(mut self, delay: Duration) -> Self {
        if let Some(own) = self.0.as_mut().and_then(Arc::get_mut) {
            own.first_backup_delay = Some(delay);
        }
        self
    }

    /// Sets how often a server looks whether the files of its certificate and its signing secrets changed. A process has its own
    /// pause.
    #[must_use]
    pub fn with_look_pause(mut self, pause: Duration) -> Self {
        if let Some(own) = self.0.as_mut().and_then(Arc::get_mut) {
            own.look_pause = Some(pause);
        }
        self
    }

    /// Makes it that of this thread until the guard is dropped.
    pub(crate) fn enter(self) -> Entered {
        CURRENT.set(self.0);
        Entered
    }
}

/// A thread that knows its run.
pub(crate) struct Entered;

impl Drop for Entered {
    fn drop(&mut self) {
        LOG.take();
        CURRENT.take();
    }
}

/// Has each thread of a runtime know the run of the thread that builds it, and its log.
pub(crate) fn share(runtime: &mut tokio::runtime::Builder) {
    if let Some(own) = current() {
        let log = dispatcher::get_default(Dispatch::clone);
        runtime.on_thread_start(move || {
            CURRENT.set(Some(own.clone()));
            LOG.set(Some(dispatcher::set_default(&log)));
        });
    }
}

/// Has a log be that of the current run: of the process, or of this thread and of those that [`share`] tells of it.
pub(crate) fn log_to(log: Dispatch) -> anyhow::Result<()> {
    if is_of_process() {
        dispatcher::set_global_default(log)?;
    } else {
        LOG.set(Some(dispatcher::set_default(&log)));
    }
    Ok(())
}

/// Whether the current run is that of a process.
pub(crate) fn is_of_process() -> bool {
    current().is_none()
}

/// An environment variable that is not empty.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    let value = is_of_process().then(|| std::env::var_os(name)).flatten();
    value.filter(|value| !value.is_empty())
}

/// Ends when a run that is no process is to stop.
pub(crate) fn stop_of_run() -> Option<impl Future<Output = ()> + 'static> {
    let mut stop = current()?.stop.clone();
    Some(async move {
        // without a sender nobody wants anything of the run any more
        let _ = stop.wait_for(|is_stopped| *is_stopped).await;
    })
}

/// How long after the start a server makes its first backup, where the current run says so.
pub(crate) fn first_backup_delay() -> Option<Duration> {
    current()?.first_backup_delay
}

/// How often a server looks whether its own files changed, where the current run says so.
pub(crate) fn look_pause() -> Option<Duration> {
    current()?.look_pause
}

/// Standard input.
pub(crate) enum StandardInput {
    Process(io::Stdin),
    Run(Shared<dyn Read + Send>),
}

/// Standard input of the current run.
pub(crate) fn standard_input() -> StandardInput {
    match current() {
        Some(own) => StandardInput::Run(own.input.clone()),
        None => StandardInput::Process(io::stdin()),
    }
}

impl StandardInput {
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, StandardInput::Process(input) if input.is_terminal())
    }

    /// Reads a line, and nothing behind it.
    pub(crate) fn read_line(&mut self, line: &mut String) -> io::Result<()> {
        match self {
            StandardInput::Process(input) => input.read_line(line).map(drop),
            StandardInput::Run(input) => {
                let mut bytes = Vec::new();
                let mut byte = [0];
                let mut input = locked(input);
                while !bytes.ends_with(b"\n") && input.read(&mut byte)? > 0 {
                    bytes.extend(byte);
                }
                *line += &String::from_utf8_lossy(&bytes);
                Ok(())
            }
        }
    }
}

impl Read for StandardInput {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            StandardInput::Process(input) => input.read(into),
            StandardInput::Run(input) => locked(input).read(into),
        }
    }
}

/// Standard output or standard error.
pub(crate) enum Output<P> {
    Process(P),
    Run(Shared<dyn Write + Send>),
}

/// Standard output of the current run.
pub(crate) fn standard_output() -> Output<io::Stdout> {
    match current() {
        Some(own) => Output::Run(own.output.clone()),
        None => Output::Process(io::stdout()),
    }
}

/// Standard error of the current run.
pub(crate) fn standard_error() -> Output<io::Stderr> {
    match current() {
        Some(own) => Output::Run(own.error.clone()),
        None => Output::Process(io::stderr()),
    }
}

impl<P: io::IsTerminal> Output<P> {
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Output::Process(output) if output.is_terminal())
    }
}

impl<P: Write> Write for Output<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Process(output) => output.write(bytes),
            Output::Run(output) => locked(output).write(bytes),
        }
    }

    /// Nothing of another thread comes between.
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Output::Process(output) => output.write_all(bytes),
            Output::Run(output) => locked(output).write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Process(output) => output.flush(),
            Output::Run(output) => locked(output).flush(),
        }
    }
}

fn current() -> Option<Arc<Own>> {
    // a thread that ends may know no run any more
    let current = CURRENT.try_with(|current| current.borrow().clone());
    current.ok().flatten()
}

fn locked<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

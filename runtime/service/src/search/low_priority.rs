//! A thread that gives way to those that answer, where the system has such a thing.

#[cfg(target_os = "linux")]
use rustix::process::{getpriority_process, setpriority_process};

/// How much more the thread gives way than the others do: of a core that all of them want too, it has about a third of what
/// each of them has.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// Has this thread give way to the others.
#[cfg(target_os = "linux")]
pub(super) fn take() {
    let thread = Some(rustix::thread::gettid());
    // a program that gives way itself has threads that do so, too
    let taken =
        getpriority_process(thread).and_then(|of_all| setpriority_process(thread, of_all + NICE));
    if let Err(error) = taken {
        // it works all the same, but whoever asks waits longer while much is written
        tracing::warn!(%error, "the thread of the search index has the priority of those that answer");
    }
}

/// Elsewhere all threads are alike.
#[cfg(not(target_os = "linux"))]
pub(super) fn take() {}

//! A thread that gives way to those that answer, where the system has such a thing.

/// How much the thread gives way: of a core that all others want too, it has about a third of what each of them has.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// Has this thread give way to the others.
#[cfg(target_os = "linux")]
pub(super) fn take() {
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), NICE) {
        // it works all the same, but whoever asks waits longer while much is written
        tracing::warn!(%error, "the thread of the search index has the priority of those that answer");
    }
}

/// Elsewhere all threads are alike.
#[cfg(not(target_os = "linux"))]
pub(super) fn take() {}

//! A limit on the length of files (`ulimit -f`, `LimitFSIZE=` of a unit). A write beyond it stops the process by a signal,
//! `SIGXFSZ`, without a word; where the signal does not come, the write fails, as one on a full disk does.

/// Has such a write fail, in each thread that begins from now on, too. For the first moments of the program, before there is
/// another thread.
#[cfg(unix)]
pub(crate) fn have_writes_fail() {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    // where the system refuses, the process ends at such a write as before
    let _ = signals.thread_block();
}

/// Warns of such a limit: a store grows.
#[cfg(unix)]
pub(crate) fn warn_if_any() {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    if let Ok((bytes, _)) = getrlimit(Resource::RLIMIT_FSIZE)
        && bytes != RLIM_INFINITY
    {
        tracing::warn!(
            bytes,
            "files of this process may have so many bytes at most: from there on writes fail, as on a full disk; take the limit away (`ulimit -f unlimited`, `LimitFSIZE=` of a unit)"
        );
    }
}

/// Other systems have no such signal.
#[cfg(not(unix))]
pub(crate) fn have_writes_fail() {}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub(crate) fn warn_if_any() {}

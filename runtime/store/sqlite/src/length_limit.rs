//! A limit on the length of the files of this process (`ulimit -f`). SQLite says of a write beyond it what it says of a disk that
//! fails, and not why, so that both are told where there is such a limit.

/// What SQLite says when a write fails otherwise than on a full disk.
const FAILED_WRITE: std::ffi::c_int = rusqlite::ffi::SQLITE_IOERR_WRITE;

/// Whether a write may have failed because a file is as long as it may be, which is no fault of the disk.
pub(super) fn may_be_too_long(error: &rusqlite::Error) -> bool {
    let extended = error.sqlite_error().map(|error| error.extended_code);
    extended == Some(FAILED_WRITE) && is_length_limited()
}

#[cfg(unix)]
fn is_length_limited() -> bool {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Fsize).current.is_some()
}

/// Other systems have no such limit.
#[cfg(not(unix))]
fn is_length_limited() -> bool {
    false
}

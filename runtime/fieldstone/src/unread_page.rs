//! A disk that does not give a page that was mapped. SQLite maps the index of its log (`-shm`), and there is no call that
//! could fail: the system stops the process by a signal, `SIGBUS`. It says why before it ends.

use crate::failure::Exit;
use crate::standard_output::tell_line;
use nix::sys::signal::Signal::SIGBUS;
use std::thread;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// From now on, the end by such a page has its reason on standard error. The thread that wanted the page goes on asking for
/// it, so this one is another, with a runtime of its own.
pub(crate) fn tell() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    free_the_signal()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let bus_error = {
        let _inside = runtime.enter();
        signal(SignalKind::from_raw(SIGBUS as i32))?
    };
    thread::Builder::new()
        .name("unread page".into())
        .spawn(move || runtime.block_on(end_at(bus_error)))?;
    Ok(())
}

/// The standard library catches this signal to tell that a stack has no room left. What else it is sent for gives the signal its
/// default back, and comes once more: called before ours, it would end the process before anything is said. The first that is
/// none of its own takes it away, which is this one. No other thread may begin meanwhile: it would wait for that handler for
/// ever.
#[cfg(target_os = "linux")]
fn free_the_signal() -> std::io::Result<()> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    // where nobody catches it, it would end the process
    if caught.is_some_and(|set| (set >> (SIGBUS as u32 - 1)) & 1 == 1) {
        nix::sys::signal::raise(SIGBUS)?;
    }
    Ok(())
}

async fn end_at(mut bus_error: Signal) {
    if bus_error.recv().await.is_some() {
        tell_line(format_args!(
            "error: the disk did not give a page of a file that is mapped (SIGBUS), or it has no room for it; nothing \
             that was acknowledged is lost: look at the disk, and start again"
        ));
        std::process::exit(Exit::Failed as i32);
    }
}

//! A disk that does not give a page that was mapped. SQLite maps the index of its log (`-shm`), and there is no call that
//! could fail: the system stops the process by a signal, `SIGBUS`. It says why before it ends, where it comes to that: the
//! handler of the standard library stands before ours and gives the signal its default back, so the thread that asks for the
//! page again may end the process first.

use crate::failure::Exit;
use std::thread;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// From now on, the end by such a page has its reason on standard error. The thread that wanted the page goes on asking for
/// it, so this one is another, with a runtime of its own.
pub(crate) fn tell() -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let bus_error = {
        let _inside = runtime.enter();
        signal(SignalKind::from_raw(
            nix::sys::signal::Signal::SIGBUS as i32,
        ))?
    };
    thread::Builder::new()
        .name("unread page".into())
        .spawn(move || runtime.block_on(end_at(bus_error)))?;
    Ok(())
}

async fn end_at(mut bus_error: Signal) {
    if bus_error.recv().await.is_some() {
        eprintln!(
            "error: the disk did not give a page of a file that is mapped (SIGBUS), or it has no room for it; nothing \
             that was acknowledged is lost: look at the disk, and start again"
        );
        std::process::exit(Exit::Failed as i32);
    }
}

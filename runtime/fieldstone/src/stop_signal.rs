//! The signals that stop a server, and commands that leave nothing behind when they are stopped.

use crate::io::{is_of_process, stop_of_run};
use std::pin::Pin;

/// A signal to stop.
pub(crate) type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Ends when the process is told to stop, or when the terminal that it runs in is closed, unless whoever started it had it ignore
/// that; listens from now on.
#[cfg(unix)]
pub(crate) fn listen_beside_terminal() -> anyhow::Result<Stop> {
    use tokio::signal::unix::{SignalKind, signal};
    let stop = listen()?;
    if !is_of_process() {
        return Ok(stop);
    }
    let kind = SignalKind::hangup();
    let mut hang_up = (!is_ignored(kind)).then(|| signal(kind)).transpose()?;
    Ok(Box::pin(async move {
        let hung_up = async {
            match &mut hang_up {
                Some(signal) => {
                    signal.recv().await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = stop => {}
            () = hung_up => {}
        }
    }))
}

/// Ends when the process is told to stop; listens from now on.
#[cfg(not(unix))]
pub(crate) fn listen_beside_terminal() -> anyhow::Result<Stop> {
    listen()
}

/// Ends when the process is told to stop; listens from now on. A server reads its files anew when it is told of a closed terminal.
#[cfg(unix)]
pub(crate) fn listen() -> anyhow::Result<Stop> {
    use tokio::signal::unix::{SignalKind, signal};
    if let Some(stop) = stop_of_run() {
        return Ok(Box::pin(stop));
    }
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(Box::pin(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }))
}

/// Ends when the process is told to stop; listens from now on.
#[cfg(not(unix))]
pub(crate) fn listen() -> anyhow::Result<Stop> {
    if let Some(stop) = stop_of_run() {
        return Ok(Box::pin(stop));
    }
    Ok(Box::pin(async {
        // without signals there is only the end of the process
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }))
}

/// From now on, a signal that stops the process has it take away first what `clean` knows of, which must not take long. The
/// process ends as shells tell such an end: by 128 and the number of the signal.
#[cfg(unix)]
pub(crate) fn clean_before_end(clean: fn()) -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    if !is_of_process() {
        return Ok(());
    }
    let stops = [
        SignalKind::terminate(),
        SignalKind::interrupt(),
        SignalKind::hangup(),
    ];
    for kind in stops {
        if !is_ignored(kind) {
            tokio::spawn(end_at(kind, signal(kind)?, clean));
        }
    }
    Ok(())
}

/// From now on, an interruption has the process take away first what `clean` knows of, which must not take long.
#[cfg(not(unix))]
pub(crate) fn clean_before_end(clean: fn()) -> std::io::Result<()> {
    if !is_of_process() {
        return Ok(());
    }
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            clean();
            std::process::exit(1);
        }
    });
    Ok(())
}

#[cfg(unix)]
async fn end_at(
    kind: tokio::signal::unix::SignalKind,
    mut signal: tokio::signal::unix::Signal,
    clean: fn(),
) {
    if signal.recv().await.is_some() {
        clean();
        crate::standard_output::tell_line(format_args!("error: stopped before its end"));
        std::process::exit(128 + kind.as_raw_value());
    }
}

/// Whether whoever started the process had it ignore a signal, as `nohup` does. Where the system does not tell, it counts as
/// ignored if that is what is usual.
#[cfg(unix)]
fn is_ignored(kind: tokio::signal::unix::SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    match ignored {
        Some(set) => (set >> (kind.as_raw_value() - 1)) & 1 == 1,
        None => kind == tokio::signal::unix::SignalKind::hangup(),
    }
}

//! The signals that stop a server.

/// Ends when the process is told to stop; listens from now on.
#[cfg(unix)]
pub(crate) fn listen() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ends when the process is told to stop; listens from now on.
#[cfg(not(unix))]
pub(crate) fn listen() -> anyhow::Result<impl Future<Output = ()>> {
    Ok(async {
        // without signals there is only the end of the process
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

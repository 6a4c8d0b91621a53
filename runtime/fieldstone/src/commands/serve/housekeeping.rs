//! What a server does beside answering, again and again until it stops: it notes when credentials were used,
//! and removes files that no record refers to. What that means, the service knows.

use service::Service;
use std::time::Duration;
use store::StoreError;

/// How often times of use are written.
const FLUSH_PAUSE: Duration = Duration::from_secs(5);
/// How often files that no record refers to are looked for.
const CLEAN_PAUSE: Duration = Duration::from_secs(3 * 3600);
/// How long after the start the first time is: a server that is started every hour cleans, too.
const CLEAN_FIRST: Duration = Duration::from_secs(5 * 60);

/// Keeps house until `stop`.
pub(super) async fn run(service: &Service, stop: impl Future<Output = ()>) {
    let note_use = || service.flush_last_used();
    let clean = || async {
        let cleaned = service.clean_files().await?;
        tracing::debug!(?cleaned, "looked for files without a record");
        Ok(())
    };
    let work = async {
        tokio::join!(
            repeat([FLUSH_PAUSE; 2], "noting times of use", note_use),
            repeat([CLEAN_FIRST, CLEAN_PAUSE], "cleaning up files", clean),
        )
    };
    tokio::select! {
        _ = work => {}
        () = stop => {}
    }
}

/// Does something after a first pause, then again after each next one.
async fn repeat<F: Future<Output = Result<(), StoreError>>>(
    [first, next]: [Duration; 2],
    what: &str,
    work: impl Fn() -> F,
) {
    let mut pause = first;
    loop {
        tokio::time::sleep(pause).await;
        pause = next;
        if let Err(error) = work().await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                what,
                "housekeeping failed"
            );
        }
    }
}

//! What a running server reads anew: its certificate and its signing secrets, when it is told to (SIGHUP), and the
//! certificate by itself when its files change. What can't be used is told in the log and changes nothing.

use crate::tls::Certificate;
use service::Service;
use std::sync::Arc;
use std::time::Duration;

/// How often the files of the certificate are looked at.
const LOOK_PAUSE: Duration = Duration::from_secs(10);

/// A server's own files.
pub(crate) struct Reload {
    pub(crate) service: Arc<Service>,
    pub(crate) certificate: Option<Arc<Certificate>>,
}

impl Reload {
    /// Sees to it for ever.
    pub(crate) async fn run(self, mut hang_ups: HangUps) {
        let mut looks = tokio::time::interval(LOOK_PAUSE);
        loop {
            tokio::select! {
                () = hang_ups.next() => {
                    self.certificate();
                    self.signing_secret();
                }
                _ = looks.tick() => {
                    let certificate = self.certificate.as_ref();
                    if certificate.is_some_and(|certificate| certificate.is_changed()) {
                        self.certificate();
                    }
                }
            }
        }
    }

    fn certificate(&self) {
        match self
            .certificate
            .as_ref()
            .map(|certificate| certificate.reload())
        {
            None => {}
            Some(Ok(())) => tracing::info!("the certificate was read anew"),
            Some(Err(error)) => tracing::error!(
                error = format!("{error:#}"),
                "the new certificate can't be used; the one before still is"
            ),
        }
    }

    fn signing_secret(&self) {
        match self.service.reload_signing_secret() {
            Ok(id) => tracing::info!(id, "the signing secret was read anew"),
            Err(error) => tracing::error!(
                error = &error as &dyn std::error::Error,
                "the signing secret can't be read anew; the one before is still in use"
            ),
        }
    }
}

/// The signals that ask a server to read its files anew; without them, each would end the process.
pub(crate) struct HangUps {
    #[cfg(unix)]
    signals: tokio::signal::unix::Signal,
}

impl HangUps {
    /// Listens from now on.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        Ok(HangUps {
            #[cfg(unix)]
            signals: {
                use tokio::signal::unix::{SignalKind, signal};
                signal(SignalKind::hangup())?
            },
        })
    }

    /// Waits for the next one.
    async fn next(&mut self) {
        #[cfg(unix)]
        if self.signals.recv().await.is_some() {
            return;
        }
        std::future::pending::<()>().await;
    }
}

//! What a running server reads anew: its certificate and its signing secrets, when it is told to (SIGHUP), and by itself
//! when their files change. What can't be used is told in the log and changes nothing.

use crate::certificate_end::EndWatch;
use crate::tls::Certificate;
use crate::{io, metrics};
use service::signing::SigningSecretError;
use service::{Clock as _, Service, SystemClock};
use std::sync::Arc;
use std::time::Duration;

/// How often the files of the certificate and of the signing secrets are looked at.
const LOOK_PAUSE: Duration = Duration::from_secs(10);

/// A server's own files.
pub(crate) struct Reload {
    pub(crate) service: Arc<Service>,
    pub(crate) certificate: Option<Arc<Certificate>>,
}

impl Reload {
    /// Sees to it for ever.
    pub(crate) async fn run(self, mut hang_ups: HangUps) {
        let mut looks = tokio::time::interval(io::look_pause().unwrap_or(LOOK_PAUSE));
        let (mut problem, mut end) = (None, EndWatch::default());
        loop {
            tokio::select! {
                () = hang_ups.next() => {
                    self.certificate(&mut end);
                    self.signing_secret();
                }
                _ = looks.tick() => {
                    let certificate = self.certificate.as_ref();
                    if certificate.is_some_and(|certificate| certificate.is_changed()) {
                        self.certificate(&mut end);
                    }
                    self.look_at_signing_secret(&mut problem);
                }
            }
            self.look_at_end(&mut end);
        }
    }

    /// Tells when the certificate ends that is served by now.
    fn look_at_end(&self, told: &mut EndWatch) {
        let certificate = self.certificate.as_ref();
        if let Some(end) = certificate.and_then(|certificate| certificate.ends_at()) {
            metrics::note_certificate_end(end);
            told.look(end, SystemClock.now());
        }
    }

    /// Takes a new certificate; of its end nothing has been told.
    fn certificate(&self, end: &mut EndWatch) {
        match self
            .certificate
            .as_ref()
            .map(|certificate| certificate.reload())
        {
            None => {}
            Some(Ok(())) => {
                tracing::info!("the certificate was read anew");
                *end = EndWatch::default();
            }
            Some(Err(error)) => tracing::error!(
                error = format!("{error:#}"),
                "the new certificate can't be used; the one before still is"
            ),
        }
    }

    /// Signs with what another hand put into the file, or another server into the store. What is wrong is told once, and
    /// kept until it is another thing.
    fn look_at_signing_secret(&self, told: &mut Option<String>) {
        // requests see to it themselves; what is made beside them has to sign with the same
        self.service.follow_signing_secret();
        match self.service.look_at_signing_secret() {
            Ok(id) => {
                *told = None;
                if let Some(id) = id {
                    tracing::info!(id, "the signing secret was read anew");
                }
            }
            Err(error) => {
                let problem = error.to_string();
                if told.as_ref() != Some(&problem) {
                    tell_unusable_secret(&error);
                }
                *told = Some(problem);
            }
        }
    }

    fn signing_secret(&self) {
        match self.service.reload_signing_secret() {
            Ok(id) => tracing::info!(id, "the signing secret was read anew"),
            Err(error) => tell_unusable_secret(&error),
        }
    }
}

fn tell_unusable_secret(error: &SigningSecretError) {
    tracing::error!(
        error = error as &dyn std::error::Error,
        "the signing secret can't be read anew; the one before is still in use"
    );
}

/// The signals that ask a server to read its files anew; without them, each would end the process.
pub(crate) struct HangUps {
    #[cfg(unix)]
    signals: Option<tokio::signal::unix::Signal>,
}

impl HangUps {
    /// Listens from now on.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        Ok(HangUps {
            #[cfg(unix)]
            signals: {
                use tokio::signal::unix::{SignalKind, signal};
                let is_sent = io::is_of_process();
                is_sent.then(|| signal(SignalKind::hangup())).transpose()?
            },
        })
    }

    /// Waits for the next one.
    async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signals) = &mut self.signals
            && signals.recv().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}

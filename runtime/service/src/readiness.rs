//! Whether the service can serve: it proves a write to itself, now and then, so that a disk that is full, gone or
//! read-only, and a store that was replaced, are told before a client meets them. It asks no credential, and tells
//! the kind of cause at most; the log tells the rest.

use crate::{Refusal, Service};
use std::time::Duration;
use store::{Lack, StoreError, TakesNoWrites};
use tokio::sync::Mutex;
use wire::Timestamp;

/// How long a proof holds: whoever asks more often is told the same.
const PROOF_SECONDS: u64 = 5;
/// How long a write may take before the service is not ready.
const PROOF_TIME_MAX: Duration = Duration::from_secs(4);

/// The newest proof; whoever asks while one is under way waits for it.
#[derive(Default)]
pub(super) struct Readiness {
    newest: Mutex<Option<Proof>>,
}

#[derive(Clone, Copy)]
struct Proof {
    at: Timestamp,
    found: ProofOutcome,
}

/// What a proof found.
#[derive(Clone, Copy)]
enum ProofOutcome {
    Ready,
    /// With the reason, where it may be told to everyone.
    NotReady(Option<&'static str>),
    /// A newer program has changed the store, and this one does not know how.
    Newer {
        found: i64,
        known: i64,
    },
}

impl Service {
    /// Whether the store can be read and takes writes; a service that is to be read only needs no writes.
    ///
    /// # Errors
    /// [`Refusal::NotReady`], [`Refusal::Unready`]; the log has the cause. The store's, where a newer program has changed it.
    pub async fn require_ready(&self) -> Result<(), Refusal> {
        let mut newest = self.readiness.newest.lock().await;
        let now = self.now();
        let age = |proof: &Proof| now.millis().checked_sub(proof.at.millis());
        let pause = i64::try_from(PROOF_SECONDS * 1000).unwrap_or(i64::MAX);
        // one of the future was made before the clock was set
        let is_recent = |proof: &Proof| age(proof).is_some_and(|age| (0..pause).contains(&age));
        let proof = match newest.filter(is_recent) {
            Some(proof) => proof,
            None => Proof {
                at: now,
                found: self.prove().await,
            },
        };
        *newest = Some(proof);
        match proof.found {
            ProofOutcome::Ready => Ok(()),
            ProofOutcome::NotReady(None) => Err(Refusal::NotReady {
                seconds: PROOF_SECONDS,
            }),
            ProofOutcome::NotReady(Some(reason)) => Err(Refusal::Unready {
                reason,
                seconds: PROOF_SECONDS,
            }),
            ProofOutcome::Newer { found, known } => Err(StoreError::Newer { found, known }.into()),
        }
    }

    /// Looks, and tells the log of a failure.
    async fn prove(&self) -> ProofOutcome {
        match tokio::time::timeout(PROOF_TIME_MAX, self.read_and_write()).await {
            Ok(Ok(())) => ProofOutcome::Ready,
            Ok(Err(error)) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "not ready: the store does not do its work"
                );
                match error {
                    StoreError::Newer { found, known } => ProofOutcome::Newer { found, known },
                    error => ProofOutcome::NotReady(reason_of(&error)),
                }
            }
            Err(_) => {
                let seconds = PROOF_TIME_MAX.as_secs();
                tracing::error!(seconds, "not ready: the store takes no write in this time");
                ProofOutcome::NotReady(None)
            }
        }
    }

    async fn read_and_write(&self) -> Result<(), StoreError> {
        if let Some(current) = self.store.be_current() {
            // every other request asks this first, so without it none is served
            current.await?;
        }
        self.store.log_head().await?;
        if self.settings.read_only {
            return Ok(());
        }
        self.store.prove_write().await
    }
}

/// Why a database takes no writes, in words that name no machine.
fn reason_of(error: &StoreError) -> Option<&'static str> {
    match error {
        StoreError::Lacking {
            what: Lack::Room, ..
        } => Some("the disk of the database is full"),
        StoreError::Unreachable(cause) => Some(match cause.downcast_ref::<TakesNoWrites>() {
            Some(TakesNoWrites::ReadOnly { .. }) => "the database is read only",
            Some(TakesNoWrites::SeveralPrimaries(_)) => "several hosts of the database take writes",
            None => "the database can't be reached",
        }),
        _ => None,
    }
}

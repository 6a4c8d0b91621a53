//! Tokens and sessions: told from memory, which follows the rows as the catalog does.

use crate::catalog::SessionChange;
use crate::connection::Values;
use crate::error::{Failure, malformed};
use crate::{Inner, PostgresStore, last_uses};
use std::sync::Arc;
use store::StoreFuture;
use store::catalog::{Issued, IssuedCounts, Kind, Noun, NounKey, Session, Token};
use wire::Timestamp;

const STORED: &str = "SELECT document FROM catalog
   WHERE kind = $1 AND id = $2 AND document IS NOT NULL";
// what another server changed meanwhile, or removed, stays as it is
const NOTE: &str = "UPDATE catalog SET document = $3
   WHERE kind = $1 AND id = $2 AND document IS NOT NULL AND version <= $4";

impl Issued for PostgresStore {
    fn token(&self, hash: &str) -> Option<Arc<Token>> {
        self.inner.cache.issued.token(hash)
    }

    fn session(&self, hash: &str) -> Option<Arc<Session>> {
        self.inner.cache.issued.session(hash)
    }

    fn sessions_of(&self, user: &str) -> Vec<Arc<Session>> {
        self.inner.cache.issued.sessions_of(user)
    }

    fn tokens_run_out(&self, at: Timestamp, max: usize) -> Vec<Arc<Token>> {
        self.inner.cache.issued.tokens_run_out(at, max)
    }

    fn sessions_run_out(
        &self,
        at: Timestamp,
        unused_since: Timestamp,
        max: usize,
    ) -> Vec<Arc<Session>> {
        let issued = &self.inner.cache.issued;
        issued.sessions_run_out(at, unused_since, max)
    }

    fn note_proof(&self, hash: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        let inner = self.inner.clone();
        let change = [(hash.to_owned(), SessionChange::Proved(at))];
        self.see_through(async move { inner.change_sessions(&change).await })
    }

    fn issued_counts(&self) -> IssuedCounts {
        self.inner.cache.issued.counts()
    }

    fn note_last_used(&self, used: Vec<(NounKey, Timestamp)>) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move {
            let catalog = inner.cache.catalog();
            let mut sessions = Vec::new();
            for (NounKey { kind, id }, at) in used {
                let noun = match kind {
                    Kind::ApiKey => catalog.api_keys.get(&id).map(|key| {
                        key.last_used_at.note(at);
                        Noun::ApiKey(key.clone())
                    }),
                    Kind::App => catalog.apps.get(&id).map(|app| {
                        app.last_used_at.note(at);
                        Noun::App(app.clone())
                    }),
                    Kind::User => catalog.users.get(&id).map(|user| {
                        user.last_used_at.note(at);
                        Noun::User(user.clone())
                    }),
                    Kind::Session => {
                        sessions.push((id, SessionChange::Used(at)));
                        continue;
                    }
                    _ => continue,
                };
                if let Some(noun) = noun {
                    let version = catalog.version().cast_signed();
                    note_use(&inner, &noun, (kind, &id), version).await?;
                }
            }
            if !sessions.is_empty() {
                inner.change_sessions(&sessions).await?;
            }
            Ok(())
        })
    }
}

/// Writes the use of a credential, as it is in the catalog of a version, unless another server wrote a newer one: then
/// that one is known here, too.
async fn note_use(
    inner: &Inner,
    noun: &Noun,
    (kind, id): (Kind, &str),
    version: i64,
) -> Result<(), Failure> {
    let kind = kind.as_str();
    let connection = inner.connections.get().await?;
    let Some(row) = connection.row(STORED, &[&kind, &id]).await? else {
        return Ok(());
    };
    let stored = Noun::from_json(kind, row.get(0)).map_err(malformed(kind))?;
    if let Some(stored) = stored {
        last_uses::take_over(noun, &stored);
    }
    let document = noun.to_json().map_err(malformed(kind))?;
    let given: Values<'_> = &[&kind, &id, &document, &version];
    connection.execute(NOTE, given).await?;
    Ok(())
}

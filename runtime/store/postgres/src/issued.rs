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
// what was changed since it was read, or removed, stays as it is
const NOTE: &str = "UPDATE catalog SET document = $4
   WHERE kind = $1 AND id = $2 AND document = $3";

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
                if kind == Kind::Session {
                    sessions.push((id, SessionChange::Used(at)));
                } else if let Some(known) = last_uses::known(&catalog, kind, &id) {
                    known.note(at);
                    if let Some(stored) = note_use(&inner, (kind, &id), at).await? {
                        known.note(stored);
                    }
                }
            }
            if !sessions.is_empty() {
                inner.change_sessions(&sessions).await?;
            }
            Ok(())
        })
    }
}

/// Writes the use of a credential into its row, where that is still there; the newest use that the row then tells of. Nothing
/// else of the row changes: it may be another one than is known here, of a newer catalog, or of a database that went back.
async fn note_use(
    inner: &Inner,
    (kind, id): (Kind, &str),
    at: Timestamp,
) -> Result<Option<Timestamp>, Failure> {
    let kind = kind.as_str();
    let connection = inner.connections.get().await?;
    let Some(row) = connection.row(STORED, &[&kind, &id]).await? else {
        return Ok(None);
    };
    let before: &str = row.get(0);
    let Some(noun) = Noun::from_json(kind, before).map_err(malformed(kind))? else {
        return Ok(None);
    };
    let Some(told) = last_uses::last_use(&noun) else {
        return Ok(None);
    };
    if told.get() < Some(at) {
        told.note(at);
        let document = noun.to_json().map_err(malformed(kind))?;
        let given: Values<'_> = &[&kind, &id, &before, &document];
        connection.execute(NOTE, given).await?;
    }
    Ok(told.get())
}

//! Tokens and sessions: told from memory, which follows the rows as the catalog does.

use crate::PostgresStore;
use crate::catalog::SessionChange;
use crate::error::malformed;
use std::sync::Arc;
use store::StoreFuture;
use store::catalog::{Issued, IssuedCounts, Kind, Noun, NounKey, Session, Token};
use wire::Timestamp;

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
                    let document = noun.to_json().map_err(malformed(kind.as_str()))?;
                    let version = catalog.version().cast_signed();
                    let connection = inner.connections.get().await?;
                    let given: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
                        [&kind.as_str(), &id, &document, &version];
                    connection.execute(NOTE, &given).await?;
                }
            }
            if !sessions.is_empty() {
                inner.change_sessions(&sessions).await?;
            }
            Ok(())
        })
    }
}

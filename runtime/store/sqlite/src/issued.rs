//! The rows of tokens and sessions, which stand in the table of the catalog. What is told of them is told from memory.

use super::{SqliteStore, noun_rows};
use crate::error::Failure;
use rusqlite::Connection;
use std::sync::Arc;
use store::StoreFuture;
use store::catalog::{Catalog, Issued, IssuedCounts, Kind, Noun, NounKey, Session, Token};
use store::issued_tables::IssuedDraft;
use tracing::{debug_span, trace_span};
use wire::Timestamp;

/// Notes a use, in memory and in the row. A use that is noted and then not committed is none the less one.
fn note(
    connection: &Connection,
    catalog: &Catalog,
    issued: &mut IssuedDraft,
    NounKey { kind, id }: &NounKey,
    at: Timestamp,
) -> Result<(), Failure> {
    let noun = match kind {
        Kind::ApiKey => catalog.api_keys.get(id).cloned().map(|key| {
            key.last_used_at.note(at);
            Noun::ApiKey(key)
        }),
        Kind::App => catalog.apps.get(id).cloned().map(|app| {
            app.last_used_at.note(at);
            Noun::App(app)
        }),
        Kind::User => catalog.users.get(id).cloned().map(|user| {
            user.last_used_at.note(at);
            Noun::User(user)
        }),
        Kind::Session => {
            let used = |session: &Session| {
                (session.used_at < at).then(|| Session {
                    used_at: at,
                    ..session.clone()
                })
            };
            return change_session(connection, issued, id, used).map(|_| ());
        }
        _ => None,
    };
    noun.map_or(Ok(()), |noun| noun_rows::put(connection, &noun))
}

/// Changes a session that is still there, and tells whether one is. `None` leaves it as it is.
fn change_session(
    connection: &Connection,
    issued: &mut IssuedDraft,
    hash: &str,
    change: impl FnOnce(&Session) -> Option<Session>,
) -> Result<bool, Failure> {
    let Some(session) = issued.session(hash) else {
        return Ok(false);
    };
    if let Some(changed) = change(&session) {
        let noun = Noun::from(changed);
        noun_rows::put(connection, &noun)?;
        issued.put(&noun);
    }
    Ok(true)
}

impl Issued for SqliteStore {
    fn token(&self, hash: &str) -> Option<Arc<Token>> {
        let _span = trace_span!("store.token").entered();
        self.issued.token(hash)
    }

    fn session(&self, hash: &str) -> Option<Arc<Session>> {
        let _span = trace_span!("store.session").entered();
        self.issued.session(hash)
    }

    fn sessions_of(&self, user: &str) -> Vec<Arc<Session>> {
        let _span = trace_span!("store.sessions_of").entered();
        self.issued.sessions_of(user)
    }

    fn tokens_run_out(&self, at: Timestamp, max: usize) -> Vec<Arc<Token>> {
        self.issued.tokens_run_out(at, max)
    }

    fn sessions_run_out(
        &self,
        at: Timestamp,
        unused_since: Timestamp,
        max: usize,
    ) -> Vec<Arc<Session>> {
        self.issued.sessions_run_out(at, unused_since, max)
    }

    fn note_proof(&self, hash: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        let hash = hash.to_owned();
        let span = debug_span!("store.note_proof");
        self.writer.run(span, move |connection, state| {
            change_session(connection, &mut state.issued, &hash, |session| {
                Some(Session {
                    proved_at: at,
                    ..session.clone()
                })
            })
        })
    }

    fn issued_counts(&self) -> IssuedCounts {
        self.issued.counts()
    }

    fn note_last_used(&self, used: Vec<(NounKey, Timestamp)>) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.note_last_used", count = used.len());
        self.writer.run(span, move |connection, state| {
            for (key, at) in &used {
                note(connection, &state.catalog, &mut state.issued, key, *at)?;
            }
            Ok(())
        })
    }
}

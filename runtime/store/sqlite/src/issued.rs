//! Tokens and sessions in memory, each found by its hash. Their rows stand in the table of the catalog. What
//! a transaction changes is kept aside until it is committed: later jobs of the batch see it, requests do not.

use super::{SqliteStore, noun_rows};
use crate::error::Failure;
use parking_lot::RwLock;
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::StoreFuture;
use store::catalog::{
    Catalog, ENDED_AT_ONCE, Ending, Holder, Issued, IssuedCounts, Kind, Noun, NounKey, Session,
    Token,
};
use tracing::{debug_span, trace_span};
use wire::Timestamp;

/// What is the same for tokens and sessions.
pub(super) trait Issue {
    const KIND: Kind;
    fn hash(&self) -> &str;
    fn holder(&self) -> &str;
    fn expires_at(&self) -> Timestamp;
    /// When it was used last, for what ends when nobody uses it.
    fn used_at(&self) -> Option<Timestamp>;
}

impl Issue for Token {
    const KIND: Kind = Kind::Token;
    fn hash(&self) -> &str {
        &self.hash
    }
    fn holder(&self) -> &str {
        &self.app
    }
    fn expires_at(&self) -> Timestamp {
        self.expires_at
    }
    fn used_at(&self) -> Option<Timestamp> {
        None
    }
}

impl Issue for Session {
    const KIND: Kind = Kind::Session;
    fn hash(&self) -> &str {
        &self.hash
    }
    fn holder(&self) -> &str {
        &self.user
    }
    fn expires_at(&self) -> Timestamp {
        self.expires_at
    }
    fn used_at(&self) -> Option<Timestamp> {
        Some(self.used_at)
    }
}

/// Hashes by a moment: when what they stand for runs out, or was used last.
type Ends = BTreeSet<(Timestamp, Arc<str>)>;

/// All tokens, or all sessions, that are committed.
pub(super) struct Table<T> {
    by_hash: FxHashMap<Arc<str>, Arc<T>>,
    of_holder: FxHashMap<Box<str>, Ends>,
    ends: Ends,
    uses: Ends,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table {
            by_hash: FxHashMap::default(),
            of_holder: FxHashMap::default(),
            ends: Ends::default(),
            uses: Ends::default(),
        }
    }
}

impl<T: Issue> Table<T> {
    fn put(&mut self, issue: Arc<T>) {
        self.remove(issue.hash());
        let hash: Arc<str> = issue.hash().into();
        let end = (issue.expires_at(), hash.clone());
        let own = self.of_holder.entry(issue.holder().into()).or_default();
        own.insert(end.clone());
        self.ends.insert(end);
        let used_at = issue.used_at();
        self.uses.extend(used_at.map(|at| (at, hash.clone())));
        self.by_hash.insert(hash, issue);
    }

    fn remove(&mut self, hash: &str) {
        let Some((hash, issue)) = self.by_hash.remove_entry(hash) else {
            return;
        };
        if let Some(at) = issue.used_at() {
            self.uses.remove(&(at, hash.clone()));
        }
        let end = (issue.expires_at(), hash);
        self.ends.remove(&end);
        if let Some(own) = self.of_holder.get_mut(issue.holder()) {
            own.remove(&end);
            if own.is_empty() {
                self.of_holder.remove(issue.holder());
            }
        }
    }
}

impl<T: Issue> Table<T> {
    /// Those of these, in order, whose moment has come.
    fn due(&self, moments: &Ends, at: Timestamp, max: usize) -> Vec<Arc<T>> {
        let due = moments.iter().take_while(|(moment, _)| *moment <= at);
        let due = due.filter_map(|(_, hash)| self.by_hash.get(hash).cloned());
        due.take(max).collect()
    }
}

/// What a transaction changes of a table: what is there after it, or `None` for what ends.
type Changed<T> = FxHashMap<Arc<str>, Option<Arc<T>>>;

/// What is committed, as requests see it.
#[derive(Default)]
pub(super) struct IssuedTables {
    tokens: RwLock<Table<Token>>,
    sessions: RwLock<Table<Session>>,
}

impl IssuedTables {
    /// Who holds something: clients with tokens, and users with sessions.
    pub(super) fn holders(&self) -> [Vec<Box<str>>; 2] {
        let of_tokens = self.tokens.read().of_holder.keys().cloned().collect();
        let of_sessions = self.sessions.read().of_holder.keys().cloned().collect();
        [of_tokens, of_sessions]
    }

    /// Takes a row of the store, while it is opened.
    pub(super) fn load(&self, noun: &Noun) {
        match noun {
            Noun::Token(token) => self.tokens.write().put(token.clone()),
            Noun::Session(session) => self.sessions.write().put(session.clone()),
            _ => {}
        }
    }
}

/// Tokens and sessions as the transaction under way leaves them.
pub(super) struct IssuedDraft {
    tables: Arc<IssuedTables>,
    tokens: Changed<Token>,
    sessions: Changed<Session>,
}

impl IssuedDraft {
    pub(super) fn new(tables: Arc<IssuedTables>) -> Self {
        IssuedDraft {
            tables,
            tokens: Changed::default(),
            sessions: Changed::default(),
        }
    }

    /// Keeps a token or a session, whose row was written.
    pub(super) fn put(&mut self, noun: &Noun) {
        match noun {
            Noun::Token(token) => {
                let hash = token.hash.as_str().into();
                self.tokens.insert(hash, Some(token.clone()));
            }
            Noun::Session(session) => {
                let hash = session.hash.as_str().into();
                self.sessions.insert(hash, Some(session.clone()));
            }
            _ => {}
        }
    }

    /// Ends a token or a session, whose row was removed.
    pub(super) fn remove(&mut self, key: &NounKey) {
        match key.kind {
            Kind::Token => drop(self.tokens.insert(key.id.as_str().into(), None)),
            Kind::Session => drop(self.sessions.insert(key.id.as_str().into(), None)),
            _ => {}
        }
    }

    /// Ends what is meant, rows and all.
    pub(super) fn end(&mut self, connection: &Connection, ending: &Ending) -> Result<(), Failure> {
        let (Ending::All(holder) | Ending::Others { holder, .. } | Ending::Surplus { holder, .. }) =
            ending;
        match holder {
            Holder::App(app) => {
                let tokens = &self.tables.tokens.read();
                end_of(connection, tokens, &mut self.tokens, app, ending)
            }
            Holder::User(user) => {
                let sessions = &self.tables.sessions.read();
                end_of(connection, sessions, &mut self.sessions, user, ending)
            }
        }
    }

    /// Changes a session that is still there, and tells whether one is. `None` leaves it as it is.
    fn change_session(
        &mut self,
        connection: &Connection,
        hash: &str,
        change: impl FnOnce(&Session) -> Option<Session>,
    ) -> Result<bool, Failure> {
        let session = match self.sessions.get(hash) {
            Some(changed) => changed.clone(),
            None => self.tables.sessions.read().by_hash.get(hash).cloned(),
        };
        let Some(session) = session else {
            return Ok(false);
        };
        if let Some(changed) = change(&session) {
            let noun = Noun::from(changed);
            noun_rows::put(connection, &noun)?;
            self.put(&noun);
        }
        Ok(true)
    }

    /// Shows requests what was committed.
    pub(super) fn publish(self) {
        publish(&self.tables.tokens, self.tokens);
        publish(&self.tables.sessions, self.sessions);
    }
}

fn publish<T: Issue>(table: &RwLock<Table<T>>, changed: Changed<T>) {
    if changed.is_empty() {
        return;
    }
    let mut table = table.write();
    for (hash, issue) in changed {
        match issue {
            Some(issue) => table.put(issue),
            None => table.remove(&hash),
        }
    }
}

fn end_of<T: Issue>(
    connection: &Connection,
    table: &Table<T>,
    changed: &mut Changed<T>,
    holder: &str,
    ending: &Ending,
) -> Result<(), Failure> {
    let mut own = of_holder(table, changed, holder);
    let mut hashes: Vec<Arc<str>> = Vec::new();
    if let Ending::Others { but, .. } = ending {
        own.retain(|(_, hash)| **hash != **but);
    }
    if let Ending::Surplus { at, max, .. } = ending {
        let over = table.ends.iter().take_while(|(end, _)| end <= at);
        let over = over.map(|(_, hash)| hash);
        let still_there = over.filter(|hash| !changed.contains_key(*hash));
        hashes.extend(still_there.take(ENDED_AT_ONCE).cloned());
        own.retain(|(end, _)| end > at);
        own.sort();
        own.truncate((own.len() + 1).saturating_sub(*max));
    }
    hashes.extend(own.into_iter().map(|(_, hash)| hash));
    for hash in hashes {
        noun_rows::remove(connection, T::KIND, &hash)?;
        changed.insert(hash, None);
    }
    Ok(())
}

/// What a holder has now, in no order.
fn of_holder<T: Issue>(
    table: &Table<T>,
    changed: &Changed<T>,
    holder: &str,
) -> Vec<(Timestamp, Arc<str>)> {
    let committed = table.of_holder.get(holder).into_iter().flatten();
    let untouched = committed.filter(|(_, hash)| !changed.contains_key(hash));
    let fresh = changed.iter().filter_map(|(hash, issue)| {
        let own = issue.as_ref().filter(|issue| issue.holder() == holder)?;
        Some((own.expires_at(), hash.clone()))
    });
    untouched.cloned().chain(fresh).collect()
}

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
            return issued.change_session(connection, id, used).map(|_| ());
        }
        _ => None,
    };
    noun.map_or(Ok(()), |noun| noun_rows::put(connection, &noun))
}

impl Issued for SqliteStore {
    fn token(&self, hash: &str) -> Option<Arc<Token>> {
        let _span = trace_span!("store.token").entered();
        self.issued.tokens.read().by_hash.get(hash).cloned()
    }

    fn session(&self, hash: &str) -> Option<Arc<Session>> {
        let _span = trace_span!("store.session").entered();
        self.issued.sessions.read().by_hash.get(hash).cloned()
    }

    fn sessions_of(&self, user: &str) -> Vec<Arc<Session>> {
        let _span = trace_span!("store.sessions_of").entered();
        let sessions = self.issued.sessions.read();
        let own = sessions.of_holder.get(user).into_iter().flatten();
        let found = own.filter_map(|(_, hash)| sessions.by_hash.get(hash).cloned());
        found.collect()
    }

    fn tokens_run_out(&self, at: Timestamp, max: usize) -> Vec<Arc<Token>> {
        let tokens = self.issued.tokens.read();
        tokens.due(&tokens.ends, at, max)
    }

    fn sessions_run_out(
        &self,
        at: Timestamp,
        unused_since: Timestamp,
        max: usize,
    ) -> Vec<Arc<Session>> {
        let sessions = self.issued.sessions.read();
        let mut due = sessions.due(&sessions.ends, at, max);
        let unused = sessions.due(&sessions.uses, unused_since, max - due.len());
        due.extend(unused.into_iter().filter(|session| session.expires_at > at));
        due
    }

    fn note_proof(&self, hash: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        let hash = hash.to_owned();
        let span = debug_span!("store.note_proof");
        self.writer.run(span, move |connection, state| {
            state.issued.change_session(connection, &hash, |session| {
                Some(Session {
                    proved_at: at,
                    ..session.clone()
                })
            })
        })
    }

    fn issued_counts(&self) -> IssuedCounts {
        IssuedCounts {
            tokens: self.issued.tokens.read().by_hash.len(),
            sessions: self.issued.sessions.read().by_hash.len(),
        }
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

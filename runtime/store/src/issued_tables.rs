//! Tokens and sessions in memory, each found by its hash: what engines answer look-ups with. Their rows are the engine's.
//! What a transaction changes is kept aside until it is committed: later work of it sees that, requests do not.

use crate::catalog::{
    ENDED_AT_ONCE, Ending, Holder, IssuedCounts, Kind, Noun, NounKey, Session, Token,
};
use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use wire::Timestamp;

/// What is the same for tokens and sessions.
trait Issue {
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
struct Table<T> {
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
#[allow(
    missing_debug_implementations,
    reason = "it is full of hashes of secrets"
)]
pub struct IssuedTables {
    tokens: RwLock<Table<Token>>,
    sessions: RwLock<Table<Session>>,
}

impl IssuedTables {
    /// Who holds something: clients with tokens, and users with sessions.
    pub fn holders(&self) -> [Vec<Box<str>>; 2] {
        let of_tokens = self.tokens.read().of_holder.keys().cloned().collect();
        let of_sessions = self.sessions.read().of_holder.keys().cloned().collect();
        [of_tokens, of_sessions]
    }

    /// The token with this hash.
    pub fn token(&self, hash: &str) -> Option<Arc<Token>> {
        self.tokens.read().by_hash.get(hash).cloned()
    }

    /// The session with this hash.
    pub fn session(&self, hash: &str) -> Option<Arc<Session>> {
        self.sessions.read().by_hash.get(hash).cloned()
    }

    /// The sessions of a user, in no order.
    pub fn sessions_of(&self, user: &str) -> Vec<Arc<Session>> {
        let sessions = self.sessions.read();
        let own = sessions.of_holder.get(user).into_iter().flatten();
        let found = own.filter_map(|(_, hash)| sessions.by_hash.get(hash).cloned());
        found.collect()
    }

    /// Tokens that have run out by a moment, those that ended first; so many at most.
    pub fn tokens_run_out(&self, at: Timestamp, max: usize) -> Vec<Arc<Token>> {
        let tokens = self.tokens.read();
        tokens.due(&tokens.ends, at, max)
    }

    /// Sessions that have run out by a moment, and those that nobody used behind another; so many of both at most.
    pub fn sessions_run_out(
        &self,
        at: Timestamp,
        unused_since: Timestamp,
        max: usize,
    ) -> Vec<Arc<Session>> {
        let sessions = self.sessions.read();
        let mut due = sessions.due(&sessions.ends, at, max);
        let unused = sessions.due(&sessions.uses, unused_since, max - due.len());
        due.extend(unused.into_iter().filter(|session| session.expires_at > at));
        due
    }

    /// How many there are.
    pub fn counts(&self) -> IssuedCounts {
        IssuedCounts {
            tokens: self.tokens.read().by_hash.len(),
            sessions: self.sessions.read().by_hash.len(),
        }
    }

    /// Puts these in place of all there were.
    pub fn replace(&self, nouns: &[Noun]) {
        let fresh = IssuedTables::default();
        for noun in nouns {
            fresh.load(noun);
        }
        *self.tokens.write() = fresh.tokens.into_inner();
        *self.sessions.write() = fresh.sessions.into_inner();
    }

    /// Takes a row of the store, while it is opened.
    pub fn load(&self, noun: &Noun) {
        match noun {
            Noun::Token(token) => self.tokens.write().put(token.clone()),
            Noun::Session(session) => self.sessions.write().put(session.clone()),
            _ => {}
        }
    }
}

/// Tokens and sessions as the transaction under way leaves them.
pub struct IssuedDraft {
    tables: Arc<IssuedTables>,
    tokens: Changed<Token>,
    sessions: Changed<Session>,
}

impl IssuedDraft {
    /// What is committed, and nothing changed of it yet.
    pub fn new(tables: Arc<IssuedTables>) -> Self {
        IssuedDraft {
            tables,
            tokens: Changed::default(),
            sessions: Changed::default(),
        }
    }

    /// Keeps a token or a session, whose row was written.
    pub fn put(&mut self, noun: &Noun) {
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
    pub fn remove(&mut self, key: &NounKey) {
        match key.kind {
            Kind::Token => drop(self.tokens.insert(key.id.as_str().into(), None)),
            Kind::Session => drop(self.sessions.insert(key.id.as_str().into(), None)),
            _ => {}
        }
    }

    /// Ends what is meant; the keys of the rows that are to go.
    pub fn end(&mut self, ending: &Ending) -> Vec<NounKey> {
        let (Ending::All(holder) | Ending::Others { holder, .. } | Ending::Surplus { holder, .. }) =
            ending;
        match holder {
            Holder::App(app) => {
                let tokens = &self.tables.tokens.read();
                end_of(tokens, &mut self.tokens, app, ending)
            }
            Holder::User(user) => {
                let sessions = &self.tables.sessions.read();
                end_of(sessions, &mut self.sessions, user, ending)
            }
        }
    }

    /// The session with this hash, as the transaction leaves it so far.
    pub fn session(&self, hash: &str) -> Option<Arc<Session>> {
        match self.sessions.get(hash) {
            Some(changed) => changed.clone(),
            None => self.tables.session(hash),
        }
    }

    /// Shows requests what was committed.
    pub fn publish(self) {
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
    table: &Table<T>,
    changed: &mut Changed<T>,
    holder: &str,
    ending: &Ending,
) -> Vec<NounKey> {
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
    let gone = hashes.iter().map(|hash| NounKey {
        kind: T::KIND,
        id: hash.to_string(),
    });
    let gone = gone.collect();
    changed.extend(hashes.into_iter().map(|hash| (hash, None)));
    gone
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

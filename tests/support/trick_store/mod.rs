//! A store that plays tricks: fails, panics, lets another write in between, or keeps a step of a job waiting. All else is the
//! real one.

mod jobs;
mod others;
mod records;

use runtime::service::Store;
use runtime::store::catalog::{Actor, ActorKind, Catalog, CatalogWrite, Noun};
use runtime::store::records::{Change, NewContent, StoredRecord, Write, WriteVerdict};
use runtime::store::{StoreError, StoreFuture};
use runtime::value::Timestamp;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// What happens at the next look at a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trick {
    /// Nothing.
    None,
    /// The store fails, with a text that nobody outside may see.
    Fail,
    /// The store panics.
    Panic,
    /// The store was opened to be read only, as the next decision or write finds.
    ReadOnly,
    /// Another request updates the record just behind the look.
    UpdateBehind,
    /// Another request deletes the record just behind the look.
    DeleteBehind,
    /// The log does not keep any change that is there by now.
    ForgetChanges,
}

/// The text of a failure, which is for the log alone.
pub const INSIDE: &str = "sector 7 of the disk is bad";

/// A store before another one.
pub struct TrickStore {
    inner: Arc<dyn Store>,
    next: Mutex<Trick>,
    before_writes: Mutex<VecDeque<Vec<Noun>>>,
    before_decision: Mutex<Option<Write>>,
    before_look: Mutex<Option<(Noun, Write)>>,
    held_back: Mutex<Option<Arc<Catalog>>>,
    is_away: AtomicBool,
    behind_changes: Mutex<Vec<Write>>,
    holds_steps: AtomicBool,
    /// Steps of jobs that wait.
    held_steps: AtomicUsize,
    /// Entries of the trail that were read.
    audited: AtomicUsize,
    /// How often the past of a record was asked for.
    pasts: AtomicUsize,
    jobs: jobs::JobTricks,
}

impl TrickStore {
    /// Before this one, with no tricks yet.
    pub fn new(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(TrickStore {
            inner,
            next: Mutex::new(Trick::None),
            before_writes: Mutex::default(),
            before_decision: Mutex::default(),
            before_look: Mutex::default(),
            held_back: Mutex::default(),
            is_away: AtomicBool::default(),
            behind_changes: Mutex::default(),
            holds_steps: AtomicBool::default(),
            held_steps: AtomicUsize::default(),
            audited: AtomicUsize::default(),
            pasts: AtomicUsize::default(),
            jobs: jobs::JobTricks::default(),
        })
    }

    /// Puts these into the catalog just before the next write of a record that has none before it yet, as
    /// if someone else had.
    pub fn put_before_write(&self, nouns: Vec<Noun>) {
        let mut waiting = locked(&self.before_writes);
        waiting.push_back(nouns);
    }

    /// How many writes are still to come that have something put before them.
    pub fn waiting(&self) -> usize {
        locked(&self.before_writes).len()
    }

    /// How many entries of the trail were read.
    pub fn audited(&self) -> usize {
        self.audited.load(Ordering::SeqCst)
    }

    /// How often the past of a record was asked for.
    pub fn pasts(&self) -> usize {
        self.pasts.load(Ordering::SeqCst)
    }

    /// Writes a record just before the next decision about the catalog, as if someone else had.
    pub fn write_before_decision(&self, write: Write) {
        *locked(&self.before_decision) = Some(write);
    }

    /// Puts a noun and then writes a record just before the next look at records, as if someone else had.
    pub fn change_before_look(&self, noun: Noun, write: Write) {
        *locked(&self.before_look) = Some((noun, write));
    }

    /// Keeps the catalog as it is until somebody asks for what is committed, as that of a server is kept which has not seen yet
    /// what another one made.
    pub fn hold_catalog_back(&self) {
        *locked(&self.held_back) = Some(self.inner.catalog());
    }

    /// Whether nobody asked since.
    pub fn is_catalog_held_back(&self) -> bool {
        locked(&self.held_back).is_some()
    }

    /// Writes records just behind the next look at changes, as if someone else had.
    pub fn write_behind_changes(&self, writes: Vec<Write>) {
        *locked(&self.behind_changes) = writes;
    }

    async fn put(&self, nouns: Vec<Noun>) -> Result<(), StoreError> {
        let put = move |_: &Catalog| {
            Ok(CatalogWrite {
                put: nouns.clone(),
                ..CatalogWrite::default()
            })
        };
        let decided = self.inner.decide(Box::new(put)).await?;
        decided.expect("nothing is against it");
        Ok(())
    }

    /// What someone else does before a look.
    async fn others(&self) -> Result<(), StoreError> {
        let waiting = locked(&self.before_look).take();
        if let Some((noun, write)) = waiting {
            self.put(vec![noun]).await?;
            let verdict = self.inner.write(write).await?;
            assert!(matches!(verdict, WriteVerdict::Done { .. }), "{verdict:?}");
        }
        Ok(())
    }

    /// Plays this once.
    pub fn play(&self, trick: Trick) {
        *locked(&self.next) = trick;
    }

    fn is_read_only_now(&self) -> bool {
        let mut next = locked(&self.next);
        let is_read_only = *next == Trick::ReadOnly;
        if is_read_only {
            *next = Trick::None;
        }
        is_read_only
    }

    /// What is played at a look that is none at changes: what is for one of those, or for who writes, waits for it.
    fn taken(&self) -> Trick {
        self.taken_but(&[Trick::ForgetChanges, Trick::ReadOnly])
    }

    /// What is played at a look at changes.
    fn taken_at_changes(&self) -> Trick {
        self.taken_but(&[Trick::ReadOnly])
    }

    fn taken_but(&self, waiting: &[Trick]) -> Trick {
        let mut next = locked(&self.next);
        if waiting.contains(&next) {
            return Trick::None;
        }
        std::mem::replace(&mut *next, Trick::None)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no panic holds it")
}

fn failure<'a, T: Send + 'a>() -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(Err(StoreError::Damaged(
        INSIDE.to_owned(),
    ))))
}

/// A write by someone else.
fn behind(trick: Trick, record: &StoredRecord) -> Write {
    let (id, version) = (record.id, record.version);
    let change = if trick == Trick::DeleteBehind {
        Change::Delete { id, version }
    } else {
        let content = NewContent {
            body: record.body.clone(),
            primary_key: Some("1".to_owned()),
            schema_version: record.schema_version,
            errors: record.errors.clone(),
            hidden: record.hidden.clone(),
        };
        Change::Update {
            id,
            version,
            content,
        }
    };
    by_someone(id.place.dataset, change)
}

/// A write by someone who compares nothing.
pub fn by_someone(dataset: u32, change: Change) -> Write {
    Write {
        dataset,
        actor: Actor {
            kind: ActorKind::User,
            id: "behind".to_owned(),
            name: "behind".to_owned(),
            email: None,
            full_name: None,
            via: None,
            job: None,
        },
        at: Timestamp::from_millis(0),
        judged_under: None,
        audit: None,
        change,
    }
}

//! The search index in the store's own database: the words of each field with the full-text search that PostgreSQL has, keys
//! and marks in tables of their own. Whichever server's indexer comes first writes; who finds that another one was faster
//! writes nothing and goes on from there. It can be thrown away and made anew at any time.

mod check;
mod condition;
mod counting;
mod finding;
mod key_bytes;
mod moment;
mod word_rows;
mod write;

use crate::connections::transact;
use crate::error::{Failure, malformed};
use crate::tries::Tries;
use crate::{Inner, PostgresStore};
use moment::{IndexMoment, MOMENT, lacks};
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::search::{Count, Document, Progress, Search, SearchIndex, SearchPage, Tally};
use store::{StoreError, StoreFuture};
use tokio_postgres::error::SqlState;

/// What the tables hold, and how; of another one they are made anew.
const FORMAT: i64 = 7;

const BEGIN: &str = "INSERT INTO search_progress (id, format, document) VALUES (1, $1, '')
   ON CONFLICT DO NOTHING";
const STORED: &str = "SELECT format, document FROM search_progress WHERE id = 1";
const HELD: &str = "SELECT format, document FROM search_progress WHERE id = 1 FOR UPDATE";
const PUT: &str = "UPDATE search_progress SET format = $1, document = $2 WHERE id = 1";
const NOTE_MADE: &str = "INSERT INTO search_progress (id, format, document) VALUES (2, $1, $2)
   ON CONFLICT (id) DO UPDATE SET document = excluded.document";
const CLEAR: &str = "DELETE FROM search_words; DELETE FROM search_keys; DELETE FROM search_marks;
   DELETE FROM search_records";

/// How often it is looked whether another server made it anew.
const LOOK_EACH: Duration = Duration::from_secs(1);

/// The search index of a store.
pub struct PostgresSearch {
    shared: Arc<Shared>,
}

struct Shared {
    inner: Arc<Inner>,
    /// As this server knows it.
    progress: RwLock<Option<Arc<Progress>>>,
    /// By which name that was made anew last.
    made: RwLock<String>,
    /// How often that was another one.
    emptied: AtomicU64,
    looked: Mutex<Instant>,
}

impl std::fmt::Debug for PostgresSearch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresSearch").finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// The search index in the store's database. One that another version of this program wrote begins empty.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn search(&self) -> Result<PostgresSearch, StoreError> {
        let shared = Arc::new(Shared {
            inner: self.inner.clone(),
            progress: RwLock::new(None),
            made: RwLock::default(),
            emptied: AtomicU64::default(),
            looked: Mutex::new(Instant::now()),
        });
        // before its progress: what is made anew between is looked at once more
        let made = shared.read_moment().await?.made;
        *shared.made.write() = made;
        let row = shared.inner.connections.read_one(STORED, &[]).await?;
        match row {
            Some(row) if row.get::<_, i64>(0) != FORMAT => shared.clear().await?,
            Some(row) => *shared.progress.write() = progress(row.get(1))?.map(Arc::new),
            None => {}
        }
        Ok(PostgresSearch { shared })
    }
}

/// The progress of a row; none where it was told nothing.
fn progress(document: &str) -> Result<Option<Progress>, Failure> {
    if document.is_empty() {
        return Ok(None);
    }
    let read = serde_json::from_str(document);
    Ok(Some(
        read.map_err(malformed("the search index's progress"))?,
    ))
}

impl Shared {
    async fn read_moment(&self) -> Result<IndexMoment, Failure> {
        let row = self.inner.connections.read_one(MOMENT, &[]).await?;
        let told = row.as_ref().map_or("", |row| row.get(0));
        Ok(IndexMoment::read(told))
    }

    /// Takes over the progress of an index that another server made anew, or that went back with its database, unless it was
    /// looked just now; whether one did.
    async fn look_again(&self) -> Result<bool, Failure> {
        {
            let mut looked = self.looked.lock();
            if looked.elapsed() < LOOK_EACH {
                return Ok(false);
            }
            *looked = Instant::now();
        }
        self.take_over().await
    }

    async fn take_over(&self) -> Result<bool, Failure> {
        let known = self.progress.read().clone();
        let moment = self.read_moment().await?;
        if self.goes_on_from(known.as_deref(), &moment).await? {
            return Ok(false);
        }
        let stored = self.stored().await?;
        self.begin_anew(stored.map(Arc::new), moment.made);
        Ok(true)
    }

    /// The progress as it is in the database; none of an index that this program can't go on with.
    async fn stored(&self) -> Result<Option<Progress>, Failure> {
        let row = self.inner.connections.read_one(STORED, &[]).await?;
        match row.filter(|row| row.get::<_, i64>(0) == FORMAT) {
            Some(row) => progress(row.get(1)),
            None => Ok(None),
        }
    }

    /// Whether the index of a moment is the one that is known here, and has all that it had by a progress.
    async fn goes_on_from(
        &self,
        known: Option<&Progress>,
        moment: &IndexMoment,
    ) -> Result<bool, Failure> {
        let is_another = *self.made.read() != moment.made;
        let Some(known) = known.filter(|_| !is_another) else {
            return Ok(!is_another);
        };
        if moment.applied != known.applied {
            return Ok(moment.applied > known.applied);
        }
        if moment.is_of(known)? {
            return Ok(true);
        }
        // without an entry, another server may have come on, too
        let stored = self.stored().await?;
        Ok(stored.is_some_and(|stored| !lacks(&stored, known)))
    }

    /// Knows an index that was made anew. Its name comes last: until then, every look finds that it has another one.
    fn begin_anew(&self, progress: Option<Arc<Progress>>, made: String) {
        *self.progress.write() = progress;
        self.emptied.fetch_add(1, Ordering::SeqCst);
        *self.made.write() = made;
    }

    async fn clear(&self) -> Result<(), Failure> {
        let made = format!("{:016x}", rand::random::<u64>());
        transact!(&self.inner.connections, tx => {
            tx.take_time();
            tx.execute(BEGIN, &[&FORMAT]).await?;
            tx.rows(HELD, &[]).await?;
            tx.batch(CLEAR).await?;
            tx.execute(PUT, &[&FORMAT, &""]).await?;
            tx.execute(NOTE_MADE, &[&FORMAT, &made]).await?;
            Ok(())
        })?;
        self.begin_anew(None, made);
        Ok(())
    }

    /// Writes documents and progress, unless another server has come on meanwhile: then that one's progress is known. Where
    /// it is of a version that keeps something else, the index begins empty, and that of a newer one is left to it.
    async fn apply(&self, documents: Vec<Document>, next: Progress) -> Result<(), Failure> {
        let known = self.progress.read().clone();
        let rows = write::Rows::of(documents);
        let text = moment::text(&next)?;
        let stored = transact!(&self.inner.connections, tx => {
            tx.execute(BEGIN, &[&FORMAT]).await?;
            let held = tx.row(HELD, &[]).await?;
            let found = held.as_ref().map_or(FORMAT, |row| row.get(0));
            if found > FORMAT {
                return Err(StoreError::IndexVersion { found, meant: FORMAT }.into());
            }
            if found < FORMAT {
                tx.take_time();
                tx.batch(CLEAR).await?;
                tx.execute(PUT, &[&FORMAT, &""]).await?;
                return Ok(None);
            }
            let stored = match &held {
                Some(row) => progress(row.get(1))?,
                None => None,
            };
            if stored.as_ref() != known.as_deref() {
                tx.keeps_nothing();
                return Ok(stored);
            }
            rows.put(tx).await?;
            tx.execute(PUT, &[&FORMAT, &text]).await?;
            Ok(Some(next.clone()))
        })?;
        let is_back = known.is_some_and(|known| match &stored {
            Some(stored) => *stored != next && lacks(stored, &known),
            None => known.applied > 0,
        });
        *self.progress.write() = stored.map(Arc::new);
        if is_back {
            // who waited for what is not in it any more is told nothing
            self.emptied.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    }

    /// Does reads of one moment, which are given up at a deadline. They are of the index whose progress is known here: of one that
    /// another server emptied, or that went back with its database, nothing is told.
    async fn read<T>(&self, deadline: Instant, reads: impl AsyncReads<T>) -> Result<T, Failure> {
        let mut tries = Tries::default();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left < Duration::from_millis(1) {
                return Err(StoreError::TimedOut.into());
            }
            let known = self.progress.read().clone();
            match reads.within(&self.inner, left).await {
                Err(Failure::Database(error))
                    if error.code() == Some(&SqlState::QUERY_CANCELED) =>
                {
                    return Err(StoreError::TimedOut.into());
                }
                Err(failure) if tries.has_another(&failure).await => {}
                Err(failure) => return Err(failure),
                Ok((moment, answer)) => {
                    if self.goes_on_from(known.as_deref(), &moment).await? {
                        return Ok(answer);
                    }
                    self.require_another_whole().await?;
                }
            }
        }
    }

    /// Takes over what another server made anew, or what went back; it is refused until that has all that is known to be in it.
    async fn require_another_whole(&self) -> Result<(), Failure> {
        let known = self.progress.read().clone();
        self.take_over().await?;
        let now = self.progress.read().clone();
        let is_whole = |now: Arc<Progress>| {
            now.walks.is_empty() && known.is_none_or(|known| !lacks(&now, &known))
        };
        if now.is_some_and(is_whole) {
            Ok(())
        } else {
            Err(StoreError::IndexEmptied.into())
        }
    }
}

/// Reads that are done on one connection.
trait AsyncReads<T>: Send + Sync {
    /// Does them as of one moment, and is cut off when a time is over; the index that they were of, too.
    fn within(
        &self,
        inner: &Inner,
        time: Duration,
    ) -> impl Future<Output = Result<(IndexMoment, T), Failure>> + Send;
}

impl AsyncReads<SearchPage> for Search {
    async fn within(
        &self,
        inner: &Inner,
        time: Duration,
    ) -> Result<(IndexMoment, SearchPage), Failure> {
        let begun = inner.connections.begin_reads(time, &inner.plans, MOMENT);
        let (connection, told) = begun.await?;
        let found = finding::find(&connection, self).await;
        connection.take_back().await;
        Ok((IndexMoment::read(&told), found?))
    }
}

impl AsyncReads<Tally> for Count {
    async fn within(&self, inner: &Inner, time: Duration) -> Result<(IndexMoment, Tally), Failure> {
        let begun = inner.connections.begin_reads(time, &inner.plans, MOMENT);
        let (connection, told) = begun.await?;
        let counted = counting::count(&connection, self).await;
        connection.take_back().await;
        Ok((IndexMoment::read(&told), counted?))
    }
}

impl PostgresSearch {
    /// Does work to its end in a task of its own, also when nobody waits for it any more.
    fn see_through<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let task = self.shared.inner.runtime.spawn(work);
        Box::pin(async move { Ok(task.await.map_err(|_| StoreError::Panicked)??) })
    }
}

impl SearchIndex for PostgresSearch {
    fn progress(&self) -> Option<Arc<Progress>> {
        self.shared.progress.read().clone()
    }

    fn emptied(&self) -> u64 {
        self.shared.emptied.load(Ordering::SeqCst)
    }

    fn clear(&self) -> StoreFuture<'_, ()> {
        let shared = self.shared.clone();
        self.see_through(async move { shared.clear().await })
    }

    fn apply(&self, documents: Vec<Document>, progress: Progress) -> StoreFuture<'_, ()> {
        let shared = self.shared.clone();
        self.see_through(async move { shared.apply(documents, progress).await })
    }

    fn look_again(&self) -> StoreFuture<'_, bool> {
        let shared = self.shared.clone();
        self.see_through(async move { shared.look_again().await })
    }

    fn find(&self, search: Search) -> StoreFuture<'_, SearchPage> {
        let shared = self.shared.clone();
        self.see_through(async move { shared.read(search.deadline, search).await })
    }

    fn count(&self, count: Count) -> StoreFuture<'_, Tally> {
        let shared = self.shared.clone();
        self.see_through(async move { shared.read(count.deadline, count).await })
    }
}

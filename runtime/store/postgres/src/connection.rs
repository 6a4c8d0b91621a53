//! One connection: statements, each of which is answered within a time or counts as lost with its connection.

use crate::disk_room::DiskRoom;
use crate::error::Failure;
use deadpool_postgres::Object;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, SimpleQueryMessage, Statement};

pub(crate) type Values<'v> = &'v [&'v (dyn ToSql + Sync)];

/// The same, of one of several askings.
pub(crate) type Given<'v> = Vec<&'v (dyn ToSql + Sync)>;

/// A statement that is sent with others.
pub(crate) struct Outgoing<'v> {
    pub(crate) sql: &'static str,
    pub(crate) values: Vec<Box<dyn ToSql + Sync + Send + 'v>>,
}

/// Begins all of these at once, in their order, and waits for what comes of each; the first failure ends it.
async fn one_after_the_other<T>(
    asked: impl Iterator<Item = impl Future<Output = Result<T, Failure>>>,
) -> Result<Vec<T>, Failure> {
    let mut asked: Vec<_> = asked.map(Box::pin).collect();
    let first = poll_fn(|context| {
        let polled = asked.iter_mut().map(|it| it.as_mut().poll(context));
        Poll::Ready(polled.collect::<Vec<_>>())
    });
    let first = first.await;
    let mut ended = Vec::with_capacity(asked.len());
    for (asked, first) in asked.into_iter().zip(first) {
        ended.push(match first {
            Poll::Ready(answered) => answered?,
            Poll::Pending => asked.await?,
        });
    }
    Ok(ended)
}

/// A connection for a while.
pub(crate) struct Connection {
    /// None once it was closed.
    object: Option<Object>,
    /// How long an answer is waited for.
    answer: Duration,
    /// Where it is noted that the database has no room.
    room: DiskRoom,
    /// Whether answers are waited for as long as they take.
    has_time: AtomicBool,
    /// Whether an answer did not come: what is asked by it later would be taken for something else.
    is_silent: AtomicBool,
    /// Whether nobody is to have it after this, nor those that wait to be used.
    is_spent: AtomicBool,
    /// Its place among those that may be taken for long; free again when this is.
    place: Option<OwnedSemaphorePermit>,
}

impl Connection {
    pub(crate) fn new(object: Object, answer: Duration, room: DiskRoom) -> Self {
        Connection {
            object: Some(object),
            answer,
            room,
            has_time: AtomicBool::new(false),
            is_silent: AtomicBool::new(false),
            is_spent: AtomicBool::new(false),
            place: None,
        }
    }

    /// The same in a place.
    pub(crate) fn in_place(mut self, place: OwnedSemaphorePermit) -> Self {
        self.place = Some(place);
        self
    }

    /// Waits as long as it takes from now on: for statements that go through all rows there are.
    pub(crate) fn take_time(&self) {
        self.has_time.store(true, Ordering::Relaxed);
    }

    /// Waits so much longer for each answer.
    pub(crate) fn wait_longer(mut self, time: Duration) -> Self {
        self.answer += time;
        self
    }

    async fn answered<T>(
        &self,
        asked: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Failure> {
        if self.is_silent.load(Ordering::Relaxed) {
            return Err(Failure::Silent(self.answer));
        }
        let began = Instant::now();
        let answered = if self.has_time.load(Ordering::Relaxed) {
            Ok(asked.await)
        } else {
            tokio::time::timeout(self.answer, asked).await
        };
        metrics::histogram!("fieldstone_database_answer_duration_seconds").record(began.elapsed());
        if let Ok(answered) = answered {
            return answered.map_err(|error| self.noted(error));
        }
        self.is_silent.store(true, Ordering::Relaxed);
        self.is_spent.store(true, Ordering::Relaxed);
        Err(Failure::Silent(self.answer))
    }

    /// A failure; after one of a session that takes no writes, the next work gets another session.
    fn noted(&self, error: Error) -> Failure {
        let failure = Failure::from(error);
        if failure.is_of_room() {
            self.room.note_full();
        }
        if failure.is_of_a_read_only_session() {
            self.is_spent.store(true, Ordering::Relaxed);
        }
        failure
    }

    /// When it was made: the database has lost nothing since of what it was told before.
    pub(crate) fn made(&self) -> Instant {
        Object::metrics(self.client()).created
    }

    fn client(&self) -> &Object {
        // INVARIANT: only `close`, which consumes it, and the drop take it
        self.object.as_ref().expect("it is open")
    }

    /// The rows of a statement. What is asked before it is waited for goes out together.
    pub(crate) async fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Failure> {
        let asked = async {
            let statement = self.client().prepare_cached(sql).await?;
            self.client().query(&statement, values).await
        };
        self.answered(asked).await
    }

    /// The first row of a statement.
    pub(crate) async fn row(&self, sql: &str, values: Values<'_>) -> Result<Option<Row>, Failure> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// A statement, so that several can go out together: what is not prepared yet would be overtaken.
    pub(crate) async fn prepare(&self, sql: &str) -> Result<Statement, Failure> {
        self.answered(self.client().prepare_cached(sql)).await
    }

    /// The rows of a prepared statement; sent as soon as this is first polled.
    pub(crate) async fn query(
        &self,
        statement: &Statement,
        values: Values<'_>,
    ) -> Result<Vec<Row>, Failure> {
        self.answered(self.client().query(statement, values)).await
    }

    /// The rows of a statement for one after the other of these values, all sent as soon as it is prepared.
    pub(crate) async fn rows_each(
        &self,
        sql: &str,
        all: &[Given<'_>],
    ) -> Result<Vec<Vec<Row>>, Failure> {
        let statement = self.prepare(sql).await?;
        let asked = all.iter().map(|values| self.query(&statement, values));
        one_after_the_other(asked).await
    }

    /// The rows of a prepared statement for one number after the other, all sent as soon as this is first polled: what is
    /// asked next overtakes none of them.
    pub(crate) async fn query_each(
        &self,
        statement: &Statement,
        numbers: &[i64],
    ) -> Result<Vec<Row>, Failure> {
        let values: Vec<[&(dyn ToSql + Sync); 1]> =
            numbers.iter().map(|number| [number as _]).collect();
        let asked = values.iter().map(|values| self.query(statement, values));
        Ok(one_after_the_other(asked)
            .await?
            .into_iter()
            .flatten()
            .collect())
    }

    /// The rows of a prepared statement for one after the other of these values, in the same way.
    pub(crate) async fn query_all(
        &self,
        statement: &Statement,
        all: &[Given<'_>],
    ) -> Result<Vec<Row>, Failure> {
        let asked = all.iter().map(|values| self.query(statement, values));
        Ok(one_after_the_other(asked)
            .await?
            .into_iter()
            .flatten()
            .collect())
    }

    /// Does statements one after the other, all sent at once; the first that fails is told, and those behind it are not
    /// done where this is a transaction.
    pub(crate) async fn execute_all(&self, all: &[Outgoing<'_>]) -> Result<(), Failure> {
        let mut prepared = Vec::with_capacity(all.len());
        for one in all {
            prepared.push(self.prepare(one.sql).await?);
        }
        let values: Vec<Vec<&(dyn ToSql + Sync)>> = all
            .iter()
            .map(|one| one.values.iter().map(|it| &**it as _).collect())
            .collect();
        let sent = prepared.iter().zip(&values);
        let asked = sent.map(|(statement, values)| {
            self.answered(self.client().execute(statement, values.as_slice()))
        });
        one_after_the_other(asked).await?;
        Ok(())
    }

    /// Does a last statement and commits, both sent at once; nothing is committed where that one fails. Within is how the commit
    /// itself ended.
    pub(crate) async fn commit_with(
        &self,
        sql: &str,
        values: Values<'_>,
    ) -> Result<Result<(), Failure>, Failure> {
        let statement = self.prepare(sql).await?;
        let last = self.answered(self.client().execute(&statement, values));
        let (last, committed) = tokio::join!(biased; last, self.batch("COMMIT"));
        last?;
        Ok(committed)
    }

    /// How many rows a statement changed.
    pub(crate) async fn execute(&self, sql: &str, values: Values<'_>) -> Result<u64, Failure> {
        let asked = async {
            let statement = self.client().prepare_cached(sql).await?;
            self.client().execute(&statement, values).await
        };
        self.answered(asked).await
    }

    /// The rows of a statement that is put together for this once.
    pub(crate) async fn ask(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, Failure> {
        self.answered(self.client().query(sql, values)).await
    }

    /// Statements without values.
    pub(crate) async fn batch(&self, sql: &str) -> Result<(), Failure> {
        self.answered(self.client().batch_execute(sql)).await
    }

    /// Statements without values; the text that the last one gives.
    pub(crate) async fn batch_told(&self, sql: &str) -> Result<String, Failure> {
        let told = self.answered(self.client().simple_query(sql)).await?;
        let mut texts = told.iter().rev().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0),
            _ => None,
        });
        Ok(texts.next().unwrap_or_default().to_owned())
    }

    /// Rolls back; a connection where that fails is not used again.
    pub(crate) async fn take_back(self) {
        if self.batch("ROLLBACK").await.is_err() {
            self.close();
        }
    }

    /// Closes it, so that nobody uses it again; the database takes back what was not committed.
    pub(crate) fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(object) = self.object.take() else {
            return;
        };
        // those that wait to be used may have gone silent with it, and each would be waited for; or they began, as it did, when no
        // writes were taken
        let is_spent = self.is_spent.load(Ordering::Relaxed);
        if let Some(pool) = Object::pool(&object).filter(|_| is_spent) {
            pool.retain(|_, _| false);
        }
        drop(Object::take(object));
        drop(self.place.take());
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.is_spent.load(Ordering::Relaxed) {
            self.end();
        }
    }
}

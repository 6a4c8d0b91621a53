//! The one thread that writes. It takes everything that waits, puts it into one transaction, syncs
//! once, and then answers each. A write that loses costs the others nothing.

use super::{catalog, write};
use crate::store::catalog::{Catalog, CatalogWrite, Decision, Place};
use crate::store::records::{Write, WriteVerdict};
use crate::store::{Answer, StoreError};
use crate::value::Timestamp;
use rusqlite::Connection;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, RwLock};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// How many jobs one transaction takes at most.
const BATCH_MAX: usize = 256;

type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// What a decision came to.
pub(super) type Decided = Result<Arc<Catalog>, String>;

/// One thing for the writer to do.
pub(super) enum Job {
    Write(Box<Write>, Reply<WriteVerdict>),
    Decide(Decision<String>, Reply<Decided>),
    LastUsed(Vec<(Place, Timestamp)>, Reply<()>),
}

/// Something done, to be told once it is on disk.
enum Done {
    Write(WriteVerdict, Reply<WriteVerdict>),
    Decide(Result<(), String>, Reply<Decided>),
    LastUsed(Reply<()>),
}

pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(connection: Connection, shared: Arc<RwLock<Arc<Catalog>>>) -> Self {
        let (jobs, queue) = channel();
        let thread = std::thread::Builder::new()
            .name("fieldstone-writer".to_owned())
            .spawn(move || Worker { connection, shared }.run(&queue))
            .expect("the system starts a thread");
        Writer {
            jobs: Some(jobs),
            thread: Some(thread),
        }
    }

    /// Queues a job; its answer comes once it is on disk.
    pub(super) fn send<'a, T: Send + 'a>(
        &'a self,
        job: impl FnOnce(Reply<T>) -> Job,
    ) -> Answer<'a, T> {
        let (reply, answer) = oneshot::channel();
        let sent = self
            .jobs
            .as_ref()
            .is_some_and(|jobs| jobs.send(job(reply)).is_ok());
        Box::pin(async move {
            if !sent {
                return Err(StoreError::Closed);
            }
            answer.await.unwrap_or(Err(StoreError::Closed))
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // closing the queue lets the thread finish what is in it
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    connection: Connection,
    shared: Arc<RwLock<Arc<Catalog>>>,
}

impl Worker {
    fn run(mut self, queue: &Receiver<Job>) {
        while let Ok(first) = queue.recv() {
            let mut jobs = vec![first];
            while jobs.len() < BATCH_MAX {
                match queue.try_recv() {
                    Ok(job) => jobs.push(job),
                    Err(_) => break,
                }
            }
            self.commit(jobs);
        }
        // an orderly end leaves no log behind
        let _ = self
            .connection
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize;");
    }

    /// One transaction for all jobs. If the transaction itself fails, all of them fail.
    fn commit(&mut self, jobs: Vec<Job>) {
        let mut catalog = self.current();
        let mut done = Vec::with_capacity(jobs.len());
        let mut failed = None;
        let mut rest = jobs.into_iter();
        match self.connection.execute_batch("BEGIN IMMEDIATE") {
            Ok(()) => {
                for job in rest.by_ref() {
                    match self.run_job(job, &mut catalog) {
                        Ok(job) => done.push(job),
                        Err(error) => {
                            failed = Some(error);
                            break;
                        }
                    }
                }
                if failed.is_none() {
                    failed = self
                        .connection
                        .execute_batch("COMMIT")
                        .err()
                        .map(StoreError::from);
                }
            }
            Err(error) => failed = Some(error.into()),
        }
        if let Some(error) = failed {
            let _ = self.connection.execute_batch("ROLLBACK");
            let text = error.to_string();
            for job in done {
                job.fail(&text);
            }
            for job in rest {
                job.fail(&text);
            }
            return;
        }
        if let Ok(mut shared) = self.shared.write() {
            *shared = catalog.clone();
        }
        for job in done {
            job.tell(&catalog);
        }
    }

    fn current(&self) -> Arc<Catalog> {
        self.shared
            .read()
            .map(|shared| shared.clone())
            .unwrap_or_default()
    }

    /// Runs one job inside the transaction. An error is the database's own and fails the whole batch.
    fn run_job(&self, job: Job, catalog: &mut Arc<Catalog>) -> Result<Done, StoreError> {
        match job {
            Job::Write(write, reply) => match write::apply(&self.connection, &write) {
                Ok(verdict) => Ok(Done::Write(verdict, reply)),
                Err(error) => {
                    let _ = reply.send(Err(StoreError::Damaged(error.to_string())));
                    Err(error)
                }
            },
            Job::Decide(mut decision, reply) => {
                let decided = match decision(catalog) {
                    Ok(write) => self.write_catalog(&write, catalog).map(Ok),
                    Err(refusal) => Ok(Err(refusal)),
                };
                match decided {
                    Ok(decided) => Ok(Done::Decide(decided, reply)),
                    Err(error) => {
                        let _ = reply.send(Err(StoreError::Damaged(error.to_string())));
                        Err(error)
                    }
                }
            }
            Job::LastUsed(used, reply) => {
                let write = catalog::last_used(catalog, &used);
                self.write_catalog(&write, catalog)?;
                Ok(Done::LastUsed(reply))
            }
        }
    }

    fn write_catalog(
        &self,
        write: &CatalogWrite,
        catalog: &mut Arc<Catalog>,
    ) -> Result<(), StoreError> {
        catalog::write(&self.connection, write)?;
        let next = Arc::make_mut(catalog);
        for place in &write.remove {
            next.remove(place);
        }
        for noun in &write.put {
            next.put(noun.clone());
        }
        Ok(())
    }
}

impl Done {
    fn tell(self, catalog: &Arc<Catalog>) {
        match self {
            Done::Write(verdict, reply) => drop(reply.send(Ok(verdict))),
            Done::Decide(decided, reply) => drop(reply.send(Ok(decided.map(|()| catalog.clone())))),
            Done::LastUsed(reply) => drop(reply.send(Ok(()))),
        }
    }

    fn fail(self, text: &str) {
        let error = || StoreError::Damaged(text.to_owned());
        match self {
            Done::Write(_, reply) => drop(reply.send(Err(error()))),
            Done::Decide(_, reply) => drop(reply.send(Err(error()))),
            Done::LastUsed(reply) => drop(reply.send(Err(error()))),
        }
    }
}

impl Job {
    fn fail(self, text: &str) {
        let error = || StoreError::Damaged(text.to_owned());
        match self {
            Job::Write(_, reply) => drop(reply.send(Err(error()))),
            Job::Decide(_, reply) => drop(reply.send(Err(error()))),
            Job::LastUsed(_, reply) => drop(reply.send(Err(error()))),
        }
    }
}

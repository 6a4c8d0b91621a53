//! What goes on while an operation is carried out: told as it happens to whoever asked, so that nothing of it
//! is gathered in memory. A program draws progress of it, and writes refused records to a file; a server sends it on.
//! Nothing is decided here.
//!
//! [`channel`] makes both ends. Who listens takes events as they come: what is told waits for its place, so a slow
//! listener slows the work and memory stays bounded. One that went away is not waited for, and without one
//! ([`Events::none`]) nothing is told.

use crate::failure::{Failure, FailureCode};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;

/// What becomes of work that stopped before its end.
pub const WHAT_STAYS: &str = "what was written stays (of a dry run, nothing is), and the same command again goes on from there";

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A record file came so far.
    Progress(Progress),
    /// A record can't be stored.
    Rejected(RejectedRecord),
    /// A record is left alone, because someone edited or deleted it.
    Edited(EditedRecord),
    /// Lines of a record file that an export writes.
    Records(RecordLines),
}

/// How far a record file is: told when it begins, every thousand records and at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The dataset's name.
    pub dataset: String,
    /// The file, as the manifest names it.
    pub file: String,
    /// Records that were looked at.
    pub done: usize,
    /// Records in the file.
    pub total: usize,
}

/// A record of a file that can't be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RejectedRecord {
    /// The dataset's name.
    pub dataset: String,
    /// The file, as the manifest names it.
    pub file: String,
    /// The line on which the record begins, from 1.
    pub line: usize,
    /// Why, as a sentence.
    pub reason: String,
    /// The record as it stands in the file.
    pub record: String,
}

/// A record of a file that is left alone, though the file says another thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditedRecord {
    /// The dataset's name.
    pub dataset: String,
    /// The file, as the manifest names it.
    pub file: String,
    /// The line on which the record begins, from 1.
    pub line: usize,
    /// Who did what to it, and when.
    pub reason: String,
}

/// Lines of a record file, after those that came before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordLines {
    /// The file, as the manifest names it.
    pub file: String,
    /// Whole lines, a record each; empty where the file has none.
    pub lines: String,
}

/// Where events go, and who may stop what is done.
#[derive(Clone, Debug)]
pub struct Events {
    listener: Option<mpsc::Sender<Event>>,
    stop: Option<Arc<AtomicBool>>,
}

/// Both ends: where events go, and where they come, at most so many of them waiting (at least one).
pub fn channel(waiting_max: usize) -> (Events, mpsc::Receiver<Event>) {
    let (sender, receiver) = mpsc::channel(waiting_max.max(1));
    let events = Events {
        listener: Some(sender),
        stop: None,
    };
    (events, receiver)
}

impl Events {
    /// Where nobody listens.
    pub fn none() -> Self {
        Events {
            listener: None,
            stop: None,
        }
    }

    /// The same, of work that ends before its next step once this is true, and tells what it did until then.
    #[must_use]
    pub fn until(self, stop: Arc<AtomicBool>) -> Self {
        Events {
            stop: Some(stop),
            ..self
        }
    }

    /// Refuses to go on with what is to stop.
    pub(crate) fn require_to_go_on(&self) -> Result<(), Failure> {
        let stop = self.stop.as_ref();
        if !stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Ok(());
        }
        let text = format!("stopped before its end; {WHAT_STAYS}");
        Err(Failure::new(FailureCode::Failed, text))
    }

    /// Tells of something large, as soon as nothing else waits: one such event is in memory at a time.
    pub(crate) async fn tell_alone(&self, event: Event) {
        let Some(listener) = &self.listener else {
            return;
        };
        // the work is done whether or not someone still listens
        if let Ok(mut places) = listener.reserve_many(listener.max_capacity()).await
            && let Some(place) = places.next()
        {
            place.send(event);
        }
    }

    /// Tells of something, as soon as there is a place for it.
    pub(crate) async fn tell(&self, event: Event) {
        if let Some(listener) = &self.listener {
            // the work is done whether or not someone still listens
            let _ = listener.send(event).await;
        }
    }
}

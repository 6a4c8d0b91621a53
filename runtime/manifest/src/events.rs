//! What goes on while an operation is carried out: told as it happens to whoever asked, so that nothing of it
//! is gathered in memory. A program draws progress of it, and writes refused records to a file; a server sends it on.
//! Nothing is decided here.
//!
//! [`channel`] makes both ends. Who listens takes events as they come: what is told waits for its place, so a slow
//! listener slows the work and memory stays bounded. One that went away is not waited for, and without one
//! ([`Events::none`]) nothing is told.

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

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

/// Where events go.
#[derive(Clone, Debug)]
pub struct Events(Option<mpsc::Sender<Event>>);

/// Both ends: where events go, and where they come, at most so many of them waiting (at least one).
pub fn channel(waiting_max: usize) -> (Events, mpsc::Receiver<Event>) {
    let (sender, receiver) = mpsc::channel(waiting_max.max(1));
    (Events(Some(sender)), receiver)
}

impl Events {
    /// Where nobody listens.
    pub fn none() -> Self {
        Events(None)
    }

    /// Tells of something, as soon as there is a place for it.
    pub(crate) async fn tell(&self, event: Event) {
        if let Events(Some(listener)) = self {
            // the work is done whether or not someone still listens
            let _ = listener.send(event).await;
        }
    }
}

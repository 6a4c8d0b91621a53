//! What changes in a dataset, followed as a stream that waits for the next change and has no end of its own. Where it is,
//! whoever reads it keeps: [`Change::position`].

use crate::ClientError;
use crate::dataset::{Dataset, stored};
use crate::raw::{RawDataset, RawRecord};
use crate::transport::{Operation, Transport, TransportFuture};
use engine::Record;
use engine::typed::Stored;
use futures_core::Stream;
use schema::json::{Node, Value, parse};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use wire::Timestamp;

/// Seconds that a request waits for a change. What carries it has this patience beside its own.
const WAIT_SECONDS: u32 = 10;

/// What was done to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeAction {
    /// It was made.
    Create,
    /// It has other values.
    Update,
    /// It was deleted.
    Delete,
    /// It came back: from its deletion, or to an earlier version.
    Restore,
    /// It is gone for good.
    Purge,
    /// What this client does not know yet.
    Other(String),
}

/// A change of a record.
#[derive(Clone)]
pub struct Change<T> {
    /// Where it stands: to go on behind it, also in another program.
    pub position: String,
    /// What was done.
    pub action: ChangeAction,
    /// When.
    pub at: Timestamp,
    /// The record: `_dataObjectId`.
    pub id: String,
    /// Its `_version` after the change.
    pub version: u64,
    /// The record as the change left it; of a delete as it was, `None` of a purge.
    pub record: Option<T>,
}

/// Hides the values: some may be personally identifiable information.
impl<T> std::fmt::Debug for Change<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Change")
            .field("action", &self.action)
            .field("id", &self.id)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Changes of a dataset in the order of their commits, each once. It is a [`Stream`], and can be read without one:
/// [`next`](Self::next). It waits for what comes, so it ends only by an error; after that it can be read on, from where
/// it was.
#[must_use = "changes are asked for as they are read"]
pub struct Changes<T> {
    transport: Arc<dyn Transport>,
    dataset: RawDataset,
    read: fn(&str) -> Result<T, ClientError>,
    position: Option<String>,
    items: VecDeque<Change<T>>,
    asked: Option<TransportFuture<Option<String>>>,
}

// nothing in it points into itself
impl<T> Unpin for Changes<T> {}

impl<T> std::fmt::Debug for Changes<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

impl RawDataset {
    /// What changes in the dataset behind a position ([`Change::position`]); `None` is the beginning of what the service
    /// keeps, `"latest"` is now.
    pub fn changes(&self, after: Option<&str>) -> Changes<RawRecord> {
        self.changes_as(after, RawRecord::from_json)
    }

    fn changes_as<T>(
        &self,
        after: Option<&str>,
        read: fn(&str) -> Result<T, ClientError>,
    ) -> Changes<T> {
        Changes {
            transport: self.client().transport(),
            dataset: self.clone(),
            read,
            position: after.map(str::to_owned),
            items: VecDeque::new(),
            asked: None,
        }
    }
}

impl<R: Record> Dataset<R> {
    /// What changes in the dataset behind a position, as [`RawDataset::changes`] tells it.
    pub fn changes(&self, after: Option<&str>) -> Changes<Stored<R>> {
        self.raw().changes_as(after, stored::<R>)
    }
}

impl<T> Changes<T> {
    /// The next change, waited for.
    ///
    /// # Errors
    /// The service's and the connection's: [`Cause::Gone`](crate::Cause::Gone) where the changes behind the position are not
    /// kept any more.
    pub async fn next(&mut self) -> Result<Change<T>, ClientError> {
        std::future::poll_fn(|context| self.poll(context)).await
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Change<T>, ClientError>> {
        loop {
            if let Some(change) = self.items.pop_front() {
                return Poll::Ready(Ok(change));
            }
            let asked = self.asked.get_or_insert_with(|| {
                let operation = Operation::Changes {
                    dataset: self.dataset.shared_path(),
                    after: self.position.clone(),
                    wait: WAIT_SECONDS,
                };
                self.transport.clone().run(operation, None)
            });
            let answer = ready!(asked.as_mut().poll(context));
            self.asked = None;
            let text = answer?.ok_or_else(|| wrong("they have no body"))?;
            self.take(&text)?;
        }
    }

    fn take(&mut self, text: &str) -> Result<(), ClientError> {
        let root = parse(text).map_err(|error| wrong(&error.to_string()))?;
        let (Some(Value::Array(items)), Some(Value::String(next))) = (
            root.get("items").map(|node| &node.value),
            root.get("next").map(|node| &node.value),
        ) else {
            return Err(wrong("`items` or `next` is missing"));
        };
        let items = items.iter().map(|item| change(text, item, self.read));
        self.items = items.collect::<Result<_, _>>()?;
        self.position = Some(next.to_string());
        Ok(())
    }
}

impl<T> Stream for Changes<T> {
    type Item = Result<Change<T>, ClientError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll(context).map(Some)
    }
}

fn wrong(text: &str) -> ClientError {
    ClientError::Answer("changes", text.to_owned())
}

/// Reads one item.
fn change<T>(
    text: &str,
    item: &Node<'_>,
    read: fn(&str) -> Result<T, ClientError>,
) -> Result<Change<T>, ClientError> {
    let missing = |name: &str| wrong(&format!("one has no well-formed `{name}`"));
    let word = |name: &str| match item.get(name).map(|node| &node.value) {
        Some(Value::String(word)) => Ok(word.to_string()),
        _ => Err(missing(name)),
    };
    let version = match item.get("version").map(|node| &node.value) {
        Some(Value::Number(token)) => token.parse().ok(),
        _ => None,
    };
    let record = match item.get("record").map(|node| (node, &node.value)) {
        None | Some((_, Value::Null)) => None,
        Some((node, _)) => Some(read(&text[node.start..node.end])?),
    };
    Ok(Change {
        position: word("position")?,
        action: match &*word("action")? {
            "create" => ChangeAction::Create,
            "update" => ChangeAction::Update,
            "delete" => ChangeAction::Delete,
            "restore" => ChangeAction::Restore,
            "purge" => ChangeAction::Purge,
            other => ChangeAction::Other(other.to_owned()),
        },
        at: word("at")?.parse().map_err(|_| missing("at"))?,
        id: word("dataObjectId")?,
        version: version.ok_or_else(|| missing("version"))?,
        record,
    })
}

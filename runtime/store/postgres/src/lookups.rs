//! Records by primary key, for many who ask at once: whoever asks while others are being read travels with the next
//! statement, one for a dataset. Who asks alone waits for nobody.

use crate::connections::Connections;
use crate::error::{Failure, Told};
use crate::records::{self, select_record};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use store::StoreError;
use store::records::StoredRecord;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

const BY_KEYS: &str = select_record!(
    ", primary_key",
    "WHERE dataset = $1 AND primary_key = ANY($2) AND NOT deleted AND primary_key IS NOT NULL"
);
/// The column behind those of the record.
const KEY_COLUMN: usize = 9;

/// How many statements are under way at most: one that is slow holds up none but its own.
const UNDER_WAY_MAX: usize = 4;
/// Keys of a statement.
const TOGETHER_MAX: usize = 64;

/// Who asks, and what for.
struct Lookup {
    dataset: u32,
    key: String,
    answer: oneshot::Sender<Found>,
}

type Found = Result<Option<StoredRecord>, Told>;

/// Where those wait who ask for a record by its key.
pub(crate) struct Lookups(mpsc::UnboundedSender<Lookup>);

impl Lookups {
    /// Starts the task, which ends with the store.
    pub(crate) fn start(connections: Connections) -> Self {
        let (asked, waiting) = mpsc::unbounded_channel();
        tokio::spawn(look_up(connections, waiting));
        Lookups(asked)
    }

    /// The record of a dataset with this key, which is as records keep it; read after this was asked.
    pub(crate) async fn find(
        &self,
        dataset: u32,
        key: String,
    ) -> Result<Option<StoredRecord>, StoreError> {
        // no text of the database can have it, and one such key would refuse the others' statement
        if key.contains('\0') {
            return Ok(None);
        }
        let (answer, found) = oneshot::channel();
        let asked = Lookup {
            dataset,
            key,
            answer,
        };
        // a queue without its task drops the answer, and that ends the wait
        let _ = self.0.send(asked);
        Ok(found.await.map_err(|_| StoreError::Closed)??)
    }
}

async fn look_up(connections: Connections, mut asked: mpsc::UnboundedReceiver<Lookup>) {
    let under_way = Arc::new(Semaphore::new(UNDER_WAY_MAX));
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Some(first) = asked.recv().await else {
                return;
            };
            waiting.push_back(first);
        }
        let Ok(permit) = under_way.clone().acquire_owned().await else {
            return;
        };
        while let Ok(another) = asked.try_recv() {
            waiting.push_back(another);
        }
        let together = of_one_dataset(&mut waiting);
        tokio::spawn(answer(connections.clone(), together, permit));
    }
}

/// Takes those out who ask for records of the dataset that is asked for first.
fn of_one_dataset(waiting: &mut VecDeque<Lookup>) -> Vec<Lookup> {
    let Some(dataset) = waiting.front().map(|first| first.dataset) else {
        return Vec::new();
    };
    let mut together = Vec::new();
    for asked in std::mem::take(waiting) {
        if asked.dataset == dataset && together.len() < TOGETHER_MAX {
            together.push(asked);
        } else {
            waiting.push_back(asked);
        }
    }
    together
}

async fn answer(connections: Connections, mut together: Vec<Lookup>, permit: OwnedSemaphorePermit) {
    // who no longer waits needs no answer
    together.retain(|asked| !asked.answer.is_closed());
    let found = read(&connections, &together).await.map_err(Told::from);
    drop(permit);
    for asked in together {
        let found = match &found {
            Ok(found) => Ok(found.get(&asked.key).cloned()),
            Err(told) => Err(told.clone()),
        };
        let _ = asked.answer.send(found);
    }
}

/// The records of one dataset that are asked for, by their keys.
async fn read(
    connections: &Connections,
    together: &[Lookup],
) -> Result<HashMap<String, StoredRecord>, Failure> {
    let Some(first) = together.first() else {
        return Ok(HashMap::new());
    };
    let keys: Vec<&str> = together.iter().map(|asked| asked.key.as_str()).collect();
    let dataset = i64::from(first.dataset);
    let rows = connections.read(BY_KEYS, &[&dataset, &keys]).await?;
    let found = rows
        .iter()
        .map(|row| (row.get(KEY_COLUMN), records::record(row)));
    Ok(found.collect())
}

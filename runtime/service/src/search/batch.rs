//! Batches, in which records come into the index: how large one is, and which records it leaves out. What is read for it,
//! the indexer says.

use super::documents::{DocumentMaker, gone};
use store::StoreError;
use store::records::{PageLimit, RecordId, StoredRecord};
use store::search::Document;

/// How many entries, or records of a dataset that is being read, go into one transaction of the index: a search that
/// comes meanwhile waits for it, two tenths of a second. Each batch is a part of the full-text index, which is joined with
/// others later, so a record costs less the more there are in one.
pub(super) const BATCH: PageLimit = PageLimit {
    records: 4000,
    bytes: 8 << 20,
};

/// What goes into the index in one transaction.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) documents: Vec<Document>,
    /// The records that can't be read, and why.
    pub(super) left_out: Vec<(RecordId, StoreError)>,
    /// Bytes of the records that were read.
    pub(super) bytes: usize,
}

impl Batch {
    /// Puts a record in.
    pub(super) fn add(&mut self, record: &StoredRecord, documents: &mut DocumentMaker) {
        let id = record.id;
        self.bytes += record.bytes();
        let document = documents.of_record(record).unwrap_or_else(|error| {
            self.left_out.push((id, error));
            gone(id.place)
        });
        self.documents.push(document);
    }

    /// Leaves a record out that is not as it was written.
    pub(super) fn leave_out(&mut self, id: RecordId, error: StoreError) {
        self.left_out.push((id, error));
        self.documents.push(gone(id.place));
    }
}

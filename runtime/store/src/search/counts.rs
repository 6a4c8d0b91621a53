//! Counts over an index: how often each value of a field is there, and which faults.

use super::key::Key;
use super::name::FieldName;
use super::{Aim, Expression};
use crate::records::RecordPlace;
use std::sync::Arc;
use std::time::Instant;

/// What to count.
#[derive(Clone, Debug)]
pub struct Count {
    /// Only records that say this; `None` counts all, and is told without looking at each.
    pub expression: Option<Expression>,
    /// Where.
    pub aims: Vec<Aim>,
    /// What of them.
    pub what: Counted,
    /// When it is to be given up, with [`StoreError::TimedOut`](crate::StoreError::TimedOut).
    pub deadline: Instant,
}

/// What of the records is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The keys of the fields of a name: records that have the key.
    Keys {
        /// The name.
        of: FieldName,
        /// So many keys at most, those that the most records have.
        most: usize,
    },
    /// The faults of active fields in each dataset: records that have the fault.
    Faults {
        /// So many places of each at most, the first of them.
        samples: usize,
    },
}

/// What was counted, in no order.
#[derive(Clone, Debug, PartialEq)]
pub enum Tally {
    /// So many records for each key.
    Keys(KeyCounts),
    /// So many records for each fault.
    Faults(Vec<FaultCount>),
}

/// How many records have a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyCounts {
    /// So many records for each key that is told.
    pub most: Vec<(Key, u64)>,
    /// How many other keys there are.
    pub others: u64,
    /// How many records have them: one that has several of them counts for each.
    pub other_records: u64,
}

/// How many records of a dataset have a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultCount {
    /// The dataset's number.
    pub dataset: u32,
    /// The `fieldId`.
    pub field: Arc<str>,
    /// The rule's code.
    pub rule: Box<str>,
    /// So many records.
    pub records: u64,
    /// The first of them, as many as were asked for.
    pub samples: Vec<RecordPlace>,
}

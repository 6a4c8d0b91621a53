//! The full-text index's contract. An index follows the change log at its own pace and remembers, in the
//! same transaction, how far it has come; whoever needs every committed write waits for that number. It
//! holds words and places, never a record, and can always be thrown away and made again. It does not
//! know who may see what: it searches the datasets it is told to.

mod counts;
mod expression;
mod key;
mod name;
mod words;

pub use counts::{Count, Counted, FaultCount, KeyCounts, Tally};
pub use expression::{Expression, FaultTerm, Term};
pub use key::{FieldRange, Key, KeyRange, Position, SortField, SortKeys, order_of};
pub use name::FieldName;
pub use words::{FieldWords, ends_in_word, is_mark, whole_text, words};

use super::StoreFuture;
use super::records::RecordPlace;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// How far an index has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The newest entry of the change log that is in it. It comes first in what is written of a progress: the index in
    /// PostgreSQL reads it off the beginning.
    pub applied: u64,
    /// What that entry says, so that another store's log is told from this one's.
    pub mark: String,
    /// The datasets whose records are being read from the first to the last, and the last sequence that
    /// was read. Empty when the index is whole.
    pub walks: BTreeMap<u32, u64>,
    /// The version by which each schema's records were read.
    pub versions: BTreeMap<String, i64>,
}

/// The words of a record, or that it has left.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Which record.
    pub place: RecordPlace,
    /// The record's words; `None` takes it out.
    pub content: Option<Content>,
}

/// What is to be found of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// The schema its fields belong to.
    pub schema: Arc<str>,
    /// The schema's version by which it was read.
    pub version: i64,
    /// The fields that have words: their `fieldId`, and the words.
    pub fields: Vec<(Arc<str>, FieldWords)>,
    /// What else there is to know of the active fields, each once.
    pub facts: Vec<FieldFacts>,
}

/// What there is to know of a record's field beside its words.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldFacts {
    /// The `fieldId`.
    pub field: Arc<str>,
    /// Its value.
    pub value: FactValue,
    /// The codes of the rules that it breaks, each once.
    pub faults: Vec<Box<str>>,
}

/// What a field's value is to ranges, sorted pages and counts.
#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    /// There is none.
    Missing,
    /// One that has no place in an order, and whose field has no order.
    Plain,
    /// One that has no place in the order that its field has: it can't be read.
    Unread,
    /// One or several that have a place; never empty.
    Keys(Vec<Key>),
}

/// A dataset to search, and its fields.
#[derive(Clone, Debug)]
pub struct Aim {
    /// Its number.
    pub dataset: u32,
    /// The fields that may be seen.
    pub fields: Arc<AimFields>,
}

/// The fields of a schema as they are today.
#[derive(Clone, Debug)]
pub struct AimFields {
    /// The schema's id.
    pub schema: Arc<str>,
    /// Each active field.
    pub active: Vec<AimField>,
}

impl AimFields {
    /// The active fields that a name means.
    pub fn named(&self, name: &FieldName) -> impl Iterator<Item = &AimField> {
        name.meant(&self.active, |field| &field.name)
    }

    /// The fields whose words a term asks for.
    pub fn asked_by<'a>(&'a self, term: &'a Term) -> impl Iterator<Item = &'a AimField> {
        let is_asked = move |field: &&AimField| {
            let mut except = term.except.iter();
            field.has_words && !except.any(|(schema, id)| *schema == self.schema && *id == field.id)
        };
        let named = self.of(term.field.as_ref()).into_iter();
        named.filter(is_asked)
    }

    /// The active fields that a name means; without one, all of them.
    pub fn of(&self, name: Option<&FieldName>) -> Vec<&AimField> {
        match name {
            Some(name) => self.named(name).collect(),
            None => self.active.iter().collect(),
        }
    }
}

/// A field that may be seen.
#[derive(Clone, Debug)]
pub struct AimField {
    /// Its name.
    pub name: FieldName,
    /// Its `fieldId`.
    pub id: Arc<str>,
    /// Whether a record may have several values in it.
    pub is_list: bool,
    /// Whether its words may be found.
    pub has_words: bool,
    /// The versions of the schema that did not have it: records that were read by these have no value in it.
    pub unknown_to: Arc<[i64]>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchPage {
    /// The places of one page, in order.
    pub places: Vec<RecordPlace>,
    /// What each of them was sorted by; empty when nothing was sorted.
    pub keys: Vec<SortKeys>,
    /// How many there are in all, up to the number that was asked for.
    pub total: u64,
}

/// What to look for.
#[derive(Clone, Debug)]
pub struct Search {
    /// What the records must say.
    pub expression: Expression,
    /// Where to look: each dataset once, in order of numbers.
    pub aims: Vec<Aim>,
    /// By what hits are sorted; empty is the order of places.
    pub sort: Vec<SortField>,
    /// Only what comes behind this goes on the page.
    pub after: Option<Position>,
    /// How many places a page has.
    pub limit: usize,
    /// Up to where the total counts; at 0, nothing is counted.
    pub total_max: u64,
    /// Whether any hits will do, and not the first alone: a few that are shown once, behind which nobody goes on. An index
    /// may look at no more than it finds them by.
    pub unordered: bool,
    /// When it is to be given up, with [`StoreError::TimedOut`](super::StoreError::TimedOut).
    pub deadline: Instant,
}

/// The contract of a full-text index.
pub trait SearchIndex: Send + Sync {
    /// Whether it was opened to be read only, and stays as it is.
    fn is_read_only(&self) -> bool {
        false
    }

    /// How far it has come; `None` when it is empty and was told nothing yet.
    fn progress(&self) -> Option<Arc<Progress>>;

    /// Whether something in it could not be read that was written there: it answers nothing until
    /// [`clear`](Self::clear) has made it anew. One that is only read is never made anew, and says no.
    fn is_damaged(&self) -> bool {
        false
    }

    /// A number that rises whenever it is emptied, here or, as far as that is known, by another server. Who read it before it saw
    /// the progress, and finds it the same behind a look, looked at an index of that progress.
    fn emptied(&self) -> u64 {
        0
    }

    /// Throws everything away, its progress and its damage too. It may hold the thread that asks, as `apply` may.
    fn clear(&self) -> StoreFuture<'_, ()>;

    /// Puts documents in place of what was there, and remembers the progress with them.
    fn apply(&self, documents: Vec<Document>, progress: Progress) -> StoreFuture<'_, ()>;

    /// Looks for records.
    fn find(&self, search: Search) -> StoreFuture<'_, SearchPage>;

    /// Counts values or faults.
    fn count(&self, count: Count) -> StoreFuture<'_, Tally>;

    /// Looks whether another server made it anew with whom it is shared, so that its progress is that one's; whether one did.
    /// Called while there is nothing to write.
    fn look_again(&self) -> StoreFuture<'_, bool> {
        Box::pin(std::future::ready(Ok(false)))
    }

    /// Compares all that it holds with what was written, where it can; damage is noted as if a search had met it. It takes its
    /// time, holds the thread of the caller, and ends when it is stopped.
    fn verify(&self, _is_stopped: Box<dyn Fn() -> bool + Send>) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Gives back what is held only to be quicker and was not used for a while. Called now and then.
    fn rest(&self) {}
}

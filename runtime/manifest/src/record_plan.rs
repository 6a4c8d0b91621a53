//! What is to be done with a record of a file: it is found in the dataset by its primary key, and made, changed, kept
//! as it is, left alone where people were at it, or left out. Nothing is written here.

use crate::applier::explain;
use crate::by::is_of_a_manifest;
use crate::model::RecordMode;
use crate::record_diff::{Update, diff, id_of};
use service::{DatasetPermit, LastAuthor, Service};
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

const NO_KEY: &str =
    "its schema has no primary key to find it by, and the dataset has records already";
pub(crate) const NO_VALUE: &str = "its primary key has no value";
pub(crate) const TAKEN: &str = "an earlier record has its primary key";

/// What is to be done with a record of a file.
pub(crate) enum Plan {
    /// It is made.
    Create,
    /// It is there, as it should be.
    Keep,
    /// It is changed.
    Update(Update),
    /// Someone edited or deleted it.
    LeaveAlone(String),
    /// It can't be stored.
    LeaveOut(String),
}

/// Plans the records of a dataset's files, one after the other.
pub(crate) struct Planner<'a> {
    pub(crate) service: &'a Service,
    pub(crate) permit: &'a DatasetPermit,
    /// Whether the dataset had no records when it began, deleted ones neither: then the store itself tells of a key
    /// that is missing or taken.
    pub(crate) is_fresh: bool,
    /// Whether who asks may know who edited a record.
    pub(crate) sees_authors: bool,
    /// Whether edited and deleted records are written all the same.
    pub(crate) overwrites: bool,
    /// The keys of records that people deleted.
    pub(crate) deleted: HashSet<String>,
    /// The keys of a manifest's records that people gave others, once a key is met that no record has.
    pub(crate) earlier: Option<HashSet<String>>,
    /// Primary keys of this application, where the store does not tell of them, or somebody else was faster: the first record
    /// of each counts.
    pub(crate) seen: HashSet<String>,
    /// The records that this application made, where the store itself tells of keys.
    pub(crate) made: MadeRecords,
    /// What records of this file are to the dataset.
    pub(crate) mode: RecordMode,
}

/// Records by a hash of their ids.
#[derive(Default)]
pub(crate) struct MadeRecords {
    hashes: HashSet<u64>,
    hasher: RandomState,
}

impl MadeRecords {
    fn note(&mut self, id: &str) {
        let hash = self.hasher.hash_one(id);
        self.hashes.insert(hash);
    }

    fn has(&self, id: &str) -> bool {
        self.hashes.contains(&self.hasher.hash_one(id))
    }
}

impl Planner<'_> {
    /// Whether the file is left alone as a whole: its seeds can't be found among the records that are there.
    pub(crate) fn leaves_all(&self) -> bool {
        let schema = &self.permit.schema().current().schema;
        !self.is_fresh && self.mode == RecordMode::Seed && schema.primary_key().is_none()
    }

    /// What is to be done with a record.
    pub(crate) async fn plan(&mut self, record: &str) -> anyhow::Result<Plan> {
        if self.is_fresh {
            return Ok(Plan::Create);
        }
        let version = self.permit.schema().current();
        if version.schema.primary_key().is_none() {
            return Ok(Plan::LeaveOut(NO_KEY.to_owned()));
        }
        let checked = match version.checker.check(record.as_bytes()) {
            Ok(checked) => checked,
            Err(rejected) => return Ok(Plan::LeaveOut(rejected.to_string())),
        };
        let Some(key) = checked.primary_key() else {
            return Ok(Plan::LeaveOut(NO_VALUE.to_owned()));
        };
        if !self.seen.insert(key.to_owned()) {
            return Ok(Plan::LeaveOut(TAKEN.to_owned()));
        }
        self.of_key(key, record, checked.normal_form()).await
    }

    /// Notes that a record was made.
    pub(crate) fn note_made(&mut self, id: &str) {
        if self.is_fresh {
            self.made.note(id);
        }
    }

    /// Plans a record once more whose key was taken when it was to be made: an earlier record of this application has it, or
    /// somebody else was faster.
    pub(crate) async fn plan_again(&mut self, record: &str) -> anyhow::Result<Plan> {
        let version = self.permit.schema().current();
        let checked = match version.checker.check(record.as_bytes()) {
            Ok(checked) => checked,
            Err(rejected) => return Ok(Plan::LeaveOut(rejected.to_string())),
        };
        let Some(key) = checked.primary_key() else {
            return Ok(Plan::LeaveOut(NO_VALUE.to_owned()));
        };
        let stored = self.service.whole_record_by_key(self.permit, key).await;
        if let Some(stored) = stored.map_err(explain)?
            && self.made.has(&id_of(&stored)?)
        {
            return Ok(Plan::LeaveOut(TAKEN.to_owned()));
        }
        // one that somebody else was faster with is met by the first of those that say its key
        if self.is_fresh && !self.seen.insert(key.to_owned()) {
            return Ok(Plan::LeaveOut(TAKEN.to_owned()));
        }
        self.of_key(key, record, checked.normal_form()).await
    }

    /// What is to be done with a record that has a key.
    async fn of_key(&mut self, key: &str, record: &str, normal: &str) -> anyhow::Result<Plan> {
        if self.mode == RecordMode::Seed {
            let is_there = self.service.has_key(self.permit, key).await;
            return Ok(if is_there.map_err(explain)? {
                Plan::Keep
            } else {
                self.make(key).await?
            });
        }
        let stored = self.service.whole_record_by_key(self.permit, key).await;
        let Some(stored) = stored.map_err(explain)? else {
            return self.make(key).await;
        };
        let schema = &self.permit.schema().current().schema;
        match diff(schema, &stored, record, normal, self.mode)? {
            None => Ok(Plan::Keep),
            Some(update) => self.change(update).await,
        }
    }

    /// What is to be done where there is no record.
    async fn make(&mut self, key: &str) -> anyhow::Result<Plan> {
        if self.overwrites {
            return Ok(Plan::Create);
        }
        if self.deleted.contains(key) {
            return Ok(Plan::LeaveAlone("someone deleted it".to_owned()));
        }
        if self.earlier.is_none() {
            let earlier = self.service.earlier_keys(self.permit, is_of_a_manifest);
            self.earlier = Some(earlier.await.map_err(explain)?);
        }
        let is_earlier = self.earlier.as_ref().is_some_and(|it| it.contains(key));
        Ok(if is_earlier {
            Plan::LeaveAlone("someone gave it another primary key".to_owned())
        } else {
            Plan::Create
        })
    }

    /// What is to be done where the record that is there says another thing.
    async fn change(&self, update: Update) -> anyhow::Result<Plan> {
        if self.overwrites {
            return Ok(Plan::Update(update));
        }
        let author = self.service.last_author(self.permit, &update.id).await;
        Ok(match author.map_err(explain)? {
            Some(LastAuthor { actor, .. }) if is_of_a_manifest(&actor) => Plan::Update(update),
            Some(LastAuthor { actor, at }) => {
                let who = if self.sees_authors {
                    actor.name.as_str()
                } else {
                    "someone"
                };
                Plan::LeaveAlone(format!("{who} edited it on {at}"))
            }
            None => Plan::LeaveAlone("who edited it is not known any more".to_owned()),
        })
    }
}

//! Which fields are personal, and who looks at their values: the trail tells it before they are shown, once an hour for each
//! dataset or record. docs/interface.md, "Personal data". What is shown in place of them is in `masking.rs`.

use crate::ids;
use crate::nouns::area_of;
use crate::{Caller, Refusal, Service};
use parking_lot::Mutex;
use serde_json::value::to_raw_value;
use std::collections::{BTreeSet, HashMap};
use store::catalog::{AuditAction, AuditEntry, Catalog, CatalogWrite, Kind, SchemaEntry};
use wire::Timestamp;

/// Milliseconds in which the trail tells once that someone sees the personal values of a thing.
const TOLD_FOR: i64 = 60 * 60 * 1000;
/// How many of those that were told are remembered.
const TOLD_MAX: usize = 10_000;

/// Who was told to see what, and when.
#[derive(Default)]
pub(crate) struct ToldLooks(Mutex<HashMap<(String, String), i64>>);

impl ToldLooks {
    /// Whether it is to be told now.
    fn is_new(&self, by: &str, id: &str, now: i64) -> bool {
        let mut told = self.0.lock();
        let key = (by.to_owned(), id.to_owned());
        // what was told at a moment to come was so before the clock was set back
        let is_recent = |at: i64| (0..TOLD_FOR).contains(&(now - at));
        if told.get(&key).is_some_and(|at| is_recent(*at)) {
            return false;
        }
        if told.len() >= TOLD_MAX {
            told.retain(|_, at| is_recent(*at));
        }
        // told twice is better than never
        if told.len() < TOLD_MAX {
            told.insert(key, now);
        }
        true
    }

    fn forget(&self, by: &str, id: &str) {
        self.0.lock().remove(&(by.to_owned(), id.to_owned()));
    }
}

/// That someone sees personal values of a dataset or of a record, or finds something by them.
#[derive(Clone, Copy)]
pub(crate) struct Look<'l> {
    entry: &'l SchemaEntry,
    noun: Kind,
    id: &'l str,
    /// The names of the fields whose values are personal there.
    personal: fn(&SchemaEntry) -> BTreeSet<&str>,
}

impl<'l> Look<'l> {
    /// At values as they are now.
    pub(crate) fn now(entry: &'l SchemaEntry, (noun, id): (Kind, &'l str)) -> Self {
        Look {
            entry,
            noun,
            id,
            personal: personal_fields,
        }
    }

    /// At what was written under any version of the schema: values of fields that were ever personal are personal there.
    pub(crate) fn past(entry: &'l SchemaEntry, (noun, id): (Kind, &'l str)) -> Self {
        Look {
            personal: personal_names,
            ..Look::now(entry, (noun, id))
        }
    }

    /// By what it is remembered that it was told, if anything is personal: other fields of the same thing are another look.
    fn key(&self) -> Option<String> {
        let fields = Vec::from_iter((self.personal)(self.entry));
        let key = || format!("{} {:x}", self.id, ids::hash(&fields.join("\n")));
        (!fields.is_empty()).then(key)
    }

    /// The entry of the trail that tells it.
    fn told(&self, caller: &Caller, now: Timestamp) -> AuditEntry {
        let fields = (self.personal)(self.entry);
        let area = area_of(caller.catalog(), Kind::Schema, &self.entry.id);
        AuditEntry {
            tenant: caller.tenant().to_owned(),
            at: now,
            actor: caller.actor().clone(),
            action: AuditAction::ViewPersonalData,
            noun: self.noun,
            id: self.id.to_owned(),
            area: area.map(str::to_owned),
            before: None,
            after: to_raw_value(&serde_json::json!({ "fields": fields })).ok(),
        }
    }
}

/// The names of the active fields that are personal.
pub(crate) fn personal_fields(entry: &SchemaEntry) -> BTreeSet<&str> {
    let active = entry.current().schema.active_fields();
    let personal = active.filter(|field| field.is_pii());
    personal.map(|field| field.name.as_str()).collect()
}

/// The names of all fields that hold or ever held personal values: what is shown may be older than the schema's version in
/// force.
pub(crate) fn personal_names(entry: &SchemaEntry) -> BTreeSet<&str> {
    let fields = entry
        .versions
        .iter()
        .flat_map(|version| &version.schema.fields);
    let ids: BTreeSet<&str> = fields
        .clone()
        .filter(|field| field.is_pii())
        .map(|field| field.id.as_str())
        .collect();
    let personal = fields.filter(|field| ids.contains(field.id.as_str()));
    personal.map(|field| field.name.as_str()).collect()
}

impl Service {
    /// Tells in the trail that someone sees personal values: once an hour, before it sees them.
    ///
    /// # Errors
    /// The store's.
    pub(crate) async fn tell_look(&self, caller: &Caller, look: Look<'_>) -> Result<(), Refusal> {
        self.tell_looks(caller, &[look]).await
    }

    /// The same of several looks, in one write.
    ///
    /// # Errors
    /// The store's.
    pub(crate) async fn tell_looks(
        &self,
        caller: &Caller,
        looks: &[Look<'_>],
    ) -> Result<(), Refusal> {
        // one that only reads has told nobody anything since it was opened
        if !caller.sees_personal() || self.store().is_read_only() {
            return Ok(());
        }
        let now = self.now();
        let new = looks.iter().filter_map(|look| {
            let key = look.key()?;
            let is_new = self.told_looks.is_new(caller.id(), &key, now.millis());
            is_new.then_some((look, key))
        });
        let new: Vec<(&Look<'_>, String)> = new.collect();
        if new.is_empty() {
            return Ok(());
        }
        let told = new.iter().map(|(look, _)| look.told(caller, now));
        let told: Vec<AuditEntry> = told.collect();
        let write = move |_: &Catalog| {
            Ok(CatalogWrite {
                audit: told.clone(),
                ..CatalogWrite::default()
            })
        };
        let written = self.store().decide(Box::new(write)).await;
        if written.is_err() {
            for (_, key) in &new {
                self.told_looks.forget(caller.id(), key);
            }
        }
        Ok(written.map(|_| ())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_told_once_an_hour_and_again_where_it_could_not_be_told() {
        let told = ToldLooks::default();
        assert!(told.is_new("a", "d", 0));
        assert!(!told.is_new("a", "d", TOLD_FOR - 1));
        assert!(told.is_new("b", "d", 1));
        assert!(told.is_new("a", "d", TOLD_FOR));
        told.forget("a", "d");
        assert!(told.is_new("a", "d", TOLD_FOR + 1));
        assert!(told.is_new("a", "d", 0), "the clock was set back");
        assert!(!told.is_new("a", "d", 1));
    }
}

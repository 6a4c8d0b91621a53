//! Personal values in management: of a field whose schema says `isPII`, only who has a role with view of `PERSONAL DATA`
//! sees values, finds records by them and sorts by them; others see a mask. Who sees them is told in the trail. The
//! data interface shows records whole, and is not concerned. docs/interface.md, "Personal data".

use crate::audit::{masked, personal_names};
use crate::nouns::area_of;
use crate::search::SearchRequest;
use crate::{Caller, DatasetPermit, PageRequest, Permit as _, RecordPage, Refusal, Service};
use parking_lot::Mutex;
use schema::json::{Node, Value, parse};
use serde_json::value::to_raw_value;
use std::collections::{BTreeSet, HashMap};
use store::StoreError;
use store::catalog::{
    AuditAction, AuditEntry, Catalog, CatalogWrite, Kind, Resource, SchemaEntry, Verb,
};

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

impl Caller {
    /// Whether it sees personal values in management.
    pub fn sees_personal(&self) -> bool {
        self.rights().may(Resource::PersonalData, Verb::View)
    }

    /// The names of the fields that are personal and whose values are masked for it.
    pub fn masked_fields<'e>(&self, entry: &'e SchemaEntry) -> BTreeSet<&'e str> {
        if self.sees_personal() {
            return BTreeSet::new();
        }
        personal_fields(entry)
    }

    /// The same for what was written under any version of the schema: fields that were ever personal.
    pub fn ever_masked_fields<'e>(&self, entry: &'e SchemaEntry) -> BTreeSet<&'e str> {
        if self.sees_personal() {
            return BTreeSet::new();
        }
        personal_names(entry)
    }
}

/// The names of the active fields that are personal.
fn personal_fields(entry: &SchemaEntry) -> BTreeSet<&str> {
    let active = entry.current().schema.active_fields();
    let personal = active.filter(|field| field.is_pii());
    personal.map(|field| field.name.as_str()).collect()
}

impl Service {
    /// A page of the dataset's records as management shows it.
    ///
    /// # Errors
    /// As [`list_records`](Self::list_records).
    pub async fn seen_records(
        &self,
        permit: &DatasetPermit,
        page: &PageRequest,
    ) -> Result<RecordPage, Refusal> {
        let page = self.list_records(permit, page).await?;
        let text = String::from_utf8_lossy(&page.json);
        let (json, is_any) =
            masked_each(&text, |_| permit.caller().masked_fields(permit.schema()))?;
        if is_any {
            let dataset = &permit.dataset().id;
            self.tell_look(permit.caller(), permit.schema(), (Kind::Dataset, dataset))
                .await?;
        }
        Ok(RecordPage { json: json.into() })
    }

    /// The record of a public id as management shows it; `None` when there is none, whatever the reason.
    ///
    /// # Errors
    /// The store's.
    pub async fn seen_record(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<String>, Refusal> {
        let Some(json) = self.record_by_id(permit, id).await? else {
            return Ok(None);
        };
        self.tell_look(permit.caller(), permit.schema(), (Kind::Record, id))
            .await?;
        let fields = permit.caller().masked_fields(permit.schema());
        Ok(Some(mask(&json, &fields)?))
    }

    /// Tells of each of these public ids, by where it stands among them, the record as management shows it, or that there is none,
    /// whatever the reason. They are read together, some at a time.
    ///
    /// # Errors
    /// The store's; what `tell` fails with.
    pub async fn seen_each(
        &self,
        permit: &DatasetPermit,
        ids: &[&str],
        mut tell: impl FnMut(usize, Option<String>) -> Result<(), Refusal> + Send,
    ) -> Result<(), Refusal> {
        let fields = permit.caller().masked_fields(permit.schema());
        let dataset = (Kind::Dataset, &*permit.dataset().id);
        let (mut at, mut is_told) = (0, false);
        while at < ids.len() {
            let found = self.first_by_ids(permit, &ids[at..]).await?;
            if !is_told && found.iter().any(Option::is_some) {
                self.tell_look(permit.caller(), permit.schema(), dataset)
                    .await?;
                is_told = true;
            }
            for json in found {
                let shown = json.map(|json| mask(&json, &fields)).transpose()?;
                tell(at, shown)?;
                at += 1;
            }
        }
        Ok(())
    }

    /// A page of hits as management shows it, found without what the caller does not see.
    ///
    /// # Errors
    /// As [`search`](Self::search); [`Refusal::Forbidden`] for a query that asks for personal values.
    pub async fn seen_hits(
        &self,
        caller: &Caller,
        request: &SearchRequest,
    ) -> Result<String, Refusal> {
        let caller = self.newest(caller)?;
        let found = self.managed_search(&caller, request).await?;
        let catalog = caller.catalog().clone();
        let mut seen = BTreeSet::new();
        let (json, _) = masked_each(&found, |hit| {
            let named = |name: &str| match hit.get(name).map(|node| &node.value) {
                Some(Value::String(text)) => text.to_string(),
                _ => String::new(),
            };
            seen.insert((named("_schemaId"), named("_dataSetId")));
            let entry = catalog.schemas.get(&named("_schemaId"));
            entry.map_or_else(BTreeSet::new, |entry| caller.masked_fields(entry))
        })?;
        for (schema, dataset) in &seen {
            if let Some(entry) = catalog.schemas.get(schema) {
                self.tell_look(&caller, entry, (Kind::Dataset, dataset))
                    .await?;
            }
        }
        Ok(json)
    }

    /// Tells in the trail that someone sees the personal values of a dataset or of a record: once an hour, before it sees
    /// them.
    ///
    /// # Errors
    /// The store's.
    pub(crate) async fn tell_look(
        &self,
        caller: &Caller,
        entry: &SchemaEntry,
        (noun, id): (Kind, &str),
    ) -> Result<(), Refusal> {
        let fields = personal_fields(entry);
        let at = self.now();
        let is_to_be_told = caller.sees_personal() && !fields.is_empty();
        // one that only reads has told nobody anything since it was opened
        if !is_to_be_told || self.store().is_read_only() {
            return Ok(());
        }
        if !self.told_looks.is_new(caller.id(), id, at.millis()) {
            return Ok(());
        }
        let look = AuditEntry {
            tenant: caller.tenant().to_owned(),
            at,
            actor: caller.actor().clone(),
            action: AuditAction::ViewPersonalData,
            noun,
            id: id.to_owned(),
            area: area_of(caller.catalog(), Kind::Schema, &entry.id).map(str::to_owned),
            before: None,
            after: to_raw_value(&serde_json::json!({ "fields": fields })).ok(),
        };
        let write = move |_: &Catalog| {
            Ok(CatalogWrite {
                audit: vec![look.clone()],
                ..CatalogWrite::default()
            })
        };
        let written = self.store().decide(Box::new(write)).await;
        if written.is_err() {
            self.told_looks.forget(caller.id(), id);
        }
        Ok(written.map(|_| ())?)
    }
}

/// A record with the values of these fields masked.
fn mask(json: &str, fields: &BTreeSet<&str>) -> Result<String, Refusal> {
    if fields.is_empty() {
        return Ok(json.to_owned());
    }
    let shown = masked(json, fields).ok_or_else(damaged)?;
    Ok(shown.get().to_owned())
}

/// A page with the values of each of its records masked, and whether it has any.
fn masked_each<'f>(
    json: &str,
    mut fields_of: impl FnMut(&Node<'_>) -> BTreeSet<&'f str>,
) -> Result<(String, bool), Refusal> {
    let root = parse(json).map_err(|_| damaged())?;
    let Value::Object(members) = &root.value else {
        return Err(damaged());
    };
    let (mut out, mut end, mut is_any) = (String::with_capacity(json.len()), 0, false);
    for member in members {
        let Value::Array(records) = &member.value.value else {
            continue;
        };
        for record in records {
            is_any = true;
            out.push_str(&json[end..record.start]);
            let fields = fields_of(record);
            out.push_str(&mask(&json[record.start..record.end], &fields)?);
            end = record.end;
        }
    }
    out.push_str(&json[end..]);
    Ok((out, is_any))
}

fn damaged() -> Refusal {
    StoreError::Damaged("a stored record".to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_of_a_page_is_masked_and_the_rest_is_as_it_was() {
        let page = r#"{"items":[{"A":"x","B":1.50},{"A":null}],"nextPageKey":"A"}"#;
        let (masked, is_any) = masked_each(page, |_| BTreeSet::from(["A"])).unwrap();
        assert!(is_any);
        assert_eq!(
            masked,
            r#"{"items":[{"A":"***","B":1.50},{"A":null}],"nextPageKey":"A"}"#
        );
        let (same, _) = masked_each(page, |_| BTreeSet::new()).unwrap();
        assert_eq!(same, page);
    }

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

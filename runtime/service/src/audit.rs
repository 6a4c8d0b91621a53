//! The audit trail: changes of the catalog, and changes of records with what is personal masked.

use crate::Refusal;
use crate::manage::AuditItem;
use crate::manage::RecordChange;
use crate::nouns::{MASK, UnderDataset as _};
use crate::{Caller, Owner, PageRequest, Service};
use schema::json::{Value, parse, write_string};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::catalog::{Dataset, Resource, SchemaEntry, Verb};
use store::records::{LogEntry, PageLimit};
use wire::Page;

/// How many entries of the log one request looks through at most.
const LOG_STEP: usize = 1000;
/// How many of them are read at a time: each may hold two large records.
const LOG_PART: PageLimit = PageLimit {
    records: 20,
    bytes: 512 << 10,
};

impl Service {
    /// Changes of the tenant's catalog, newest first.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub async fn audit_trail(
        &self,
        by: &Caller,
        page: &PageRequest,
    ) -> Result<Page<AuditItem>, Refusal> {
        let caller = self.viewer(by, Resource::Audit)?;
        let sight = caller.sight();
        let scope = format!("audit {}", sight.tenant);
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let before = self
            .page_position(&scope, page)
            .map_err(Refusal::of_management)?;
        let before = before.and_then(|before| i64::try_from(before).ok());
        let owner = Owner::of(by.id());
        let mut room = self
            .memory()
            .reserve_page(owner, self.settings.page_bytes)?;
        let read = |before, records, bytes| {
            let limit = PageLimit { records, bytes };
            self.store().audit(sight.tenant, before, limit)
        };
        let mut found = read(before, size, room.bytes()).await?;
        let mut has_more = false;
        if let Some(&(last, _)) = found.last() {
            has_more = !read(Some(last), 1, 1).await?.is_empty();
            let left = size - found.len();
            if has_more && left > 0 && room.has_grown() {
                found.extend(read(Some(last), left, room.bytes()).await?);
                let last = found.last().map(|(last, _)| *last);
                has_more = !read(last, 1, 1).await?.is_empty();
            }
        }
        let last = found
            .last()
            .and_then(|(number, _)| u64::try_from(*number).ok());
        let next_page_key = last
            .filter(|_| has_more)
            .map(|last| self.ids.page_key(&scope, last));
        let items = found
            .into_iter()
            .map(|(number, entry)| AuditItem { number, entry });
        Ok(Page {
            items: items.collect(),
            next_page_key,
        })
    }

    /// Changes of a dataset's records, oldest first. A page may hold fewer items than it could, or none,
    /// while there is a next one.
    ///
    /// # Errors
    /// No such dataset, missing rights, a bad page key.
    pub async fn record_changes(
        &self,
        by: &Caller,
        dataset: &str,
        page: &PageRequest,
    ) -> Result<Page<RecordChange>, Refusal> {
        let caller = self.viewer(by, Resource::Audit)?;
        let sight = caller.sight();
        let dataset = sight.living::<Dataset>(dataset)?;
        dataset.permit_under(sight, Resource::Audit, Verb::View)?;
        let personal = sight.catalog.schemas.get(&dataset.schema);
        let personal = personal
            .map(|entry| personal_names(entry))
            .unwrap_or_default();
        let scope = format!("changes {}", dataset.id);
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let mut after = self
            .page_position(&scope, page)
            .map_err(Refusal::of_management)?
            .unwrap_or(0);
        let owner = Owner::of(by.id());
        let mut room = self
            .memory()
            .reserve_page(owner, self.settings.page_bytes)?;
        let (mut items, mut bytes) = (Vec::new(), 0);
        let mut is_end = false;
        'page: for _ in 0..LOG_STEP / LOG_PART.records {
            let part = self.store().log(after, LOG_PART).await?;
            is_end = part.is_empty();
            for entry in part {
                let is_full = bytes >= room.bytes() && !room.has_grown();
                if items.len() == size || is_full {
                    break 'page;
                }
                after = entry.number;
                if entry.id.place.dataset == dataset.number {
                    let values = [&entry.before, &entry.after].into_iter().flatten();
                    bytes += values.map(String::len).sum::<usize>();
                    items.push(self.record_change(entry, &personal));
                }
            }
            if is_end {
                break;
            }
        }
        let next_page_key = (!is_end).then(|| self.ids.page_key(&scope, after));
        Ok(Page {
            items,
            next_page_key,
        })
    }

    fn record_change(&self, entry: LogEntry, personal: &BTreeSet<&str>) -> RecordChange {
        RecordChange {
            number: entry.number,
            data_object_id: self.ids.record(entry.id),
            action: entry.action,
            version: entry.version,
            at: entry.at,
            actor: Arc::unwrap_or_clone(entry.actor),
            before: entry.before.and_then(|text| masked(&text, personal)),
            after: entry.after.and_then(|text| masked(&text, personal)),
        }
    }
}

/// The names of all fields that hold or ever held personal values: an entry may be older than the
/// schema's version in force.
fn personal_names(entry: &SchemaEntry) -> BTreeSet<&str> {
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

/// The values with what is personal masked; every other one as it was written, since no number of ours holds
/// all that a record may.
fn masked(text: &str, personal: &BTreeSet<&str>) -> Option<Box<RawValue>> {
    // what can't be read could be anything
    let root = parse(text).ok()?;
    let Value::Object(members) = &root.value else {
        return None;
    };
    let mut out = String::from("{");
    for member in members {
        if out.len() > 1 {
            out.push(',');
        }
        write_string(&mut out, &member.key);
        out.push(':');
        let value = &text[member.value.start..member.value.end];
        if personal.contains(&*member.key) && value != "null" {
            write_string(&mut out, MASK);
        } else {
            out.push_str(value);
        }
    }
    out.push('}');
    RawValue::from_string(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_personal_is_masked_and_the_rest_is_as_it_was_written() {
        let personal = BTreeSet::from(["N", "E"]);
        let of = |text| masked(text, &personal).map(|masked| masked.get().to_owned());
        assert_eq!(
            of(r#"{"N":"Ada","A":1.50,"B":1e999,"E":null,"C":[1, 2],"D":"\u00e9"}"#).unwrap(),
            r#"{"N":"***","A":1.50,"B":1e999,"E":null,"C":[1, 2],"D":"\u00e9"}"#
        );
        assert_eq!(of("{}").unwrap(), "{}");
        assert_eq!(of(r#"{"N":"Ada""#), None);
    }
}

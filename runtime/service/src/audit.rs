//! The audit trail: changes of the catalog, and changes of records with what is personal masked for who may not see it.

use crate::Refusal;
use crate::audit_filter::AuditFilter;
use crate::audit_look::TrailLook;
use crate::manage::AuditItem;
use crate::manage::RecordChange;
use crate::nouns::{MASK, Sight, UnderDataset as _, masked as masked_text};
use crate::personal::Look;
use crate::pieces::Pieces;
use crate::told_errors::masked_errors;
use crate::{Caller, PageInRoom, PageRequest, Service};
use schema::json::{Value, parse, write_string};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::catalog::{Actor, AuditEntry, Dataset, Kind, Resource, Verb};
use store::records::{LogEntry, PageLimit};
use wire::Page;

/// How many entries of the log one request reads at most.
const LOG_STEP: usize = 1000;
/// How many of them are read at a time: each may hold two large records.
const LOG_PART: PageLimit = PageLimit {
    records: 20,
    bytes: 512 << 10,
};

impl Service {
    /// Changes of the tenant's catalog that are looked for, newest first. A page may hold fewer items than it could, or none, while there
    /// is a next one.
    ///
    /// # Errors
    /// Missing rights, a bad page key.
    pub async fn audit_trail(
        &self,
        by: &Caller,
        filter: &AuditFilter,
        page: &PageRequest,
    ) -> Result<PageInRoom<AuditItem>, Refusal> {
        let caller = self.viewer(by, Resource::Audit)?;
        let sight = caller.sight();
        let scope = format!("audit {}", sight.tenant);
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let before = self
            .page_position(&scope, page)
            .map_err(Refusal::of_management)?;
        let mut before = before.and_then(|before| i64::try_from(before).ok());
        let sought = filter.resolved(sight.catalog, sight.tenant);
        let owner = by.owner();
        let mut room = self
            .memory()
            .reserve_page(owner, self.settings.page_bytes)?;
        let read = |before, records, bytes| {
            let limit = PageLimit { records, bytes };
            self.store().audit(sight.tenant, before, limit)
        };
        let (mut items, mut bytes) = (Vec::new(), 0);
        let mut look = TrailLook::new(filter, size);
        let mut pieces = Pieces::default();
        'page: while let Some(part) = look.next_part() {
            let room_left = room.bytes().saturating_sub(bytes).max(1);
            let mut found = read(before, part, room_left).await?.into_iter();
            look.came(found.len());
            while let Some((number, entry)) = found.next() {
                // a name is looked for in the documents, also of what is not shown
                let read_bytes = filter.name.as_ref().map_or(0, |_| bytes_of(&entry));
                let is_held = sought.holds(&entry);
                let shown = is_held.then(|| shown(sight, entry)).flatten();
                before = Some(number);
                let own_bytes = shown.as_ref().map_or(0, bytes_of);
                pieces.made(own_bytes.max(read_bytes)).await;
                bytes += own_bytes;
                items.extend(shown.map(|entry| AuditItem { number, entry }));
                if items.len() == size {
                    look.note_full(found.as_slice().len());
                    break 'page;
                }
            }
            if bytes >= room.bytes() && !room.grow() {
                break;
            }
        }
        let has_more = match look.has_more {
            Some(has_more) => has_more,
            None => !read(before, 1, 1).await?.is_empty(),
        };
        let last = before.and_then(|last| u64::try_from(last).ok());
        let next_page_key = last
            .filter(|_| has_more)
            .map(|last| self.ids.page_key(&scope, last));
        let page = Page {
            items,
            next_page_key,
        };
        Ok(PageInRoom::new(page, room))
    }

    /// Changes of a dataset's records, oldest first. A page may hold fewer items than it could, or none,
    /// while there is a next one.
    ///
    /// # Errors
    /// No such dataset, missing rights (changes hold whole records, so they take view of these too), a bad page key.
    pub async fn record_changes(
        &self,
        by: &Caller,
        dataset: &str,
        page: &PageRequest,
    ) -> Result<PageInRoom<RecordChange>, Refusal> {
        let caller = self.viewer(by, Resource::Audit)?;
        caller.rights().require(Resource::Records, Verb::View)?;
        let sight = caller.sight();
        let dataset = sight.living::<Dataset>(dataset)?;
        dataset.permit_under(sight, Resource::Audit, Verb::View)?;
        let entry = sight.catalog.schemas.get(&dataset.schema);
        let personal = entry
            .map(|entry| caller.ever_masked_fields(entry))
            .unwrap_or_default();
        if let Some(entry) = entry {
            let look = Look::past(entry, (Kind::Dataset, &dataset.id));
            self.tell_look(&caller, look).await?;
        }
        let scope = format!("changes {}", dataset.id);
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let (mut after, mut number) = self.counted_position(&scope, page)?;
        let owner = by.owner();
        let mut room = self
            .memory()
            .reserve_page(owner, self.settings.page_bytes)?;
        let (mut items, mut bytes) = (Vec::new(), 0);
        let (mut is_end, mut pieces) = (false, Pieces::default());
        'page: for _ in 0..LOG_STEP / LOG_PART.records {
            let part = self.store().changes(dataset.number, after, LOG_PART);
            let part = part.await?;
            is_end = part.entries.is_empty();
            for entry in part.entries {
                let is_full = bytes >= room.bytes() && !room.grow();
                if items.len() == size || is_full {
                    break 'page;
                }
                after = entry.number;
                let values = [&entry.before, &entry.after].into_iter().flatten();
                let own_bytes = values.map(String::len).sum::<usize>();
                pieces.made(own_bytes).await;
                bytes += own_bytes;
                number += 1;
                items.push(self.record_change(number, entry, &personal));
            }
            if is_end {
                break;
            }
        }
        let key = |after, number| {
            let counted = self.ids.page_key(&format!("{scope} counted"), number);
            self.ids.page_key(&scope, after) + &counted
        };
        let next_page_key = (!is_end).then(|| key(after, number));
        let page = Page {
            items,
            next_page_key,
        };
        Ok(PageInRoom::new(page, room))
    }

    /// Where a page of changes begins: behind which entry of the log, and behind how many of the dataset's own. What
    /// is shown is counted, because the log's numbers tell what others write.
    fn counted_position(&self, scope: &str, page: &PageRequest) -> Result<(u64, u64), Refusal> {
        let Some(key) = &page.key else {
            return Ok((0, 0));
        };
        let (after, counted) = key.split_at_checked(key.len() / 2).unwrap_or((key, ""));
        let part = |scope: &str, key: &str| {
            let page = PageRequest {
                key: Some(key.to_owned()),
                size: None,
            };
            let position = self.page_position(scope, &page);
            position.map(Option::unwrap_or_default)
        };
        let after = part(scope, after);
        let both = after.and_then(|after| Ok((after, part(&format!("{scope} counted"), counted)?)));
        both.map_err(Refusal::of_management)
    }

    fn record_change(
        &self,
        number: u64,
        entry: LogEntry,
        personal: &BTreeSet<&str>,
    ) -> RecordChange {
        RecordChange {
            number,
            data_object_id: self.ids.record(entry.id),
            action: entry.action,
            version: entry.version,
            at: entry.at,
            actor: masked_actor(Arc::unwrap_or_clone(entry.actor)),
            before: entry.before.and_then(|text| masked(&text, personal)),
            after: entry.after.and_then(|text| masked(&text, personal)),
        }
    }
}

/// An entry as it is shown to who may see it: those of an area to whoever the area is granted to, all others to
/// every auditor.
fn shown(sight: Sight<'_>, mut entry: AuditEntry) -> Option<AuditEntry> {
    let has_area = matches!(
        entry.noun,
        Kind::Area | Kind::Schema | Kind::Dataset | Kind::Record
    );
    let is_visible = match &entry.area {
        Some(area) => sight.rights.manages(area, Verb::View),
        None => !has_area || sight.rights.is_administrator(),
    };
    entry.actor = masked_actor(entry.actor);
    if entry.noun == Kind::Schema {
        let masked = |document: Option<Box<RawValue>>| mask_provenance(&document?);
        entry.before = masked(entry.before);
        entry.after = masked(entry.after);
    }
    is_visible.then_some(entry)
}

/// Who acted, with what is personal of a user masked as in the user's own entries.
pub(crate) fn masked_actor(actor: Actor) -> Actor {
    let mask = |text: Option<String>| text.map(|text| masked_text(&text));
    Actor {
        email: mask(actor.email),
        full_name: mask(actor.full_name),
        ..actor
    }
}

/// What stands in a schema's document for who made and changed it and its fields: e-mail addresses, of users.
const PROVENANCE: [&str; 2] = ["createdBy", "updatedBy"];

/// A schema's document with the e-mail addresses masked, wherever they stand in it. One with a number that no value
/// holds was kept as a text within the text.
fn mask_provenance(document: &RawValue) -> Option<Box<RawValue>> {
    let mut text = document.get().to_owned();
    for key in PROVENANCE {
        text = masked_after(&text, &format!("\"{key}\":\""), "\"");
        text = masked_after(&text, &format!("\\\"{key}\\\":\\\""), "\\\"");
    }
    RawValue::from_string(text).ok()
}

/// A JSON text with the addresses between these signs masked.
fn masked_after(text: &str, opening: &str, closing: &str) -> String {
    let mut parts = text.split(opening);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(opening);
        // a name may hold a sign that looks like the closing one; no address does
        let value = part.split_once(closing).map_or(part, |(value, _)| value);
        let is_address = value.contains('@') && !value.contains('\\');
        out.push_str(if is_address { MASK } else { value });
        out.push_str(&part[value.len()..]);
    }
    out
}

/// Bytes of an entry's documents.
fn bytes_of(entry: &AuditEntry) -> usize {
    let documents = [&entry.before, &entry.after].into_iter().flatten();
    documents.map(|document| document.get().len()).sum()
}

/// The values with what is personal masked, and what is told of it; every other one as it was written, since no number of ours
/// holds all that a record may.
pub(crate) fn masked(text: &str, personal: &BTreeSet<&str>) -> Option<Box<RawValue>> {
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
        if member.key == "_errors" {
            out.push_str(&masked_errors(value, personal).ok()?);
        } else if personal.contains(&*member.key) && value != "null" {
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
    fn addresses_in_a_schemas_document_are_masked_also_where_it_is_kept_as_text() {
        let document = serde_json::json!({"name": "City", "createdBy": "root", "document": {
            "createdBy": "ada@example.org", "fields": [{"updatedBy": "ada@example.org", "min": 1}]}});
        let masked = |document: &serde_json::Value| -> serde_json::Value {
            let raw = serde_json::value::to_raw_value(document).unwrap();
            serde_json::from_str(mask_provenance(&raw).unwrap().get()).unwrap()
        };
        let shown = masked(&document);
        assert_eq!(shown["createdBy"], "root");
        assert_eq!(shown["document"]["createdBy"], "***");
        assert_eq!(shown["document"]["fields"][0]["updatedBy"], "***");
        let as_text = masked(&document.to_string().into());
        let read: serde_json::Value = serde_json::from_str(as_text.as_str().unwrap()).unwrap();
        assert_eq!(read, shown);
        let odd = serde_json::json!({"createdBy": "a@\"b", "updatedBy": "\\"});
        assert_eq!(masked(&odd), odd);
    }

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

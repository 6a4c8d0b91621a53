//! What was done to a record, newest first, and the way back to how it was.

use super::actor_names::actor_name;
use super::conflict::parsed;
use super::cut_text::{CutText, Room};
use super::numbers::moment;
use super::pagination::PageLinks;
use super::places::Place;
use super::record_files::identity;
use super::record_title::RecordTitle;
use super::texts::{Texts, alone};
use super::values::{texts_of, told_boolean};
use super::visit::{Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::{DataType, Field, Schema};
use serde_json::value::RawValue;
use service::manage::{HistoryItem, LogAction};
use service::{PageRequest, Refusal};
use std::collections::BTreeSet;

#[derive(Template)]
#[template(path = "history.html")]
struct HistoryPage {
    page: Page,
    place: Place,
    record: String,
    /// What the record is called.
    title: RecordTitle,
    is_deleted: bool,
    may_purge: bool,
    now: i64,
    entries: Vec<Entry>,
    pages: PageLinks,
    /// Why no version was brought back.
    message: Option<String>,
    /// The record that has the key of the version that was to come back, by its id.
    holder: Option<String>,
}

struct Entry {
    version: i64,
    /// The version before it, where this page tells which that is.
    version_before: Option<i64>,
    action: &'static str,
    at: String,
    by: String,
    changes: Vec<Changed>,
    is_newest: bool,
    /// Whether the record was made what its version is by it.
    is_state: bool,
}

struct Changed {
    name: String,
    before: CutText,
    after: CutText,
    /// Whether the visitor sees no value of its field.
    is_masked: bool,
}

impl Entry {
    /// Whether there was something before in any of the fields; in a record that was just made there was not.
    fn has_before(&self) -> bool {
        self.changes.iter().any(|change| !change.before.is_empty())
    }
}

pub(super) async fn show(visit: Visit<(String, String)>) -> Result<Response<Body>, Failure> {
    let (dataset, record) = &visit.ids;
    shown(&page_of(&visit, dataset, record).await?)
}

/// The history of a record.
async fn page_of<P>(visit: &Visit<P>, dataset: &str, record: &str) -> Result<HistoryPage, Failure> {
    let place = Place::of(visit, dataset)?;
    let request = visit.list_page();
    let service = &visit.site.service;
    let past = service.record_history(&visit.caller, dataset, record, &request);
    let past = past.await?;
    let is_first = request.key.is_none();
    // a restore names the version in force, which the newest entry has
    let newest = if is_first {
        past.items.first().map_or(0, |item| item.version)
    } else {
        let newest = PageRequest::default();
        let first = service.record_history(&visit.caller, dataset, record, &newest);
        first.await?.items.first().map_or(0, |item| item.version)
    };
    let text = service.seen_record(&place.permit, record).await?;
    let schema = &place.version().schema;
    let masked = place.ever_masked();
    let title = match &text {
        Some(text) => RecordTitle::of(&parsed(text)?, &place),
        None => {
            key_told(&past.items, schema, &masked).unwrap_or_else(|| RecordTitle::plain(record))
        }
    };
    let entries = past.items.iter().map(|item| {
        entry(
            item,
            (newest, schema),
            &masked,
            (past.items.len(), visit.texts),
        )
    });
    let mut entries: Vec<_> = entries.collect();
    let last = past.items.last();
    let last = last.filter(|_| past.next_page_key.is_some());
    let before = last.and_then(|last| version_below(last.action, last.version));
    tell_before(&mut entries, before);
    Ok(HistoryPage {
        page: visit.page(Section::Home),
        record: record.to_owned(),
        title,
        is_deleted: text.is_none(),
        may_purge: place.may_purge() && text.is_none(),
        now: newest,
        entries,
        message: None,
        holder: None,
        pages: PageLinks::of(
            visit,
            &format!("/datasets/{dataset}/records/{record}/history"),
            &[],
            past.into_page().next_page_key,
        ),
        place,
    })
}

/// The primary key that a deleted record had, as far as these entries tell it.
fn key_told(
    items: &[HistoryItem],
    schema: &Schema,
    masked: &BTreeSet<&str>,
) -> Option<RecordTitle> {
    let key = schema.primary_key()?;
    let changes = items.iter().flat_map(|item| &item.changes);
    let own = changes.filter(|change| change.name == key.name);
    let values = own.flat_map(|change| [change.after.as_deref(), change.before.as_deref()]);
    let text = values.map(line).find(|text| !text.is_empty())?;
    Some(RecordTitle {
        text,
        is_masked: masked.contains(&*key.name),
    })
}

/// A value on one line.
fn line(raw: Option<&RawValue>) -> String {
    raw.map(|raw| texts_of(raw).join(", ")).unwrap_or_default()
}

/// A value on one line as its field is read, where there still is one.
fn line_of(raw: Option<&RawValue>, field: Option<&Field>, texts: &Texts) -> String {
    if field.is_none_or(|field| field.data_type != DataType::Boolean) {
        return line(raw);
    }
    let values = raw.map(texts_of).unwrap_or_default();
    let values = values.into_iter().map(|text| told_boolean(text, texts));
    values.collect::<Vec<_>>().join(", ")
}

/// What was done to a record, in a word.
pub(super) fn told_action(action: LogAction, texts: &Texts) -> &'static str {
    match action {
        LogAction::Create => texts.made,
        LogAction::Update => texts.changed,
        LogAction::Delete => texts.deleted,
        LogAction::Restore => texts.restored,
        LogAction::Purge => texts.purged,
    }
}

fn entry(
    item: &HistoryItem,
    (newest, schema): (i64, &Schema),
    masked: &BTreeSet<&str>,
    (rows, texts): (usize, &Texts),
) -> Entry {
    let field_of = |id: &str| schema.active_fields().find(|field| field.id == id);
    let values = item.changes.iter().map(|change| {
        let field = field_of(change.field_id.as_str());
        let values = [&change.before, &change.after];
        values.map(|value| line_of(value.as_deref(), field, texts))
    });
    let values: Vec<_> = values.collect();
    let room = Room::of_row(values.iter().flatten().map(String::as_str), rows, texts);
    let changes = item.changes.iter().zip(&values).map(|(change, values)| {
        let [before, after] = room.both([&values[0], &values[1]]);
        Changed {
            is_masked: masked.contains(&*change.name),
            name: change.name.clone(),
            before,
            after,
        }
    });
    Entry {
        version: item.version,
        version_before: None,
        action: told_action(item.action, texts),
        at: moment(item.at),
        by: actor_name(item.actor.kind, &item.actor.name, texts),
        changes: changes.collect(),
        is_newest: item.version == newest,
        is_state: !matches!(item.action, LogAction::Delete | LogAction::Purge),
    }
}

/// The version that held what an entry changed which is the last of its page, where the entry alone tells it. A deletion has the
/// version that it took away.
fn version_below(action: LogAction, version: i64) -> Option<i64> {
    match action {
        LogAction::Update => Some(version - 1),
        LogAction::Delete => Some(version),
        LogAction::Create | LogAction::Restore | LogAction::Purge => None,
    }
}

/// Says of each entry which version held what it changed; `before` is that of the oldest one.
fn tell_before(entries: &mut [Entry], mut before: Option<i64>) {
    for entry in entries.iter_mut().rev() {
        entry.version_before = before;
        if entry.is_state {
            before = Some(entry.version);
        }
    }
}

pub(super) async fn restore(
    sent: Submission<(String, String, String)>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (dataset, record, version) = &visit.ids;
    let now = form.text("version").parse().unwrap_or(-1);
    let service = &visit.site.service;
    let restored = service.restore_version(&visit.caller, dataset, record, version, now);
    let refusal = match restored.await {
        Err(refusal @ Refusal::Conflict(_)) => Some(refusal),
        restored => {
            restored?;
            None
        }
    };
    if let Some(refusal) = refusal
        && !is_done(&visit, now).await?
    {
        let caller = &visit.caller;
        let holder = service.holder_of_key_in_version(caller, dataset, record, version, now);
        let page = HistoryPage {
            message: Some(alone(&visit.texts.refusal(&refusal))),
            holder: holder.await?,
            ..page_of(&visit, dataset, record).await?
        };
        return shown_as(StatusCode::CONFLICT, &page);
    }
    Ok(visit.see(&format!("/datasets/{dataset}/records/{record}/history")))
}

/// Whether the last thing done to a record is what is asked for once more, as by a button that was pressed twice: the visitor
/// brought back this version, from the one that it saw.
async fn is_done(visit: &Visit<(String, String, String)>, seen: i64) -> Result<bool, Failure> {
    let (dataset, record, version) = &visit.ids;
    let (service, caller) = (&visit.site.service, &visit.caller);
    let newest = PageRequest::default();
    let past = service.record_history(caller, dataset, record, &newest);
    let past = past.await?;
    let made = past.items.first().filter(|item| {
        let is_own = item.actor.id == caller.actor().id;
        is_own && item.action == LogAction::Restore && item.version - 1 == seen
    });
    let Some(made) = made.map(|item| item.version.to_string()) else {
        return Ok(false);
    };
    let asked = service.record_version(caller, dataset, record, version);
    let asked = asked.await?;
    let made = service.record_version(caller, dataset, record, &made);
    let made = made.await?;
    let (asked, made) = (parsed(&asked.json)?, parsed(&made.json)?);
    let place = Place::of(visit, dataset)?;
    let masked = place.ever_masked();
    let mut fields = place.version().schema.active_fields();
    Ok(fields.all(|field| {
        if masked.contains(&*field.name) {
            // what the visitor does not see may differ
            asked.texts(field).is_empty() && made.texts(field).is_empty()
        } else if field.data_type.is_file() {
            let files = [&asked, &made].map(|record| identity(&record.texts(field), &place));
            files[0] == files[1]
        } else {
            asked.json(field) == made.json(field)
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(version: i64, is_state: bool) -> Entry {
        Entry {
            version,
            version_before: None,
            action: "",
            at: String::new(),
            by: String::new(),
            changes: Vec::new(),
            is_newest: false,
            is_state,
        }
    }

    #[test]
    fn what_held_a_value_before_a_deletion_is_the_version_that_it_took_away() {
        for (action, before) in [
            (LogAction::Create, None),
            (LogAction::Update, Some(3)),
            (LogAction::Delete, Some(4)),
            (LogAction::Restore, None),
            (LogAction::Purge, None),
        ] {
            assert_eq!(version_below(action, 4), before, "{action:?}");
        }
        // changed, restored, deleted, changed
        let states = [(4, true), (3, true), (2, false), (2, true)];
        let mut entries = states.map(|(version, is_state)| entry(version, is_state));
        tell_before(&mut entries, Some(1));
        let before = entries.each_ref().map(|entry| entry.version_before);
        assert_eq!(before, [Some(3), Some(2), Some(2), Some(1)]);
    }
}

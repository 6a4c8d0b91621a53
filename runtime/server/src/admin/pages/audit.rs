//! The trail of the catalogue: who did what, newest first, page by page.

use super::numbers::moment;
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use serde_json::value::RawValue;

/// Characters of a document that are shown at most; management shows it whole.
const DOCUMENT_CHARS: usize = 600;

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    page: Page,
    entries: Vec<Entry>,
    next: Option<String>,
}

struct Entry {
    number: i64,
    at: String,
    who: String,
    action: String,
    noun: &'static str,
    id: String,
    area: String,
    before: String,
    after: String,
}

pub(super) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let request = visit.list_page();
    let found = service.audit_trail(&visit.caller, &request);
    let found = found.await?;
    let catalog = visit.caller.catalog();
    let entries = found.items.iter().map(|item| {
        let entry = &item.entry;
        let area = entry.area.as_deref().and_then(|id| catalog.areas.get(id));
        Entry {
            number: item.number,
            at: moment(entry.at),
            who: entry.actor.name.clone(),
            action: entry.action.as_str().replace('_', " "),
            noun: entry.noun.as_str(),
            id: entry.id.clone(),
            area: area.map_or_else(String::new, |area| area.name.clone()),
            before: shortened(entry.before.as_deref()),
            after: shortened(entry.after.as_deref()),
        }
    });
    shown(&AuditPage {
        page: visit.page(Section::Audit),
        entries: entries.collect(),
        next: found.next_page_key,
    })
}

fn shortened(document: Option<&RawValue>) -> String {
    let text = document.map_or("", RawValue::get);
    match text.char_indices().nth(DOCUMENT_CHARS) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

//! The trail of the catalogue: who did what, newest first, page by page, narrowed by who, what and when, and taken along as a
//! file of the same entries.

use super::actor_names::{actor_name, typed_name};
use super::numbers::moment;
use super::pagination::PageLinks;
use super::recent::there;
use super::sample_records::SampleNames;
use super::texts::Texts;
use super::trail_documents::{self, Piece};
use super::visit::{Page, Section, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::{Body, Bytes};
use axum::http::Response;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue};
use futures_util::stream;
use service::manage::{AuditAction, AuditFilter, AuditItem, Kind, name_in};
use service::{PageInRoom, PageRequest, Refusal};
use url::form_urlencoded;

/// What can be looked for: what stands in the trail by itself.
const NOUNS: [Kind; 12] = [
    Kind::Tenant,
    Kind::Area,
    Kind::Schema,
    Kind::Dataset,
    Kind::Domain,
    Kind::Role,
    Kind::User,
    Kind::ApiKey,
    Kind::App,
    Kind::Webhook,
    Kind::SavedView,
    Kind::Record,
];
/// What the form of the page has.
const PARAMETERS: [&str; 8] = [
    "actor", "action", "noun", "name", "id", "area", "from", "to",
];

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage {
    page: Page,
    entries: Vec<Entry>,
    /// Whether any of them is about something in an area.
    has_areas: bool,
    pages: PageLinks,
    actor: String,
    name: String,
    id: String,
    area: String,
    from: String,
    to: String,
    actions: Vec<Choice>,
    nouns: Vec<Choice>,
    /// The filter as it stands in an address.
    query: String,
    is_narrow: bool,
    message: Option<String>,
}

/// One of what can be looked for.
struct Choice {
    value: &'static str,
    label: &'static str,
    is_chosen: bool,
}

struct Entry {
    number: i64,
    at: String,
    who: String,
    action: &'static str,
    noun: &'static str,
    /// What the thing was called, where its document tells; else what it is called, while it is there.
    name: String,
    /// Whether the name is a mask.
    is_masked: bool,
    /// The page of it, where it is there and the visitor may see it.
    path: Option<String>,
    id: String,
    area: String,
    before: Vec<Piece>,
    after: Vec<Piece>,
}

pub(super) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let filter = filter(&visit);
    let service = &visit.site.service;
    let (found, message) = match filter {
        Ok(filter) => {
            let request = visit.list_page();
            let found = service.audit_trail(&visit.caller, &filter, &request);
            (Some(found.await?), None)
        }
        Err(_) => (None, Some(visit.texts.access.audit_unreadable.to_owned())),
    };
    let found = found.map(PageInRoom::into_page);
    let (items, next) = found.map_or_else(Default::default, |it| (it.items, it.next_page_key));
    let catalog = visit.caller.catalog();
    let texts = visit.texts;
    let records = items.iter().map(|item| &item.entry);
    let records = records.filter(|entry| entry.noun == Kind::Record);
    let records = records.map(|entry| &*entry.id).collect();
    // a damaged record is no reason to hide who did what
    let records = SampleNames::if_readable(&visit, records).await;
    let mut entries = Vec::with_capacity(items.len());
    for item in &items {
        let area = item.entry.area.as_deref();
        let area = area.and_then(|id| catalog.areas.get(id));
        let area = area.map_or_else(String::new, |area| area.name.clone());
        let subject = if item.entry.noun == Kind::Record {
            Subject::record(&records, &item.entry.id)
        } else {
            Subject::noun(there(&visit, item.entry.noun, &item.entry.id)?)
        };
        entries.push(entry(&visit, item, area, subject));
    }
    let given = |name: &str| visit.parameter(name).unwrap_or_default();
    let query = query(&visit);
    shown(&AuditPage {
        has_areas: entries.iter().any(|entry| !entry.area.is_empty()),
        entries,
        pages: PageLinks::of(&visit, "/audit", &PARAMETERS, next),
        actor: given("actor"),
        name: given("name"),
        id: given("id"),
        area: given("area"),
        from: given("from"),
        to: given("to"),
        actions: choices(
            AuditAction::ALL.iter().map(|it| it.as_str()),
            &given("action"),
            texts,
        ),
        nouns: choices(NOUNS.map(Kind::as_str).into_iter(), &given("noun"), texts),
        is_narrow: !query.is_empty(),
        query,
        message,
        page: visit.page(Section::Audit),
    })
}

/// What is there of the thing of an entry.
struct Subject {
    name: Option<String>,
    is_masked: bool,
    /// Its page, where the visitor may see it.
    path: Option<String>,
}

impl Subject {
    /// A noun, by its page and its name.
    fn noun(there: Option<(String, String)>) -> Self {
        let (path, name) = there.unzip();
        Subject {
            name,
            is_masked: false,
            path,
        }
    }

    /// A record, by its primary key where it has one.
    fn record(names: &SampleNames, id: &str) -> Self {
        let record = names.record(id);
        Subject {
            name: record.is_key.then_some(record.name),
            is_masked: record.is_masked,
            path: record.path,
        }
    }
}

fn entry(visit: &Visit, item: &AuditItem, area: String, subject: Subject) -> Entry {
    let (entry, texts) = (&item.entry, visit.texts);
    let document = |document| trail_documents::shown(document, &visit.caller, texts);
    Entry {
        number: item.number,
        at: moment(entry.at),
        who: actor_name(entry.actor.kind, &entry.actor.name, texts),
        action: texts.access.of_trail(entry.action.as_str()),
        noun: texts.access.of_trail(entry.noun.as_str()),
        name: [&entry.after, &entry.before]
            .into_iter()
            .find_map(|document| name_in(document.as_deref()?))
            .or(subject.name)
            .unwrap_or_default(),
        is_masked: subject.is_masked,
        path: subject.path,
        id: entry.id.clone(),
        area,
        before: document(entry.before.as_deref()),
        after: document(entry.after.as_deref()),
    }
}

fn choices(values: impl Iterator<Item = &'static str>, chosen: &str, texts: &Texts) -> Vec<Choice> {
    let choices = values.map(|value| Choice {
        value,
        label: texts.access.of_trail(value),
        is_chosen: value == chosen,
    });
    choices.collect()
}

/// What is looked for: days are days of UTC, the last one included.
fn filter(visit: &Visit) -> Result<AuditFilter, Refusal> {
    AuditFilter::read(|name| {
        let given = visit.parameter(name).filter(|text| !text.is_empty())?;
        Some(match name {
            "from" if given.len() == 10 => format!("{given}T00:00:00Z"),
            "to" if given.len() == 10 => format!("{given}T23:59:59.999Z"),
            "actor" => typed_name(given.trim(), visit.texts).to_owned(),
            _ => given.trim().to_owned(),
        })
    })
}

/// The parameters of the form that are filled in.
fn query(visit: &Visit) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for name in PARAMETERS {
        if let Some(value) = visit.parameter(name).filter(|value| !value.is_empty()) {
            query.append_pair(name, &value);
        }
    }
    query.finish()
}

/// All entries that are looked for as a file, one JSON object a line, as management lists them.
pub(super) async fn export(visit: Visit) -> Result<Response<Body>, Failure> {
    let filter = filter(&visit)?;
    let first = PageRequest {
        key: None,
        size: Some("1000".to_owned()),
    };
    let service = visit.site.service.clone();
    // whoever may not see it is told so before the file begins
    let page = service.audit_trail(&visit.caller, &filter, &first).await?;
    let state = (Some(page), service, visit.caller, filter);
    let pieces = stream::unfold(state, |(page, service, caller, filter)| async move {
        let page = page?;
        let lines = lines(&page.items);
        let next = match page.into_page().next_page_key {
            None => None,
            Some(key) => {
                let request = PageRequest {
                    key: Some(key),
                    size: Some("1000".to_owned()),
                };
                // a file that breaks off is seen to
                match service.audit_trail(&caller, &filter, &request).await {
                    Ok(page) => Some(page),
                    Err(refusal) => {
                        let broken = std::io::Error::other(refusal.to_string());
                        return Some((Err(broken), (None, service, caller, filter)));
                    }
                }
            }
        };
        Some((Ok(lines), (next, service, caller, filter)))
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static("application/x-ndjson");
    headers.insert(CONTENT_TYPE, kind);
    let name = HeaderValue::from_static("attachment; filename=\"audit.ndjson\"");
    headers.insert(CONTENT_DISPOSITION, name);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn lines(items: &[AuditItem]) -> Bytes {
    let mut text = String::new();
    for item in items {
        // INVARIANT: what was read as JSON has a text
        text.push_str(&serde_json::to_string(item).unwrap_or_default());
        text.push('\n');
    }
    text.into()
}

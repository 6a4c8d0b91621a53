//! One record as a form. A change says which version it was made from;
//! where that is not the one in force any more, both are shown.

use super::places::{Place, permit};
use super::texts::Texts;
use super::values::{ShownRecord, fault_text, is_number, value_of};
use super::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::json::write_string;
use schema::{DataType, Field, PicklistType};
use service::{Refusal, proposals};
use std::fmt::Write as _;
use store::catalog::{SchemaVersion, Verb};

/// From how many characters on a text stands in an input of several lines.
const LONG: usize = 80;

/// How a value is filled in.
#[derive(PartialEq, Eq)]
pub(super) enum Kind {
    Line(&'static str),
    Lines,
    Choice,
    /// A file, which is only shown.
    File,
}

pub(super) struct Choice {
    pub(super) value: String,
    pub(super) label: String,
    pub(super) is_chosen: bool,
}

/// One field of the form.
pub(super) struct Input {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) hint: String,
    pub(super) kind: Kind,
    pub(super) text: String,
    /// What it held when the form was made.
    pub(super) was: String,
    pub(super) choices: Vec<Choice>,
    pub(super) fault: String,
    /// What may have been meant in place of what is faulty.
    pub(super) proposals: Vec<String>,
    /// What someone else made of it meanwhile.
    pub(super) theirs: Option<String>,
    pub(super) is_required: bool,
    pub(super) is_key: bool,
    pub(super) is_number: bool,
}

impl Input {
    pub(super) fn is_line(&self) -> bool {
        matches!(self.kind, Kind::Line(_))
    }

    pub(super) fn is_lines(&self) -> bool {
        self.kind == Kind::Lines
    }

    pub(super) fn is_choice(&self) -> bool {
        self.kind == Kind::Choice
    }

    pub(super) fn line_type(&self) -> &'static str {
        match self.kind {
            Kind::Line(kind) => kind,
            _ => "text",
        }
    }
}

#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage {
    page: Page,
    place: Place,
    /// The record's id; empty for one that is to be made.
    id: String,
    title: String,
    version: i64,
    inputs: Vec<Input>,
    faults: usize,
    is_saved: bool,
    is_conflict: bool,
    message: Option<String>,
}

pub(super) async fn show(visit: Visit<(String, String)>) -> Result<Response<Body>, Failure> {
    let (dataset, id) = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    let text = read(&visit, &place, id).await?;
    let record = parsed(&text)?;
    let is_saved = visit.parameter("saved").is_some();
    let page = RecordPage {
        is_saved,
        ..filled(&visit, place, &record)
    };
    shown(&page)
}

pub(super) async fn show_new(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    shown(&filled(&visit, place, &parsed("{}")?))
}

/// The text of a record.
pub(super) async fn read<P>(visit: &Visit<P>, place: &Place, id: &str) -> Result<String, Failure> {
    let found = visit.site.service.record_by_id(&place.permit, id).await?;
    Ok(found.ok_or(Refusal::RecordNotFound)?)
}

pub(super) fn parsed(text: &str) -> Result<ShownRecord<'_>, Failure> {
    serde_json::from_str(text).map_err(|source| {
        let what = "a record".to_owned();
        Failure::from(Refusal::Store(store::StoreError::Document { what, source }))
    })
}

/// The form of a record as it is.
fn filled<P>(visit: &Visit<P>, place: Place, record: &ShownRecord<'_>) -> RecordPage {
    let schema = &place.version().schema;
    let faults = record.faults();
    let inputs = schema.active_fields().map(|field| {
        let own = faults.iter().find(|fault| fault.name == field.name);
        let fault = own.map_or_else(String::new, |own| fault_text(&own.errors, visit.texts));
        input(field, record.filled(field), fault, (&place, visit.texts))
    });
    let key = schema
        .primary_key()
        .map(|key| record.line(key))
        .unwrap_or_default();
    let id = record.id();
    let title = match (&*id, key) {
        ("", _) => visit.texts.new_record.to_owned(),
        (id, key) if key.is_empty() => id.to_owned(),
        (_, key) => key,
    };
    RecordPage {
        page: visit.page(Section::Home),
        title,
        version: record.version(),
        inputs: inputs.collect(),
        faults: faults.len(),
        is_saved: false,
        is_conflict: false,
        message: None,
        id,
        place,
    }
}

pub(super) fn input(
    field: &Field,
    text: String,
    fault: String,
    (place, texts): (&Place, &Texts),
) -> Input {
    let is_open = !fault.is_empty() && place.may_edit;
    let choices = choices(field, &text, texts);
    let kind = if field.data_type.is_file() {
        Kind::File
    } else if field.is_multivalue() || text.contains('\n') || text.chars().count() > LONG {
        Kind::Lines
    } else if !choices.is_empty() {
        Kind::Choice
    } else {
        Kind::Line(match field.data_type {
            DataType::Email => "email",
            DataType::Url => "url",
            DataType::Phone => "tel",
            _ => "text",
        })
    };
    Input {
        id: field.id.clone(),
        label: field.name.clone(),
        hint: field.description.clone().unwrap_or_default(),
        kind,
        proposals: if is_open {
            proposals(&place.permit, field, &text)
        } else {
            Vec::new()
        },
        was: text.clone(),
        text,
        choices,
        fault,
        theirs: None,
        is_required: field.required,
        is_key: field.primary_key,
        is_number: is_number(field),
    }
}

/// What may be chosen, with what is there although it may not.
fn choices(field: &Field, text: &str, texts: &Texts) -> Vec<Choice> {
    let choice = |value: &str, label: String| Choice {
        is_chosen: value == text,
        value: value.to_owned(),
        label,
    };
    let mut all = match (field.data_type, field.picklist_type) {
        (DataType::Boolean, _) => {
            let (yes, no) = field
                .boolean_words
                .map_or(("true", "false"), schema::format::BooleanWords::words);
            // a value is stored as one of both, whatever words were sent
            let known = |word: &'static str, own: &'static str| {
                if text == own { own } else { word }
            };
            vec![
                choice(known(yes, "true"), texts.yes.to_owned()),
                choice(known(no, "false"), texts.no.to_owned()),
            ]
        }
        (DataType::Picklist, Some(PicklistType::Static)) => {
            let entries = field.static_picklist.iter().flatten();
            let label = |entry: &schema::PicklistEntry| match entry.description.as_deref() {
                Some(description) if description != entry.code => {
                    format!("{} · {description}", entry.code)
                }
                _ => entry.code.clone(),
            };
            entries
                .map(|entry| choice(&entry.code, label(entry)))
                .collect()
        }
        _ => return Vec::new(),
    };
    if !all.iter().any(|choice| choice.is_chosen) && !text.is_empty() {
        all.insert(0, choice(text, text.to_owned()));
    }
    all.insert(0, choice("", "–".to_owned()));
    all
}

/// A text as it was before a browser sent it.
fn plain(sent: &str) -> String {
    sent.replace("\r\n", "\n")
}

/// What was filled in otherwise than it was, as members of a record.
pub(super) fn changes(version: &SchemaVersion, form: &Form) -> Vec<(String, String)> {
    let fields = version
        .schema
        .active_fields()
        .filter(|field| !field.data_type.is_file());
    let changed = fields.filter_map(|field| {
        // a proposal that was taken counts more than what stands in its input
        let taken = form.get(&format!("p-{}", field.id));
        let now = plain(taken.or_else(|| form.get(&format!("v-{}", field.id)))?);
        let was = plain(form.text(&format!("w-{}", field.id)));
        (now != was).then(|| (field.name.clone(), value_of(field, &now)))
    });
    changed.collect()
}

pub(super) fn body(version: Option<i64>, changes: &[(String, String)]) -> String {
    let mut json = String::from("{");
    if let Some(version) = version {
        // INVARIANT: a text takes anything
        let _ = write!(json, "\"_version\":{version}");
    }
    for (name, value) in changes {
        if json.len() > 1 {
            json.push(',');
        }
        write_string(&mut json, name);
        json.push(':');
        json.push_str(value);
    }
    json.push('}');
    json
}

pub(super) async fn create(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let dataset = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    let permit = permit(&visit, dataset, Verb::Add)?;
    let json = body(None, &changes(place.version(), &form));
    let made = visit.site.service.create_record(&permit, json.as_bytes());
    match made.await {
        Ok(made) => Ok(visit.see(&format!("/datasets/{dataset}/records/{}?saved", made.id))),
        Err(refusal) => {
            let page = filled(&visit, place, &parsed("{}")?);
            refused(&visit, page, &form, refusal)
        }
    }
}

pub(super) async fn update(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (dataset, id) = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    let permit = permit(&visit, dataset, Verb::Edit)?;
    let changed = changes(place.version(), &form);
    let there = format!("/datasets/{dataset}/records/{id}?saved");
    if changed.is_empty() {
        return Ok(visit.see(&there));
    }
    let version = form.text("version").parse().unwrap_or(-1);
    let json = body(Some(version), &changed);
    let updated = visit
        .site
        .service
        .update_record(&permit, id, json.as_bytes());
    match updated.await {
        Ok(()) => Ok(visit.see(&there)),
        Err(refusal) => {
            let text = read(&visit, &place, id).await?;
            let page = filled(&visit, place, &parsed(&text)?);
            refused(&visit, page, &form, refusal)
        }
    }
}

/// The form again as it was sent, with why it was refused; what others changed meanwhile stands beside it.
fn refused<P>(
    visit: &Visit<P>,
    page: RecordPage,
    form: &Form,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let texts = visit.texts;
    let is_conflict = matches!(refusal, Refusal::VersionConflict { .. });
    let (status, message) = match &refusal {
        Refusal::VersionConflict { .. } => (StatusCode::CONFLICT, texts.conflict.to_owned()),
        Refusal::PrimaryKeyRequired { .. } => {
            (StatusCode::BAD_REQUEST, texts.key_missing.to_owned())
        }
        Refusal::DuplicateKey { .. } => (StatusCode::BAD_REQUEST, texts.key_taken.to_owned()),
        Refusal::InvalidBody { message, .. } => (StatusCode::BAD_REQUEST, message.clone()),
        _ => return Err(refusal.into()),
    };
    let key_refused = refusal.field().map(str::to_owned);
    let inputs = page.inputs.into_iter().map(|input| {
        let Some(mine) = form.get(&format!("v-{}", input.id)).map(plain) else {
            return input;
        };
        let was = plain(form.text(&format!("w-{}", input.id)));
        let is_mine = mine != was;
        let is_theirs = input.was != was;
        let text = if is_mine { mine } else { input.text.clone() };
        Input {
            theirs: (is_conflict && is_mine && is_theirs && text != input.was)
                .then(|| input.was.clone()),
            choices: input
                .choices
                .into_iter()
                .map(|choice| Choice {
                    is_chosen: choice.value == text,
                    ..choice
                })
                .collect(),
            fault: if key_refused.as_deref() == Some(&input.label) {
                message.clone()
            } else {
                input.fault
            },
            text,
            ..input
        }
    });
    let page = RecordPage {
        inputs: inputs.collect(),
        is_conflict,
        message: Some(message.clone()),
        ..page
    };
    shown_as(status, &page)
}

pub(super) async fn delete(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let (dataset, id) = &visit.ids;
    let permit = permit(&visit, dataset, Verb::Delete)?;
    visit.site.service.delete_record(&permit, id).await?;
    Ok(visit.see(&format!("/datasets/{dataset}")))
}

//! One record as a form; for who may only look, what it holds as a list. A change says which version it was made from;
//! where others changed the same fields since, both are shown.

use super::actor_names::actor_name;
use super::conflict::{
    self, Outdated, Unwritten, body, changes, parsed, read, told_outdated, with_mine, write_merged,
};
use super::form_jobs::new_mark;
use super::gone_fields::GoneField;
use super::input::{Input, input, input_of};
use super::kept::is_all_but_file;
use super::numbers::moment;
use super::original::{Original, sent as filled_in};
use super::places::{Place, permit};
use super::read_only::{ReadOnlyField, read_only_fields};
use super::record_files::{FileField, file_fields, tell_files, with_players};
use super::record_title::RecordTitle;
use super::reformatted::FormSchema;
use super::values::ShownRecord;
use super::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::catalog::Verb;

#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage {
    page: Page,
    place: Place,
    /// The record's id; empty for one that is to be made.
    id: String,
    /// What tells the form of a new record from all others, so that it makes one however often it comes.
    mark: String,
    title: RecordTitle,
    version: i64,
    inputs: Vec<Input>,
    /// What who may only look reads in place of the inputs.
    read_only: Option<Vec<ReadOnlyField>>,
    files: Vec<FileField>,
    /// How many of its fields are faulty, where any is.
    faults: Option<String>,
    /// What is told of what was done just now, or is to be done.
    news: Option<&'static str>,
    is_conflict: bool,
    /// Who changed it last, and when, where what was filled in goes against that.
    changed_by: Option<String>,
    /// Whether what was filled in was for a record that is deleted by now.
    was_deleted: bool,
    /// What was filled in for fields that can't be filled in any more.
    gone: Vec<GoneField>,
    message: Option<String>,
}

impl RecordPage {
    /// Whether there is a field of which one of two values is to be chosen.
    fn is_contested(&self) -> bool {
        self.inputs.iter().any(|input| input.theirs.is_some())
    }

    fn told_as(&self, status: StatusCode) -> Result<Response<Body>, Failure> {
        Ok(with_players(&self.files, shown_as(status, self)?))
    }
}

pub(super) async fn show(visit: Visit<(String, String)>) -> Result<Response<Body>, Failure> {
    let (dataset, id) = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    let text = read(&visit, &place, id).await?;
    let record = parsed(&text)?;
    let texts = visit.texts;
    let news = if visit.parameter("saved").is_some() {
        Some(texts.saved)
    } else if is_all_but_file(visit.parameter("kept").as_deref()) {
        Some(texts.access.kept_but_file)
    } else {
        None
    };
    let mut page = RecordPage {
        news,
        ..filled(&visit, place, &record)
    };
    tell_files(&visit, &page.place, &mut page.files).await?;
    page.told_as(StatusCode::OK)
}

/// Where a record is seen that was just written.
pub(super) fn saved(dataset: &str, record: &str) -> String {
    format!("/datasets/{dataset}/records/{record}?saved")
}

/// The form of a record as it is now, and why something was not written.
pub(super) async fn told<P>(
    visit: &Visit<P>,
    place: Place,
    id: &str,
    (status, message): (StatusCode, String),
) -> Result<Response<Body>, Failure> {
    let text = read(visit, &place, id).await?;
    let mut page = RecordPage {
        message: Some(message),
        ..filled(visit, place, &parsed(&text)?)
    };
    tell_files(visit, &page.place, &mut page.files).await?;
    page.told_as(status)
}

pub(super) async fn show_new(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    permit(&visit, &visit.ids, Verb::Add)?;
    shown(&filled(&visit, place, &parsed("{}")?))
}

/// The form of a record as it is.
fn filled<P>(visit: &Visit<P>, place: Place, record: &ShownRecord<'_>) -> RecordPage {
    let schema = &place.version().schema;
    let plain = schema
        .active_fields()
        .filter(|field| !field.data_type.is_file());
    let inputs = plain.map(|field| input_of(field, record, (&place, visit.texts)).with_room());
    let id = record.id();
    let may_change = place.may_edit || id.is_empty();
    let read_only = (!may_change).then(|| read_only_fields(visit, &place, record));
    let title = if id.is_empty() {
        RecordTitle::plain(visit.texts.new_record)
    } else {
        RecordTitle::of(record, &place)
    };
    RecordPage {
        page: visit.page(Section::Home),
        title,
        version: record.version(),
        inputs: inputs.collect(),
        read_only,
        files: file_fields(visit, &place, record),
        faults: record.faulty_fields(),
        news: None,
        is_conflict: false,
        changed_by: None,
        was_deleted: false,
        gone: Vec::new(),
        message: None,
        mark: if id.is_empty() {
            new_mark(visit)
        } else {
            String::new()
        },
        id,
        place,
    }
}

pub(super) async fn create(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let dataset = &visit.ids;
    let place = Place::of(&visit, dataset)?;
    let permit = permit(&visit, dataset, Verb::Add)?;
    if let Some(outdated) = Outdated::of(&place, &form, visit.texts) {
        let page = filled(&visit, place, &parsed("{}")?);
        return written_otherwise(&visit, page, &form, outdated).told_as(StatusCode::CONFLICT);
    }
    let json = body(None, &changes(place.version(), &form));
    let made = match form.text("mark") {
        "" => {
            let made = visit.site.service.create_record(&permit, json.as_bytes());
            made.await.map(|made| made.id)
        }
        mark => {
            let made = visit.site.service.create_record_once(&permit, json, mark);
            made.await
        }
    };
    match made {
        Ok(id) => Ok(visit.see(&saved(dataset, &id))),
        Err(refusal) => {
            let page = filled(&visit, place, &parsed("{}")?);
            let (status, page) = refused(&visit, page, &form, refusal)?;
            page.told_as(status)
        }
    }
}

pub(super) async fn update(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (dataset, id) = &visit.ids;
    write(&visit, (dataset, id), &form).await
}

/// Writes what was filled in for fields of a record; where that is refused, its form says why.
pub(super) async fn write<P>(
    visit: &Visit<P>,
    (dataset, id): (&str, &str),
    form: &Form,
) -> Result<Response<Body>, Failure> {
    let place = Place::of(visit, dataset)?;
    let permit = permit(visit, dataset, Verb::Edit)?;
    let Err(why) = write_merged(visit, (&place, &permit), (id, form)).await else {
        return Ok(visit.see(&saved(dataset, id)));
    };
    let text = match read(visit, &place, id).await {
        Err(Refusal::RecordNotFound) => return deleted_meanwhile(visit, place, form),
        found => found?,
    };
    let mut page = filled(visit, place, &parsed(&text)?);
    tell_files(visit, &page.place, &mut page.files).await?;
    let (status, mut page) = match why {
        Unwritten::Refused(refusal) => refused(visit, page, form, refusal)?,
        Unwritten::Outdated(outdated) => {
            let page = written_otherwise(visit, page, form, outdated);
            (StatusCode::CONFLICT, page)
        }
    };
    if page.is_conflict {
        let author = visit.site.service.last_author(&page.place.permit, id);
        // what was filled in is shown whether that can be told or not
        let author = author.await.ok().flatten();
        page.changed_by = author.map(|it| {
            let by = actor_name(it.actor.kind, &it.actor.name, visit.texts);
            format!("{by} · {}", moment(it.at))
        });
    }
    page.told_as(status)
}

/// What was filled in for a record that is not there any more, as the form of a new one.
fn deleted_meanwhile<P>(
    visit: &Visit<P>,
    place: Place,
    form: &Form,
) -> Result<Response<Body>, Failure> {
    let page = filled(visit, place, &parsed("{}")?);
    let fields = page.place.version().schema.active_fields();
    let fields = fields.filter(|field| !field.data_type.is_file());
    let schema = FormSchema::of(&page.place, form.text("schema"));
    let inputs = fields.map(|field| {
        let text = filled_in(&field.id, form).unwrap_or_default();
        let text = if Original::of(form, &field.id).is(&text) {
            // what nobody touched is the same value, however it is written
            schema.carried(&field.id, text)
        } else {
            text
        };
        Input {
            was: String::new(),
            ..input(field, text, String::new(), (&page.place, visit.texts)).with_room()
        }
    });
    let deleted = visit.texts.meanwhile.deleted;
    let (message, gone) = match Outdated::of(&page.place, form, visit.texts) {
        Some(Outdated { told, gone }) => (format!("{deleted} {told}"), gone),
        None => (deleted.to_owned(), Vec::new()),
    };
    let page = RecordPage {
        inputs: inputs.collect(),
        message: Some(message),
        gone,
        was_deleted: true,
        ..page
    };
    shown_as(StatusCode::NOT_FOUND, &page)
}

/// The form again as it was sent, where fields that were filled in are gone or written otherwise by now; what others changed
/// meanwhile stands beside it.
fn written_otherwise<P>(
    visit: &Visit<P>,
    page: RecordPage,
    form: &Form,
    Outdated { told, gone }: Outdated,
) -> RecordPage {
    let texts = visit.texts;
    let schema = FormSchema::of(&page.place, form.text("schema"));
    let inputs = page.inputs.into_iter();
    let inputs = inputs.map(|input| with_mine(input, (form, &schema), (true, texts)));
    let inputs: Vec<_> = inputs.collect();
    RecordPage {
        message: Some(told_outdated(told, texts, inputs.iter())),
        gone,
        is_conflict: inputs.iter().any(|input| input.theirs.is_some()),
        inputs,
        ..page
    }
}

/// The form again as it was sent, with why it was refused; what others changed meanwhile stands beside it.
fn refused<P>(
    visit: &Visit<P>,
    page: RecordPage,
    form: &Form,
    refusal: Refusal,
) -> Result<(StatusCode, RecordPage), Failure> {
    let texts = visit.texts;
    let is_conflict = matches!(refusal, Refusal::VersionConflict { .. });
    let (status, message) = match &refusal {
        Refusal::VersionConflict { .. } => (StatusCode::CONFLICT, texts.conflict.to_owned()),
        Refusal::PrimaryKeyRequired { .. } => {
            (StatusCode::BAD_REQUEST, texts.key_missing.to_owned())
        }
        Refusal::DuplicateKey { .. } => (StatusCode::BAD_REQUEST, texts.key_taken.to_owned()),
        Refusal::InvalidBody { message, .. } => (StatusCode::BAD_REQUEST, texts.said(message)),
        _ => return Err(refusal.into()),
    };
    let key_refused = refusal.field().map(str::to_owned);
    let schema = FormSchema::of(&page.place, form.text("schema"));
    let inputs = page.inputs.into_iter().map(|input| Input {
        fault: if key_refused.as_deref() == Some(&input.label) {
            message.clone()
        } else {
            input.fault.clone()
        },
        ..with_mine(input, (form, &schema), (is_conflict, texts))
    });
    let inputs: Vec<_> = inputs.collect();
    let message = if is_conflict {
        conflict::told(texts, inputs.iter())
    } else {
        message.clone()
    };
    let page = RecordPage {
        inputs,
        is_conflict,
        message: Some(message),
        ..page
    };
    Ok((status, page))
}

pub(super) async fn delete(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let (dataset, id) = &visit.ids;
    let permit = permit(&visit, dataset, Verb::Delete)?;
    visit.site.service.delete_record(&permit, id).await?;
    Ok(visit.see(&format!("/datasets/{dataset}")))
}

//! Files that are added to a record and taken away: a file is sent by itself, and the record names it at once.

use super::conflict::{Tries, body, parsed, read};
use super::numbers::bytes;
use super::places::{Place, permit};
use super::record;
use super::record_files::{file_field, identity};
use super::sending::Sending;
use super::texts::filled;
use super::texts::{Texts, alone};
use super::visit::{Submission, Visit};
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::Field;
use serde_json::{Value, json};
use service::catalog::Verb;
use service::{DatasetPermit, Refusal};

pub(super) async fn upload(
    mut sent: Sending<(String, String, String)>,
) -> Result<Response<Body>, Failure> {
    let (dataset, record, id) = sent.visit.ids.clone();
    let place = Place::of(&sent.visit, &dataset)?;
    let permit = permit(&sent.visit, &dataset, Verb::Edit)?;
    let is_several = file_field(&place, &id)?.is_multivalue();
    if sent.file_name.is_empty() {
        let message = sent.visit.texts.choose_file.to_owned();
        let status = StatusCode::BAD_REQUEST;
        return record::told(&sent.visit, place, &record, (status, message)).await;
    }
    let file = match receive(&mut sent, &permit).await {
        Ok(file) => file,
        Err(failure) => {
            let Some(told) = told_of_file(&failure, sent.visit.texts) else {
                return Err(failure);
            };
            return record::told(&sent.visit, place, &record, told).await;
        }
    };
    let Sending { visit, form, .. } = sent;
    let seen = Seen::of(|name| form.text(name));
    let add = |mut files: Vec<String>| {
        if !is_several {
            files.clear();
        }
        files.push(file.clone());
        files
    };
    write(&visit, (place, &permit), (&record, &id), (&seen, &add)).await
}

/// What is told of a file that is refused for itself; nothing of any other failure.
fn told_of_file(failure: &Failure, texts: &Texts) -> Option<(StatusCode, String)> {
    match failure {
        Failure::TooLarge { bytes_max } | Failure::Refused(Refusal::TooLarge { bytes_max }) => {
            let message = filled(texts.previews.too_large, &[&bytes(*bytes_max, texts)]);
            Some((StatusCode::PAYLOAD_TOO_LARGE, message))
        }
        Failure::Refused(refusal @ Refusal::Parameter(_)) => {
            Some((StatusCode::BAD_REQUEST, alone(&texts.refusal(refusal))))
        }
        Failure::Refused(refusal @ Refusal::QuotaExceeded { .. }) => {
            Some((StatusCode::FORBIDDEN, alone(&texts.refusal(refusal))))
        }
        _ => None,
    }
}

/// The file, by its id.
async fn receive<P>(sent: &mut Sending<P>, permit: &DatasetPermit) -> Result<String, Failure> {
    let service = sent.visit.site.service.clone();
    let mut upload = service.begin_upload(permit, &sent.file_name)?;
    loop {
        let written = match sent.piece().await {
            Ok(None) => return Ok(upload.finish().await?.file_id),
            Ok(Some(piece)) => upload.write(piece).await.map_err(Failure::Refused),
            Err(failure) => Err(failure),
        };
        if let Err(failure) = written {
            upload.give_up().await;
            return Err(failure);
        }
    }
}

pub(super) async fn remove(
    sent: Submission<(String, String, String)>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (dataset, record, id) = visit.ids.clone();
    let place = Place::of(&visit, &dataset)?;
    let permit = permit(&visit, &dataset, Verb::Edit)?;
    file_field(&place, &id)?;
    let at: usize = form.text("at").parse().unwrap_or(usize::MAX);
    let seen = Seen::of(|name| form.text(name));
    let drop = |mut files: Vec<String>| {
        if at < files.len() {
            files.remove(at);
        }
        files
    };
    write(&visit, (place, &permit), (&record, &id), (&seen, &drop)).await
}

/// What the visitor saw before.
struct Seen {
    version: i64,
    files: String,
}

impl Seen {
    fn of<'f>(text: impl Fn(&'static str) -> &'f str) -> Self {
        Seen {
            version: text("version").parse().unwrap_or(-1),
            files: text("was").to_owned(),
        }
    }
}

/// Gives a field other files than it has, onto whatever others made of the other fields meanwhile.
async fn write(
    visit: &Visit<(String, String, String)>,
    (place, permit): (Place, &DatasetPermit),
    (record, id): (&str, &str),
    (seen, change): (&Seen, &(dyn Fn(Vec<String>) -> Vec<String> + Sync)),
) -> Result<Response<Body>, Failure> {
    let mut tries = Tries::default();
    let message = loop {
        let text = read(visit, &place, record).await?;
        let (json, is_contested) = {
            let now = parsed(&text)?;
            let field = file_field(&place, id)?;
            let files = now.texts(field);
            // where others changed these very files, the version that was seen is refused
            let is_contested = identity(&files, &place) != seen.files;
            let version = if is_contested {
                seen.version
            } else {
                now.version()
            };
            let value = value_of(&change(files), field).to_string();
            let members = [(field.name.clone(), value)];
            (body(Some(version), &members), is_contested)
        };
        let service = &visit.site.service;
        match service.update_record(permit, record, json.as_bytes()).await {
            Ok(()) => return Ok(visit.see(&record::saved(&visit.ids.0, record))),
            Err(Refusal::VersionConflict { .. }) if is_contested => {
                break visit.texts.files_changed;
            }
            Err(Refusal::VersionConflict { .. }) => {}
            Err(refusal) => return Err(refusal.into()),
        }
        if !tries.has_another().await {
            break visit.texts.files_busy;
        }
    };
    let told = (StatusCode::CONFLICT, message.to_owned());
    record::told(visit, place, record, told).await
}

/// The value of a field that holds these files.
fn value_of(files: &[String], field: &Field) -> Value {
    match files {
        [] => Value::Null,
        [only] if !field.is_multivalue() => json!(only),
        all => json!(all),
    }
}

//! The files of a record. Each field of files has forms of its own below those of all other fields: a file is sent by
//! itself, and the record names it at once.

use super::conflict::{body, parsed, read};
use super::places::{Place, permit};
use super::record;
use super::sending::Sending;
use super::values::{ShownRecord, fault_text};
use super::visit::{Submission, Visit};
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use schema::{DataType, Field};
use serde_json::{Value, json};
use service::ids::FILES_PATH;
use service::{DatasetPermit, Refusal};
use store::catalog::Verb;
use url::Url;

/// How often a change is written anew because others changed other fields first.
const TRIES_MAX: u32 = 4;

/// A field of files, as its forms show it.
pub(super) struct FileField {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) hint: String,
    pub(super) fault: String,
    pub(super) files: Vec<FileShown>,
    /// Which files it holds, as a form remembers it.
    pub(super) was: String,
    pub(super) is_several: bool,
    pub(super) is_required: bool,
    pub(super) is_masked: bool,
}

/// A value of such a field.
pub(super) struct FileShown {
    /// What is stored where it is no file.
    pub(super) text: String,
    /// Where it can be fetched for a while.
    pub(super) link: Option<String>,
    pub(super) is_picture: bool,
}

/// The fields of files of a record.
pub(super) fn file_fields<P>(
    visit: &Visit<P>,
    place: &Place,
    record: &ShownRecord<'_>,
) -> Vec<FileField> {
    let faults = record.faults();
    let fields = place.version().schema.active_fields();
    let fields = fields.filter(|field| field.data_type.is_file());
    let shown = fields.map(|field| {
        let texts = record.texts(field);
        let fault = faults.iter().find(|fault| fault.name == field.name);
        FileField {
            id: field.id.clone(),
            label: field.name.clone(),
            hint: field.description.clone().unwrap_or_default(),
            fault: fault.map_or_else(String::new, |own| fault_text(&own.errors, visit.texts)),
            was: identity(&texts),
            is_several: field.is_multivalue(),
            is_required: field.required,
            is_masked: place.masks(field) && !texts.is_empty(),
            files: texts.into_iter().map(|text| shown(text, field)).collect(),
        }
    });
    shown.collect()
}

fn shown(text: String, field: &Field) -> FileShown {
    let link = link_of(&text);
    FileShown {
        is_picture: link.is_some() && field.data_type == DataType::Image,
        link,
        text,
    }
}

/// A link to a file without the host, since a page may be seen under another one.
pub(super) fn link_of(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let query = url.query()?;
    let is_ours = url.path().contains(FILES_PATH);
    is_ours.then(|| format!("{}?{query}", url.path()))
}

/// Which files these are: links to one file differ each time.
fn identity(texts: &[String]) -> String {
    let ids = texts.iter().map(|text| match link_of(text) {
        Some(link) => {
            let path = link.split('?').next().unwrap_or_default();
            path.rsplit('/').next().unwrap_or_default().to_owned()
        }
        None => text.clone(),
    });
    ids.collect::<Vec<_>>().join(" ")
}

/// A field of files that the visitor sees.
fn file_field<'p>(place: &'p Place, id: &str) -> Result<&'p Field, Failure> {
    let mut active = place.version().schema.active_fields();
    let found =
        active.find(|field| field.id == id && field.data_type.is_file() && !place.masks(field));
    Ok(found.ok_or_else(|| Refusal::no_such("field"))?)
}

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
    let file = receive(&mut sent, &permit).await?;
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
    for tries in 1.. {
        let text = read(visit, &place, record).await?;
        let now = parsed(&text)?;
        let field = file_field(&place, id)?;
        let files = now.texts(field);
        // where others changed these very files, the version that was seen is refused
        let version = if identity(&files) == seen.files {
            now.version()
        } else {
            seen.version
        };
        let members = [(
            field.name.clone(),
            value_of(&change(files), field).to_string(),
        )];
        let json = body(Some(version), &members);
        let service = &visit.site.service;
        let (status, message) = match service.update_record(permit, record, json.as_bytes()).await {
            Ok(()) => return Ok(visit.see(&record::saved(&visit.ids.0, record))),
            Err(Refusal::VersionConflict { .. }) if tries < TRIES_MAX => continue,
            Err(Refusal::VersionConflict { .. }) => {
                (StatusCode::CONFLICT, visit.texts.files_changed.to_owned())
            }
            Err(refusal) => return Err(refusal.into()),
        };
        return record::told(visit, place, record, (status, message)).await;
    }
    Ok(visit.see(&record::saved(&visit.ids.0, record)))
}

/// The value of a field that holds these files.
fn value_of(files: &[String], field: &Field) -> Value {
    match files {
        [] => Value::Null,
        [only] if !field.is_multivalue() => json!(only),
        all => json!(all),
    }
}

#[cfg(test)]
mod tests {
    use super::{identity, link_of};

    #[test]
    fn links_to_one_file_are_the_same_whatever_host_and_time() {
        let [first, second] = [
            "https://a.example/v1/files/01?until=1&by=x",
            "http://b:8080/v1/files/01?until=2&by=y",
        ]
        .map(str::to_owned);
        assert_eq!(identity(std::slice::from_ref(&first)), "01");
        assert_eq!(identity(&[second]), "01");
        assert_eq!(
            link_of(&first).as_deref(),
            Some("/v1/files/01?until=1&by=x")
        );
        assert_eq!(link_of("no link"), None);
        assert_eq!(link_of("https://elsewhere.example/x?y"), None);
        assert_eq!(identity(&["no link".to_owned()]), "no link");
    }
}

//! Records of a dataset as a file: asked for, and taken; also the rows that an import could not store.

use super::by_field::asks_for_faulty;
use super::file_inputs::{character, not_characters, problems_told};
use super::form_jobs::{address_of_job, new_mark};
use super::places::Place;
use super::seen;
use super::texts::Texts;
use super::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::api::sent_job_file;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use serde_json::Map;
use service::Refusal;
use service::manage::{ExportOptions, JobFile, Problem};

#[derive(Template)]
#[template(path = "export.html")]
struct ExportPage {
    page: Page,
    place: Place,
    fields: Vec<String>,
    said: Said,
    /// By which it makes one job, however often it comes.
    mark: String,
    message: Option<String>,
}

/// What was filled in.
#[derive(Default)]
struct Said {
    format: String,
    packing: String,
    delimiter: String,
    split: String,
    is_guarded: bool,
    /// Whether the ids of records stand beside their fields.
    has_ids: bool,
    /// Whether what is wrong with them does.
    has_errors: bool,
    query: String,
    /// The ids of the records, where only some are meant.
    records: Vec<String>,
    /// The fields that are ticked.
    fields: Vec<String>,
}

impl Said {
    fn of(form: &Form) -> Self {
        let text = |name: &str| form.text(name).to_owned();
        let all = |name: &str| form.all(name).map(str::to_owned).collect();
        Said {
            format: text("format"),
            packing: text("packing"),
            delimiter: text("delimiter"),
            split: text("split"),
            is_guarded: form.get("guarded").is_some(),
            has_ids: form.get("withIds").is_some(),
            has_errors: form.get("withErrors").is_some(),
            query: text("q"),
            records: all("record"),
            fields: all("field"),
        }
    }

    /// The options that this stands for, as a request of management says them.
    fn options(&self, texts: &Texts) -> Result<ExportOptions, Vec<Problem>> {
        let is_csv = self.format == "csv";
        let delimiter = if is_csv { &*self.delimiter } else { "" };
        let wrong = not_characters([("delimiter", delimiter), ("split", &self.split)], texts);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut said = Map::new();
        let mut say = |name: &str, value: &str| {
            if !value.is_empty() {
                said.insert(name.to_owned(), value.into());
            }
        };
        say("format", &self.format);
        say("packing", &self.packing);
        if !self.query.trim().is_empty() {
            say("query", &self.query);
        }
        say("split", character(&self.split));
        say("delimiter", character(delimiter));
        said.insert(
            "forSpreadsheets".to_owned(),
            (is_csv && self.is_guarded).into(),
        );
        said.insert("withIds".to_owned(), self.has_ids.into());
        said.insert("withErrors".to_owned(), self.has_errors.into());
        said.insert("fields".to_owned(), self.fields.clone().into());
        said.insert("records".to_owned(), self.records.clone().into());
        serde_json::from_value(said.into())
            .map_err(|error| vec![Problem::new("form", error.to_string())])
    }
}

impl ExportPage {
    fn has(&self, field: &str) -> bool {
        self.said.fields.iter().any(|chosen| chosen == field)
    }
}

/// The form, with what is said already.
fn page_of(
    visit: &Visit<String>,
    said: Said,
    message: Option<String>,
) -> Result<ExportPage, Failure> {
    let place = Place::of(visit, &visit.ids)?;
    let fields = place.version().schema.active_fields();
    let fields = fields.filter(|field| !place.masks(field));
    Ok(ExportPage {
        fields: fields.map(|field| field.name.clone()).collect(),
        page: visit.page(Section::Home),
        said,
        mark: new_mark(visit),
        message,
        place,
    })
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    // a tick names the version that was shown, too
    let ticked = visit.parameters("record").into_iter();
    let records = ticked.map(|it| it.split(':').next().unwrap_or_default().to_owned());
    let query = visit.parameter("q").unwrap_or_default();
    if !query.trim().is_empty() {
        // what was asked for a few is not shown for all
        seen::require(&visit.caller, "/search")?;
    }
    // who takes faulty rows along to mend them has to see what is wrong, and to bring them back to where they are
    let is_to_be_mended = asks_for_faulty(&query);
    let place = Place::of(&visit, &visit.ids)?;
    let has_key = place.version().schema.primary_key().is_some();
    let said = Said {
        has_ids: is_to_be_mended && !has_key,
        has_errors: is_to_be_mended,
        query,
        records: records.collect(),
        fields: visit.parameters("field"),
        // most files are for a spreadsheet
        is_guarded: true,
        ..Said::default()
    };
    shown(&page_of(&visit, said, None)?)
}

pub(super) async fn export(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let said = Said::of(&form);
    let service = &visit.site.service;
    let made = match said.options(visit.texts) {
        Ok(options) => {
            let mark = form.text("mark");
            let job = service.export_dataset_once(&visit.caller, &visit.ids, options, mark);
            job.await
        }
        Err(problems) => Err(Refusal::Invalid(problems)),
    };
    let message = match made {
        Ok(made) => return Ok(visit.see(&address_of_job(&made))),
        Err(Refusal::Invalid(problems)) => problems_told(&problems, visit.texts),
        Err(Refusal::Parameter(message)) => visit.texts.said(&message),
        Err(refusal) => return Err(refusal.into()),
    };
    let page = page_of(&visit, said, Some(message))?;
    shown_as(StatusCode::BAD_REQUEST, &page)
}

pub(super) async fn exported(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    download(visit, JobFile::Export).await
}

pub(super) async fn rejects(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    download(visit, JobFile::Rejects).await
}

async fn download(visit: Visit<String>, file: JobFile) -> Result<Response<Body>, Failure> {
    let service = &visit.site.service;
    let found = service.download_job_file(&visit.caller, &visit.ids, file);
    Ok(sent_job_file(found.await?))
}

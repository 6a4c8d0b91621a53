//! Records of a dataset as a file: asked for, and taken; also the rows that an import could not store.

use super::imports::format_named;
use super::places::Place;
use super::visit::{Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::api::sent_job_file;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::manage::{DataFormat, ExportOptions, JobFile, Packing};

#[derive(Template)]
#[template(path = "export.html")]
struct ExportPage {
    page: Page,
    place: Place,
    fields: Vec<String>,
    query: String,
    /// The ids of the records, where only some are meant.
    records: Vec<String>,
    /// Those that are ticked.
    chosen: Vec<String>,
    message: Option<String>,
}

impl ExportPage {
    fn has(&self, field: &str) -> bool {
        self.chosen.iter().any(|chosen| chosen == field)
    }
}

/// The form, with the query and the fields that were given.
fn page_of(
    visit: &Visit<String>,
    (query, records, chosen): (String, Vec<String>, Vec<String>),
    message: Option<String>,
) -> Result<ExportPage, Failure> {
    let place = Place::of(visit, &visit.ids)?;
    let fields = place.version().schema.active_fields();
    let fields = fields.filter(|field| !place.masks(field));
    Ok(ExportPage {
        fields: fields.map(|field| field.name.clone()).collect(),
        page: visit.page(Section::Home),
        query,
        records,
        chosen,
        message,
        place,
    })
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let query = visit.parameter("q").unwrap_or_default();
    // a tick names the version that was shown, too
    let ticked = visit.parameters("record").into_iter();
    let records = ticked.map(|it| it.split(':').next().unwrap_or_default().to_owned());
    let said = (query, records.collect(), visit.parameters("field"));
    shown(&page_of(&visit, said, None)?)
}

pub(super) async fn export(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let format = format_named(form.text("format"));
    let options = ExportOptions {
        format,
        packing: match form.text("packing") {
            "gzip" => Packing::Gzip,
            "zstd" => Packing::Zstd,
            _ => Packing::None,
        },
        for_spreadsheets: format == Some(DataFormat::Csv) && form.get("guarded").is_some(),
        fields: form.all("field").map(str::to_owned).collect(),
        records: form.all("record").map(str::to_owned).collect(),
        query: form
            .get("q")
            .map(str::to_owned)
            .filter(|it| !it.trim().is_empty()),
        ..ExportOptions::default()
    };
    let said = (
        form.text("q").to_owned(),
        options.records.clone(),
        options.fields.clone(),
    );
    let service = &visit.site.service;
    let job = service.export_dataset(&visit.caller, &visit.ids, options);
    let message = match job.await {
        Ok(job) => return Ok(visit.see(&format!("/jobs/{}", job.job_id))),
        Err(Refusal::Invalid(problems)) => visit.texts.problems(&problems),
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

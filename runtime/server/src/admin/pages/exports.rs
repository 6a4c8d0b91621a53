//! Records of a dataset as a file: asked for, and taken; also the rows that an import could not store.

use super::imports::format_named;
use super::places::Place;
use super::visit::{Page, Section, Submission, Visit, shown};
use crate::admin::api::sent_job_file;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::manage::{DataFormat, ExportOptions, JobFile, Packing};

#[derive(Template)]
#[template(path = "export.html")]
struct ExportPage {
    page: Page,
    place: Place,
    fields: Vec<String>,
}

pub(super) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let place = Place::of(&visit, &visit.ids)?;
    let fields = place.version().schema.fields.iter();
    let fields = fields.filter(|field| field.active);
    shown(&ExportPage {
        fields: fields.map(|field| field.name.clone()).collect(),
        page: visit.page(Section::Home),
        place,
    })
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
        ..ExportOptions::default()
    };
    let service = &visit.site.service;
    let job = service.export_dataset(&visit.caller, &visit.ids, options);
    let job = job.await?;
    Ok(visit.see(&format!("/jobs/{}", job.job_id)))
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

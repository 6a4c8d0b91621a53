//! Uploads: the one part of a form becomes a file, written as it comes. What it may hold, the service knows.

use super::file_name::file_name;
use super::multipart::{Form, PART, unusable};
use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::path::PathIds;
use crate::http::response;
use axum::body::Body;
use axum::http::Response;
use service::files::Upload;
use service::{DatasetPermit, Service};
use wire::FileItem;

pub(in crate::http) async fn upload(mut call: Call<PathIds>) -> Result<Response<Body>, Failure> {
    let permit = {
        let (area, schema, dataset) = (call.ids.area(), call.ids.schema(), call.ids.dataset());
        call.caller
            .clone()
            .permit_upload([&area, &schema, &dataset])?
    };
    let body = call.body();
    let item = receive(&call.service, &permit, body).await?;
    Ok(response::created(&item.url, response::text(&item)?))
}

/// The file of a form, which becomes one of the permit's dataset.
pub(crate) async fn receive(
    service: &Service,
    permit: &DatasetPermit,
    body: RequestBody,
) -> Result<FileItem, Failure> {
    let mut form = Form::of(service, body)?;
    let Some(mut part) = form.part().await? else {
        return Err(unusable("it has no part"));
    };
    if part.name() != Some(PART) {
        return Err(unusable("it has a part of another name"));
    }
    let mut upload = service.begin_upload(permit, &file_name(&part))?;
    let mut received = Ok(());
    while received.is_ok() {
        received = match form.piece(&mut part).await {
            Ok(Some(piece)) => upload.write(piece).await.map_err(Failure::Refused),
            Ok(None) => break,
            Err(failure) => Err(failure),
        };
    }
    drop(part);
    if received.is_ok() {
        received = match form.part().await {
            Ok(None) => Ok(()),
            Ok(Some(_)) => Err(unusable("it has more than one part")),
            Err(failure) => Err(failure),
        };
    }
    finish(upload, received).await
}

/// The file, or nothing of it.
async fn finish(upload: Upload<'_>, received: Result<(), Failure>) -> Result<FileItem, Failure> {
    match received {
        Ok(()) => Ok(upload.finish().await?),
        Err(failure) => {
            upload.give_up().await;
            Err(failure)
        }
    }
}

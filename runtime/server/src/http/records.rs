//! Endpoints 6 to 10, and a record by its id: the data objects of a dataset. The body is read once role and path are judged.

use super::call::Call;
use super::error::Failure;
use super::path::PathIds;
use super::response;
use axum::response::Response;
use service::Refusal;
use store::catalog::{Resource, Verb};

pub(super) async fn list(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_dataset(Resource::Records, Verb::View)?;
    Ok(response::open_json(
        call.service.list_records(&permit, &call.page()).await?.json,
    ))
}

pub(super) async fn create(mut call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_dataset(Resource::Records, Verb::Add)?;
    let body = call.body().json(call.service.settings()).await?;
    let created = call.service.create_record(&permit, &body).await?;
    let location = format!("{}/{}", call.ids.as_sent(), created.id);
    Ok(response::created(&location, created.json))
}

pub(super) async fn update(mut call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_dataset(Resource::Records, Verb::Edit)?;
    let body = call.body().json(call.service.settings()).await?;
    call.service
        .update_record(&permit, &call.ids.record(), &body)
        .await?;
    Ok(response::no_content())
}

pub(super) async fn delete(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_dataset(Resource::Records, Verb::Delete)?;
    call.service
        .delete_record(&permit, &call.ids.record())
        .await?;
    Ok(response::no_content())
}

pub(super) async fn by_id(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_dataset(Resource::Records, Verb::View)?;
    let id = call.ids.record();
    let found = call.service.record_by_id(&permit, &id).await?;
    let found = found.ok_or(Refusal::RecordNotFound)?;
    Ok(response::open_json(found))
}

pub(super) async fn by_key(call: Call<PathIds>) -> Result<Response, Failure> {
    let permit = call.permit_dataset(Resource::Records, Verb::View)?;
    let found = match call.ids.primary_key() {
        Some(key) => call.service.record_by_key(&permit, &key).await?,
        None => None,
    };
    found.map(response::open_json).ok_or(Failure::NoSuchKey)
}

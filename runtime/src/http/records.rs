//! Endpoints 6 to 10: the data objects of a dataset. The body is read once role and path are judged.

use super::error::Failure;
use super::extract::{Incoming, PathIds};
use super::shape;
use crate::service::{Caller, PageRequest, Permit, Refusal, Service};
use crate::store::catalog::{Resource, Verb};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

fn permit(caller: Caller, verb: Verb, path: &PathIds) -> Result<Permit, Refusal> {
    let (area, schema, dataset) = (path.area(), path.schema(), path.dataset());
    caller.permit_dataset(Resource::Records, verb, [&area, &schema, &dataset])
}

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
    page: PageRequest,
) -> Result<Response, Failure> {
    let permit = permit(caller, Verb::View, &path)?;
    Ok(shape::json(
        service.list_records(&permit, &page).await?.json,
    ))
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
    incoming: Incoming,
) -> Result<Response, Failure> {
    let permit = permit(caller, Verb::Add, &path)?;
    let body = incoming.json(service.settings()).await?;
    let created = service.create_record(&permit, &body).await?;
    let location = format!("{}/{}", path.as_sent(), created.id);
    Ok(shape::created(&location, created.json))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
    incoming: Incoming,
) -> Result<Response, Failure> {
    let permit = permit(caller, Verb::Edit, &path)?;
    let body = incoming.json(service.settings()).await?;
    service
        .update_record(&permit, &path.record(), &body)
        .await?;
    Ok(shape::no_content())
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
) -> Result<Response, Failure> {
    let permit = permit(caller, Verb::Delete, &path)?;
    service.delete_record(&permit, &path.record()).await?;
    Ok(shape::no_content())
}

pub(super) async fn by_key(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: PathIds,
) -> Result<Response, Failure> {
    let permit = permit(caller, Verb::View, &path)?;
    let found = match path.primary_key() {
        Some(key) => service.record_by_key(&permit, &key).await?,
        None => None,
    };
    found.map(shape::json).ok_or(Failure::NoSuchKey)
}

//! Records beyond the data interface: their changes, and those that were deleted.

use crate::admin::sent::Ids;
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::{Caller, PageRequest, Service};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

type Answer = Result<Response, Failure>;

pub(super) async fn changes(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(dataset): Ids<String>,
    page: PageRequest,
) -> Answer {
    shape::value(&service.record_changes(&caller, &dataset, &page).await?)
}

pub(super) async fn deleted(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(dataset): Ids<String>,
    page: PageRequest,
) -> Answer {
    shape::value(&service.deleted_records(&caller, &dataset, &page).await?)
}

pub(super) async fn restore(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids((dataset, record)): Ids<(String, String)>,
) -> Answer {
    service.restore_record(&caller, &dataset, &record).await?;
    Ok(shape::no_content())
}

pub(super) async fn purge(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids((dataset, record)): Ids<(String, String)>,
) -> Answer {
    service.purge_record(&caller, &dataset, &record).await?;
    Ok(shape::no_content())
}

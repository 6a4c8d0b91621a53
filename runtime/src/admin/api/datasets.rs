//! Datasets.

use crate::admin::sent::{Base, Ids, OnShelf, Sent};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{DatasetContent, DatasetView};
use crate::service::{Caller, PageRequest, Service};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

type Answer = Result<Response, Failure>;

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(parent): Ids<String>,
    OnShelf(shelf): OnShelf,
    page: PageRequest,
) -> Answer {
    let page = service.datasets(&caller, &parent, shelf, &page);
    shape::value(&page.await?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Ids(schema): Ids<String>,
    Sent(content): Sent<DatasetContent>,
) -> Answer {
    let made = service.create_dataset(&caller, &schema, content).await?;
    base.created(["datasets", &made.id], &DatasetView::of(&made))
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&DatasetView::of(&*service.dataset(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(content): Sent<DatasetContent>,
) -> Answer {
    let changed = service.update_dataset(&caller, &id, content).await?;
    shape::value(&DatasetView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_dataset(&caller, &id).await?;
    Ok(shape::no_content())
}

pub(super) async fn restore(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let restored = service.restore_dataset(&caller, &id).await?;
    shape::value(&DatasetView::of(&restored))
}

//! Business areas.

use crate::admin::sent::{Base, Ids, OnShelf, Sent};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{AreaContent, AreaView};
use crate::service::{Caller, PageRequest, Service};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

type Answer = Result<Response, Failure>;

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    OnShelf(shelf): OnShelf,
    page: PageRequest,
) -> Answer {
    shape::value(&service.areas(&caller, shelf, &page)?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Sent(content): Sent<AreaContent>,
) -> Answer {
    let made = service.create_area(&caller, content).await?;
    base.created(["areas", &made.id], &AreaView::of(&made))
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&AreaView::of(&*service.area(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(content): Sent<AreaContent>,
) -> Answer {
    let changed = service.update_area(&caller, &id, content).await?;
    shape::value(&AreaView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_area(&caller, &id).await?;
    Ok(shape::no_content())
}

pub(super) async fn restore(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let restored = service.restore_area(&caller, &id).await?;
    shape::value(&AreaView::of(&restored))
}

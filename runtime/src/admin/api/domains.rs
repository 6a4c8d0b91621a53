//! Data domains.

use crate::admin::sent::{Base, Ids, Sent};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{DomainContent, DomainView};
use crate::service::{Caller, PageRequest, Service};
use axum::extract::State;
use axum::response::Response;
use std::sync::Arc;

type Answer = Result<Response, Failure>;

pub(super) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    page: PageRequest,
) -> Answer {
    shape::value(&service.domains(&caller, &page)?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Sent(content): Sent<DomainContent>,
) -> Answer {
    let made = service.create_domain(&caller, content).await?;
    base.created(["domains", &made.id], &DomainView::of(&made))
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&DomainView::of(&*service.domain(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(content): Sent<DomainContent>,
) -> Answer {
    let changed = service.update_domain(&caller, &id, content).await?;
    shape::value(&DomainView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_domain(&caller, &id).await?;
    Ok(shape::no_content())
}

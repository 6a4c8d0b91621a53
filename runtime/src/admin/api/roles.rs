//! Roles.

use crate::admin::sent::{Base, Ids, Sent};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{RoleContent, RoleView};
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
    shape::value(&service.roles(&caller, &page)?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Sent(content): Sent<RoleContent>,
) -> Answer {
    let made = service.create_role(&caller, content).await?;
    base.created(["roles", &made.id], &RoleView::of(&made))
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&RoleView::of(&*service.role(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(content): Sent<RoleContent>,
) -> Answer {
    let changed = service.update_role(&caller, &id, content).await?;
    shape::value(&RoleView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_role(&caller, &id).await?;
    Ok(shape::no_content())
}

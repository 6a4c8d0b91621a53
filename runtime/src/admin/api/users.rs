//! Users.

use crate::admin::sent::{Base, Ids, Sent};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{NewUser, UserContent, UserView};
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
    shape::value(&service.users(&caller, &page)?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Sent(content): Sent<NewUser>,
) -> Answer {
    let made = service.create_user(&caller, content).await?;
    base.created(["users", &made.id], &UserView::of(&made))
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&UserView::of(&*service.user(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(content): Sent<UserContent>,
) -> Answer {
    let changed = service.update_user(&caller, &id, content).await?;
    shape::value(&UserView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_user(&caller, &id).await?;
    Ok(shape::no_content())
}

pub(super) async fn enable(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let changed = service.set_user_active(&caller, &id, true).await?;
    shape::value(&UserView::of(&changed))
}

pub(super) async fn disable(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let changed = service.set_user_active(&caller, &id, false).await?;
    shape::value(&UserView::of(&changed))
}

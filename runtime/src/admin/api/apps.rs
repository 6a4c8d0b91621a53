//! Application clients: their secret is shown by the answer that makes it, and never again.

use crate::admin::sent::{Base, Ids, MadeApp, Sent, unkept};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{AppContent, AppView, NewApp};
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
    shape::value(&service.apps(&caller, &page)?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Sent(content): Sent<NewApp>,
) -> Answer {
    let made = service.create_app(&caller, content).await?;
    let shown = MadeApp {
        noun: AppView::of(&made.noun),
        client_secret: made.secret,
    };
    base.created(["apps", &made.noun.id], &shown).map(unkept)
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&AppView::of(&*service.app(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(content): Sent<AppContent>,
) -> Answer {
    let changed = service.update_app(&caller, &id, content).await?;
    shape::value(&AppView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_app(&caller, &id).await?;
    Ok(shape::no_content())
}

pub(super) async fn enable(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let changed = service.set_app_active(&caller, &id, true).await?;
    shape::value(&AppView::of(&changed))
}

pub(super) async fn disable(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let changed = service.set_app_active(&caller, &id, false).await?;
    shape::value(&AppView::of(&changed))
}

pub(super) async fn renew_secret(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let made = service.renew_app_secret(&caller, &id).await?;
    let shown = MadeApp {
        noun: AppView::of(&made.noun),
        client_secret: made.secret,
    };
    shape::value(&shown).map(unkept)
}

//! API keys: shown in whole by the answer to their creation, and never again.

use crate::admin::sent::{Base, Ids, MadeApiKey, Sent, unkept};
use crate::http::error::Failure;
use crate::http::shape;
use crate::service::manage::{ApiKeyContent, ApiKeyView, NewApiKey};
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
    shape::value(&service.api_keys(&caller, &page)?)
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    caller: Caller,
    base: Base,
    Sent(content): Sent<NewApiKey>,
) -> Answer {
    let made = service.create_api_key(&caller, content).await?;
    let shown = MadeApiKey {
        noun: ApiKeyView::of(&made.noun),
        key: made.secret,
    };
    base.created(["api-keys", &made.noun.id], &shown)
        .map(unkept)
}

pub(super) async fn get(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    shape::value(&ApiKeyView::of(&*service.api_key(&caller, &id)?))
}

pub(super) async fn update(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
    Sent(content): Sent<ApiKeyContent>,
) -> Answer {
    let changed = service.update_api_key(&caller, &id, content).await?;
    shape::value(&ApiKeyView::of(&changed))
}

pub(super) async fn delete(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    service.delete_api_key(&caller, &id).await?;
    Ok(shape::no_content())
}

pub(super) async fn enable(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let changed = service.set_api_key_active(&caller, &id, true).await?;
    shape::value(&ApiKeyView::of(&changed))
}

pub(super) async fn disable(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Ids(id): Ids<String>,
) -> Answer {
    let changed = service.set_api_key_active(&caller, &id, false).await?;
    shape::value(&ApiKeyView::of(&changed))
}

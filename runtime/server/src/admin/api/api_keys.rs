//! API keys: shown in whole by the answer to their creation, and never again.

use crate::admin::request::body;
use crate::admin::response::{MadeApiKey, created, no_store};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::View;
use service::manage::{ApiKeyContent, ApiKeyView, NewApiKey};

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    response::value(&call.service.api_keys(&call.caller, &call.page())?)
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: NewApiKey = body(&mut call).await?;
    let made = call.service.create_api_key(&call.caller, content).await?;
    let shown = MadeApiKey {
        noun: ApiKeyView::of(&made.noun),
        key: made.secret,
    };
    created(&call, ["api-keys", &made.noun.id], &shown).map(no_store)
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&ApiKeyView::of(
        &*call.service.api_key(&call.caller, &call.ids)?,
    ))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: ApiKeyContent = body(&mut call).await?;
    let changed = call
        .service
        .update_api_key(&call.caller, &call.ids, content)
        .await?;
    response::value(&ApiKeyView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_api_key(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

pub(super) async fn enable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .set_api_key_active(&call.caller, &call.ids, true)
        .await?;
    response::value(&ApiKeyView::of(&changed))
}

pub(super) async fn disable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .set_api_key_active(&call.caller, &call.ids, false)
        .await?;
    response::value(&ApiKeyView::of(&changed))
}

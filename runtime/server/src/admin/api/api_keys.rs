//! API keys: shown in whole by the answer to their creation, and never again.

use crate::admin::sent::{Base, MadeApiKey, body, unkept};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use service::manage::Noun as _;
use service::manage::{ApiKeyContent, NewApiKey};
use store::records::Shelf;

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    shape::value(
        &call
            .service
            .api_keys()
            .list(&call.caller, "", Shelf::Live, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: NewApiKey = body(&mut call).await?;
    let made = call.service.api_keys().mint(&call.caller, content).await?;
    let shown = MadeApiKey {
        noun: made.noun.view(),
        key: made.secret,
    };
    Base::of(&call)
        .created(["api-keys", &made.noun.id], &shown)
        .map(unkept)
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.api_keys().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: ApiKeyContent = body(&mut call).await?;
    let changed = call
        .service
        .api_keys()
        .update(&call.caller, &call.ids, content)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service
        .api_keys()
        .delete(&call.caller, &call.ids)
        .await?;
    Ok(shape::no_content())
}

pub(super) async fn enable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .api_keys()
        .set_active(&call.caller, &call.ids, true)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn disable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .api_keys()
        .set_active(&call.caller, &call.ids, false)
        .await?;
    shape::value(&changed.view())
}

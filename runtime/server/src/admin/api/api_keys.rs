//! API keys: shown in whole by the answer that makes their secret, and never again.

use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeApiKey, created, no_store};
use crate::http::call::Call;
use crate::http::response;
use service::manage::{KeyRotation, NewApiKey, NewSecret, Noun as _};
use store::catalog::ApiKey;

pub(super) async fn create(mut call: Call) -> Answer {
    let new: NewApiKey = body(&mut call).await?;
    let made = call.service.api_keys().mint(&call.caller, new).await?;
    created(&call, &made.noun.id, &with_secret(&made)).map(no_store)
}

pub(super) async fn rotate(mut call: Call<String>) -> Answer {
    let rotation: KeyRotation = body(&mut call).await?;
    let keys = call.service.api_keys();
    let made = keys.rotate(&call.caller, &call.ids, rotation).await?;
    response::value(&with_secret(&made)).map(no_store)
}

fn with_secret(made: &NewSecret<ApiKey>) -> MadeApiKey {
    MadeApiKey {
        noun: made.noun.view(),
        key: made.secret.clone(),
    }
}

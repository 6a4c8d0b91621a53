//! API keys: shown in whole by the answer that makes their secret, and never again.

use super::noun::NounRoutes;
use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeApiKey, created, no_store};
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{KeyRotation, NewApiKey, NewSecret, Noun as _};
use store::catalog::ApiKey;

/// API keys.
pub(super) fn routes() -> Vec<Route> {
    let nouns = NounRoutes::<ApiKey>::at("/api-keys", "ApiKey", "an API key");
    let create = nouns.made::<NewApiKey, MadeApiKey>();
    let create = Route::post("/api-keys", self::create, create);
    let rotate = O::management(
        "rotateApiKey",
        "Give an API key a new secret; the old one works for a while",
    )
    .takes::<KeyRotation>()
    .gives::<MadeApiKey>(200)
    .refuses(&[409]);
    let mut routes = nouns.switchable(create, nouns.update());
    routes.push(Route::post("/api-keys/{id}/secret", self::rotate, rotate));
    routes
}

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

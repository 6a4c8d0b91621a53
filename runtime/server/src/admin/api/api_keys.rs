//! API keys: shown in whole by the answer to their creation, and never again.

use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeApiKey, created, no_store};
use crate::http::call::Call;
use service::manage::{NewApiKey, Noun as _};

pub(super) async fn create(mut call: Call) -> Answer {
    let new: NewApiKey = body(&mut call).await?;
    let made = call.service.api_keys().mint(&call.caller, new).await?;
    let view = MadeApiKey {
        noun: made.noun.view(),
        key: made.secret,
    };
    created(&call, &made.noun.id, &view).map(no_store)
}

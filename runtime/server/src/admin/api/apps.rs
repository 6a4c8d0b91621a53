//! Application clients: their secret is shown by the answer that makes it, and never again.

use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeApp, created, no_store};
use crate::http::call::Call;
use crate::http::response;
use service::manage::{NewApp, NewSecret, Noun as _};
use store::catalog::App;

pub(super) async fn create(mut call: Call) -> Answer {
    let new: NewApp = body(&mut call).await?;
    let made = call.service.apps().mint(&call.caller, new).await?;
    created(&call, &made.noun.id, &with_secret(&made)).map(no_store)
}

pub(super) async fn renew_secret(call: Call<String>) -> Answer {
    let apps = call.service.apps();
    let made = apps.renew_secret(&call.caller, &call.ids).await?;
    response::value(&with_secret(&made)).map(no_store)
}

fn with_secret(made: &NewSecret<App>) -> MadeApp {
    MadeApp {
        noun: made.noun.view(),
        client_secret: made.secret.clone(),
    }
}

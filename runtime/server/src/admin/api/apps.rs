//! Application clients: their secret is shown by the answer that makes it, and never again.

use super::noun::NounRoutes;
use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeApp, created, no_store};
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{NewApp, NewSecret, Noun as _};
use store::catalog::App;

/// Application clients.
pub(super) fn routes() -> Vec<Route> {
    let nouns = NounRoutes::<App>::at("/apps", "App", "an application client");
    let create = nouns.made::<NewApp, MadeApp>();
    let create = Route::post("/apps", self::create, create);
    let renew_secret = O::management(
        "renewSecretOfApp",
        "Give an application client a new secret",
    )
    .gives::<MadeApp>(200);
    let mut routes = nouns.switchable(create, nouns.update());
    routes.push(Route::post(
        "/apps/{id}/secret",
        self::renew_secret,
        renew_secret,
    ));
    routes
}

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

//! Application clients: their secret is shown by the answer that makes it, and never again.

use crate::admin::sent::{Base, MadeApp, body, unkept};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::response::Response;
use service::manage::Noun as _;
use service::manage::{AppContent, NewApp};
use store::records::Shelf;

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    shape::value(
        &call
            .service
            .apps()
            .list(&call.caller, "", Shelf::Live, &call.page())?,
    )
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: NewApp = body(&mut call).await?;
    let made = call.service.apps().mint(&call.caller, content).await?;
    let shown = MadeApp {
        noun: made.noun.view(),
        client_secret: made.secret,
    };
    Base::of(&call)
        .created(["apps", &made.noun.id], &shown)
        .map(unkept)
}

pub(super) async fn get(call: Call<String>) -> Answer {
    shape::value(&call.service.apps().get(&call.caller, &call.ids)?.view())
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: AppContent = body(&mut call).await?;
    let changed = call
        .service
        .apps()
        .update(&call.caller, &call.ids, content)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.apps().delete(&call.caller, &call.ids).await?;
    Ok(shape::no_content())
}

pub(super) async fn enable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .apps()
        .set_active(&call.caller, &call.ids, true)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn disable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .apps()
        .set_active(&call.caller, &call.ids, false)
        .await?;
    shape::value(&changed.view())
}

pub(super) async fn renew_secret(call: Call<String>) -> Answer {
    let made = call
        .service
        .apps()
        .renew_secret(&call.caller, &call.ids)
        .await?;
    let shown = MadeApp {
        noun: made.noun.view(),
        client_secret: made.secret,
    };
    shape::value(&shown).map(unkept)
}

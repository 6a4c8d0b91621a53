//! Application clients: their secret is shown by the answer that makes it, and never again.

use crate::admin::request::body;
use crate::admin::response::{MadeApp, created, no_store};
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::manage::View;
use service::manage::{AppContent, AppView, NewApp};

type Answer = Result<Response, Failure>;

pub(super) async fn list(call: Call) -> Answer {
    response::value(&call.service.apps(&call.caller, &call.page())?)
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: NewApp = body(&mut call).await?;
    let made = call.service.create_app(&call.caller, content).await?;
    let shown = MadeApp {
        noun: AppView::of(&made.noun),
        client_secret: made.secret,
    };
    created(&call, ["apps", &made.noun.id], &shown).map(no_store)
}

pub(super) async fn get(call: Call<String>) -> Answer {
    response::value(&AppView::of(&*call.service.app(&call.caller, &call.ids)?))
}

pub(super) async fn update(mut call: Call<String>) -> Answer {
    let content: AppContent = body(&mut call).await?;
    let changed = call
        .service
        .update_app(&call.caller, &call.ids, content)
        .await?;
    response::value(&AppView::of(&changed))
}

pub(super) async fn delete(call: Call<String>) -> Answer {
    call.service.delete_app(&call.caller, &call.ids).await?;
    Ok(response::no_content())
}

pub(super) async fn enable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .set_app_active(&call.caller, &call.ids, true)
        .await?;
    response::value(&AppView::of(&changed))
}

pub(super) async fn disable(call: Call<String>) -> Answer {
    let changed = call
        .service
        .set_app_active(&call.caller, &call.ids, false)
        .await?;
    response::value(&AppView::of(&changed))
}

pub(super) async fn renew_secret(call: Call<String>) -> Answer {
    let made = call
        .service
        .renew_app_secret(&call.caller, &call.ids)
        .await?;
    let shown = MadeApp {
        noun: AppView::of(&made.noun),
        client_secret: made.secret,
    };
    response::value(&shown).map(no_store)
}

//! Webhooks: their secret is shown by the answer that makes it, and never again; and what became of their deliveries.

use super::noun::NounRoutes;
use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeWebhook, created, no_store};
use crate::http::call::Call;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use service::manage::{DeadLetterView, DeliveryView, NewSecret, Noun as _, WebhookContent};
use store::catalog::Webhook;
use wire::Page;

/// Webhooks and their deliveries.
pub(super) fn routes() -> Vec<Route> {
    const LETTERS: &str = "/webhooks/{id}/dead-letters";
    let nouns = NounRoutes::<Webhook>::at("/webhooks", "Webhook", "a webhook");
    let create = nouns.made::<WebhookContent, MadeWebhook>().refuses(&[404]);
    let create = Route::post("/webhooks", self::create, create);
    let renew_secret = O::management("renewSecretOfWebhook", "Give a webhook a new secret")
        .gives::<MadeWebhook>(200);
    let delivery = O::management(
        "getWebhookDelivery",
        "Get the state of a webhook's deliveries",
    )
    .gives::<DeliveryView>(200);
    let letters = O::management(
        "listDeadLetters",
        "List the deliveries that a webhook gave up, oldest first",
    )
    .paged()
    .gives::<Page<DeadLetterView>>(200);
    let resend = O::management(
        "resendDeadLetter",
        "Send a delivery again that a webhook gave up",
    )
    .gives_nothing()
    .refuses(&[409]);
    let discard = O::management(
        "discardDeadLetter",
        "Discard a delivery that a webhook gave up",
    )
    .gives_nothing();
    let mut routes = nouns.switchable(create, nouns.update());
    routes.extend([
        Route::post("/webhooks/{id}/secret", self::renew_secret, renew_secret),
        Route::get("/webhooks/{id}/delivery", self::delivery, delivery),
        Route::get(LETTERS, dead_letters, letters),
        Route::post(format!("{LETTERS}/{{letter}}/resend"), self::resend, resend),
        Route::delete(format!("{LETTERS}/{{letter}}"), self::discard, discard),
    ]);
    routes
}

pub(super) async fn create(mut call: Call) -> Answer {
    let content: WebhookContent = body(&mut call).await?;
    let made = call.service.webhooks().mint(&call.caller, content).await?;
    created(&call, &made.noun.id, &with_secret(&made)).map(no_store)
}

pub(super) async fn renew_secret(call: Call<String>) -> Answer {
    let hooks = call.service.webhooks();
    let made = hooks.renew_secret(&call.caller, &call.ids).await?;
    response::value(&with_secret(&made)).map(no_store)
}

pub(super) async fn delivery(call: Call<String>) -> Answer {
    let found = call.service.webhook_delivery(&call.caller, &call.ids);
    response::value(&found.await?)
}

pub(super) async fn dead_letters(call: Call<String>) -> Answer {
    let page = call.page();
    let found = call.service.dead_letters(&call.caller, &call.ids, &page);
    response::value(&found.await?)
}

pub(super) async fn resend(call: Call<(String, String)>) -> Answer {
    let (hook, letter) = &call.ids;
    call.service.resend(&call.caller, hook, letter).await?;
    Ok(response::no_content())
}

pub(super) async fn discard(call: Call<(String, String)>) -> Answer {
    let (hook, letter) = &call.ids;
    let service = &call.service;
    service.discard_letter(&call.caller, hook, letter).await?;
    Ok(response::no_content())
}

fn with_secret(made: &NewSecret<Webhook>) -> MadeWebhook {
    MadeWebhook {
        noun: made.noun.view(),
        secret: made.secret.clone(),
    }
}

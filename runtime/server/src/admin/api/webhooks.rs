//! Webhooks: their secret is shown by the answer that makes it, and never again; and what became of their deliveries.

use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::{MadeWebhook, created, no_store};
use crate::http::call::Call;
use crate::http::response;
use service::manage::{NewSecret, Noun as _, WebhookContent};
use store::catalog::Webhook;

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

fn with_secret(made: &NewSecret<Webhook>) -> MadeWebhook {
    MadeWebhook {
        noun: made.noun.view(),
        secret: made.secret.clone(),
    }
}

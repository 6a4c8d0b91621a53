//! Webhooks: made, changed, switched and deleted, with what became of their deliveries. A secret is seen by the page that
//! answers its making, and never again.

use super::delivery::{Delivery, Letter};
use super::first_steps::{Lacking, lacking};
use super::parts::{Input, description};
use super::stale;
use super::told::Told;
use super::webhook_datasets::{HookDatasets, is_look, looked, with_unseen};
use super::webhook_row::WebhookRow;
use crate::admin::pages::list_part::Wanted;
use crate::admin::pages::pagination::PageLinks;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::admin::response::no_store;
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Resource, Shelf, Verb};
use service::manage::{WebhookContent, WebhookView, mark};
use service::{PageRequest, Refusal};

const PATHS: [&str; 4] = ["$.name", "$.description", "$.url", "$.datasets"];

#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage {
    page: Page,
    hooks: Vec<WebhookRow>,
    pages: PageLinks,
    /// What lacks where there is none yet.
    lacking: Option<Lacking>,
    may_add: bool,
}

#[derive(Template)]
#[template(path = "webhook.html")]
struct WebhookPage {
    page: Page,
    /// Empty for a new one.
    id: String,
    /// The mark of what its form is made from.
    seen: String,
    title: String,
    inputs: Vec<Input>,
    datasets: HookDatasets,
    datasets_told: String,
    delivery: Option<Delivery>,
    letters: Vec<Letter>,
    pages: PageLinks,
    /// The secret that was made just now.
    secret: Option<String>,
    message: Option<String>,
    is_active: bool,
    /// What was done just now.
    done: Option<&'static str>,
    may_save: bool,
    may_delete: bool,
}

impl WebhookPage {
    /// Whether what was done just now has what waits tried at once.
    fn is_tried(&self) -> bool {
        self.delivery.as_ref().is_some_and(|it| it.is_due)
    }

    /// Whether it is switched on beside what is told of its end, above its form.
    fn is_switched_on_above(&self) -> bool {
        let tells_end = |it: &Delivery| it.told.is_some();
        !self.is_active && self.delivery.as_ref().is_some_and(tells_end)
    }

    /// Whether more than its figures stands above its form.
    fn is_heralded(&self) -> bool {
        let fails = |it: &Delivery| it.error.is_some();
        !self.letters.is_empty() || self.delivery.as_ref().is_some_and(fails)
    }
}

/// What is shown of a webhook, whether it is stored or was typed.
#[derive(Default)]
struct Shown {
    id: String,
    seen: String,
    name: String,
    description: String,
    url: String,
    datasets: Vec<String>,
    is_active: bool,
    /// Which of all datasets are shown to be ticked.
    looked: Wanted,
}

impl From<WebhookView> for Shown {
    fn from(hook: WebhookView) -> Self {
        Shown {
            seen: mark(&hook),
            id: hook.webhook_id,
            name: hook.name,
            description: hook.description,
            url: hook.url,
            datasets: hook.datasets,
            is_active: hook.active,
            looked: Wanted::default(),
        }
    }
}

pub(in crate::admin::pages) async fn list(visit: Visit) -> Result<Response<Body>, Failure> {
    let (service, caller) = (&visit.site.service, &visit.caller);
    let hooks = service.webhooks();
    let found = hooks.list(caller, "", Shelf::Live, &visit.list_page())?;
    let ids = found.items.iter().map(|hook| hook.webhook_id.clone());
    let mut deliveries = service.webhook_deliveries(caller, ids.collect()).await?;
    let rows = found.items.into_iter().filter_map(|hook| {
        // one that was deleted just now has none
        let delivery = deliveries.remove(&hook.webhook_id)?;
        let delivery = Delivery::of(delivery, hook.active, visit.texts);
        Some(WebhookRow::of(hook, delivery, visit.texts))
    });
    let hooks: Vec<WebhookRow> = rows.collect();
    let may_add = visit.caller.rights().may(Resource::Apps, Verb::Add);
    let lacking = if hooks.is_empty() && may_add {
        lacking(&visit, "/webhooks/new")?
    } else {
        None
    };
    shown(&WebhooksPage {
        hooks,
        pages: PageLinks::of(&visit, "/webhooks", &[], found.next_page_key),
        lacking,
        may_add,
        page: visit.page(Section::Access),
    })
}

pub(in crate::admin::pages) async fn show_new(visit: Visit) -> Result<Response<Body>, Failure> {
    let rights = visit.caller.rights();
    rights.require(Resource::Apps, Verb::Add)?;
    let hook = Shown {
        is_active: true,
        ..Shown::default()
    };
    shown(&page_of(&visit, hook, None)?)
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let page = stored(&visit, &visit.ids).await?;
    let texts = visit.texts;
    let done = [
        ("saved", texts.saved),
        ("resent", texts.access.letter_resent),
        ("discarded", texts.access.letter_discarded),
    ];
    let mut done = done.into_iter();
    let done = done.find(|(name, _)| visit.parameter(name).is_some());
    shown(&WebhookPage {
        done: done.map(|(_, text)| text),
        ..page
    })
}

/// The page of one that is there, with its deliveries.
async fn stored<P>(visit: &Visit<P>, id: &str) -> Result<WebhookPage, Failure> {
    let service = &visit.site.service;
    let hook = service.webhooks().show(&visit.caller, id)?;
    let delivery = service.webhook_delivery(&visit.caller, id).await?;
    let request = PageRequest {
        size: Some("20".to_owned()),
        ..visit.list_page()
    };
    let letters = service.dead_letters(&visit.caller, id, &request).await?;
    let is_active = hook.active;
    let page = page_of(visit, hook.into(), None)?;
    let name = |id: &str| {
        let name = page.datasets.names.get(id).cloned();
        name.unwrap_or_else(|| (visit.texts.access.unseen_datasets)(1))
    };
    let letters_shown = letters.items.into_iter().map(|letter| {
        let dataset = name(&letter.dataset);
        Letter::of(&letter, &dataset, visit.texts)
    });
    Ok(WebhookPage {
        letters: letters_shown.collect(),
        delivery: Some(Delivery::of(delivery, is_active, visit.texts)),
        pages: PageLinks::of(
            visit,
            &format!("/webhooks/{id}"),
            &[],
            letters.next_page_key,
        ),
        ..page
    })
}

fn page_of<P>(visit: &Visit<P>, hook: Shown, told: Option<&Told>) -> Result<WebhookPage, Failure> {
    let texts = visit.texts;
    let is_new = hook.id.is_empty();
    // one that sends what the visitor may not view is theirs to look at alone
    let [may_save, may_delete] = if is_new {
        let rights = visit.caller.rights();
        [rights.may(Resource::Apps, Verb::Add), false]
    } else {
        let service = &visit.site.service;
        let may = |verb| service.webhooks().may(&visit.caller, &hook.id, verb);
        [Verb::Edit, Verb::Delete].map(may)
    };
    let url = Input::line("url", texts.access.webhook_url, hook.url);
    let url = url.about(texts.access.webhook_url_what);
    Ok(WebhookPage {
        page: visit.page(Section::Access),
        datasets: HookDatasets::of(visit, &hook.datasets, &hook.looked)?,
        datasets_told: told.map_or_else(String::new, |told| told.at("$.datasets")),
        title: if is_new {
            texts.access.webhook_new.to_owned()
        } else {
            hook.name.clone()
        },
        inputs: vec![
            Input::line("name", texts.name, hook.name)
                .required()
                .told(told, "$.name"),
            Input::description(texts.description, hook.description).told(told, "$.description"),
            url.of_kind("url").required().told(told, "$.url"),
        ],
        message: told
            .map(|told| told.above(&PATHS))
            .filter(|message| !message.is_empty()),
        id: hook.id,
        seen: hook.seen,
        delivery: None,
        letters: Vec::new(),
        pages: PageLinks::default(),
        secret: None,
        is_active: hook.is_active,
        done: None,
        may_save,
        may_delete,
    })
}

/// What was filled in, whether it is on, and the datasets that it sends and the visitor does not see: no page knows their ids.
fn filled_over(visit: &Visit<String>, form: &Form) -> Result<WebhookContent, Failure> {
    let stored = visit.site.service.webhooks();
    let stored = stored.show(&visit.caller, &visit.ids)?;
    let mut content = filled(form);
    content.active = stored.active;
    with_unseen(visit, &mut content.datasets, &stored.datasets)?;
    Ok(content)
}

fn filled(form: &Form) -> WebhookContent {
    WebhookContent {
        name: form.text("name").trim().to_owned(),
        description: description(form),
        url: form.text("url").trim().to_owned(),
        datasets: form.all("dataset").map(str::to_owned).collect(),
        active: true,
    }
}

/// What was filled in, as the page of a webhook shows it.
fn typed(id: &str, form: &Form, content: WebhookContent) -> Shown {
    Shown {
        id: id.to_owned(),
        seen: stale::sent(form).unwrap_or_default(),
        name: content.name,
        description: content.description,
        url: content.url,
        datasets: content.datasets,
        is_active: content.active,
        looked: looked(form),
    }
}

fn again<P>(visit: &Visit<P>, hook: Shown, refusal: Refusal) -> Result<Response<Body>, Failure> {
    let told = Told::of(refusal, visit.texts)?;
    shown_as(told.status, &page_of(visit, hook, Some(&told))?)
}

/// The page of a webhook with its secret, which is not shown again.
async fn once<P>(visit: &Visit<P>, id: &str, secret: String) -> Result<Response<Body>, Failure> {
    let page = WebhookPage {
        secret: Some(secret),
        ..stored(visit, id).await?
    };
    shown(&page).map(no_store)
}

pub(in crate::admin::pages) async fn create(sent: Submission) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let content = filled(&form);
    if is_look(&form) {
        return shown(&page_of(&visit, typed("", &form, content), None)?);
    }
    let hooks = visit.site.service.webhooks();
    match hooks.mint(&visit.caller, content.clone()).await {
        Ok(made) => once(&visit, &made.noun.id, made.secret.clone()).await,
        Err(refusal) => again(&visit, typed("", &form, content), refusal),
    }
}

pub(in crate::admin::pages) async fn renew(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let hooks = visit.site.service.webhooks();
    let made = hooks.renew_secret(&visit.caller, &visit.ids).await?;
    once(&visit, &made.noun.id, made.secret.clone()).await
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let content = filled_over(&visit, &form)?;
    if is_look(&form) {
        let hook = typed(&visit.ids, &form, content);
        return shown(&page_of(&visit, hook, None)?);
    }
    let hooks = visit.site.service.webhooks();
    let seen = stale::sent(&form);
    let changed = hooks.update_seen(&visit.caller, &visit.ids, content.clone(), seen);
    let refusal = match changed.await {
        Ok(hook) => return Ok(visit.see(&format!("/webhooks/{}?saved=1", hook.id))),
        Err(refusal) => refusal,
    };
    let hook = visit.site.service.webhooks();
    let hook = hook.show(&visit.caller, &visit.ids)?;
    if !stale::is_stale(&form, &hook) {
        return again(&visit, typed(&visit.ids, &form, content), refusal);
    }
    // the texts as they were filled in, and all else as it is stored
    let told = Told::of(refusal, visit.texts)?;
    let mut page = stored(&visit, &visit.ids).await?;
    let own = [&*hook.name, &hook.description, &hook.url];
    page.message = Some(stale::told(visit.texts, &own));
    let typed = [content.name, content.description, content.url];
    for (input, typed) in page.inputs.iter_mut().zip(typed) {
        input.value = typed;
    }
    shown_as(told.status, &page)
}

/// Sends once more what was given up; why it did not arrive is told on the page.
pub(in crate::admin::pages) async fn resend(
    sent: Submission<(String, String)>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let (id, letter) = &visit.ids;
    let service = &visit.site.service;
    let Err(refusal) = service.resend(&visit.caller, id, letter).await else {
        return Ok(visit.see(&format!("/webhooks/{id}?resent=1")));
    };
    let told = Told::of(refusal, visit.texts)?;
    let page = WebhookPage {
        message: Some(told.above(&[])),
        ..stored(&visit, id).await?
    };
    shown_as(told.status, &page)
}

/// Discards what was given up.
pub(in crate::admin::pages) async fn discard(
    sent: Submission<(String, String)>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let (id, letter) = &visit.ids;
    let service = &visit.site.service;
    service.discard_letter(&visit.caller, id, letter).await?;
    Ok(visit.see(&format!("/webhooks/{id}?discarded=1")))
}

//! One API key: what it can do, as its roles and areas give it together; and both to be changed, it switched, its secret renewed.

use super::keys::{EXPIRES, end_of};
use super::parts::{Input, description, given_over};
use super::reach::Reach;
use super::stale;
use super::ticks::{Access, Looked, is_look};
use super::told::Told;
use crate::admin::pages::numbers::moment;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::catalog::{Resource, Verb};
use service::manage::{ApiKeyContent, ApiKeyView, KeyExpiry, mark};
use wire::Timestamp;

#[derive(Template)]
#[template(path = "key.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact or a right of its own, as the template asks for it"
)]
struct KeyPage {
    page: Page,
    id: String,
    /// The mark of what its form is made from.
    seen: String,
    name: String,
    masked: String,
    status: &'static str,
    last_used: Option<String>,
    expires: Option<String>,
    /// The day on which it stops working, as its form began with.
    last_day: String,
    made: String,
    reach: Reach,
    inputs: Vec<Input>,
    access: Access,
    message: Option<String>,
    is_usable: bool,
    is_active: bool,
    is_saved: bool,
    may_save: bool,
    may_delete: bool,
}

impl KeyPage {
    fn path(&self) -> String {
        format!("/keys/{}", self.id)
    }
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let key = visit
        .site
        .service
        .api_keys()
        .show(&visit.caller, &visit.ids)?;
    let access = Access::of(&visit, (&key.roles, &key.grants), &Looked::default())?;
    shown(&KeyPage {
        is_saved: visit.parameter("saved").is_some(),
        ..page_of(&visit, key, access, None)?
    })
}

/// The day on which a key stops working; empty where it never does.
fn last_day(end: Option<Timestamp>) -> String {
    let end = end.map(|end| end.to_string()).unwrap_or_default();
    end.split('T').next().unwrap_or_default().to_owned()
}

/// What becomes of when a key stops working: whoever left its day as it was means the very moment.
fn expiry(form: &Form, texts: &Texts) -> Result<KeyExpiry, Refusal> {
    let day = form.text("expires").trim();
    if form.get("expires").is_none() || day == form.text("w-expires") {
        return Ok(KeyExpiry::Unchanged);
    }
    let end = end_of(day, texts)?;
    Ok(end.map_or(KeyExpiry::Never, KeyExpiry::At))
}

/// The page of a key, with these roles and areas to be ticked.
fn page_of(
    visit: &Visit<String>,
    key: ApiKeyView,
    access: Access,
    told: Option<&Told>,
) -> Result<KeyPage, Failure> {
    let texts = visit.texts;
    let status = key.status(visit.site.service.now());
    let inputs = vec![
        Input::line("name", texts.name, &key.name)
            .required()
            .told(told, "$.name"),
        Input::description(texts.description, &key.description).told(told, "$.description"),
        Input::line("expires", texts.key_expires, last_day(key.expires_at))
            .of_kind("date")
            .about(texts.key_expires_what)
            .told(told, EXPIRES),
    ];
    let path = format!("/keys/{}", key.api_key_id);
    Ok(KeyPage {
        seen: mark(&key),
        page: visit.page(Section::Access),
        reach: Reach::of(visit, path, (&key.roles, &key.grants))?,
        access,
        status: match status {
            "Active" => texts.key_active,
            "Expired" => texts.key_expired,
            _ => texts.key_inactive,
        },
        message: told
            .map(|told| told.above(&["$.name", "$.description", EXPIRES]))
            .filter(|message| !message.is_empty()),
        is_usable: status == "Active",
        is_active: key.active,
        last_used: key.last_used_at.map(moment),
        expires: key.expires_at.map(moment),
        last_day: last_day(key.expires_at),
        made: moment(key.stamp.created_date),
        id: key.api_key_id,
        name: key.name,
        masked: key.masked_key,
        inputs,
        is_saved: false,
        may_save: visit.caller.rights().may(Resource::ApiKeys, Verb::Edit),
        may_delete: visit.caller.rights().may(Resource::ApiKeys, Verb::Delete),
    })
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let stored = visit.site.service.api_keys();
    let stored = stored.show(&visit.caller, &visit.ids)?;
    let (roles, grants) = given_over(&visit, &form, (&stored.roles, &stored.grants))?;
    let mut content = ApiKeyContent {
        name: form.text("name").trim().to_owned(),
        description: description(&form),
        expires_at: KeyExpiry::Unchanged,
        active: stored.active,
        roles,
        grants,
    };
    if is_look(&form) {
        return shown(&typed(&visit, stored, (&form, Some(&content)), None)?);
    }
    let changed = match expiry(&form, visit.texts) {
        Ok(expires_at) => {
            content.expires_at = expires_at;
            let keys = visit.site.service.api_keys();
            let changed = keys.update_seen(
                &visit.caller,
                &visit.ids,
                content.clone(),
                stale::sent(&form),
            );
            changed.await
        }
        Err(refusal) => Err(refusal),
    };
    let Err(refusal) = changed else {
        return Ok(visit.see(&format!("/keys/{}?saved=1", visit.ids)));
    };
    let told = Told::of(refusal, visit.texts)?;
    let key = visit
        .site
        .service
        .api_keys()
        .show(&visit.caller, &visit.ids)?;
    let overtaken = stale::is_stale(&form, &key)
        .then(|| stale::told(visit.texts, &[&key.name, &key.description]));
    let ticked = overtaken.is_none().then_some(&content);
    let page = typed(&visit, key, (&form, ticked), Some(&told))?;
    let page = KeyPage {
        message: overtaken.or(page.message),
        ..page
    };
    shown_as(told.status, &page)
}

/// The page of a key as it is stored, with the texts that were filled in; and with what was ticked and what the form was made from,
/// where that stays.
fn typed(
    visit: &Visit<String>,
    key: ApiKeyView,
    (form, ticked): (&Form, Option<&ApiKeyContent>),
    told: Option<&Told>,
) -> Result<KeyPage, Failure> {
    let access = match ticked {
        Some(own) => Access::of(visit, (&own.roles, &own.grants), &Looked::of(form))?,
        None => Access::of(visit, (&key.roles, &key.grants), &Looked::default())?,
    };
    let mut page = page_of(visit, key, access, told)?;
    if ticked.is_some() {
        page.seen = stale::sent(form).unwrap_or_default();
    }
    form.text("name")
        .trim()
        .clone_into(&mut page.inputs[0].value);
    page.inputs[1].value = description(form);
    // a day that was left as it was is the stored one, whatever that is by now
    if form.text("expires").trim() != form.text("w-expires") {
        form.text("expires").clone_into(&mut page.inputs[2].value);
    }
    Ok(page)
}

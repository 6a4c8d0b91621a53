//! Saving a schema, as a draft or published, and what is shown where that is refused: nothing that was filled in is lost, and
//! what another one saved meanwhile is taken back by nobody who did not touch it.

use super::editor_state::Edited;
use super::head::find;
use super::judged::judged;
use super::{editor, merge, review};
use crate::admin::pages::visit::{Submission, Visit};
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;

pub(crate) async fn create(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let schemas = visit.site.service.schemas();
    let content = review::content(&visit, &form)?;
    match schemas.define(&visit.caller, &visit.ids, content).await {
        Ok(schema) => Ok(visit.see(&format!("/schemas/{}", schema.id))),
        Err(refusal) => {
            let edited = Edited::held(&visit, &form, &visit.ids, "")?;
            refused(&visit, edited, refusal)
        }
    }
}

pub(crate) async fn update(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, mut form } = sent;
    let old = find(&visit, &visit.ids)?;
    let mut content = if form.get("document").is_some() {
        review::content(&visit, &form)?
    } else {
        // the page of a schema changes its state alone, or whether it is in use
        let stored = old.current().schema.to_json();
        form.add("document", stored.clone());
        review::content_of(&form, stored)
    };
    // neither has a version, by which an older page would be told: each is changed by its own button alone
    let is_switch = form.get("active").is_some() && form.get("state").is_none();
    if is_switch {
        content.state.clone_from(&old.state);
    } else {
        content.active = old.active;
    }
    let schemas = visit.site.service.schemas();
    let changed = schemas.redefine(&visit.caller, &visit.ids, content);
    match changed.await {
        Ok(schema) => Ok(visit.see(&format!("/schemas/{}", schema.id))),
        Err(refusal) => {
            let mut edited = Edited::held(&visit, &form, &old.area, &old.id)?;
            // whether anything was saved is not known of every refusal
            let is_refused = matches!(refusal, Refusal::Conflict(_) | Refusal::Invalid(_));
            if is_refused && let Some(message) = merge::rebase(&visit, &mut edited)? {
                return again(&visit, edited, StatusCode::CONFLICT, message);
            }
            refused(&visit, edited, refusal)
        }
    }
}

fn refused<P>(
    visit: &Visit<P>,
    edited: Edited,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let status = match &refusal {
        Refusal::Invalid(_) => StatusCode::BAD_REQUEST,
        Refusal::Conflict(_) => StatusCode::CONFLICT,
        _ => return Err(refusal.into()),
    };
    let message = visit.texts.refusal(&refusal);
    again(visit, edited, status, message)
}

/// The page again, with why nothing was saved; the editor where what is to be saved contradicts itself.
fn again<P>(
    visit: &Visit<P>,
    edited: Edited,
    status: StatusCode,
    message: String,
) -> Result<Response<Body>, Failure> {
    if judged(visit, &edited.draft)?.problems.is_empty() {
        review::again(visit, edited, status, message)
    } else {
        editor::again(visit, edited, status, message)
    }
}

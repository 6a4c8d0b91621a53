//! Saving a schema, as a draft or published, and what is shown where that is refused: nothing that was filled in is lost. A
//! version that another one saved meanwhile is a conflict.

use super::editor_state::Edited;
use super::head::find;
use super::judged::judged;
use super::{editor, review};
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
            let edited = Edited::held(&visit, &form, &old.area, &old.id)?;
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
    // what is to be saved may contradict itself
    if !judged(visit, &edited.draft)?.problems.is_empty() {
        return editor::again(visit, edited, status, message);
    }
    if status == StatusCode::CONFLICT && review::is_overtaken(visit, &edited)? {
        return review::conflict(visit, edited);
    }
    review::again(visit, edited, status, message)
}

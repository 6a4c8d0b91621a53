//! What is done to saved views where they are shown: saved, replaced, renamed, deleted. What can't be saved comes back above the grid
//! with what was filled in.

use super::asked::Asked;
use super::dataset::{Given, page_of};
use super::places::Place;
use super::saved_views::RefusedName;
use super::visit::{Form, Submission, Visit, shown_as};
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::manage::{SavedViewContent, SavedViewView};

/// A view under the name that a form has.
fn named(form: &Form, asked: &Asked) -> SavedViewContent {
    SavedViewContent {
        name: form.text("name").trim().to_owned(),
        query: asked.query.clone(),
        sort: asked.sort.clone(),
        columns: asked.columns.clone(),
    }
}

/// How a grid is asked for, as a form of its page says it.
fn asked_by(visit: &Visit<String>, form: &Form) -> Result<Asked, Failure> {
    let asked = Asked::of_form(form);
    if asked.has_marks() {
        return Ok(asked.with_ids(&Place::of(visit, &visit.ids)?));
    }
    Ok(asked)
}

/// The grid of a dataset as it was saved.
fn see<P>(visit: &Visit<P>, view: &SavedViewView) -> Response<Body> {
    let address = Asked::of_view(view).address();
    visit.see(&format!("/datasets/{}{address}", view.data_set_id))
}

/// The page of the dataset once more, with what was filled in and why that can't be.
async fn refused<P>(
    visit: &Visit<P>,
    dataset: &str,
    (asked, name): (Asked, String),
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    let status = match refusal {
        Refusal::Conflict(_) => StatusCode::CONFLICT,
        Refusal::Invalid(_) => StatusCode::BAD_REQUEST,
        refusal => return Err(refusal.into()),
    };
    let why = visit.texts.refusal(&refusal);
    let refused = Some(RefusedName { name, why });
    let page = page_of(visit, dataset, Given { asked, refused }).await?;
    shown_as(status, &page)
}

pub(super) async fn create(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let asked = asked_by(&visit, &form)?;
    let content = named(&form, &asked);
    let name = content.name.clone();
    let service = &visit.site.service;
    let made = service.save_view(&visit.caller, &visit.ids, content).await;
    match made {
        Ok(view) => Ok(see(&visit, &view)),
        Err(refusal) => refused(&visit, &visit.ids, (asked, name), refusal).await,
    }
}

/// A view that was there, to what the grid shows now; its name stays.
pub(super) async fn replace(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let asked = asked_by(&visit, &form)?;
    let (service, id) = (&visit.site.service, form.text("view"));
    let old = service.saved_view(&visit.caller, id)?;
    if old.data_set_id != visit.ids {
        return Err(Refusal::no_such("saved view").into());
    }
    let content = SavedViewContent {
        name: old.name,
        ..named(&form, &asked)
    };
    let changed = service.change_saved_view(&visit.caller, id, content).await;
    match changed {
        Ok(view) => Ok(see(&visit, &view)),
        Err(refusal) => refused(&visit, &visit.ids, (asked, String::new()), refusal).await,
    }
}

pub(super) async fn rename(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let (service, id) = (&visit.site.service, &visit.ids.1);
    let old = service.saved_view(&visit.caller, id)?;
    let asked = Asked::of_view(&old);
    let content = named(&form, &asked);
    let name = content.name.clone();
    let changed = service.change_saved_view(&visit.caller, id, content).await;
    match changed {
        Ok(view) => Ok(see(&visit, &view)),
        Err(refusal) => refused(&visit, &old.data_set_id, (asked, name), refusal).await,
    }
}

pub(super) async fn delete(sent: Submission<(String, String)>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let (service, id) = (&visit.site.service, &visit.ids.1);
    // what it showed stays in sight, so that it can be saved anew
    let old = service.saved_view(&visit.caller, id)?;
    service.delete_saved_view(&visit.caller, id).await?;
    Ok(see(&visit, &old))
}

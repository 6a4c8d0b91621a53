//! Saved views above the grid: each a link to what the address said when it was saved. They are the visitor's own.

use super::asked::Asked;
use super::dataset::{Given, page_of};
use super::visit::{Form, Submission, Visit, shown_as};
use crate::http::error::Failure;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use service::Refusal;
use service::manage::{SavedViewContent, SavedViewView};

/// Those of a dataset, as its page shows them.
#[derive(Default)]
pub(super) struct SavedViews {
    pub(super) all: Vec<SavedViewLink>,
    /// Which of them is shown.
    pub(super) current: Option<CurrentView>,
    /// Whether what is shown is worth a name: it is not what the page shows anyhow.
    pub(super) is_new: bool,
    /// What was filled in as a name and could not be, and why.
    pub(super) refused: Option<RefusedName>,
}

pub(super) struct CurrentView {
    pub(super) id: String,
    pub(super) name: String,
    /// What it is called where it is changed.
    pub(super) change: String,
}

pub(super) struct SavedViewLink {
    pub(super) name: String,
    pub(super) address: String,
    pub(super) is_current: bool,
}

/// A name that a view can't have.
pub(super) struct RefusedName {
    pub(super) name: String,
    pub(super) why: String,
}

impl SavedViews {
    /// Those of the visitor for a dataset that is looked at so.
    ///
    /// # Errors
    /// The visitor may not call any more.
    pub(super) fn of<P>(visit: &Visit<P>, dataset: &str, asked: &Asked) -> Result<Self, Refusal> {
        let service = &visit.site.service;
        let own = service.saved_views(&visit.caller, Some(dataset))?.items;
        let here = asked.from_start().address();
        let address = |view: &SavedViewView| Asked::of_view(view).address();
        let current = own.iter().find(|view| address(view) == here);
        Ok(SavedViews {
            current: current.map(|view| CurrentView {
                id: view.saved_view_id.clone(),
                name: view.name.clone(),
                change: (visit.texts.query.view_change)(&view.name),
            }),
            is_new: current.is_none() && here != Asked::default().address(),
            all: own
                .iter()
                .map(|view| SavedViewLink {
                    name: view.name.clone(),
                    is_current: address(view) == here,
                    address: address(view),
                })
                .collect(),
            refused: None,
        })
    }
}

/// A view under the name that a form has.
fn named(form: &Form, asked: &Asked) -> SavedViewContent {
    SavedViewContent {
        name: form.text("name").trim().to_owned(),
        query: asked.query.clone(),
        sort: asked.sort.clone(),
        columns: asked.columns.clone(),
    }
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
    let (status, why) = match refusal {
        Refusal::Conflict(message) => (StatusCode::CONFLICT, message.into_owned()),
        Refusal::Invalid(problems) => {
            let texts: Vec<_> = problems.into_iter().map(|it| it.message).collect();
            (StatusCode::BAD_REQUEST, texts.join("; "))
        }
        refusal => return Err(refusal.into()),
    };
    let refused = Some(RefusedName { name, why });
    let page = page_of(visit, dataset, Given { asked, refused }).await?;
    shown_as(status, &page)
}

pub(super) async fn create(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let asked = Asked::of_form(&form);
    let content = named(&form, &asked);
    let name = content.name.clone();
    let service = &visit.site.service;
    let made = service.save_view(&visit.caller, &visit.ids, content).await;
    match made {
        Ok(view) => Ok(see(&visit, &view)),
        Err(refusal) => refused(&visit, &visit.ids, (asked, name), refusal).await,
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

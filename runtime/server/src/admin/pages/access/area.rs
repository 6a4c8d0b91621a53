//! An area and what is below it: renamed, switched off and deleted; its datasets made, renamed, deleted and taken back.
//! A form that is refused comes back where it stood, with what was typed.

use super::area_datasets::{Below, SchemaDatasets};
use super::areas;
use super::parts::{Input, description};
use super::small_form::{RefusedForm, Stored};
use super::told::Told;
use crate::admin::pages::list_part::ListPart;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::Refusal;
use service::catalog::{Resource, Verb};
use service::manage::{AreaView, DatasetContent};

#[derive(Template)]
#[template(path = "area.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a fact or a right of its own, as the template asks for it"
)]
struct AreaPage {
    page: Page,
    id: String,
    area: AreaForm,
    schemas: Vec<SchemaDatasets>,
    /// Its address, and what is told of its schemas and datasets where they are not all.
    path: String,
    part: Option<ListPart>,
    /// Whether the visitor may see what is in it.
    is_seen: bool,
    /// Where one goes on behind a new dataset, if that is not here.
    next: String,
    may_edit: bool,
    may_delete: bool,
    may_add_schemas: bool,
    of_datasets: MayWithDatasets,
}

/// The area itself.
struct AreaForm {
    /// What it is called by now, whatever was typed.
    title: String,
    description: String,
    version: i64,
    inputs: Vec<Input>,
    message: Option<String>,
    is_active: bool,
}

/// What the visitor may do with the datasets of an area.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a right of its own, as the template asks for it"
)]
struct MayWithDatasets {
    add: bool,
    edit: bool,
    delete: bool,
    /// Whether it may see their records.
    look: bool,
}

pub(in crate::admin::pages) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    shown(&page_of(&visit, &visit.ids, None).await?)
}

/// The page of an area; with a form of it that was refused.
async fn page_of(
    visit: &Visit<String>,
    id: &str,
    refused: Option<&RefusedForm>,
) -> Result<AreaPage, Failure> {
    let area = visit.site.service.areas().show(&visit.caller, id)?;
    let below = Below::of(visit, id, refused).await?;
    let rights = visit.caller.rights();
    let may = |resource, verb| rights.may(resource, verb) && rights.manages(id, verb);
    let of_datasets = MayWithDatasets {
        add: may(Resource::Datasets, Verb::Add),
        edit: may(Resource::Datasets, Verb::Edit),
        delete: may(Resource::Datasets, Verb::Delete),
        look: rights.may(Resource::Records, Verb::View) && rights.reaches(id, Verb::View),
    };
    Ok(AreaPage {
        page: visit.page(Section::Areas),
        id: id.to_owned(),
        area: AreaForm::of(visit, area, refused.filter(|refused| refused.of == id)),
        schemas: below.schemas,
        path: format!("/areas/{id}"),
        part: below.part,
        is_seen: below.is_seen,
        next: refused.map_or_else(
            || areas::next_of(visit, &Form::empty()),
            |refused| areas::next_of(visit, &refused.form),
        ),
        may_edit: may(Resource::Areas, Verb::Edit),
        may_delete: may(Resource::Areas, Verb::Delete),
        may_add_schemas: may(Resource::Schemas, Verb::Add),
        of_datasets,
    })
}

impl AreaForm {
    fn of(visit: &Visit<String>, area: AreaView, refused: Option<&RefusedForm>) -> Self {
        let item = area.item;
        let stored = Stored {
            name: &item.name,
            description: &item.description,
            version: Some(item.version),
        };
        let typed = refused.map(|refused| areas::filled(&refused.form));
        let shown = typed
            .as_ref()
            .map_or([stored.name, stored.description], |typed| {
                [&typed.name, &typed.description]
            });
        let message = refused.map(|refused| refused.message(&stored, visit.texts));
        AreaForm {
            inputs: areas::inputs(visit, shown, refused.map(|refused| &refused.told)),
            message: message.filter(|message| !message.is_empty()),
            is_active: typed.map_or(item.active, |typed| typed.active),
            version: item.version,
            title: item.name,
            description: item.description,
        }
    }
}

/// The page of an area again, with a form that was sent to `visit.ids` as it was filled in, and why it was refused.
async fn again(
    visit: &Visit<String>,
    area: &str,
    form: Form,
    refusal: Refusal,
) -> Result<Response<Body>, Failure> {
    if matches!(refusal, Refusal::Forbidden(_)) {
        // who may not has no form here in which it could be told
        return Err(refusal.into());
    }
    let told = Told::of(refusal, visit.texts)?;
    let refused = RefusedForm {
        of: visit.ids.clone(),
        form,
        told,
    };
    let page = page_of(visit, area, Some(&refused)).await?;
    shown_as(refused.told.status, &page)
}

/// The address of the page of an area, in the part with what was changed there.
fn changed(area: &str, id: &str) -> String {
    format!("/areas/{area}?of={id}")
}

fn dataset(form: &Form) -> DatasetContent {
    DatasetContent {
        name: form.text("name").trim().to_owned(),
        description: description(form),
        version: form.text("version").parse().ok(),
    }
}

pub(in crate::admin::pages) async fn update(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let areas = visit.site.service.areas();
    let changed = areas.update(&visit.caller, &visit.ids, areas::filled(&form));
    match changed.await {
        Ok(_) => Ok(visit.see(&format!("/areas/{}", visit.ids))),
        Err(refusal) => again(&visit, &visit.ids, form, refusal).await,
    }
}

/// A dataset of the schema of the path.
pub(in crate::admin::pages) async fn create_dataset(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let datasets = visit.site.service.datasets();
    let made = datasets.create(&visit.caller, &visit.ids, dataset(&form));
    let refusal = match made.await {
        Ok(made) => {
            let own = changed(&made.area, &made.id);
            return Ok(areas::go_on(&visit, &form, (&made.id, &own)));
        }
        Err(refusal) => refusal,
    };
    let schemas = visit.site.service.schemas();
    let area = schemas.get(&visit.caller, &visit.ids)?.area.clone();
    again(&visit, &area, form, refusal).await
}

pub(in crate::admin::pages) async fn update_dataset(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let Submission { visit, form } = sent;
    let datasets = visit.site.service.datasets();
    let saved = datasets.update(&visit.caller, &visit.ids, dataset(&form));
    let refusal = match saved.await {
        Ok(dataset) => return Ok(visit.see(&changed(&dataset.area, &dataset.id))),
        Err(refusal) => refusal,
    };
    let datasets = visit.site.service.datasets();
    let area = datasets.get(&visit.caller, &visit.ids)?.area.clone();
    again(&visit, &area, form, refusal).await
}

pub(in crate::admin::pages) async fn delete_dataset(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let service = &visit.site.service;
    let old = service.datasets().get(&visit.caller, &visit.ids)?;
    let deleted = service.datasets().delete(&visit.caller, &visit.ids);
    deleted.await?;
    Ok(visit.see(&changed(&old.area, &visit.ids)))
}

pub(in crate::admin::pages) async fn restore_dataset(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let datasets = visit.site.service.datasets();
    let restored = datasets.restore(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&changed(&restored.area, &visit.ids)))
}

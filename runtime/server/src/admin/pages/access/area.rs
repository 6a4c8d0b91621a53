//! An area and what is below it: renamed, switched off and deleted; its datasets made, renamed, deleted and taken back.
//! A form that is refused comes back where it stood, with what was typed.

use super::areas::{self, PATHS};
use super::parts::{Input, description};
use super::told::Told;
use crate::admin::pages::numbers::grouped;
use crate::admin::pages::texts::Texts;
use crate::admin::pages::visit::{Form, Page, Section, Submission, Visit, shown, shown_as};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Resource, Shelf, Verb};
use service::manage::{AreaView, DatasetContent, DatasetView};
use service::{PageRequest, Refusal};

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
    /// Whether the visitor may see what is in it.
    is_seen: bool,
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

/// A schema with its datasets.
struct SchemaDatasets {
    id: String,
    name: String,
    datasets: Vec<DatasetRow>,
    deleted: Vec<DatasetRow>,
    new: SmallForm,
}

struct DatasetRow {
    id: String,
    name: String,
    records: String,
    form: SmallForm,
}

/// The form of a dataset, with what is refused of it.
struct SmallForm {
    /// The id of what it changes, or of what it makes something below.
    of: String,
    version: Option<i64>,
    name: String,
    description: String,
    refused: Option<SmallRefusal>,
}

struct SmallRefusal {
    message: String,
    name: String,
    description: String,
}

/// What is stored of what a form changes.
#[derive(Default)]
struct Stored<'s> {
    name: &'s str,
    description: &'s str,
    version: Option<i64>,
}

/// A form that was refused.
struct RefusedForm {
    /// The id of what it changes, or of what it makes something below.
    of: String,
    form: Form,
    told: Told,
}

impl RefusedForm {
    /// What is told above it.
    fn message(&self, stored: &Stored<'_>, texts: &Texts) -> String {
        let sent: Option<i64> = self.form.text("version").parse().ok();
        if sent
            .zip(stored.version)
            .is_none_or(|(sent, own)| sent == own)
        {
            return self.told.above(&PATHS);
        }
        // it is sent again on what is stored by now, so that is told
        let own = [stored.name, stored.description].into_iter();
        let own: Vec<_> = own.filter(|it| !it.is_empty()).collect();
        let own = own.join(" · ");
        format!(
            "{} {} {own}",
            texts.access.changed_meanwhile, texts.stored_now
        )
    }
}

impl SmallForm {
    fn of(of: &str, stored: &Stored<'_>, refused: Option<&RefusedForm>, texts: &Texts) -> Self {
        let refused = refused.filter(|refused| refused.of == of);
        let typed = |name: &str, own: &str| {
            let sent = refused.map(|refused| refused.form.text(name));
            sent.unwrap_or(own).to_owned()
        };
        SmallForm {
            of: of.to_owned(),
            version: stored.version,
            name: typed("name", stored.name),
            description: typed("description", stored.description),
            refused: refused.map(|refused| SmallRefusal {
                message: refused.message(stored, texts),
                name: refused.told.at(PATHS[0]),
                description: refused.told.at(PATHS[1]),
            }),
        }
    }
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
    let (schemas, is_seen) = schemas(visit, id, refused).await?;
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
        schemas,
        is_seen,
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

/// The schemas of an area with their datasets, and whether the visitor may see both.
async fn schemas(
    visit: &Visit<String>,
    area: &str,
    refused: Option<&RefusedForm>,
) -> Result<(Vec<SchemaDatasets>, bool), Refusal> {
    let service = &visit.site.service;
    let mut all = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let found = service.schemas();
        let found = match found.list_uncounted(&visit.caller, area, Shelf::Live, &request) {
            Err(Refusal::Forbidden(_)) => return Ok((Vec::new(), false)),
            found => found?,
        };
        all.extend(found.items);
        request.key = found.next_page_key;
        if request.key.is_none() {
            break;
        }
    }
    let ids: Vec<_> = all.iter().map(|schema| &*schema.schema_id).collect();
    let live = datasets(visit, &ids, Shelf::Live, refused).await?;
    let deleted = datasets(visit, &ids, Shelf::Deleted, refused).await?;
    let is_seen = live.is_some();
    let mut live = live.unwrap_or_default().into_iter();
    let mut deleted = deleted.unwrap_or_default().into_iter();
    let schemas = all.into_iter().map(|schema| SchemaDatasets {
        datasets: live.next().unwrap_or_default(),
        deleted: deleted.next().unwrap_or_default(),
        new: SmallForm::of(&schema.schema_id, &Stored::default(), refused, visit.texts),
        name: schema.name,
        id: schema.schema_id,
    });
    Ok((schemas.collect(), is_seen))
}

/// The datasets of each schema; none, if the visitor may not see them.
async fn datasets(
    visit: &Visit<String>,
    schemas: &[&str],
    shelf: Shelf,
    refused: Option<&RefusedForm>,
) -> Result<Option<Vec<Vec<DatasetRow>>>, Refusal> {
    let row = |dataset: DatasetView| {
        let stored = Stored {
            name: &dataset.data_set_name,
            description: &dataset.data_set_description,
            version: Some(dataset.version),
        };
        DatasetRow {
            form: SmallForm::of(&dataset.data_set_id, &stored, refused, visit.texts),
            id: dataset.data_set_id,
            name: dataset.data_set_name,
            records: grouped(dataset.record_count.unwrap_or_default(), visit.texts),
        }
    };
    let found = visit.site.service.datasets();
    match found.list_counted_of(&visit.caller, schemas, shelf).await {
        Err(Refusal::Forbidden(_)) => Ok(None),
        found => {
            let found = found?.into_iter();
            let rows = found.map(|own| own.into_iter().map(row).collect());
            Ok(Some(rows.collect()))
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
        Ok(made) => return Ok(visit.see(&format!("/areas/{}", made.area))),
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
    let changed = datasets.update(&visit.caller, &visit.ids, dataset(&form));
    let refusal = match changed.await {
        Ok(changed) => return Ok(visit.see(&format!("/areas/{}", changed.area))),
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
    Ok(visit.see(&format!("/areas/{}", old.area)))
}

pub(in crate::admin::pages) async fn restore_dataset(
    sent: Submission<String>,
) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let datasets = visit.site.service.datasets();
    let restored = datasets.restore(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&format!("/areas/{}", restored.area)))
}

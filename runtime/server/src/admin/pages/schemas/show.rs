//! One schema: its fields with their rules in words, its datasets, its versions, and what can be taken along.

use super::document::Draft;
use super::downloads::Kind;
use super::head::{Head, find, may, written};
use super::judged::{Remark, judged};
use super::words::{self, FieldRow};
use crate::admin::pages::numbers::{grouped, moment};
use crate::admin::pages::texts::{Texts, filled};
use crate::admin::pages::visit::{Page, Section, Submission, Visit, shown};
use crate::http::error::Failure;
use askama::Template;
use axum::body::Body;
use axum::http::Response;
use service::catalog::{Resource, SchemaEntry, Shelf, Verb};
use service::{Caller, Refusal};

#[derive(Template)]
#[template(path = "schema.html")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a right of its own, as the template asks for it"
)]
struct SchemaPage {
    page: Page,
    head: Head,
    description: String,
    updated: String,
    /// What looks like a mistake, where it can be published from here.
    warnings: Vec<Remark>,
    fields: Vec<FieldRow>,
    inactive: Vec<FieldRow>,
    datasets: Vec<DatasetRow>,
    /// Whether the visitor may see them.
    are_datasets_seen: bool,
    may_add_datasets: bool,
    versions: Vec<VersionRow>,
    kinds: Vec<Kind>,
    command: String,
    may_edit: bool,
    may_add: bool,
    may_delete: bool,
}

struct DatasetRow {
    id: String,
    name: String,
    records: String,
    faulty: Option<String>,
}

struct VersionRow {
    number: i64,
    /// The version before it, and what leads to the comparison.
    before: Option<(i64, String)>,
    fields: String,
    /// When and by whom it was written.
    written: String,
}

pub(crate) async fn show(visit: Visit<String>) -> Result<Response<Body>, Failure> {
    let schema = find(&visit, &visit.ids)?;
    let current = &schema.current().schema;
    let rows = |is_active: bool| {
        let fields = current.fields.iter();
        let fields = fields.filter(move |field| field.active == is_active);
        fields.map(|field| words::row(field, visit.texts)).collect()
    };
    let caller = visit.site.service.newest(&visit.caller)?;
    let may = |verb| may(&caller, &schema.area, verb);
    let head = Head::of(&visit, &schema);
    let warnings = if head.is_draft && may(Verb::Edit) {
        judged(&visit, &Draft::of(current))?.warnings
    } else {
        Vec::new()
    };
    let datasets = datasets(&visit, &schema).await?;
    let rights = caller.rights();
    shown(&SchemaPage {
        page: visit.page(Section::Schemas),
        description: current.description.clone().unwrap_or_default(),
        updated: moment(schema.stamp.updated_at),
        fields: rows(true),
        inactive: rows(false),
        are_datasets_seen: datasets.is_some(),
        datasets: datasets.unwrap_or_default(),
        may_add_datasets: rights.may(Resource::Datasets, Verb::Add)
            && rights.manages(&schema.area, Verb::Add),
        versions: versions(&schema, &caller, visit.texts),
        kinds: Kind::all(visit.texts),
        command: format!(
            "generator fetch {} --schema {} --out src/generated",
            visit.site.url, schema.id
        ),
        may_edit: may(Verb::Edit),
        may_add: may(Verb::Add),
        may_delete: may(Verb::Delete),
        warnings,
        head,
    })
}

/// The newest version first.
fn versions(schema: &SchemaEntry, caller: &Caller, texts: &Texts) -> Vec<VersionRow> {
    let compared = |number: i64| {
        let text = filled(texts.schemas.compare_with, &[&number.to_string()]);
        (number, text)
    };
    let mut before = None;
    let authors = caller.authors_of(schema);
    let versions = schema.versions.iter().zip(&authors);
    let rows = versions.map(|(version, author)| VersionRow {
        number: version.number,
        before: before.replace(version.number).map(compared),
        fields: version.schema.active_fields().count().to_string(),
        written: written(author),
    });
    let mut rows: Vec<_> = rows.collect();
    rows.reverse();
    rows
}

/// Those of a schema; none, if the visitor may not see them.
async fn datasets(
    visit: &Visit<String>,
    schema: &SchemaEntry,
) -> Result<Option<Vec<DatasetRow>>, Refusal> {
    let service = &visit.site.service;
    let own = [&*schema.id];
    let found = service
        .datasets()
        .list_counted_of(&visit.caller, &own, Shelf::Live);
    let found = match found.await {
        Err(Refusal::Forbidden(_)) => return Ok(None),
        found => found?,
    };
    let rows = found.into_iter().flatten().map(|dataset| {
        let faulty = dataset.errored_records_count.filter(|count| *count > 0);
        DatasetRow {
            id: dataset.data_set_id,
            name: dataset.data_set_name,
            records: grouped(dataset.record_count.unwrap_or_default(), visit.texts),
            faulty: faulty.map(|count| grouped(count, visit.texts)),
        }
    });
    Ok(Some(rows.collect()))
}

pub(crate) async fn restore(sent: Submission<String>) -> Result<Response<Body>, Failure> {
    let visit = sent.visit;
    let schemas = visit.site.service.schemas();
    let schema = schemas.restore(&visit.caller, &visit.ids).await?;
    Ok(visit.see(&format!("/schemas/{}", schema.id)))
}

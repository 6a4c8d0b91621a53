//! Every dataset that a visitor sees in management, with where it is.

use super::parts::{Named, all_areas, every};
use crate::admin::pages::visit::Visit;
use service::catalog::Shelf;
use service::{PageRequest, Refusal};

/// A dataset with where it is.
pub(super) struct DatasetPlace {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) schema: String,
    pub(super) area: String,
    pub(super) area_id: String,
}

/// All of them, area by area; none for who may not see them.
///
/// # Errors
/// The visitor may not call any more; the store's.
pub(super) async fn all<P>(visit: &Visit<P>) -> Result<Vec<DatasetPlace>, Refusal> {
    match listed(visit).await {
        Err(Refusal::Forbidden(_)) => Ok(Vec::new()),
        found => found,
    }
}

async fn listed<P>(visit: &Visit<P>) -> Result<Vec<DatasetPlace>, Refusal> {
    let mut all = Vec::new();
    for area in all_areas(visit)? {
        for schema in schemas_of(visit, &area).await? {
            all.extend(datasets_of(visit, &area, &schema)?);
        }
    }
    Ok(all)
}

/// The schemas of an area, by id and name.
async fn schemas_of<P>(visit: &Visit<P>, area: &Named) -> Result<Vec<(String, String)>, Refusal> {
    let service = &visit.site.service;
    let mut all = Vec::new();
    let mut request = PageRequest::default();
    loop {
        let schemas = service.schemas();
        let found = schemas.list_items(&visit.caller, &area.id, Shelf::Live, &request);
        let found = found.await?;
        let items = found.items.into_iter();
        all.extend(items.map(|schema| (schema.schema_id, schema.name)));
        request.key = found.next_page_key;
        if request.key.is_none() {
            return Ok(all);
        }
    }
}

fn datasets_of<P>(
    visit: &Visit<P>,
    area: &Named,
    (schema, schema_name): &(String, String),
) -> Result<Vec<DatasetPlace>, Refusal> {
    every(|request| {
        let datasets = visit.site.service.datasets();
        let page = datasets.list(&visit.caller, schema, Shelf::Live, request)?;
        let places = page.items.into_iter().map(|dataset| DatasetPlace {
            id: dataset.data_set_id,
            name: dataset.data_set_name,
            schema: schema_name.clone(),
            area: area.name.clone(),
            area_id: area.id.clone(),
        });
        Ok((places.collect(), page.next_page_key))
    })
}

//! Every dataset that a visitor sees in management, with where it is.

use super::parts::{Named, all_areas, every};
use crate::admin::pages::visit::Visit;
use service::Refusal;
use service::catalog::Shelf;

/// A dataset with where it is.
pub(super) struct DatasetPlace {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) schema: String,
    pub(super) area: String,
    pub(super) area_id: String,
}

/// All of them, area by area; none for who may not see them. The store is not asked.
///
/// # Errors
/// The visitor may not call any more.
pub(super) fn all<P>(visit: &Visit<P>) -> Result<Vec<DatasetPlace>, Refusal> {
    let mut all = Vec::new();
    for area in all_areas(visit)? {
        for schema in schemas_of(visit, &area)? {
            all.extend(datasets_of(visit, &area, &schema)?);
        }
    }
    Ok(all)
}

/// The schemas of an area, by id and name.
fn schemas_of<P>(visit: &Visit<P>, area: &Named) -> Result<Vec<(String, String)>, Refusal> {
    every(|request| {
        let schemas = visit.site.service.schemas();
        let page = schemas.list_uncounted(&visit.caller, &area.id, Shelf::Live, request)?;
        let named = page.items.into_iter();
        let named = named.map(|schema| (schema.schema_id, schema.name));
        Ok((named.collect(), page.next_page_key))
    })
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

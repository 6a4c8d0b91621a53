//! Every dataset that a visitor sees in management, with where it is.

use super::parts::all_areas;
use crate::admin::pages::visit::Visit;
use service::{PageRequest, Refusal};
use store::records::Shelf;

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
    let service = &visit.site.service;
    let mut all = Vec::new();
    for area in all_areas(visit)? {
        let mut schemas = PageRequest::default();
        loop {
            let found = service.schemas();
            let found = found.list_items(&visit.caller, &area.id, Shelf::Live, &schemas);
            let found = found.await?;
            for schema in found.items {
                let mut datasets = PageRequest::default();
                loop {
                    let below = service.datasets();
                    let below =
                        below.list(&visit.caller, &schema.schema_id, Shelf::Live, &datasets)?;
                    all.extend(below.items.into_iter().map(|dataset| DatasetPlace {
                        id: dataset.data_set_id,
                        name: dataset.data_set_name,
                        schema: schema.name.clone(),
                        area: area.name.clone(),
                        area_id: area.id.clone(),
                    }));
                    datasets.key = below.next_page_key;
                    if datasets.key.is_none() {
                        break;
                    }
                }
            }
            schemas.key = found.next_page_key;
            if schemas.key.is_none() {
                break;
            }
        }
    }
    Ok(all)
}

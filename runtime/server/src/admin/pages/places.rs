//! Where a visitor is: area, schema and dataset, and what it may do to the records there.

use super::visit::{Site, Visit};
use crate::http::error::Failure;
use schema::Field;
use service::catalog::{Resource, SchemaVersion, Verb};
use service::files::FileLink;
use service::{DatasetPermit, Permit as _, Refusal};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A dataset that someone looks at.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a right of its own, as templates ask for it"
)]
pub(super) struct Place {
    pub(super) permit: DatasetPermit,
    pub(super) id: String,
    pub(super) area: String,
    pub(super) schema_name: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) may_add: bool,
    pub(super) may_edit: bool,
    pub(super) may_delete: bool,
    pub(super) may_search: bool,
    pub(super) sees_personal: bool,
    site: Arc<Site>,
}

impl Place {
    /// The dataset of an id, for someone who may see its records.
    ///
    /// # Errors
    /// No such dataset, missing rights.
    pub(super) fn of<P>(visit: &Visit<P>, id: &str) -> Result<Self, Failure> {
        let permit = permit(visit, id, Verb::View)?;
        let caller = permit.caller();
        let may = |verb| {
            let rights = caller.rights();
            rights.may(Resource::Records, verb) && rights.reaches(&permit.area().id, verb)
        };
        let (may_add, may_edit, may_delete) = (may(Verb::Add), may(Verb::Edit), may(Verb::Delete));
        let may_search = caller.rights().may(Resource::Search, Verb::View);
        let sees_personal = caller.sees_personal();
        Ok(Place {
            id: id.to_owned(),
            sees_personal,
            area: permit.area().name.clone(),
            schema_name: permit.schema().current().schema.name.clone(),
            name: permit.dataset().name.clone(),
            description: permit.dataset().description.clone(),
            may_add,
            may_edit,
            may_delete,
            may_search,
            site: visit.site.clone(),
            permit,
        })
    }

    /// Every dataset whose records the visitor may see, by name.
    ///
    /// # Errors
    /// The visitor may not call any more.
    pub(super) fn all<P>(visit: &Visit<P>) -> Result<Vec<Self>, Failure> {
        let caller = visit.site.service.newest(&visit.caller)?;
        let own = caller.catalog().datasets.values();
        let own = own.filter(|it| it.tenant == caller.tenant());
        let places = own.filter_map(|it| match Place::of(visit, &it.id) {
            Ok(place) => Some(Ok(place)),
            // what one may not see is none
            Err(Failure::Refused(Refusal::Forbidden(_) | Refusal::NotFound(_))) => None,
            Err(failure) => Some(Err(failure)),
        });
        let mut places = places.collect::<Result<Vec<_>, _>>()?;
        places.sort_by(|a, b| (&a.name, &a.area).cmp(&(&b.name, &b.area)));
        Ok(places)
    }

    /// The area that it is in.
    pub(super) fn area_id(&self) -> &str {
        &self.permit.area().id
    }

    /// Whether the visitor may remove deleted records for good.
    pub(super) fn may_purge(&self) -> bool {
        self.may_delete && self.permit.caller().rights().is_administrator()
    }

    /// Whether values of a field are masked for the visitor.
    pub(super) fn masks(&self, field: &Field) -> bool {
        field.is_pii() && !self.sees_personal
    }

    /// Whether records can be put in the order of a field's values for the visitor: a search does it, and the order of what one
    /// does not see would tell it. Commas part the fields of an order.
    pub(super) fn sorts_by(&self, field: &Field) -> bool {
        let is_named = !field.name.contains(',');
        field.sort_key && is_named && self.may_search && !self.masks(field)
    }

    /// The names of the fields whose values are masked for the visitor in what was written under any version of the schema.
    pub(super) fn ever_masked(&self) -> BTreeSet<&str> {
        let (caller, schema) = (self.permit.caller(), self.permit.schema());
        caller.ever_masked_fields(schema)
    }

    /// The link to a file that a text of a record is; none for a text that the service did not sign.
    pub(super) fn file_link(&self, text: &str) -> Option<FileLink> {
        self.site.service.file_link(&self.id, text)
    }

    /// The schema in force.
    pub(super) fn version(&self) -> &Arc<SchemaVersion> {
        self.permit.schema().current()
    }
}

/// What a visitor may do to the records of a dataset.
///
/// # Errors
/// No such dataset; missing rights, by their names.
pub(super) fn permit<P>(visit: &Visit<P>, id: &str, verb: Verb) -> Result<DatasetPermit, Failure> {
    let caller = visit.site.service.newest(&visit.caller)?;
    let dataset = caller.catalog().datasets.get(id).cloned();
    let own = dataset.filter(|dataset| dataset.tenant == caller.tenant());
    let dataset = own.ok_or_else(|| Refusal::no_such("dataset"))?;
    let path = [&*dataset.area, &*dataset.schema, &*dataset.id];
    Ok(caller.permit_dataset(Resource::Records, verb, path)?)
}

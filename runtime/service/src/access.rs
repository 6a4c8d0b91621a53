//! What a caller may do: role first, then the ids of the path, left to right; the first failure answers.
//! Decisions section 1.

use super::{Caller, Refusal};
use std::sync::Arc;
use store::catalog::{Area, Catalog, Dataset, Resource, SchemaEntry, Verb};
use wire::Timestamp;

/// A caller that may do one thing to one place of the hierarchy. Made here only.
#[derive(Clone, Debug)]
pub struct Permit {
    caller: Caller,
    resource: Resource,
    verb: Verb,
    area: Arc<Area>,
    schema: Option<Arc<SchemaEntry>>,
    dataset: Option<Arc<Dataset>>,
}

impl Permit {
    /// Who it was given to.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The area it is for.
    pub fn area(&self) -> &Arc<Area> {
        &self.area
    }

    /// The schema it is for.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] for a permit that names none.
    pub fn schema(&self) -> Result<&Arc<SchemaEntry>, Refusal> {
        self.schema.as_ref().ok_or(Refusal::NotFound)
    }

    /// The dataset it is for.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] for a permit that names none.
    pub fn dataset(&self) -> Result<&Arc<Dataset>, Refusal> {
        self.dataset.as_ref().ok_or(Refusal::NotFound)
    }

    /// The permit for the same by a newer catalog, which must give it anew: caller, role and path are judged
    /// again, and what only the newer one would allow was refused by the older.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`], [`Refusal::Forbidden`] and [`Refusal::NotFound`], as for a new request.
    pub(super) fn renewed(&self, catalog: Arc<Catalog>, now: Timestamp) -> Result<Self, Refusal> {
        let caller = self.caller.renewed(catalog, now)?;
        let (resource, verb, area) = (self.resource, self.verb, &self.area.id);
        match (&self.schema, &self.dataset) {
            (Some(schema), Some(dataset)) => {
                caller.permit_dataset(resource, verb, [area, &schema.id, &dataset.id])
            }
            (Some(schema), None) => caller.permit_schema(resource, verb, area, &schema.id),
            (None, _) => caller.permit_area(resource, verb, area),
        }
    }
}

impl Caller {
    /// Asks for one of the caller's roles to allow the verb on the resource.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`].
    pub fn require(&self, resource: Resource, verb: Verb) -> Result<(), Refusal> {
        if self.may(resource, verb) {
            Ok(())
        } else {
            Err(Refusal::Forbidden)
        }
    }

    /// Permits something in an area.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role or area, [`Refusal::NotFound`] by path.
    pub fn permit_area(
        self,
        resource: Resource,
        verb: Verb,
        area: &str,
    ) -> Result<Permit, Refusal> {
        self.require(resource, verb)?;
        let own = |area: &&Arc<Area>| area.tenant == self.tenant() && !area.deleted;
        let area = self
            .catalog()
            .areas
            .get(area)
            .filter(own)
            .ok_or(Refusal::NotFound)?
            .clone();
        if !self.reaches(&area.id, verb) {
            return Err(Refusal::Forbidden);
        }
        Ok(Permit {
            caller: self,
            resource,
            verb,
            area,
            schema: None,
            dataset: None,
        })
    }

    /// Permits something to a schema, or under it.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role or area, [`Refusal::NotFound`] by path.
    pub fn permit_schema(
        self,
        resource: Resource,
        verb: Verb,
        area: &str,
        schema: &str,
    ) -> Result<Permit, Refusal> {
        let permit = self.permit_area(resource, verb, area)?;
        let under = |schema: &&Arc<SchemaEntry>| schema.area == permit.area.id && !schema.deleted;
        let schema = permit.caller.catalog().schemas.get(schema).filter(under);
        let schema = schema.ok_or(Refusal::NotFound)?.clone();
        Ok(Permit {
            schema: Some(schema),
            ..permit
        })
    }

    /// Permits something to a dataset, or to its records.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role or area, [`Refusal::NotFound`] by path.
    pub fn permit_dataset(
        self,
        resource: Resource,
        verb: Verb,
        [area, schema, dataset]: [&str; 3],
    ) -> Result<Permit, Refusal> {
        let permit = self.permit_schema(resource, verb, area, schema)?;
        let own = permit.schema()?.id.clone();
        let under = |dataset: &&Arc<Dataset>| dataset.schema == own && !dataset.deleted;
        let dataset = permit.caller.catalog().datasets.get(dataset).filter(under);
        let dataset = dataset.ok_or(Refusal::NotFound)?.clone();
        Ok(Permit {
            dataset: Some(dataset),
            ..permit
        })
    }
}

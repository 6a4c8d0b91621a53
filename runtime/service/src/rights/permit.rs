//! What a caller may do to the places of the data interface: role first, then the ids of the path, left to
//! right; the first failure answers. docs/interface.md, "Order of judgement". Each permit is the proof for
//! its own depth, and made here only.

use super::Caller;
use super::access::not_in_area;
use crate::Refusal;
use std::sync::Arc;
use store::catalog::{Area, Catalog, Dataset, Resource, SchemaEntry, Verb};
use store::records::RuleVersions;
use wire::Timestamp;

/// What is common to permits: who has it, and that it can be asked for anew.
pub trait Permit: Clone + Send + Sync + 'static {
    /// Who it was given to.
    fn caller(&self) -> &Caller;

    /// The permit for the same by a newer catalog, which must give it anew: caller, role and path are judged
    /// again, and what only the newer one would allow was refused by the older.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`], [`Refusal::Forbidden`] and [`Refusal::NotFound`], as for a new request.
    fn renewed(&self, catalog: Arc<Catalog>, now: Timestamp) -> Result<Self, Refusal>;
}

/// A caller that may do one thing in an area.
#[derive(Clone, Debug)]
pub struct AreaPermit {
    caller: Caller,
    resource: Resource,
    verb: Verb,
    area: Arc<Area>,
    /// Whether it was asked for in management, where an administrator reaches all areas.
    is_managed: bool,
}

/// A caller that may do one thing to a schema, or under it.
#[derive(Clone, Debug)]
pub struct SchemaPermit {
    within: AreaPermit,
    schema: Arc<SchemaEntry>,
}

/// A caller that may do one thing to a dataset, or to its records.
#[derive(Clone, Debug)]
pub struct DatasetPermit {
    within: SchemaPermit,
    dataset: Arc<Dataset>,
}

impl AreaPermit {
    /// The area it is for.
    pub fn area(&self) -> &Arc<Area> {
        &self.area
    }
}

impl SchemaPermit {
    /// The area of the schema.
    pub fn area(&self) -> &Arc<Area> {
        &self.within.area
    }

    /// The schema it is for.
    pub fn schema(&self) -> &Arc<SchemaEntry> {
        &self.schema
    }
}

impl DatasetPermit {
    /// The area of the dataset.
    pub fn area(&self) -> &Arc<Area> {
        self.within.area()
    }

    /// The schema of the dataset.
    pub fn schema(&self) -> &Arc<SchemaEntry> {
        &self.within.schema
    }

    /// The dataset it is for.
    pub fn dataset(&self) -> &Arc<Dataset> {
        &self.dataset
    }

    /// The versions of the rules that records are judged by with it.
    pub(crate) fn rules(&self) -> RuleVersions {
        self.caller().catalog().rules_of(self.schema())
    }
}

impl Permit for AreaPermit {
    fn caller(&self) -> &Caller {
        &self.caller
    }

    fn renewed(&self, catalog: Arc<Catalog>, now: Timestamp) -> Result<Self, Refusal> {
        let caller = self.caller.renewed(catalog, now)?;
        caller.area_permit(self.resource, self.verb, &self.area.id, self.is_managed)
    }
}

impl Permit for SchemaPermit {
    fn caller(&self) -> &Caller {
        &self.within.caller
    }

    fn renewed(&self, catalog: Arc<Catalog>, now: Timestamp) -> Result<Self, Refusal> {
        SchemaPermit::of(self.within.renewed(catalog, now)?, &self.schema.id)
    }
}

impl Permit for DatasetPermit {
    fn caller(&self) -> &Caller {
        self.within.caller()
    }

    fn renewed(&self, catalog: Arc<Catalog>, now: Timestamp) -> Result<Self, Refusal> {
        DatasetPermit::of(self.within.renewed(catalog, now)?, &self.dataset.id)
    }
}

impl SchemaPermit {
    fn of(within: AreaPermit, id: &str) -> Result<Self, Refusal> {
        let under = |schema: &&Arc<SchemaEntry>| schema.area == within.area.id && !schema.deleted;
        let schema = within.caller.catalog().schemas.get(id).filter(under);
        let schema = schema.cloned().ok_or_else(Refusal::no_schema)?;
        Ok(SchemaPermit { within, schema })
    }
}

impl DatasetPermit {
    fn of(within: SchemaPermit, id: &str) -> Result<Self, Refusal> {
        let under =
            |dataset: &&Arc<Dataset>| dataset.schema == within.schema.id && !dataset.deleted;
        let dataset = within.caller().catalog().datasets.get(id).filter(under);
        let dataset = dataset.cloned().ok_or_else(Refusal::no_dataset)?;
        Ok(DatasetPermit { within, dataset })
    }
}

impl Caller {
    /// Asks for one of the caller's roles to allow the verb on the resource.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`], which says what is missing.
    pub fn require(&self, resource: Resource, verb: Verb) -> Result<(), Refusal> {
        self.rights().require(resource, verb)
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
    ) -> Result<AreaPermit, Refusal> {
        self.area_permit(resource, verb, area, false)
    }

    fn area_permit(
        self,
        resource: Resource,
        verb: Verb,
        area: &str,
        is_managed: bool,
    ) -> Result<AreaPermit, Refusal> {
        self.require(resource, verb)?;
        let own = |area: &&Arc<Area>| area.tenant == self.tenant() && !area.deleted;
        let area = self.catalog().areas.get(area).filter(own).cloned();
        let area = area.ok_or_else(Refusal::no_area)?;
        let rights = self.rights();
        let is_reached = if is_managed {
            rights.manages(&area.id, verb)
        } else {
            rights.reaches(&area.id, verb)
        };
        if !is_reached {
            return Err(not_in_area(verb));
        }
        Ok(AreaPermit {
            caller: self,
            resource,
            verb,
            area,
            is_managed,
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
    ) -> Result<SchemaPermit, Refusal> {
        SchemaPermit::of(self.permit_area(resource, verb, area)?, schema)
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
    ) -> Result<DatasetPermit, Refusal> {
        DatasetPermit::of(self.permit_schema(resource, verb, area, schema)?, dataset)
    }

    /// Permits something to a dataset as management does, by its id alone: an administrator reaches all areas.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role or area, [`Refusal::NotFound`].
    pub(crate) fn permit_managed_dataset(
        self,
        resource: Resource,
        verb: Verb,
        dataset: &str,
    ) -> Result<DatasetPermit, Refusal> {
        self.require(resource, verb)?;
        let found = self.catalog().datasets.get(dataset).cloned();
        let found = found.ok_or_else(|| Refusal::no_such("dataset"))?;
        // one of another tenant, or of what is deleted, is no more there than one of no id
        let hidden = |refusal| match refusal {
            Refusal::NotFound(_) => Refusal::no_such("dataset"),
            refusal => refusal,
        };
        let area = self.area_permit(resource, verb, &found.area, true);
        let schema = SchemaPermit::of(area.map_err(hidden)?, &found.schema);
        DatasetPermit::of(schema.map_err(hidden)?, dataset).map_err(hidden)
    }

    /// Permits all of this to the records of a dataset as management does, by its id alone.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role or area, also where nothing is asked for; [`Refusal::NotFound`].
    pub(crate) fn permit_managed_records(
        &self,
        verbs: &[Verb],
        dataset: &str,
    ) -> Result<DatasetPermit, Refusal> {
        let mut permit = Err(not_in_area(Verb::View));
        for verb in verbs {
            let caller = self.clone();
            permit = Ok(caller.permit_managed_dataset(Resource::Records, *verb, dataset)?);
        }
        permit
    }

    /// Permits an upload to a dataset: whoever may make or change its records needs files for them.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role or area, [`Refusal::NotFound`] by path.
    pub fn permit_upload(self, path: [&str; 3]) -> Result<DatasetPermit, Refusal> {
        match self
            .clone()
            .permit_dataset(Resource::Records, Verb::Add, path)
        {
            Err(Refusal::Forbidden(_)) => self.permit_dataset(Resource::Records, Verb::Edit, path),
            permit => permit,
        }
    }

    /// Permits an upload to a dataset as management does, by its id alone.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] by role or area, [`Refusal::NotFound`].
    pub fn permit_managed_upload(&self, dataset: &str) -> Result<DatasetPermit, Refusal> {
        match self.permit_managed_records(&[Verb::Add], dataset) {
            Err(Refusal::Forbidden(_)) => self.permit_managed_records(&[Verb::Edit], dataset),
            permit => permit,
        }
    }
}

//! Look-ups that requests need, in the catalog in memory. Nothing is decided here: who may see what is found, the
//! service knows.

use super::{Area, Catalog, Dataset, SchemaEntry, User};
use crate::records::RuleVersions;
use std::sync::Arc;

impl Catalog {
    /// The tenant's user who signs in with a name: the one whose name is the [same](super::folded).
    pub fn user_named(&self, tenant: &str, name: &str) -> Option<&Arc<User>> {
        self.user_names.of_tenant(tenant, name)
    }

    /// The schema version in force for a dataset's records; `None` when the dataset, its schema or its area
    /// is not there, or deleted.
    pub fn version_in_force(&self, dataset: u32) -> Option<i64> {
        let schema = self.schema_in_force(dataset)?;
        Some(schema.current().number)
    }

    /// The rules in force for a dataset's records; `None` when the dataset, its schema or its area is not there, or deleted.
    pub fn rules_in_force(&self, dataset: u32) -> Option<RuleVersions> {
        let schema = self.schema_in_force(dataset)?;
        Some(self.rules_of(schema))
    }

    fn schema_in_force(&self, dataset: u32) -> Option<&Arc<SchemaEntry>> {
        let dataset = self.datasets_by_number.get(&dataset)?;
        let schema = self.schemas.get(&dataset.schema)?;
        let area = self.areas.get(&schema.area)?;
        let is_there = !dataset.deleted && !schema.deleted && !area.deleted;
        is_there.then_some(schema)
    }

    /// The rules by which records of a schema are judged: its version in force, and the data domains that this one names.
    pub fn rules_of(&self, schema: &SchemaEntry) -> RuleVersions {
        let version = schema.current();
        let named = version.domains.iter();
        let named = named.filter_map(|id| self.domains.get(id));
        let own = named.filter(|domain| domain.tenant == schema.tenant);
        let marks = own.map(|domain| domain.mark());
        RuleVersions {
            schema: version.number,
            domains: marks.fold(0, u64::wrapping_add),
        }
    }

    /// The areas of a tenant that are not deleted, in order of creation.
    pub fn areas_of<'a>(&'a self, tenant: &'a str) -> impl Iterator<Item = &'a Arc<Area>> {
        self.areas
            .values()
            .filter(move |area| area.tenant == tenant && !area.deleted)
    }

    /// The schemas of an area that are not deleted, in order of creation.
    pub fn schemas_of<'a>(&'a self, area: &'a str) -> impl Iterator<Item = &'a Arc<SchemaEntry>> {
        self.schemas
            .values()
            .filter(move |schema| schema.area == area && !schema.deleted)
    }

    /// The datasets of a schema that are not deleted, in order of creation.
    pub fn datasets_of<'a>(&'a self, schema: &'a str) -> impl Iterator<Item = &'a Arc<Dataset>> {
        self.datasets
            .values()
            .filter(move |dataset| dataset.schema == schema && !dataset.deleted)
    }
}

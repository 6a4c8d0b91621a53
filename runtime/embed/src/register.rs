//! Record types at home in a service: area, schema and dataset of a type are made where they are not
//! there, and a schema that is there is checked to fit. A schema that does not fit is never changed
//! behind its owner's back.

use super::Embedded;
use client::{Dataset, DatasetPath, differences};
use engine::Record;
use service::Refusal;
use service::manage::{AreaContent, DatasetContent, SchemaContent};
use std::sync::Arc;
use store::StoreError;
use store::catalog::{Catalog, SchemaEntry};
use thiserror::Error;

/// Why a service could not be embedded, or a type not be registered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The schema that is there does not fit the type.
    #[error("the schema {schema:?} does not fit its type; change one of them: {}", differences.join("; "))]
    Differs {
        /// The schema's name.
        schema: String,
        /// What does not fit, each with its field.
        differences: Vec<String>,
    },
    /// Management refused.
    #[error("{}", refusal_text(.0))]
    Refusal(#[from] Refusal),
    /// The store failed.
    #[error("the store failed")]
    Store(#[from] StoreError),
}

/// What was refused, with every problem of it.
fn refusal_text(refusal: &Refusal) -> String {
    let Refusal::Invalid(problems) = refusal else {
        return refusal.to_string();
    };
    let problems: Vec<String> = problems
        .iter()
        .map(|problem| format!("{}: {}", problem.path, problem.message))
        .collect();
    problems.join("; ")
}

impl Embedded {
    /// A home for the records of a type: the area and the dataset of these names, the schema of the
    /// type. What is not there is made; a schema that is there (by the type's id, or by its name in the
    /// area) must fit the type. May be called each time the program starts.
    ///
    /// # Errors
    /// [`RegisterError::Differs`] with all that does not fit; what management refuses.
    pub async fn register<R: Record>(
        &self,
        area: &str,
        dataset: &str,
    ) -> Result<Dataset<R>, RegisterError> {
        let area = self.area(area).await?;
        let schema = self.schema::<R>(&area).await?;
        let have = &schema.current().schema;
        let differences = differences(have, R::SCHEMA);
        if !differences.is_empty() {
            return Err(RegisterError::Differs {
                schema: have.name.clone(),
                differences,
            });
        }
        let dataset = self.dataset(&schema.id, dataset).await?;
        let path = DatasetPath {
            area: schema.area.clone(),
            schema: schema.id.clone(),
            dataset,
        };
        Ok(self.client().dataset_at(path))
    }

    /// The id of the area of this name.
    async fn area(&self, name: &str) -> Result<String, Refusal> {
        let find = || {
            let catalog = self.service.store().catalog();
            let area = catalog
                .areas_of(&self.tenant)
                .find(|area| area.name == name);
            area.map(|area| area.id.clone())
        };
        if let Some(id) = find() {
            return Ok(id);
        }
        let content = AreaContent {
            name: name.to_owned(),
            description: String::new(),
            active: true,
            version: None,
        };
        created_or_found(
            self.service
                .areas()
                .create(&self.caller()?, "", content)
                .await
                .map(|area| area.id.clone()),
            find,
        )
    }

    /// The schema of a type.
    async fn schema<R: Record>(&self, area: &str) -> Result<Arc<SchemaEntry>, Refusal> {
        let find = || schema_of::<R>(&self.service.store().catalog(), &self.tenant, area);
        if let Some(schema) = find() {
            return Ok(schema);
        }
        let content = SchemaContent {
            document: R::schema(),
            state: "published".to_owned(),
            active: true,
            version: None,
        };
        let caller = self.caller()?;
        let made = self.service.schemas().define(&caller, area, content);
        created_or_found(made.await, find)
    }

    /// The id of the dataset of this name.
    async fn dataset(&self, schema: &str, name: &str) -> Result<String, Refusal> {
        let find = || {
            let catalog = self.service.store().catalog();
            let dataset = catalog
                .datasets_of(schema)
                .find(|dataset| dataset.name == name);
            dataset.map(|dataset| dataset.id.clone())
        };
        if let Some(id) = find() {
            return Ok(id);
        }
        let content = DatasetContent {
            name: name.to_owned(),
            description: String::new(),
            version: None,
        };
        let made = self
            .service
            .datasets()
            .create(&self.caller()?, schema, content)
            .await;
        created_or_found(made.map(|dataset| dataset.id.clone()), find)
    }
}

/// The tenant's schema with the type's id in whatever living area, or with its name in this one.
fn schema_of<R: Record>(catalog: &Catalog, tenant: &str, area: &str) -> Option<Arc<SchemaEntry>> {
    let own = |entry: &&Arc<SchemaEntry>| {
        let area = catalog.areas.get(&entry.area);
        entry.tenant == tenant && !entry.deleted && area.is_some_and(|area| !area.deleted)
    };
    let by_id = catalog.schemas.get(&R::SCHEMA.id).filter(own);
    let by_name = || {
        catalog
            .schemas_of(area)
            .find(|entry| entry.current().schema.name == R::SCHEMA.name)
    };
    by_id.or_else(by_name).cloned()
}

/// What was made, or what another task made in the meantime.
fn created_or_found<T>(
    made: Result<T, Refusal>,
    find: impl Fn() -> Option<T>,
) -> Result<T, Refusal> {
    match made {
        Err(refusal @ Refusal::Conflict(_)) => find().ok_or(refusal),
        result => result,
    }
}

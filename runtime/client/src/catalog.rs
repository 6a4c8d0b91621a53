//! Areas, schemas and datasets: the lists that lead to records, and finding by id or name.

use crate::ClientError;
use crate::client::Client;
use crate::listing::Listing;
use crate::path::{DatasetLocation, DatasetPath};
use crate::transport::Operation;
use schema::{Origin, Schema};
use serde::de::DeserializeOwned;
use wire::{AreaItem, DatasetItem, SchemaItem};

impl Client {
    /// The areas the credential may access.
    pub fn areas(&self) -> Listing<AreaItem> {
        self.list(Operation::Areas)
    }

    /// The schemas of an area, by its id.
    pub fn schemas(&self, area: &str) -> Listing<SchemaItem> {
        self.list(Operation::Schemas {
            area: area.to_owned(),
        })
    }

    /// The datasets of a schema, by the ids of area and schema.
    pub fn datasets(&self, area: &str, schema: &str) -> Listing<DatasetItem> {
        self.list(Operation::Datasets {
            area: area.to_owned(),
            schema: schema.to_owned(),
        })
    }

    /// A schema with its fields, by the ids of area and schema.
    ///
    /// # Errors
    /// When it is not there, or can't be read.
    pub async fn schema(&self, area: &str, schema: &str) -> Result<Schema, ClientError> {
        let text = self.schema_json(area, schema).await?;
        match Schema::read(&text, Origin::Elsewhere) {
            Ok(document) => Ok(document.schema),
            Err(problems) => Err(ClientError::Answer("a schema", problems.to_string())),
        }
    }

    /// The schema-detail document as the service gave it, by the ids of area and schema.
    ///
    /// # Errors
    /// When it is not there.
    pub async fn schema_json(&self, area: &str, schema: &str) -> Result<String, ClientError> {
        let operation = Operation::Schema {
            area: area.to_owned(),
            schema: schema.to_owned(),
        };
        let answer = self.run(operation).await?;
        answer.ok_or_else(|| ClientError::Answer("a schema", "it has no body".to_owned()))
    }

    /// The area with an id or a name.
    ///
    /// # Errors
    /// [`ClientError::Unknown`], [`ClientError::Ambiguous`].
    pub async fn find_area(&self, area: &str) -> Result<AreaItem, ClientError> {
        let ids = |item: &AreaItem| (item.business_area_id == area, item.name == area);
        find("business area", area, self.areas(), ids).await
    }

    /// The schema of an area (by its id) with an id or a name.
    ///
    /// # Errors
    /// [`ClientError::Unknown`], [`ClientError::Ambiguous`].
    pub async fn find_schema(&self, area: &str, schema: &str) -> Result<SchemaItem, ClientError> {
        let ids = |item: &SchemaItem| (item.schema_id == schema, item.name == schema);
        find("schema", schema, self.schemas(area), ids).await
    }

    /// The dataset that three ids or names lead to.
    ///
    /// # Errors
    /// [`ClientError::Unknown`], [`ClientError::Ambiguous`].
    pub async fn find_dataset(
        &self,
        area: &str,
        schema: &str,
        dataset: &str,
    ) -> Result<DatasetLocation, ClientError> {
        let area = self.find_area(area).await?;
        let schema = self.find_schema(&area.business_area_id, schema).await?;
        let all = self.datasets(&area.business_area_id, &schema.schema_id);
        let ids = |item: &DatasetItem| (item.data_set_id == dataset, item.data_set_name == dataset);
        let dataset = find("dataset", dataset, all, ids).await?;
        Ok(DatasetLocation {
            path: DatasetPath {
                area: area.business_area_id,
                schema: schema.schema_id,
                dataset: dataset.data_set_id,
            },
            area_name: area.name,
            schema_name: schema.name,
            dataset_name: dataset.data_set_name,
        })
    }

    fn list<T: DeserializeOwned>(&self, operation: Operation) -> Listing<T> {
        Listing::new(self.transport(), operation, |text| {
            serde_json::from_str(text)
                .map_err(|error| ClientError::Answer("a list", error.to_string()))
        })
    }
}

/// The item with the id, or the only one with the name.
async fn find<T>(
    noun: &'static str,
    name: &str,
    mut all: Listing<T>,
    is: impl Fn(&T) -> (bool, bool),
) -> Result<T, ClientError> {
    let (mut named, mut count) = (None, 0);
    while let Some(item) = all.next().await {
        let item = item?;
        let (by_id, by_name) = is(&item);
        if by_id {
            return Ok(item);
        }
        if by_name {
            named = Some(item);
            count += 1;
        }
    }
    match named {
        Some(item) if count == 1 => Ok(item),
        Some(_) => Err(ClientError::Ambiguous {
            noun,
            name: name.to_owned(),
        }),
        None => Err(ClientError::Unknown {
            noun,
            name: name.to_owned(),
        }),
    }
}

//! Full-text search over what the credential may see.

use crate::ClientError;
use crate::client::Client;
use crate::listing::{Listing, PageText};
use crate::members::field_values;
use crate::path::DatasetPath;
use crate::query::Search;
use crate::transport::Operation;
use engine::Record;
use engine::typed::Typed;
use schema::json::{Value, parse};
use std::sync::Arc;
use wire::FieldError;

/// What a search found.
#[derive(Debug)]
pub struct SearchResults {
    /// How many there are; exact up to the service's limit.
    pub total: u64,
    /// They, best first.
    pub hits: Listing<SearchHit>,
}

/// A record that matches, and where it is.
#[derive(Clone)]
pub struct SearchHit {
    /// `_dataObjectId`
    pub id: String,
    /// Where it is.
    pub path: DatasetPath,
    /// `_businessAreaName`
    pub area_name: String,
    /// `_schemaName`
    pub schema_name: String,
    /// `_dataSetName`
    pub dataset_name: String,
    /// `_errors`; none from a service that does not tell them of hits
    pub errors: Vec<FieldError>,
    /// Its field values by name: a JSON object.
    pub json: String,
}

/// Hides the values: some may be personally identifiable information.
impl std::fmt::Debug for SearchHit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchHit")
            .field("id", &self.id)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl SearchHit {
    /// The record as a type, or raw where it does not fit.
    ///
    /// # Errors
    /// When its values are no record.
    pub fn record<R: Record>(&self) -> Result<Typed<R>, ClientError> {
        Ok(Typed::from_values(self.json.as_bytes())?)
    }

    fn from_json(text: &str) -> Result<Self, ClientError> {
        let wrong = |text: String| ClientError::Answer("a search", text);
        let root = parse(text).map_err(|error| wrong(error.to_string()))?;
        let Value::Object(members) = &root.value else {
            return Err(wrong("a hit is no JSON object".to_owned()));
        };
        let system = |name: &str| match root.get(name).map(|node| &node.value) {
            Some(Value::String(text)) => Ok(text.to_string()),
            _ => Err(wrong(format!("a hit has no `{name}`"))),
        };
        let errors = match root.get("_errors") {
            None => Ok(Vec::new()),
            Some(node) => serde_json::from_str(&text[node.start..node.end]),
        };
        Ok(SearchHit {
            errors: errors.map_err(|_| wrong("a hit has no well-formed `_errors`".to_owned()))?,
            id: system("_dataObjectId")?,
            path: DatasetPath {
                area: system("_businessAreaId")?,
                schema: system("_schemaId")?,
                dataset: system("_dataSetId")?,
            },
            area_name: system("_businessAreaName")?,
            schema_name: system("_schemaName")?,
            dataset_name: system("_dataSetName")?,
            json: field_values(text, members),
        })
    }
}

impl Client {
    /// Searches. The first page is fetched at once, the others as the hits are read.
    ///
    /// # Errors
    /// When the query can't be read; the service's and the connection's.
    pub async fn search(&self, search: Search) -> Result<SearchResults, ClientError> {
        let operation = Operation::Search(Arc::new(search));
        let hits = Listing::named(
            "hits",
            self.transport(),
            operation.clone(),
            SearchHit::from_json,
        );
        let answer = self.run(operation).await?;
        let wrong = |text: &str| ClientError::Answer("a search", text.to_owned());
        let text = answer.ok_or_else(|| wrong("it has no body"))?;
        let page = PageText::read(&text, "hits", SearchHit::from_json)?;
        let total = page.total.ok_or_else(|| wrong("it has no `total`"))?;
        Ok(SearchResults {
            total,
            hits: hits.begun(page),
        })
    }
}

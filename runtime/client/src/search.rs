//! Full-text search over what the credential may see. Decisions section 6.

use super::dataset::as_type;
use super::listing::PageText;
use super::raw::object;
use super::{Ask, Client, ClientError, Listing, Place};
use engine::Record;
use engine::typed::Typed;
use schema::json::{Value, parse};
use std::sync::Arc;

/// What to search for, and where. Filters are names; without one, everything is searched.
#[derive(Clone, Debug)]
pub struct Search {
    /// The words.
    pub query: String,
    /// The name of the area to search.
    pub area: Option<String>,
    /// The name of the schemas to search.
    pub schema: Option<String>,
    /// The name of the datasets to search.
    pub dataset: Option<String>,
}

impl Search {
    /// A search for words, `"phrases"`, `prefixes*`, `Field:value`, joined by `AND`, `OR`, `NOT`.
    pub fn new(query: impl Into<String>) -> Self {
        Search {
            query: query.into(),
            area: None,
            schema: None,
            dataset: None,
        }
    }

    /// Only in the area of this name.
    #[must_use]
    pub fn area(mut self, name: &str) -> Self {
        self.area = Some(name.to_owned());
        self
    }

    /// Only in schemas of this name.
    #[must_use]
    pub fn schema(mut self, name: &str) -> Self {
        self.schema = Some(name.to_owned());
        self
    }

    /// Only in datasets of this name.
    #[must_use]
    pub fn dataset(mut self, name: &str) -> Self {
        self.dataset = Some(name.to_owned());
        self
    }
}

/// What a search found.
#[derive(Debug)]
pub struct Found {
    /// How many there are; exact up to the service's limit.
    pub total: u64,
    /// They, best first.
    pub hits: Listing<Hit>,
}

/// A record that matches, and where it is.
#[derive(Clone)]
pub struct Hit {
    /// `_dataObjectId`
    pub id: String,
    /// Where it is.
    pub place: Place,
    /// `_businessAreaName`
    pub area_name: String,
    /// `_schemaName`
    pub schema_name: String,
    /// `_dataSetName`
    pub dataset_name: String,
    /// Its field values by name: a JSON object.
    pub json: String,
}

/// Hides the values: some may be personally identifiable information.
impl std::fmt::Debug for Hit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hit")
            .field("id", &self.id)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl Hit {
    /// The record as a type, or raw where it does not fit.
    ///
    /// # Errors
    /// When its values are no record.
    pub fn record<R: Record>(&self) -> Result<Typed<R>, ClientError> {
        as_type(&self.json)
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
        let values = members
            .iter()
            .filter(|member| !member.key.starts_with('_'))
            .map(|member| (&*member.key, &text[member.value.start..member.value.end]));
        Ok(Hit {
            id: system("_dataObjectId")?,
            place: Place {
                area: system("_businessAreaId")?,
                schema: system("_schemaId")?,
                dataset: system("_dataSetId")?,
            },
            area_name: system("_businessAreaName")?,
            schema_name: system("_schemaName")?,
            dataset_name: system("_dataSetName")?,
            json: object(values),
        })
    }
}

impl Client {
    /// Searches. The first page is fetched at once, the others as the hits are read.
    ///
    /// # Errors
    /// When the query can't be read; the service's and the connection's.
    pub async fn search(&self, search: Search) -> Result<Found, ClientError> {
        let ask = Ask::Search(Arc::new(search));
        let hits = Listing::named("hits", self.door.clone(), ask.clone(), Hit::from_json);
        let answer = self.door.clone().ask(ask, None).await?;
        let wrong = |text: &str| ClientError::Answer("a search", text.to_owned());
        let text = answer.ok_or_else(|| wrong("it has no body"))?;
        let page = PageText::read(&text, "hits", Hit::from_json)?;
        let total = page.total.ok_or_else(|| wrong("it has no `total`"))?;
        Ok(Found {
            total,
            hits: hits.begun(page),
        })
    }
}

//! Records as JSON text, for programs that learn of their fields at run time. Typed handles stand on
//! this one.

use crate::ClientError;
use crate::chance::chance;
use crate::client::Client;
use crate::listing::Listing;
use crate::members::field_values;
use crate::path::{DatasetLocation, DatasetPath};
use crate::transport::Operation;
use schema::json::{Value, parse};
use std::sync::Arc;
use std::time::Duration;
use wire::FieldError;

/// How often a change is tried when others write the same record.
const CHANGE_TRIES_MAX: u32 = 20;

/// A record as JSON text.
#[derive(Clone, PartialEq, Eq)]
pub struct RawRecord {
    /// `_dataObjectId`
    pub id: String,
    /// `_version`
    pub version: u64,
    /// `_errors`
    pub errors: Vec<FieldError>,
    /// Its field values by name: a JSON object, the values as the service wrote them.
    pub json: String,
}

/// Hides the values: some may be personally identifiable information.
impl std::fmt::Debug for RawRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawRecord")
            .field("id", &self.id)
            .field("version", &self.version)
            .field("errors", &self.errors)
            .finish_non_exhaustive()
    }
}

impl RawRecord {
    /// Reads a data object.
    ///
    /// # Errors
    /// When it lacks a system property.
    pub fn from_json(text: &str) -> Result<Self, ClientError> {
        let wrong = |text: String| ClientError::Answer("a record", text);
        let root = parse(text).map_err(|error| wrong(error.to_string()))?;
        let Value::Object(members) = &root.value else {
            return Err(wrong("it is no JSON object".to_owned()));
        };
        let missing = |name| wrong(format!("it has no well-formed `{name}`"));
        let Some(Value::String(id)) = root.get("_dataObjectId").map(|node| &node.value) else {
            return Err(missing("_dataObjectId"));
        };
        let version = match root.get("_version").map(|node| &node.value) {
            Some(Value::Number(token)) => token.parse().ok(),
            _ => None,
        };
        let errors = match root.get("_errors") {
            None => Ok(Vec::new()),
            Some(node) => serde_json::from_str(&text[node.start..node.end]),
        };
        Ok(RawRecord {
            id: id.to_string(),
            version: version.ok_or_else(|| missing("_version"))?,
            errors: errors.map_err(|_| missing("_errors"))?,
            json: field_values(text, members),
        })
    }
}

/// The records of one dataset, as JSON text.
#[derive(Clone, Debug)]
pub struct RawDataset {
    client: Client,
    path: Arc<DatasetPath>,
    location: Option<Arc<DatasetLocation>>,
}

impl Client {
    /// The records of a dataset as JSON text, for programs that have no type for them. Where it is is told
    /// as for [`dataset`](Self::dataset).
    ///
    /// # Errors
    /// As [`dataset`](Self::dataset).
    pub async fn records(
        &self,
        area: &str,
        schema: &str,
        dataset: &str,
    ) -> Result<RawDataset, ClientError> {
        let location = self.find_dataset(area, schema, dataset).await?;
        Ok(RawDataset {
            client: self.clone(),
            path: Arc::new(location.path.clone()),
            location: Some(Arc::new(location)),
        })
    }

    /// The records of a dataset as JSON text, without asking the service where it is.
    pub fn records_at(&self, path: DatasetPath) -> RawDataset {
        RawDataset {
            client: self.clone(),
            path: Arc::new(path),
            location: None,
        }
    }
}

impl RawDataset {
    /// Where the dataset is.
    pub fn path(&self) -> &DatasetPath {
        &self.path
    }

    pub(crate) fn shared_path(&self) -> Arc<DatasetPath> {
        self.path.clone()
    }

    /// The client it belongs to.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Where the dataset is, with its names; asks the service when the handle was made from ids.
    pub(crate) async fn location(&self) -> Result<Arc<DatasetLocation>, ClientError> {
        if let Some(location) = &self.location {
            return Ok(location.clone());
        }
        let DatasetPath {
            area,
            schema,
            dataset,
        } = &*self.path;
        Ok(Arc::new(
            self.client.find_dataset(area, schema, dataset).await?,
        ))
    }

    /// Makes a record of a JSON object of field values. One with faults is made too, and tells them.
    ///
    /// # Errors
    /// When the body is no record, or its primary key is missing or taken.
    pub async fn create(&self, json: &str) -> Result<RawRecord, ClientError> {
        RawRecord::from_json(&self.create_text(json).await?)
    }

    pub(crate) async fn create_text(&self, json: &str) -> Result<String, ClientError> {
        let answer = self
            .run(Operation::Create(self.path.clone(), json.to_owned()))
            .await?;
        answer.ok_or_else(|| ClientError::Answer("a create", "it has no body".to_owned()))
    }

    /// The record with this primary key, told in its text form; `None` when there is none.
    ///
    /// # Errors
    /// The service's and the connection's.
    pub async fn get(&self, key: &str) -> Result<Option<RawRecord>, ClientError> {
        let text = self.get_text(key).await?;
        text.map(|text| RawRecord::from_json(&text)).transpose()
    }

    pub(crate) async fn get_text(&self, key: &str) -> Result<Option<String>, ClientError> {
        self.run(Operation::ByKey(self.path.clone(), key.to_owned()))
            .await
    }

    /// Changes the fields that `json` names, if the record still has this version; the others stay.
    /// Answers the record's version now.
    ///
    /// # Errors
    /// When another write came first ([`ClientError::is_version_conflict`]), the record is gone, or
    /// the body is refused.
    pub async fn update(&self, id: &str, version: u64, json: &str) -> Result<u64, ClientError> {
        let body = with_version(version, json)?;
        self.patch(id, version, body).await
    }

    /// Sends an update's body, which names this version.
    pub(crate) async fn patch(
        &self,
        id: &str,
        version: u64,
        body: String,
    ) -> Result<u64, ClientError> {
        self.run(Operation::Update(self.path.clone(), id.to_owned(), body))
            .await?;
        // a record that says it is of the last version there can be stays there
        Ok(version.saturating_add(1))
    }

    /// Changes a record whoever else writes it: reads it by key, lets `edit` say which fields to
    /// send, and does so again when another write came between. `edit` answers a JSON object, or
    /// `None` to leave the record as it is. Answers the version now, or `None` when no record has the
    /// key.
    ///
    /// # Errors
    /// When others are always faster; the service's and the connection's.
    pub async fn change(
        &self,
        key: &str,
        mut edit: impl FnMut(&RawRecord) -> Result<Option<String>, ClientError>,
    ) -> Result<Option<u64>, ClientError> {
        let mut tries = 1;
        loop {
            let Some(record) = self.get(key).await? else {
                return Ok(None);
            };
            let Some(json) = edit(&record)? else {
                return Ok(Some(record.version));
            };
            match self.update(&record.id, record.version, &json).await {
                Err(error) if error.is_version_conflict() && tries < CHANGE_TRIES_MAX => {
                    // those that lost together must not come back together
                    let spread = u64::from(tries) * (chance() % 8);
                    tokio::time::sleep(Duration::from_millis(spread)).await;
                    tries += 1;
                }
                result => return result.map(Some),
            }
        }
    }

    /// Deletes a record. One that is written at the same moment is tried again.
    ///
    /// # Errors
    /// [`Cause::RecordNotFound`](crate::Cause::RecordNotFound) when it is gone; the service's and the
    /// connection's.
    pub async fn delete(&self, id: &str) -> Result<(), ClientError> {
        self.run(Operation::Delete(self.path.clone(), id.to_owned()))
            .await?;
        Ok(())
    }

    /// All records, in order of creation.
    pub fn list(&self) -> Listing<RawRecord> {
        self.list_as(RawRecord::from_json)
    }

    pub(crate) fn list_as<T>(&self, read: fn(&str) -> Result<T, ClientError>) -> Listing<T> {
        Listing::new(
            self.client.transport(),
            Operation::Records(self.path.clone()),
            read,
        )
    }

    async fn run(&self, operation: Operation) -> Result<Option<String>, ClientError> {
        self.client.run(operation).await
    }
}

/// The body of an update: the change, with the version it was made from.
fn with_version(version: u64, json: &str) -> Result<String, ClientError> {
    let Some(rest) = json.trim().strip_prefix('{') else {
        return Err(ClientError::Request(
            "a change must be a JSON object of field values".to_owned(),
        ));
    };
    let comma = if rest.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    Ok(format!("{{\"_version\":{version}{comma}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_joins_a_change_whatever_its_white_space() {
        assert_eq!(with_version(3, "{}").unwrap(), "{\"_version\":3}");
        assert_eq!(with_version(3, " { } ").unwrap(), "{\"_version\":3 }");
        assert_eq!(
            with_version(0, "{\"A\":1}").unwrap(),
            "{\"_version\":0,\"A\":1}"
        );
        assert_eq!(
            with_version(0, "[]").unwrap_err().to_string(),
            "the request can't be made: a change must be a JSON object of field values"
        );
    }

    #[test]
    fn a_raw_record_keeps_number_tokens_and_hides_its_values() {
        let text = r#"{"_dataObjectId":"i","_version":2,"_errors":[{"name":"N","errors":"no"}],"N":1.50,"S":"x"}"#;
        let record = RawRecord::from_json(text).unwrap();
        assert_eq!((record.id.as_str(), record.version), ("i", 2));
        assert_eq!(record.json, r#"{"N":1.50,"S":"x"}"#);
        assert_eq!(record.errors[0].errors, "no");
        assert!(!format!("{record:?}").contains("1.50"));
        assert!(RawRecord::from_json("{}").is_err());
    }
}

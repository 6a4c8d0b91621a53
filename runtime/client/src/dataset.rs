//! Records as a type: what a [`RawDataset`] does, with structs in place of text.

use crate::ClientError;
use crate::client::Client;
use crate::compatibility::{TypeCheck, other_formats};
use crate::listing::Listing;
use crate::members::object;
use crate::path::DatasetPath;
use crate::query::Search;
use crate::raw::{RawDataset, RawRecord};
use crate::search::SearchResults;
use engine::typed::{Stored, Typed};
use engine::{Patch, Record};
use schema::json::{Value, parse};
use std::marker::PhantomData;

/// The records of one dataset as the type `R`. A record that does not fit the type (because it has
/// faults) is no error: it comes as [`Typed::Faulty`], with its values as JSON text.
pub struct Dataset<R> {
    raw: RawDataset,
    record: PhantomData<fn() -> R>,
}

// by hand, because a derive would ask the same of the type
impl<R> Clone for Dataset<R> {
    fn clone(&self) -> Self {
        Dataset {
            raw: self.raw.clone(),
            record: PhantomData,
        }
    }
}

impl<R> std::fmt::Debug for Dataset<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Dataset").field(&self.raw.path()).finish()
    }
}

impl Client {
    /// The records of a dataset as a type. Area, schema and dataset are told by id or by name, each
    /// within the one before; an id wins over a name.
    ///
    /// Other differences of the schema do no harm, and [`check_types`](Dataset::check_types) tells them; a format does,
    /// because one text is two days then.
    ///
    /// # Errors
    /// [`ClientError::Unknown`] when one of them is not there or not to be seen, [`ClientError::Formats`] when the schema
    /// now writes a date or time of the type in another format.
    pub async fn dataset<R: Record>(
        &self,
        area: &str,
        schema: &str,
        dataset: &str,
    ) -> Result<Dataset<R>, ClientError> {
        let raw = self.records(area, schema, dataset).await?;
        let DatasetPath { area, schema, .. } = raw.path();
        let others = other_formats(&self.schema(area, schema).await?, R::SCHEMA);
        if others.is_empty() {
            Ok(Dataset::of(raw))
        } else {
            Err(ClientError::Formats(others))
        }
    }

    /// A type beside the schema of an area that the service has, both told by id or by name: whether it is the same, the
    /// versions of both, and what does not fit. One for a program to ask when it starts.
    ///
    /// # Errors
    /// [`ClientError::Unknown`] when one of them is not there or not to be seen.
    pub async fn check_types<R: Record>(
        &self,
        area: &str,
        schema: &str,
    ) -> Result<TypeCheck, ClientError> {
        let area = self.find_area(area).await?.business_area_id;
        let schema = self.find_schema(&area, schema).await?.schema_id;
        let have = self.schema(&area, &schema).await?;
        Ok(TypeCheck::of(&have, R::SCHEMA))
    }

    /// The records of a dataset as a type, without asking the service where it is, nor whether it still writes dates and
    /// times in the formats of the type: who keeps ids asks by [`check_types`](Dataset::check_types).
    pub fn dataset_at<R: Record>(&self, path: DatasetPath) -> Dataset<R> {
        Dataset::of(self.records_at(path))
    }
}

impl<R: Record> Dataset<R> {
    fn of(raw: RawDataset) -> Self {
        Dataset {
            raw,
            record: PhantomData,
        }
    }

    /// Where the dataset is.
    pub fn path(&self) -> &DatasetPath {
        self.raw.path()
    }

    /// The same records as JSON text.
    pub fn raw(&self) -> &RawDataset {
        &self.raw
    }

    /// What of the schema as it is now does not fit the type: empty when it fits.
    ///
    /// # Errors
    /// The service's and the connection's.
    pub async fn differences(&self) -> Result<Vec<String>, ClientError> {
        Ok(self.check_types().await?.differences)
    }

    /// The type beside the schema as it is now: whether it is the same, the versions of both, and what does not fit.
    ///
    /// # Errors
    /// The service's and the connection's.
    pub async fn check_types(&self) -> Result<TypeCheck, ClientError> {
        let DatasetPath { area, schema, .. } = self.path();
        let have = self.raw.client().schema(area, schema).await?;
        Ok(TypeCheck::of(&have, R::SCHEMA))
    }

    /// Makes a record. One with faults is made too, and tells them; [`Record::validate`] tells before. What has no value is
    /// not sent, so that a field which the schema has no more is in nobody's way who does not set it.
    ///
    /// # Errors
    /// When the primary key is missing, too long or taken, or a text holds U+0000, which [`Record::validate`] does not tell;
    /// the service's and the connection's.
    pub async fn create(&self, record: &R) -> Result<Stored<R>, ClientError> {
        let body = without_missing(&record.to_sent_json());
        stored(&self.raw.create_text(&body).await?)
    }

    /// The record with this primary key, told in its text form ([`Record::primary_key`]); `None`
    /// when there is none.
    ///
    /// # Errors
    /// The service's and the connection's.
    pub async fn get(&self, key: &str) -> Result<Option<Stored<R>>, ClientError> {
        self.raw
            .get_text(key)
            .await?
            .map(|text| stored(&text))
            .transpose()
    }

    /// Replaces every field the type has, if the record still has this version. Answers the record's
    /// version now.
    ///
    /// # Errors
    /// When another write came first ([`ClientError::is_version_conflict`]), the record is gone, or
    /// the primary key is taken.
    pub async fn update(&self, id: &str, version: u64, record: &R) -> Result<u64, ClientError> {
        self.raw.update(id, version, &record.to_sent_json()).await
    }

    /// Changes the fields that `json` names, as [`RawDataset::update`] does: for records with faults.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub async fn update_json(
        &self,
        id: &str,
        version: u64,
        json: &str,
    ) -> Result<u64, ClientError> {
        self.raw.update(id, version, json).await
    }

    /// Sends the fields that a patch changes, if the record still has the version that it is based on. Answers the
    /// record's version now. Nothing is sent when nothing changes.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub async fn patch<P: Patch<Record = R>>(
        &self,
        id: &str,
        patch: &P,
    ) -> Result<u64, ClientError> {
        if patch.is_empty() {
            return Ok(patch.version());
        }
        let body = patch.to_sent_json();
        self.raw.patch(id, patch.version(), body).await
    }

    /// Changes a record whoever else writes it: reads it by key, lets `edit` change it, sends the
    /// fields that differ, and does so again when another write came between. Answers the version
    /// now, or `None` when no record has the key. Nothing is sent when nothing differs.
    ///
    /// # Errors
    /// [`ClientError::Faulty`] for a record that does not fit the type; when others are always faster.
    pub async fn change(
        &self,
        key: &str,
        mut edit: impl FnMut(&mut R),
    ) -> Result<Option<u64>, ClientError> {
        let change = |raw: &RawRecord| {
            if !raw.errors.is_empty() {
                return Err(ClientError::Faulty(raw.errors.clone()));
            }
            let mut record = match Typed::<R>::from_values(raw.json.as_bytes())? {
                Typed::Clean(record) => record,
                Typed::Faulty { errors, .. } => return Err(ClientError::Faulty(errors)),
            };
            let before = record.to_sent_json();
            edit(&mut record);
            Ok(differing(&before, &record.to_sent_json()))
        };
        self.raw.change(key, change).await
    }

    /// Deletes a record. One that is written at the same moment is tried again.
    ///
    /// # Errors
    /// [`Cause::RecordNotFound`](crate::Cause::RecordNotFound) when it is gone.
    pub async fn delete(&self, id: &str) -> Result<(), ClientError> {
        self.raw.delete(id).await
    }

    /// All records, in order of creation.
    pub fn list(&self) -> Listing<Stored<R>> {
        self.raw.list_as(stored::<R>)
    }

    /// The records of this dataset that match a query.
    ///
    /// # Errors
    /// When the query can't be read; the service's and the connection's.
    pub async fn search(&self, query: &str) -> Result<SearchResults, ClientError> {
        let location = self.raw.location().await?;
        let search = Search::new(query)
            .area(&location.area_name)
            .schema(&location.schema_name)
            .dataset(&location.dataset_name);
        self.raw.client().search(search).await
    }
}

pub(crate) fn stored<R: Record>(text: &str) -> Result<Stored<R>, ClientError> {
    Ok(Stored::from_json(text.as_bytes())?)
}

/// The body of a new record, in which absent and `null` mean the same (docs/rules.md, "Missing values").
fn without_missing(body: &str) -> String {
    // INVARIANT: it was written by the engine, so it is an object
    let Ok(root) = parse(body) else {
        return body.to_owned();
    };
    let Value::Object(members) = &root.value else {
        return body.to_owned();
    };
    let members = members.iter();
    let members = members.map(|member| (&*member.key, &body[member.value.start..member.value.end]));
    object(members.filter(|(_, value)| *value != "null"))
}

/// The members of `after` that `before` has otherwise; `None` when there are none.
fn differing(before: &str, after: &str) -> Option<String> {
    // INVARIANT: both were written by the engine, so both are objects of the same names
    let (old, new) = (parse(before).ok()?, parse(after).ok()?);
    let Value::Object(members) = &new.value else {
        return None;
    };
    let changed: Vec<(&str, &str)> = members
        .iter()
        .map(|member| (&*member.key, &after[member.value.start..member.value.end]))
        .filter(|(key, value)| {
            old.get(key).map(|node| &before[node.start..node.end]) != Some(*value)
        })
        .collect();
    (!changed.is_empty()).then(|| object(changed.into_iter()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_is_not_sent_with_a_new_record() {
        let body = r#"{"A":1e2,"B":null,"C":["x"],"D":"null"}"#;
        let sent = r#"{"A":1e2,"C":["x"],"D":"null"}"#;
        assert_eq!(without_missing(body), sent);
        assert_eq!(without_missing(r#"{"A":null}"#), "{}");
    }

    #[test]
    fn only_what_differs_is_sent() {
        let before = r#"{"A":1,"B":["x","y"],"C":null}"#;
        assert_eq!(differing(before, before), None);
        let after = r#"{"A":1,"B":["x"],"C":2.5}"#;
        assert_eq!(differing(before, after).unwrap(), r#"{"B":["x"],"C":2.5}"#);
    }
}

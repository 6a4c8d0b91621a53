//! What records are called whose ids are told elsewhere, as in samples of what a change would make faulty: their primary keys,
//! for who may see the records, and a mask for who may not see the key. Where a list is about some of their values, these come
//! along. Who sees a personal one is told in the trail.

use super::authors::key_of;
use super::current::current;
use super::find::BYTES_AT_ONCE;
use crate::nouns::MASK;
use crate::personal::{Look, personal_fields, personal_names};
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service};
use schema::json::{Node, Value, parse};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::StoreError;
use store::catalog::{Kind, Resource, Verb};
use store::records::{RecordId, RecordPlace, StoredRecord};

/// Records that are named at a time.
const NAMED_MAX: usize = 1_000;
/// Characters of a value that come along with a name.
const VALUE_CHARS_MAX: usize = 1_000;

/// A primary key as the caller may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenKey {
    /// Its text, or a mask.
    pub text: String,
    /// Whether it is a mask.
    pub is_masked: bool,
}

/// A value as the caller may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenValue {
    /// Its text, of several values those of all, or a mask; of a long one its beginning, a thousand characters.
    pub text: String,
    /// Whether it is a mask.
    pub is_masked: bool,
}

/// What a record is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordName {
    /// The id of its dataset.
    pub dataset: String,
    /// Its primary key; `None` where it has none.
    pub key: Option<SeenKey>,
    /// What it has in the fields that were asked for, by their names; `None` where its values can't be read.
    pub values: Option<HashMap<String, SeenValue>>,
}

impl Service {
    /// What the records of these public ids are called, by their ids: those that are there and that the caller may see, a
    /// thousand at most.
    ///
    /// # Errors
    /// No role that shows records; the store's.
    pub async fn record_names(
        &self,
        by: &Caller,
        ids: &BTreeSet<&str>,
    ) -> Result<HashMap<String, RecordName>, Refusal> {
        let wanted: BTreeMap<_, _> = ids.iter().map(|id| (*id, BTreeSet::new())).collect();
        self.record_names_with(by, &wanted).await
    }

    /// The same of ids with names of fields: each with what it has in these.
    ///
    /// # Errors
    /// No role that shows records; the store's.
    pub async fn record_names_with(
        &self,
        by: &Caller,
        fields: &BTreeMap<&str, BTreeSet<&str>>,
    ) -> Result<HashMap<String, RecordName>, Refusal> {
        let caller = self.viewer(by, Resource::Records)?;
        let mut permits: HashMap<u32, Option<DatasetPermit>> = HashMap::new();
        let known = fields.keys().filter_map(|id| self.ids.record_of(id));
        let mut wanted: Vec<RecordId> = known.take(NAMED_MAX).collect();
        wanted.retain(|id| {
            let number = id.place.dataset;
            let permit = permits.entry(number);
            let permit = permit.or_insert_with(|| permit_of(&caller, number));
            permit.is_some()
        });
        let places: Vec<RecordPlace> = wanted.iter().map(|id| id.place).collect();
        let (mut names, mut at) = (HashMap::with_capacity(places.len()), 0);
        while at < places.len() {
            let found = self.store().get_some(&places[at..], BYTES_AT_ONCE).await?;
            let count = found.len().max(1);
            for (id, record) in wanted[at..].iter().zip(found) {
                let own = match record {
                    // one that a disk damaged hides no others: it is told as one that is not there
                    Err(error @ StoreError::Rotten(_)) => {
                        tell_nameless(&error);
                        continue;
                    }
                    own => own?.filter(|own| own.id.nonce == id.nonce && !own.deleted),
                };
                let permit = permits.get(&id.place.dataset).and_then(Option::as_ref);
                if let (Some(record), Some(permit)) = (own, permit) {
                    let id = self.ids.record(*id);
                    let name = self.record_name(permit, &record, fields.get(&*id)).await?;
                    names.insert(id, name);
                }
            }
            at += count;
        }
        Ok(names)
    }

    async fn record_name(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
        fields: Option<&BTreeSet<&str>>,
    ) -> Result<RecordName, Refusal> {
        let seen = async {
            let key = self.seen_key(permit, record).await?;
            let values = self.seen_values(permit, record, fields).await?;
            Ok::<_, Refusal>((key, Some(values)))
        };
        let (key, values) = match seen.await {
            // one that was written under a newer schema at this moment goes by its id
            Err(Refusal::Store(StoreError::Overtaken)) => (None, None),
            // and so does one whose values can't be read
            Err(Refusal::Store(
                error @ (StoreError::Damaged(_)
                | StoreError::Document { .. }
                | StoreError::Rotten(_)),
            )) => {
                tell_nameless(&error);
                (None, None)
            }
            seen => seen?,
        };
        Ok(RecordName {
            dataset: permit.dataset().id.clone(),
            key,
            values,
        })
    }

    /// What a record has in some fields, as the caller may see it; who sees something personal is told in the trail.
    async fn seen_values(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
        fields: Option<&BTreeSet<&str>>,
    ) -> Result<HashMap<String, SeenValue>, Refusal> {
        let Some(fields) = fields.filter(|fields| !fields.is_empty()) else {
            return Ok(HashMap::new());
        };
        let (schema, caller) = (permit.schema(), permit.caller());
        let personal = personal_fields(schema);
        if fields.iter().any(|name| personal.contains(*name)) {
            let look = Look::now(schema, (Kind::Dataset, &permit.dataset().id));
            self.tell_look(caller, look).await?;
        }
        let body = current(schema, record)?.body;
        let tree = parse(&body)
            .map_err(|error| StoreError::Damaged(format!("a stored record: {error}")))?;
        let seen = fields.iter().filter_map(|name| {
            let is_masked = personal.contains(*name) && !caller.sees_personal();
            let value = seen_value(tree.get(name)?, &body, is_masked)?;
            Some(((*name).to_owned(), value))
        });
        Ok(seen.collect())
    }

    /// The primary key of a record, as the caller may see it; who sees a personal one is told in the trail.
    pub(super) async fn seen_key(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
    ) -> Result<Option<SeenKey>, Refusal> {
        let (schema, caller) = (permit.schema(), permit.caller());
        let Some(field) = schema.current().schema.primary_key() else {
            return Ok(None);
        };
        let key = key_of(permit, record)?;
        let is_personal = field.is_pii() || personal_names(schema).contains(&*field.name);
        if is_personal {
            let look = Look::past(schema, (Kind::Dataset, &permit.dataset().id));
            self.tell_look(caller, look).await?;
        }
        let is_masked = is_personal && !caller.sees_personal();
        Ok(key.map(|text| SeenKey {
            text: if is_masked { MASK.to_owned() } else { text },
            is_masked,
        }))
    }
}

/// A value as it is shown; none of one that is missing.
fn seen_value(node: &Node<'_>, body: &str, is_masked: bool) -> Option<SeenValue> {
    if matches!(node.value, Value::Null) {
        return None;
    }
    let mut text = String::new();
    if is_masked {
        text.push_str(MASK);
    } else {
        add_text(&mut text, node, body);
    }
    Some(SeenValue { text, is_masked })
}

/// Adds the text of a value, of several those of all; whether there was room for it.
fn add_text(out: &mut String, node: &Node<'_>, body: &str) -> bool {
    match &node.value {
        Value::Array(elements) => elements.iter().enumerate().all(|(at, element)| {
            let is_apart = at == 0 || add_beginning(out, ", ");
            is_apart && add_text(out, element, body)
        }),
        Value::Null => true,
        Value::String(text) => add_beginning(out, text),
        _ => add_beginning(out, &body[node.start..node.end]),
    }
}

fn add_beginning(out: &mut String, text: &str) -> bool {
    let left = VALUE_CHARS_MAX.saturating_sub(out.chars().count());
    let end = text.char_indices().nth(left).map(|(at, _)| at);
    out.push_str(&text[..end.unwrap_or(text.len())]);
    end.is_none()
}

fn tell_nameless(error: &StoreError) {
    let error = error as &dyn std::error::Error;
    tracing::error!(error, "a record is shown by its id, not by its key");
}

/// What lets the caller see the records of a dataset, by its number.
pub(super) fn permit_of(caller: &Caller, number: u32) -> Option<DatasetPermit> {
    let id = &caller.catalog().datasets_by_number.get(&number)?.id;
    let permit = caller
        .clone()
        .permit_managed_dataset(Resource::Records, Verb::View, id);
    permit.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of a body as it is shown to who may see it.
    fn shown(json: &str) -> Option<String> {
        let body = format!(r#"{{"A":{json}}}"#);
        let tree = parse(&body).unwrap();
        let seen = seen_value(tree.get("A").unwrap(), &body, false);
        seen.map(|value| value.text)
    }

    #[test]
    fn a_value_is_shown_as_its_text_and_a_long_one_by_its_beginning() {
        for (json, text) in [
            (r#""a\"b""#, "a\"b"),
            ("1.50", "1.50"),
            ("true", "true"),
            (r#"["C1","C2",null]"#, "C1, C2, "),
            ("[[1],2]", "1, 2"),
            (r#"{"a":1}"#, r#"{"a":1}"#),
        ] {
            assert_eq!(shown(json).as_deref(), Some(text), "{json}");
        }
        assert_eq!(shown("null"), None);
        let long = "ä".repeat(VALUE_CHARS_MAX + 1);
        let many = |element: &str| format!("[{}]", vec![element; VALUE_CHARS_MAX].join(","));
        for json in [
            format!("\"{long}\""),
            format!("[\"{long}\",\"b\"]"),
            many("1"),
            many("null"),
        ] {
            let text = shown(&json).unwrap();
            assert_eq!(text.chars().count(), VALUE_CHARS_MAX);
        }
    }

    #[test]
    fn what_is_personal_is_a_mask_and_what_is_missing_is_nothing() {
        let body = r#"{"A":"x","B":null}"#;
        let tree = parse(body).unwrap();
        let seen = |name: &str| seen_value(tree.get(name).unwrap(), body, true);
        let masked = seen("A").unwrap();
        assert_eq!((&*masked.text, masked.is_masked), (MASK, true));
        assert_eq!(seen("B"), None);
    }
}

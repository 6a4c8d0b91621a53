//! Personal values in management, and in the data interface for users: of a field whose schema says `isPII`, only who has a role
//! with view of `PERSONAL DATA` sees values, finds records by them and sorts by them; others see a mask. Who sees them is told in
//! the trail (`personal.rs`). To programs the data interface shows records whole. docs/interface.md, "Personal data".

use crate::audit::masked;
use crate::nouns::MASK;
use crate::personal::{Look, personal_fields, personal_names};
use crate::{Caller, DatasetPermit, PageRequest, Permit as _, RecordPage, Refusal, Service};
use schema::json::{Node, Value, parse};
use std::collections::BTreeSet;
use store::StoreError;
use store::catalog::{Kind, Resource, SchemaEntry, Verb};
use wire::FieldError;

impl Caller {
    /// Whether it sees personal values in management.
    pub fn sees_personal(&self) -> bool {
        self.rights().may(Resource::PersonalData, Verb::View)
    }

    /// The names of the fields that are personal and whose values are masked for it.
    pub fn masked_fields<'e>(&self, entry: &'e SchemaEntry) -> BTreeSet<&'e str> {
        if self.sees_personal() {
            return BTreeSet::new();
        }
        personal_fields(entry)
    }

    /// The same for what was written under any version of the schema: fields that were ever personal.
    pub fn ever_masked_fields<'e>(&self, entry: &'e SchemaEntry) -> BTreeSet<&'e str> {
        if self.sees_personal() {
            return BTreeSet::new();
        }
        personal_names(entry)
    }
}

impl Service {
    /// A page of the dataset's records as management shows it.
    ///
    /// # Errors
    /// As [`list_records`](Self::list_records).
    pub async fn seen_records(
        &self,
        permit: &DatasetPermit,
        page: &PageRequest,
    ) -> Result<RecordPage, Refusal> {
        let page = self.whole_records(permit, page).await?;
        let text = String::from_utf8_lossy(&page.json);
        let (json, is_any) =
            masked_each(&text, |_| permit.caller().masked_fields(permit.schema()))?;
        if is_any {
            let look = Look::now(permit.schema(), (Kind::Dataset, &permit.dataset().id));
            self.tell_look(permit.caller(), look).await?;
        }
        Ok(RecordPage { json: json.into() })
    }

    /// The record of a public id as management shows it; `None` when there is none, whatever the reason.
    ///
    /// # Errors
    /// The store's.
    pub async fn seen_record(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<String>, Refusal> {
        let mut seen = self.first_by_ids(permit, &[id], masked_for).await?;
        let seen = seen.pop().flatten();
        if seen.is_some() {
            let look = Look::now(permit.schema(), (Kind::Record, id));
            self.tell_look(permit.caller(), look).await?;
        }
        Ok(seen)
    }

    /// The record with a primary key as management shows it; `None` when there is none, whatever the reason.
    ///
    /// # Errors
    /// [`Refusal::Forbidden`] where the caller does not see the values of the primary key: whether there is one tells of them;
    /// the store's.
    pub(crate) async fn seen_by_key(
        &self,
        permit: &DatasetPermit,
        key: &str,
    ) -> Result<Option<String>, Refusal> {
        let (entry, caller) = (permit.schema(), permit.caller());
        let field = entry.current().schema.primary_key();
        if let Some(field) = field.filter(|field| field.is_pii()) {
            if !caller.sees_personal() {
                return Err(is_personal("pkValue", &field.name));
            }
            let look = Look::now(entry, (Kind::Dataset, &permit.dataset().id));
            self.tell_look(caller, look).await?;
        }
        let Some(whole) = self.whole_record_by_key(permit, key).await? else {
            return Ok(None);
        };
        let id = id_of(&whole)?;
        let look = Look::now(entry, (Kind::Record, &id));
        self.tell_look(caller, look).await?;
        Ok(Some(masked_for(permit, &whole)?))
    }

    /// Tells of each of these public ids, by where it stands among them, the record as management shows it, or that there is none,
    /// whatever the reason. They are read together, some at a time.
    ///
    /// # Errors
    /// The store's; what `tell` fails with.
    pub async fn seen_each(
        &self,
        permit: &DatasetPermit,
        ids: &[&str],
        mut tell: impl FnMut(usize, Option<String>) -> Result<(), Refusal> + Send,
    ) -> Result<(), Refusal> {
        let look = Look::now(permit.schema(), (Kind::Dataset, &permit.dataset().id));
        let (mut at, mut is_told) = (0, false);
        while at < ids.len() {
            let found = self.first_by_ids(permit, &ids[at..], masked_for).await?;
            if !is_told && found.iter().any(Option::is_some) {
                self.tell_look(permit.caller(), look).await?;
                is_told = true;
            }
            for shown in found {
                tell(at, shown)?;
                at += 1;
            }
        }
        Ok(())
    }
}

/// What asks for values that the caller does not see.
pub(crate) fn is_personal(parameter: &str, name: &str) -> Refusal {
    let text = format!(
        "`{parameter}` asks for values of `{name}`, which are personal; it takes a role with view of `PERSONAL DATA`"
    );
    Refusal::Forbidden(text.into())
}

/// Refuses the body of a user's write that has a mask where the caller sees nothing else: it would be stored in place of the
/// value. Programs see no masks, and what does not parse is refused by who judges it.
///
/// # Errors
/// [`Refusal::InvalidBody`], which names the fields.
pub(crate) fn require_no_masks(permit: &DatasetPermit, body: &[u8]) -> Result<(), Refusal> {
    let caller = permit.caller();
    let hidden = caller.masked_fields(permit.schema());
    if !caller.is_user() || hidden.is_empty() {
        return Ok(());
    }
    let Some(Value::Object(members)) = std::str::from_utf8(body)
        .ok()
        .and_then(|text| Some(parse(text).ok()?.value))
    else {
        return Ok(());
    };
    let is_mask = |value: &Value<'_>| matches!(value, Value::String(text) if text == MASK);
    let masks = members
        .iter()
        .filter(|member| hidden.contains(&*member.key) && is_mask(&member.value.value));
    let fields: Vec<FieldError> = masks
        .map(|member| FieldError {
            name: member.key.to_string(),
            errors: "is a mask, and no value; leave the field out to keep what it has".to_owned(),
        })
        .collect();
    match fields.first() {
        None => Ok(()),
        Some(first) => Err(Refusal::InvalidBody {
            message: format!("`{}` {}", first.name, first.errors),
            fields,
        }),
    }
}

/// The id that a record was shown with.
fn id_of(json: &str) -> Result<String, Refusal> {
    let root = parse(json).map_err(|_| damaged())?;
    match root.get("_dataObjectId").map(|node| &node.value) {
        Some(Value::String(id)) => Ok(id.to_string()),
        _ => Err(damaged()),
    }
}

/// A record as who has this permit sees it.
pub(crate) fn masked_for(permit: &DatasetPermit, json: &str) -> Result<String, Refusal> {
    mask(json, &permit.caller().masked_fields(permit.schema()))
}

/// A record with the values of these fields masked.
pub(crate) fn mask(json: &str, fields: &BTreeSet<&str>) -> Result<String, Refusal> {
    if fields.is_empty() {
        return Ok(json.to_owned());
    }
    let shown = masked(json, fields).ok_or_else(damaged)?;
    Ok(shown.get().to_owned())
}

/// A page with the values of each of its records masked, and whether it has any.
pub(crate) fn masked_each<'f>(
    json: &str,
    mut fields_of: impl FnMut(&Node<'_>) -> BTreeSet<&'f str>,
) -> Result<(String, bool), Refusal> {
    let root = parse(json).map_err(|_| damaged())?;
    let Value::Object(members) = &root.value else {
        return Err(damaged());
    };
    let (mut out, mut end, mut is_any) = (String::with_capacity(json.len()), 0, false);
    for member in members {
        let Value::Array(records) = &member.value.value else {
            continue;
        };
        for record in records {
            is_any = true;
            out.push_str(&json[end..record.start]);
            let fields = fields_of(record);
            out.push_str(&mask(&json[record.start..record.end], &fields)?);
            end = record.end;
        }
    }
    out.push_str(&json[end..]);
    Ok((out, is_any))
}

fn damaged() -> Refusal {
    StoreError::Damaged("a stored record".to_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_record_of_a_page_is_masked_and_the_rest_is_as_it_was() {
        let page = r#"{"items":[{"A":"x","B":1.50},{"A":null}],"nextPageKey":"A"}"#;
        let (masked, is_any) = masked_each(page, |_| BTreeSet::from(["A"])).unwrap();
        assert!(is_any);
        assert_eq!(
            masked,
            r#"{"items":[{"A":"***","B":1.50},{"A":null}],"nextPageKey":"A"}"#
        );
        let (same, _) = masked_each(page, |_| BTreeSet::new()).unwrap();
        assert_eq!(same, page);
    }
}

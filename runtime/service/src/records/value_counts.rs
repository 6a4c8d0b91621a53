//! How many records have a value in a field: for who is about to hide the field, or to show it again. Every record of the schema is read.

use super::{Current, current};
use crate::{Caller, Refusal, Service};
use schema::json::{Value, parse};
use store::StoreError;
use store::catalog::{Resource, SchemaEntry, Verb};
use store::records::{PageLimit, Shelf};

/// Records that are read at a time.
const AT_ONCE: PageLimit = PageLimit {
    records: 1000,
    bytes: 1 << 20,
};

impl Service {
    /// How many live records of a schema's datasets have a value in each of these fields, by their ids. Values of
    /// fields that are not active are hidden, and count as well.
    ///
    /// # Errors
    /// No such schema, missing rights, the store's.
    pub async fn count_values(
        &self,
        by: &Caller,
        schema: &str,
        fields: &[&str],
    ) -> Result<Vec<u64>, Refusal> {
        let caller = self.viewer(by, Resource::Schemas)?;
        let entry = caller.sight().living::<SchemaEntry>(schema)?;
        let rights = caller.rights();
        rights.require_in(Resource::Schemas, Verb::View, &entry.area)?;
        let mut counts = vec![0; fields.len()];
        for dataset in caller.catalog().datasets_of(&entry.id) {
            let mut after = Some(0);
            while let Some(start) = after {
                let page = self.store.page(dataset.number, Shelf::Live, start, AT_ONCE);
                let page = page.await?;
                for record in &page.records {
                    let values = current(entry, record)?;
                    count(entry, &values, fields, &mut counts)?;
                }
                let last = page.records.last().map(|record| record.id.place.sequence);
                after = last.filter(|_| page.behind.is_some());
                // others get their turn
                tokio::task::yield_now().await;
            }
        }
        Ok(counts)
    }
}

fn count(
    entry: &SchemaEntry,
    values: &Current<'_>,
    fields: &[&str],
    counts: &mut [u64],
) -> Result<(), StoreError> {
    let read = |json| {
        parse(json).map_err(|error| StoreError::Damaged(format!("a stored record: {error}")))
    };
    let hidden = values.hidden.as_deref().map(read).transpose()?;
    let values = read(&values.body)?;
    for (id, count) in fields.iter().zip(counts) {
        let mut active = entry.current().schema.active_fields();
        let field = active.find(|field| field.id == *id);
        let value = match (field, &hidden) {
            (Some(field), _) => values.get(&field.name),
            (None, Some(hidden)) => hidden.get(id),
            (None, None) => None,
        };
        let has_value = value.is_some_and(|node| node.value != Value::Null);
        *count += u64::from(has_value);
    }
    Ok(())
}

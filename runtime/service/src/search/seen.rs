//! Hits as management shows them: found without what the caller does not see, and with masks in place of it. It finds nothing by
//! itself.

use super::SearchRequest;
use crate::masking::masked_each;
use crate::personal::Look;
use crate::{Caller, Refusal, Service};
use schema::json::Value;
use std::collections::BTreeSet;
use store::catalog::Kind;

impl Service {
    /// A page of hits as management shows it, found without what the caller does not see.
    ///
    /// # Errors
    /// As [`search`](Self::search); [`Refusal::Forbidden`] for a query that asks for personal values.
    pub async fn seen_hits(
        &self,
        caller: &Caller,
        request: &SearchRequest,
    ) -> Result<String, Refusal> {
        let caller = self.newest(caller)?;
        let found = self.managed_search(&caller, request).await?;
        let catalog = caller.catalog().clone();
        let mut seen = BTreeSet::new();
        let (json, _) = masked_each(&found, |hit| {
            let named = |name: &str| match hit.get(name).map(|node| &node.value) {
                Some(Value::String(text)) => text.to_string(),
                _ => String::new(),
            };
            seen.insert((named("_schemaId"), named("_dataSetId")));
            let entry = catalog.schemas.get(&named("_schemaId"));
            entry.map_or_else(BTreeSet::new, |entry| caller.masked_fields(entry))
        })?;
        let looks = seen.iter().filter_map(|(schema, dataset)| {
            let entry = catalog.schemas.get(schema)?;
            Some(Look::now(entry, (Kind::Dataset, dataset)))
        });
        let looks: Vec<_> = looks.collect();
        self.tell_looks(&caller, &looks).await?;
        Ok(json)
    }
}

//! The audit trail: numbers of each tenant's own, taken behind a row that is locked until they are committed.

use crate::connections::Transaction;
use crate::error::{Failure, malformed};
use std::collections::BTreeMap;
use store::catalog::{AuditEntry, INCIDENTS_MAX};

const NUMBERS: &str = "INSERT INTO audit_state AS s (tenant, last_number) VALUES ($1, $2)
   ON CONFLICT (tenant) DO UPDATE SET last_number = s.last_number + excluded.last_number
   RETURNING last_number";
const PUT: &str = "INSERT INTO audit (tenant, own_number, incident, at, entry)
   SELECT $1, w.* FROM unnest($2::bigint[], $3::boolean[], $4::bigint[], $5::text[]) AS w";
// by number, since entries have no holes but those that incidents left
const FORGET_INCIDENTS: &str =
    "DELETE FROM audit WHERE tenant = $1 AND incident AND own_number <= (
   SELECT own_number FROM audit WHERE tenant = $1 AND incident
   ORDER BY own_number DESC LIMIT 1 OFFSET $2)";

/// Adds entries to the trails of their tenants. Those about what was refused take the place of the oldest of their kind,
/// when there are as many as may be.
pub(crate) async fn remember(tx: &Transaction, entries: &[AuditEntry]) -> Result<(), Failure> {
    let mut of_tenants: BTreeMap<&str, Vec<&AuditEntry>> = BTreeMap::new();
    for entry in entries {
        of_tenants.entry(&entry.tenant).or_default().push(entry);
    }
    for (tenant, entries) in of_tenants {
        let count = i64::try_from(entries.len()).unwrap_or(i64::MAX);
        let row = tx.row(NUMBERS, &[&tenant, &count]).await?;
        let last: i64 = row.map_or(0, |row| row.get(0));
        let numbers: Vec<i64> = (last - count + 1..=last).collect();
        let documents = entries.iter().map(serde_json::to_string);
        let documents: Vec<String> = documents
            .collect::<Result<_, _>>()
            .map_err(malformed("an audit entry"))?;
        let incidents: Vec<bool> = entries.iter().map(|it| it.action.is_incident()).collect();
        let moments: Vec<i64> = entries.iter().map(|it| it.at.millis()).collect();
        tx.execute(PUT, &[&tenant, &numbers, &incidents, &moments, &documents])
            .await?;
        if incidents.contains(&true) {
            let most = i64::from(INCIDENTS_MAX);
            tx.execute(FORGET_INCIDENTS, &[&tenant, &most]).await?;
        }
    }
    Ok(())
}

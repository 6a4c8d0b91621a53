//! Verifies entries of the audit trail, whichever engine keeps them. They have no checksum: what is wrong with one shows where it
//! can't be read as an entry any more, or says something else than its row. A letter that became another within a name or a
//! value does not show.

use crate::catalog::AuditEntry;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What stands in every entry, whatever it is about.
const MEMBERS: [&str; 8] = [
    "tenant", "at", "actor", "action", "noun", "id", "before", "after",
];
/// What stands in some.
const AREA: &str = "area";

/// A row of the trail as it was found.
#[derive(Clone, Copy, Debug)]
pub struct TrailRow<'r> {
    /// Whose trail it is in.
    pub tenant: &'r str,
    /// Its number there, from 1.
    pub number: i64,
    /// Whether it counts among what was refused.
    pub is_incident: bool,
    /// When, in milliseconds, where the row says so beside its entry.
    pub at: Option<i64>,
    /// The entry, as JSON.
    pub entry: &'r str,
}

impl TrailRow<'_> {
    /// What is wrong with it, in words.
    pub fn fault(&self) -> Option<String> {
        (!self.is_as_written()).then(|| {
            let TrailRow { number, tenant, .. } = self;
            format!(
                "entry {number} of the audit trail of the tenant {tenant} is not as it was written"
            )
        })
    }

    fn is_as_written(&self) -> bool {
        let Ok(entry) = serde_json::from_str::<AuditEntry>(self.entry) else {
            return false;
        };
        let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(self.entry);
        let members = members.unwrap_or_default();
        let is_known = |name: &String| name == AREA || MEMBERS.contains(&name.as_str());
        self.number > 0
            && entry.tenant == self.tenant
            && self.at.is_none_or(|at| at == entry.at.millis())
            && self.is_incident == entry.action.is_incident()
            && MEMBERS.iter().all(|name| members.contains_key(*name))
            && members.keys().all(is_known)
    }
}

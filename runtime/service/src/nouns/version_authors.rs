//! Who wrote each version of a schema, and when. A version keeps the e-mail address that a user had then; it is told by the
//! user's name, as everywhere, and is masked as in the trail where that is not sure: the address is no one's any more, it is
//! of several users, or of one who came later.

use super::MASK;
use crate::Caller;
use store::catalog::{SchemaEntry, SchemaVersion, User};
use wire::Timestamp;

/// Who wrote a version of a schema last, and when.
pub struct VersionAuthor {
    /// The version.
    pub number: i64,
    /// When; unknown of a document that does not tell.
    pub at: Option<Timestamp>,
    /// The name of who did, or a mask.
    pub name: String,
}

impl Caller {
    /// The authors of a schema's versions, the oldest first.
    pub fn authors_of(&self, schema: &SchemaEntry) -> Vec<VersionAuthor> {
        let users = self.catalog().users.values();
        let own = users.filter(|user| user.tenant == self.tenant());
        let own: Vec<&User> = own.map(|user| &**user).collect();
        let versions = schema.versions.iter();
        versions.map(|version| author(version, &own)).collect()
    }
}

fn author(version: &SchemaVersion, users: &[&User]) -> VersionAuthor {
    let made = &version.schema.provenance;
    let at = made.updated_date.as_deref();
    let at: Option<Timestamp> = at.and_then(|text| text.parse().ok());
    let by = made.updated_by.as_deref().unwrap_or_default();
    let name = if by.contains('@') {
        let mut own = users.iter().filter(|user| user.email == by);
        let user = own.next().filter(|_| own.next().is_none());
        let user = user.filter(|user| at.is_some_and(|at| user.stamp.created_at <= at));
        user.map_or(MASK, |user| user.username.as_str())
    } else {
        by
    };
    VersionAuthor {
        number: version.number,
        at,
        name: name.to_owned(),
    }
}

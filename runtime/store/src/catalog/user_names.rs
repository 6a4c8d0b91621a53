//! Users by the names they sign in with: unique within a tenant, however they are written. Names of all else
//! compare by code points and need no index.

use super::User;
use rustc_hash::FxHashMap;
use schema::is_unseen;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization as _;

/// What a user name is compared by: without case, without what nobody sees, and with one form for signs that
/// mean the same (Unicode NFKC).
///
/// ```
/// use store::catalog::folded;
///
/// assert_eq!(folded("ＡＤＡ\u{200B}"), folded("ada"));
/// assert_ne!(folded("Ada"), folded("Àda"));
/// ```
pub fn folded(name: &str) -> String {
    let seen = name.nfkc().filter(|c| !is_unseen(*c));
    seen.flat_map(char::to_lowercase).nfkc().collect()
}

/// The users of every tenant, by their folded names.
#[derive(Clone, Debug, Default)]
pub(super) struct UserNames(FxHashMap<String, Vec<Arc<User>>>);

impl UserNames {
    /// The tenant's user whose name is the same as this one.
    pub(super) fn of_tenant(&self, tenant: &str, name: &str) -> Option<&Arc<User>> {
        let mut same = self.0.get(&folded(name))?.iter();
        same.find(|user| user.tenant == tenant)
    }

    pub(super) fn insert(&mut self, user: &Arc<User>) {
        let same = self.0.entry(folded(&user.username)).or_default();
        same.push(user.clone());
    }

    pub(super) fn remove(&mut self, user: &User) {
        let name = folded(&user.username);
        if let Some(same) = self.0.get_mut(&name) {
            same.retain(|other| other.id != user.id);
            if same.is_empty() {
                self.0.remove(&name);
            }
        }
    }
}

//! Users by the names they sign in with: unique within a tenant, however they are written. Names of all else
//! compare by code points and need no index.

use super::User;
use rustc_hash::FxHashMap;
use schema::is_unseen;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization as _;

/// What a user name is compared by: without case, without what nobody sees, with one form for signs that mean the same
/// (Unicode NFKC), and with one for letters of Latin, Cyrillic and Greek that look the same.
///
/// ```
/// use store::catalog::folded;
///
/// assert_eq!(folded("ＡＤＡ\u{200B}"), folded("ada"));
/// assert_eq!(folded("\u{430}d\u{430}"), folded("ada"), "Cyrillic letters that look the same");
/// assert_ne!(folded("Ada"), folded("Àda"));
/// ```
pub fn folded(name: &str) -> String {
    let seen = name.nfkc().filter(|c| !is_unseen(*c));
    let folded = seen.flat_map(char::to_lowercase).nfkc();
    folded.map(as_it_looks).collect()
}

/// A letter of the Cyrillic or Greek script that looks like a Latin one as that one.
fn as_it_looks(c: char) -> char {
    const LOOKS: [(char, &str); 22] = [
        ('a', "\u{430}\u{3b1}"),
        ('b', "\u{432}\u{3b2}"),
        ('c', "\u{441}\u{3f2}"),
        ('d', "\u{501}"),
        ('e', "\u{435}\u{3b5}"),
        ('h', "\u{43d}\u{4bb}\u{3b7}"),
        ('i', "\u{456}\u{3b9}\u{131}"),
        ('j', "\u{458}\u{3f3}"),
        ('k', "\u{43a}\u{3ba}"),
        ('l', "\u{4cf}"),
        ('m', "\u{43c}\u{3bc}"),
        ('o', "\u{43e}\u{3bf}"),
        ('p', "\u{440}\u{3c1}"),
        ('q', "\u{51b}"),
        ('r', "\u{433}"),
        ('s', "\u{455}"),
        ('t', "\u{442}\u{3c4}"),
        ('v', "\u{475}\u{3bd}"),
        ('w', "\u{51d}\u{3c9}"),
        ('x', "\u{445}\u{3c7}"),
        ('y', "\u{443}\u{3b3}\u{3c5}"),
        ('z', "\u{3b6}"),
    ];
    if c.is_ascii() {
        return c;
    }
    let mut looks = LOOKS.iter();
    let own = looks.find(|(_, others)| others.contains(c));
    own.map_or(c, |(latin, _)| *latin)
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

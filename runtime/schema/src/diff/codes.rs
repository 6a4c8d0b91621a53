//! What differs between the codes of two static picklists. Codes are compared in their very case, as records are.

use crate::model::PicklistEntry;
use std::collections::{HashMap, HashSet};

/// What differs between two lists of codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeChanges {
    /// Codes that only the new list has, in its order.
    pub added: Vec<String>,
    /// Codes that only the old list has, in its order.
    pub removed: Vec<String>,
    /// Codes of both with another description or other properties, in the order of the new list.
    pub relabelled: Vec<String>,
    /// Whether the codes that both have stand in another order.
    pub reordered: bool,
}

impl CodeChanges {
    pub(super) fn of(old: &[PicklistEntry], new: &[PicklistEntry]) -> Self {
        let before: HashMap<&str, &PicklistEntry> = by_code(old).collect();
        let after: HashSet<&str> = by_code(new).map(|(code, _)| code).collect();
        let mut changes = CodeChanges::default();
        for entry in new {
            match before.get(entry.code.as_str()) {
                None => changes.added.push(entry.code.clone()),
                Some(known) if *known != entry => changes.relabelled.push(entry.code.clone()),
                Some(_) => {}
            }
        }
        let gone = old.iter().filter(|it| !after.contains(it.code.as_str()));
        changes.removed.extend(gone.map(|it| it.code.clone()));
        let stay = |(code, _): &(&str, _)| before.contains_key(code) && after.contains(code);
        let mut there = by_code(old).filter(stay).map(|(code, _)| code);
        let mut here = by_code(new).filter(stay).map(|(code, _)| code);
        changes.reordered = !there.by_ref().eq(here.by_ref());
        changes
    }
}

fn by_code(entries: &[PicklistEntry]) -> impl Iterator<Item = (&str, &PicklistEntry)> {
    entries.iter().map(|entry| (entry.code.as_str(), entry))
}

/// Codes of `from` that `to` does not have.
pub(super) fn loses(from: &[PicklistEntry], to: &[PicklistEntry]) -> bool {
    let known: HashSet<&str> = by_code(to).map(|(code, _)| code).collect();
    by_code(from).any(|(code, _)| !known.contains(code))
}

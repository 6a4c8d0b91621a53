//! Marks of what was shown: a form says by one what it was made from, so that nothing comes back with it that someone else
//! took away meanwhile. Of nouns that count no versions.

use super::trail::document;
use crate::{Refusal, secrets};
use serde::Serialize;

/// What becomes another one though nobody changed anything that a form could bring back.
const PASSING: [&str; 4] = [
    "earlierSecretUntil",
    "lastUsedAt",
    "updatedBy",
    "updatedDate",
];

/// The mark of a noun as it is shown: another one as soon as something else of it is.
pub fn mark(view: &impl Serialize) -> String {
    let mut document = document(view);
    if let Some(members) = document.as_object_mut() {
        members.retain(|name, _| !PASSING.contains(&name.as_str()));
    }
    secrets::hash(&document.to_string())
}

/// Refuses a change that was made from something else than what is there.
pub(super) fn same_mark(seen: Option<&String>, stored: &impl Serialize) -> Result<(), Refusal> {
    match seen {
        Some(seen) if *seen != mark(stored) => Err(Refusal::Conflict(
            "someone else changed it meanwhile; read it again".into(),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_mark_is_another_one_when_rights_are_and_the_same_when_a_key_was_only_used() {
        let key = json!({"name": "a", "active": true, "lastUsedAt": null, "updatedDate": "1"});
        let used = json!({"name": "a", "active": true, "lastUsedAt": "2", "updatedDate": "3",
            "earlierSecretUntil": "4"});
        let off = json!({"name": "a", "active": false, "lastUsedAt": null, "updatedDate": "1"});
        assert_eq!(mark(&key), mark(&used));
        assert_ne!(mark(&key), mark(&off));
        assert!(same_mark(None, &key).is_ok() && same_mark(Some(&mark(&key)), &used).is_ok());
        assert!(same_mark(Some(&mark(&key)), &off).is_err());
    }
}

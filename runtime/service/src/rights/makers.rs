//! Who is behind a credential: a key or client is also its makers', and those who changed it last, since its secret may
//! be a new one. What asks a person for the password is not to be had by a key that the person made a moment ago.

use super::caller::Principal;
use std::collections::BTreeSet;
use store::catalog::{ActorKind, Catalog};

impl Principal {
    /// Whether this may be a user: it is, or it is a key or client that the user made or changed last, however many
    /// keys or clients stand between them. Where one of these is gone, nobody knows whose it was.
    pub(crate) fn may_be_user(&self, user: &str, catalog: &Catalog) -> bool {
        let stamp = match self {
            Principal::User(own) => return own.id == user,
            Principal::Key(key) => &key.stamp,
            Principal::App(app) => &app.stamp,
            Principal::Operator { .. } => return false,
        };
        let (mut seen, mut next) = (BTreeSet::new(), vec![stamp]);
        while let Some(stamp) = next.pop() {
            for actor in [&stamp.created_by, &stamp.updated_by] {
                if !seen.insert(&actor.id) {
                    continue;
                }
                let own = match actor.kind {
                    ActorKind::User if actor.id == user => return true,
                    ActorKind::User | ActorKind::Operator | ActorKind::Unknown => continue,
                    ActorKind::ApiKey => catalog.api_keys.get(&actor.id).map(|key| &key.stamp),
                    ActorKind::App => catalog.apps.get(&actor.id).map(|app| &app.stamp),
                };
                match own {
                    Some(own) => next.push(own),
                    None => return true,
                }
            }
        }
        false
    }
}

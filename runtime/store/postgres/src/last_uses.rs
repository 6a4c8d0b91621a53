//! When credentials were last used, as several servers note it: each writes the uses that it saw, and none takes back a newer
//! one that another saw.

use store::catalog::{Catalog, Kind, LastUsedAt, Noun, NounKey};

/// When a credential was last used; `None` of what is none.
pub(crate) fn last_use(noun: &Noun) -> Option<&LastUsedAt> {
    match noun {
        Noun::ApiKey(key) => Some(&key.last_used_at),
        Noun::App(app) => Some(&app.last_used_at),
        Noun::User(user) => Some(&user.last_used_at),
        _ => None,
    }
}

/// When a credential of a catalog was last used.
pub(crate) fn known<'c>(catalog: &'c Catalog, kind: Kind, id: &str) -> Option<&'c LastUsedAt> {
    match kind {
        Kind::ApiKey => catalog.api_keys.get(id).map(|it| &it.last_used_at),
        Kind::App => catalog.apps.get(id).map(|it| &it.last_used_at),
        Kind::User => catalog.users.get(id).map(|it| &it.last_used_at),
        _ => None,
    }
}

/// Moves a credential on to the use that a catalog knows of: who changed its row may not have seen it.
pub(crate) fn take_over_from(noun: &Noun, catalog: &Catalog) {
    let Some(own) = last_use(noun) else { return };
    let NounKey { kind, id } = noun.key();
    if let Some(at) = known(catalog, kind, &id).and_then(LastUsedAt::get) {
        own.note(at);
    }
}

//! When credentials were last used, as several servers note it: each writes the uses that it saw, and none takes back a newer
//! one that another saw.

use store::catalog::{Catalog, LastUsedAt, Noun};

/// When a credential was last used; `None` of what is none.
fn last_use(noun: &Noun) -> Option<&LastUsedAt> {
    match noun {
        Noun::ApiKey(key) => Some(&key.last_used_at),
        Noun::App(app) => Some(&app.last_used_at),
        Noun::User(user) => Some(&user.last_used_at),
        _ => None,
    }
}

/// Moves a credential on to the use that another telling of it has.
pub(crate) fn take_over(noun: &Noun, told: &Noun) {
    let told = last_use(told).and_then(LastUsedAt::get);
    if let (Some(own), Some(at)) = (last_use(noun), told) {
        own.note(at);
    }
}

/// Moves a credential on to the use that a catalog knows of: who changed its row may not have seen it.
pub(crate) fn take_over_from(noun: &Noun, known: &Catalog) {
    let before = match noun {
        Noun::ApiKey(key) => known.api_keys.get(&key.id).map(|it| &it.last_used_at),
        Noun::App(app) => known.apps.get(&app.id).map(|it| &it.last_used_at),
        Noun::User(user) => known.users.get(&user.id).map(|it| &it.last_used_at),
        _ => None,
    };
    let before = before.and_then(LastUsedAt::get);
    if let (Some(own), Some(at)) = (last_use(noun), before) {
        own.note(at);
    }
}

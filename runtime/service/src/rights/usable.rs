//! Whether a key opens anything: switched on, not past its end, and its maker alive where it is tied to that.

use store::catalog::{ApiKey, Catalog, Kind, NounKey};
use wire::Timestamp;

/// Whether a key opens anything at this moment.
pub(super) fn is_usable(key: &ApiKey, catalog: &Catalog, now: Timestamp) -> bool {
    let lives = |maker: &NounKey| match maker.kind {
        Kind::User => catalog.users.get(&maker.id).is_some_and(|user| user.active),
        Kind::App => catalog.apps.get(&maker.id).is_some_and(|app| app.active),
        // its maker was there before it, so this comes to an end
        Kind::ApiKey => {
            let maker = catalog.api_keys.get(&maker.id);
            maker.is_some_and(|maker| is_usable(maker, catalog, now))
        }
        _ => false,
    };
    key.active && !key.has_ended_by(now) && key.ends_with.as_ref().is_none_or(lives)
}

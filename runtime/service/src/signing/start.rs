//! Which secrets a service begins with: those of its file, made where there is none. A store that kept its one
//! secret itself, as older ones do, gives it to the file, and what it signed goes on working; the store keeps the
//! keys of ids alone, from which the secret can't be told.

use super::{SigningSecretFile, SigningSecrets};
use crate::ids::IdKeys;
use crate::{Entropy, Store};
use store::StoreError;
use store::catalog::{Catalog, CatalogWrite, Kind, NounKey, Setting};
use wire::Timestamp;

/// The setting that held the one secret for all.
const SECRET: &str = "secret";
/// The setting with the keys of ids.
const ID_KEYS: &str = "id-keys";

/// What a service begins with.
pub(crate) struct Start {
    /// The keys of ids.
    pub(crate) id_keys: IdKeys,
    /// The signing secrets.
    pub(crate) secrets: SigningSecrets,
}

impl Start {
    /// Those of a store. Without a file, the store keeps the signing secret, too.
    pub(crate) async fn of(
        store: &dyn Store,
        entropy: &dyn Entropy,
        file: Option<&SigningSecretFile>,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let catalog = store.catalog();
        let kept = catalog.settings.get(SECRET);
        let kept = kept.map(|setting| setting.value.clone());
        let (secrets, is_in_file) = if let Some(file) = file {
            in_file(file, kept.as_deref(), entropy, now)?
        } else {
            (in_use(kept.as_deref(), entropy), false)
        };
        let secret = match file {
            Some(_) => None,
            None => Some(secrets.in_use().text.clone()),
        };
        // of the store's own secret come the keys that its ids had before there were keys of ids
        let id_keys = match kept.as_ref().or(secret.as_ref()) {
            Some(secret) => IdKeys::of_secret(secret),
            None => IdKeys::fresh(entropy),
        };
        let settings = Settings {
            id_keys: id_keys.to_text(),
            secret,
            is_in_file,
        };
        let id_keys = settings.remember(store).await?;
        // another server of the store may have been faster with its own
        let kept = store.catalog().settings.get(SECRET).cloned();
        let secrets = match kept.filter(|_| file.is_none()) {
            Some(kept) if kept.value != secrets.in_use().text => {
                SigningSecrets::of(kept.value.clone())
            }
            _ => secrets,
        };
        Ok(Start { id_keys, secrets })
    }
}

/// The secrets of a file, with the one that the store kept; and whether that one is in the file now.
fn in_file(
    file: &SigningSecretFile,
    kept: Option<&str>,
    entropy: &dyn Entropy,
    now: Timestamp,
) -> Result<(SigningSecrets, bool), StoreError> {
    let Some(mut secrets) = file.read()? else {
        let secrets = in_use(kept, entropy);
        file.write(&secrets)?;
        return Ok((secrets, true));
    };
    let is_new = kept.is_some_and(|kept| secrets.with_retired(kept, now));
    if !is_new {
        return Ok((secrets, true));
    }
    match file.write(&secrets) {
        Ok(()) => Ok((secrets, true)),
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                file = %file.path().display(),
                "the secret that the store kept until now can't be added to the file, so it stays in the store; make the file writable for one start"
            );
            Ok((secrets, false))
        }
    }
}

/// The secret that the store kept, or a new one.
fn in_use(kept: Option<&str>, entropy: &dyn Entropy) -> SigningSecrets {
    match kept {
        Some(kept) => SigningSecrets::of(kept.to_owned()),
        None => SigningSecrets::fresh(entropy),
    }
}

/// What the store is to remember.
struct Settings {
    id_keys: String,
    secret: Option<String>,
    is_in_file: bool,
}

impl Settings {
    /// Makes the store remember it, and gives the keys of ids: those that were there already, if any were.
    async fn remember(self, store: &dyn Store) -> Result<IdKeys, StoreError> {
        let mut catalog = store.catalog();
        let write = self.changes(&catalog);
        // a store that remembers it already may be one that can't be written
        if !(write.put.is_empty() && write.remove.is_empty()) {
            let decided = store.decide(Box::new(move |catalog| Ok(self.changes(catalog))));
            let decided = decided.await?;
            catalog = decided.map_err(|error| StoreError::Damaged(format!("{error:?}")))?;
        }
        let damaged = || StoreError::Damaged("the keys of its ids are gone".to_owned());
        let keys = catalog.settings.get(ID_KEYS).ok_or_else(damaged)?;
        IdKeys::parse(&keys.value).ok_or_else(damaged)
    }

    /// What is to be written for it.
    fn changes(&self, catalog: &Catalog) -> CatalogWrite {
        let mut write = CatalogWrite::default();
        let own = [
            (ID_KEYS, Some(&self.id_keys)),
            (SECRET, self.secret.as_ref()),
        ];
        for (id, value) in own {
            if let Some(value) = value.filter(|_| !catalog.settings.contains_key(id)) {
                let (id, value) = (id.to_owned(), value.to_owned());
                write.put.push(Setting { id, value }.into());
            }
        }
        if self.is_in_file && catalog.settings.contains_key(SECRET) {
            write.remove.push(NounKey {
                kind: Kind::Setting,
                id: SECRET.to_owned(),
            });
        }
        write
    }
}

//! Which secrets a service begins with: those of its file, made where there is none, or those that its store keeps. A store
//! that kept them itself until now, as one that comes from a database, gives them to the file, and what they signed goes on
//! working.

use super::kept::{self, RETIRED_SECRETS, SECRET};
use super::{SigningSecretFile, SigningSecrets, are_lost_without_file};
use crate::epoch::Epoch;
use crate::ids::IdKeys;
use crate::{Entropy, Store};
use store::StoreError;
use store::catalog::{Catalog, CatalogWrite, Kind, NounKey, Setting};
use wire::Timestamp;

/// The setting with the keys of ids.
const ID_KEYS: &str = "id-keys";

/// Where a service has its signing secrets.
pub(crate) enum SecretPlace {
    /// In a file.
    File(SigningSecretFile),
    /// In the store, which gets one where it has none.
    Store,
    /// In the store, which gets one when it begins and never after: without one, its servers have a file.
    StoreOfServers,
}

impl SecretPlace {
    fn file(&self) -> Option<&SigningSecretFile> {
        match self {
            SecretPlace::File(file) => Some(file),
            SecretPlace::Store | SecretPlace::StoreOfServers => None,
        }
    }

    /// The file, if it is in one.
    pub(crate) fn into_file(self) -> Option<SigningSecretFile> {
        match self {
            SecretPlace::File(file) => Some(file),
            SecretPlace::Store | SecretPlace::StoreOfServers => None,
        }
    }
}

/// What a service begins with.
pub(crate) struct Start {
    /// The keys of ids.
    pub(crate) id_keys: IdKeys,
    /// The epoch that the store is in.
    pub(crate) epoch: Epoch,
    /// The signing secrets.
    pub(crate) secrets: SigningSecrets,
}

impl Start {
    /// Those of a store.
    pub(crate) async fn of(
        store: &dyn Store,
        entropy: &dyn Entropy,
        place: &SecretPlace,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let catalog = store.catalog();
        let kept = kept::of(&catalog);
        let file = place.file();
        let (secrets, is_in_file) = if let Some(file) = file {
            in_file(file, &catalog, entropy, now)?
        } else {
            (in_use(kept.as_ref(), entropy), false)
        };
        let is_kept_here = match place {
            SecretPlace::File(_) => false,
            SecretPlace::Store => true,
            SecretPlace::StoreOfServers => !catalog.settings.contains_key(ID_KEYS),
        };
        if is_kept_here && are_lost_without_file(&catalog) {
            tracing::warn!(
                "the store kept no signing secret and has tenants, so a new one was made in it: links that are out stop working, and browsers that signed in before are strangers; if its servers have a file, name that (--signing-secret-file)"
            );
        }
        let secret = is_kept_here.then(|| secrets.in_use().text.clone());
        let settings = Settings {
            id_keys: IdKeys::fresh(entropy).to_text(),
            secret,
            is_in_file,
        };
        let id_keys = settings.remember(store).await?;
        // another server of the store may have been faster with its own
        let catalog = store.catalog();
        let kept = kept::of(&catalog).filter(|_| file.is_none());
        let secrets = kept.unwrap_or(secrets);
        Ok(Start {
            id_keys,
            epoch: Epoch::of(&catalog)?,
            secrets,
        })
    }
}

/// The secrets of a file, with those that the store kept; and whether these are in the file now.
fn in_file(
    file: &SigningSecretFile,
    catalog: &Catalog,
    entropy: &dyn Entropy,
    now: Timestamp,
) -> Result<(SigningSecrets, bool), StoreError> {
    let kept = kept::of(catalog);
    let Some(mut secrets) = file.read()? else {
        let secrets = in_use(kept.as_ref(), entropy);
        file.write(&secrets)?;
        if are_lost_without_file(catalog) {
            tracing::warn!(
                file = %file.path().display(),
                "there was no file of signing secrets and the store has tenants, so a new one was made: links that are out stop working, and browsers that signed in before are strangers; if it is another file, name that (--signing-secret-file), else bring it back from a backup"
            );
        }
        return Ok((secrets, true));
    };
    let is_new = kept.is_some_and(|kept| secrets.take_over(&kept, now));
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

/// The secrets that the store kept, or a new one.
fn in_use(kept: Option<&SigningSecrets>, entropy: &dyn Entropy) -> SigningSecrets {
    match kept {
        Some(kept) => kept.clone(),
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
        let gone = [SECRET, RETIRED_SECRETS].into_iter();
        for id in gone.filter(|id| self.is_in_file && catalog.settings.contains_key(*id)) {
            write.remove.push(NounKey {
                kind: Kind::Setting,
                id: id.to_owned(),
            });
        }
        write
    }
}

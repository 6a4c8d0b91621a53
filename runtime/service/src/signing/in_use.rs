//! What a service signs with: replaced by a new one, read anew from its file, and followed where servers share a store that
//! keeps it. Which secrets it begins with, `start.rs` tells.

use super::{SigningSecret, SigningSecretError, SigningSecrets, kept};
use crate::Service;
use std::path::PathBuf;
use std::sync::Arc;
use store::catalog::Catalog;

/// What a service signs with, as far as it must know it to see that others are newer.
#[derive(Default)]
pub(crate) struct SeenSecrets {
    /// The digest of the secrets.
    digest: [u8; 32],
    /// The catalog that was looked at last. Versions do not tell one from another: a database that lost its last commits gives
    /// them again.
    catalog: Option<Arc<Catalog>>,
}

/// What became of the secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RotatedSecret {
    /// The id of the secret that signs from now on.
    pub id: String,
    /// The id of the one that did before.
    pub retired_id: String,
}

impl SeenSecrets {
    /// What is known of these.
    pub(crate) fn of(secrets: &SigningSecrets) -> Self {
        SeenSecrets {
            digest: secrets.digest(),
            catalog: None,
        }
    }
}

impl Service {
    /// Puts a new signing secret in use, here and in the file or, without one, in the store, for all servers that share it.
    /// Download links that the one before signed work until they run out; browsers that signed in before are strangers until
    /// they do again.
    ///
    /// # Errors
    /// The file or the store can't be read or written, or the service has no file and the store no secret, since other
    /// servers have a file. The secret before is in use then.
    pub async fn rotate_signing_secret(&self) -> Result<RotatedSecret, SigningSecretError> {
        match self.rotate_in_file() {
            Some(rotated) => rotated,
            None => self.rotate_in_store().await,
        }
    }

    /// The same in the file; `None` where the service was made without one.
    fn rotate_in_file(&self) -> Option<Result<RotatedSecret, SigningSecretError>> {
        let file = self.signing_file.lock();
        let file = file.as_ref()?;
        let rotate = || -> Result<RotatedSecret, SigningSecretError> {
            let before = file.read()?.ok_or_else(|| file.is_gone())?;
            let rotated = before.rotated(self.now(), self.entropy());
            file.write(&rotated)?;
            self.sign_with(&rotated);
            Ok(RotatedSecret {
                id: rotated.in_use().id(),
                retired_id: before.in_use().id(),
            })
        };
        Some(rotate())
    }

    async fn rotate_in_store(&self) -> Result<RotatedSecret, SigningSecretError> {
        let (next, now) = (SigningSecrets::fresh(self.entropy()), self.now());
        let decided = self.store.decide(Box::new(move |catalog| {
            let before = kept::of(catalog).ok_or("the store keeps none")?;
            Ok(kept::write(&before.followed_by(next.clone(), now)))
        }));
        let decided = decided.await.map_err(SigningSecretError::Store)?;
        let catalog = decided.map_err(|_| SigningSecretError::NoFile)?;
        let rotated = kept::of(&catalog).ok_or(SigningSecretError::NoFile)?;
        // by the newest catalog: another server may have put one behind it
        self.follow_signing_secret();
        let retired = rotated.retired.first();
        Ok(RotatedSecret {
            id: rotated.in_use().id(),
            retired_id: retired.map(SigningSecret::id).unwrap_or_default(),
        })
    }

    /// The file that its signing secrets are in; `None` where the service was made without one.
    pub fn signing_secret_file(&self) -> Option<PathBuf> {
        let file = self.signing_file.lock();
        file.as_ref().map(|file| file.path().to_owned())
    }

    /// Reads the file of secrets anew, as it was changed by another hand; gives the id of the one in use. `None`
    /// where the service was made without such a file.
    ///
    /// # Errors
    /// The file can't be read; the secrets of before are in use then.
    pub fn reload_signing_secret(&self) -> Result<Option<String>, SigningSecretError> {
        self.read_signing_file(|_| true)
    }

    /// Reads the file of secrets, and signs with what another hand put there; gives the id of the one in use then. `None`
    /// where it is as before, or the service was made without such a file.
    ///
    /// # Errors
    /// The file can't be read; the secrets of before are in use then.
    pub fn look_at_signing_secret(&self) -> Result<Option<String>, SigningSecretError> {
        self.read_signing_file(|secrets| self.seen_secrets.read().digest != secrets.digest())
    }

    /// Signs with the secrets of the file, if they are to be taken; gives the id of the one in use then.
    fn read_signing_file(
        &self,
        is_taken: impl FnOnce(&SigningSecrets) -> bool,
    ) -> Result<Option<String>, SigningSecretError> {
        let file = self.signing_file.lock();
        let Some(file) = file.as_ref() else {
            return Ok(None);
        };
        let secrets = file.read()?.ok_or_else(|| file.is_gone())?;
        if !is_taken(&secrets) {
            return Ok(None);
        }
        self.sign_with(&secrets);
        Ok(Some(secrets.in_use().id()))
    }

    /// Signs with what another server put into the store, as far as the catalog is known here. A service that has a file
    /// goes on with that.
    pub fn follow_signing_secret(&self) {
        let is_seen = |seen: &SeenSecrets, catalog: &Arc<Catalog>| {
            let last = seen.catalog.as_ref();
            last.is_some_and(|last| Arc::ptr_eq(last, catalog))
        };
        if is_seen(&self.seen_secrets.read(), &self.store.catalog()) {
            return;
        }
        let has_file = self.signing_file.lock().is_some();
        // who comes meanwhile waits until it is done
        let mut seen = self.seen_secrets.write();
        let catalog = self.store.catalog();
        if is_seen(&seen, &catalog) {
            return;
        }
        seen.catalog = Some(catalog.clone());
        let Some(kept) = kept::of(&catalog).filter(|_| !has_file) else {
            return;
        };
        let digest = kept.digest();
        if seen.digest != digest {
            seen.digest = digest;
            self.use_secrets(&kept);
            tracing::info!(
                id = kept.in_use().id(),
                "signing with a new secret of the store"
            );
        }
    }

    fn sign_with(&self, secrets: &SigningSecrets) {
        let mut seen = self.seen_secrets.write();
        seen.digest = secrets.digest();
        self.use_secrets(secrets);
    }

    fn use_secrets(&self, secrets: &SigningSecrets) {
        self.links.use_secrets(secrets);
        self.browsers.use_secrets(secrets);
        self.pending_tokens.use_secrets(secrets);
    }
}

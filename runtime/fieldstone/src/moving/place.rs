//! Where a store is that is moved, or moved into, and what has to be so before it is.

use crate::database_options::no_store;
use crate::failure::{conflict, usage};
use crate::folder_entries::names_in;
use crate::owner;
use anyhow::Context as _;
use postgres::{PostgresOptions, PostgresTransfer};
use sqlite::SqliteStore;
use std::path::{Path, PathBuf};
use store::StoreError;
use store::transfer::{TransferSource, TransferTarget};

/// Where a store is.
pub(crate) enum Place {
    /// In a data folder.
    Folder(PathBuf),
    /// In a database, by its address.
    Database(String),
}

/// A store that nobody else writes.
pub(crate) enum OpenStore {
    Folder(Box<SqliteStore>),
    Database(Box<PostgresTransfer>),
}

impl Place {
    /// As it is written on the command line: a folder, or an address as libpq writes it.
    pub(crate) fn parse(text: &str) -> Self {
        if postgres::is_address(text) {
            Place::Database(text.to_owned())
        } else {
            Place::Folder(text.into())
        }
    }

    /// As it may be shown.
    pub(crate) fn shown(&self) -> String {
        match self {
            Place::Folder(folder) => folder.display().to_string(),
            Place::Database(address) => postgres::shown(address),
        }
    }

    /// Opens what is moved, and holds it, so that nobody writes it meanwhile.
    pub(crate) async fn open_source(&self, options: &PostgresOptions) -> anyhow::Result<OpenStore> {
        match self {
            Place::Folder(folder) => {
                if !SqliteStore::is_in(folder)? {
                    return Err(StoreError::Missing(folder.display().to_string()).into());
                }
                owner::require_own(folder)?;
                Ok(OpenStore::Folder(Box::new(
                    blocking(folder, SqliteStore::open).await?,
                )))
            }
            Place::Database(address) => {
                let opened = PostgresTransfer::open_if_there(address, options).await;
                let opened = opened.with_context(|| format!("can't open {}", self.shown()))?;
                let opened = opened.ok_or_else(|| no_store(&self.shown()))?;
                opened.require_whole().await?;
                self.require_alone(&opened).await?;
                opened.hold().await?;
                Ok(OpenStore::Database(Box::new(opened)))
            }
        }
    }

    /// Opens what is moved into.
    pub(crate) async fn open_target(&self, options: &PostgresOptions) -> anyhow::Result<OpenStore> {
        match self {
            Place::Folder(folder) => {
                owner::require_own(folder)?;
                if !SqliteStore::is_in(folder)? {
                    require_empty(folder)?;
                }
                let opened = blocking(folder, SqliteStore::open_to_move).await?;
                Ok(OpenStore::Folder(Box::new(opened)))
            }
            Place::Database(address) => {
                let opened = PostgresTransfer::open_to_move(address, options).await;
                let opened = opened.with_context(|| format!("can't open {}", self.shown()))?;
                self.require_alone(&opened).await?;
                Ok(OpenStore::Database(Box::new(opened)))
            }
        }
    }

    async fn require_alone(&self, opened: &PostgresTransfer) -> anyhow::Result<()> {
        match opened.others().await? {
            0 => Ok(()),
            count => Err(conflict(format!(
                "servers or commands are at work on {} ({count} connections); stop them, and move again",
                self.shown()
            ))),
        }
    }
}

impl OpenStore {
    pub(crate) fn source(&self) -> &dyn TransferSource {
        match self {
            OpenStore::Folder(store) => &**store,
            OpenStore::Database(transfer) => &**transfer,
        }
    }

    pub(crate) fn target(&self) -> &dyn TransferTarget {
        match self {
            OpenStore::Folder(store) => &**store,
            OpenStore::Database(transfer) => &**transfer,
        }
    }

    /// Lets it go.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        match self {
            OpenStore::Folder(store) => {
                Ok(tokio::task::spawn_blocking(move || store.close()).await?)
            }
            OpenStore::Database(transfer) => {
                transfer.release().await;
                Ok(())
            }
        }
    }
}

/// Opens the store of a folder on a thread that may take its time.
async fn blocking(
    folder: &Path,
    open: impl FnOnce(&Path) -> Result<SqliteStore, StoreError> + Send + 'static,
) -> anyhow::Result<SqliteStore> {
    let (folder, shown) = (folder.to_owned(), folder.display().to_string());
    let opened = tokio::task::spawn_blocking(move || open(&folder)).await?;
    opened.with_context(|| format!("can't open {shown}"))
}

fn require_empty(folder: &Path) -> anyhow::Result<()> {
    let shown = folder.display();
    let mut names = names_in(folder).with_context(|| format!("can't read {shown}"))?;
    match names.next().transpose()? {
        None => Ok(()),
        Some(name) => Err(conflict(format!(
            "{shown} is not empty (it has {}), and nothing is overwritten; name another folder, or move this one away",
            name.display()
        ))),
    }
}

/// Refuses an address with a password where every user of the machine can read it.
pub(crate) fn refuse_shown_password(place: &Place) -> anyhow::Result<()> {
    match place {
        Place::Database(address) if postgres::has_password(address) => Err(usage(
            "an address with a password can be read by every user of this machine (`ps`); give it without, and \
             --database-password-file FILE",
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_refused_and_not_shown_wherever_it_stands() {
        for address in [
            "password=hidden host=nowhere user=anna",
            "user = anna password = hidden host = nowhere",
            "port=5432 host=nowhere user=anna password='hidden'",
        ] {
            let place = Place::parse(address);
            let told = refuse_shown_password(&place).unwrap_err().to_string();
            assert!(told.contains("--database-password-file"), "{told}");
            assert!(!place.shown().contains("hidden"), "{}", place.shown());
        }
    }

    #[test]
    fn a_folder_that_is_called_as_a_parameter_is_named_by_its_path() {
        let place = Place::parse("./user=anna");
        assert!(matches!(place, Place::Folder(_)));
        assert_eq!(place.shown(), "./user=anna");
    }
}

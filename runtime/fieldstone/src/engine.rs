//! Which store a deployment has: that of a data folder, which this process holds alone, or that of a database, which any
//! number of servers share. What only one of them can do is asked here.

use crate::backup::{self, DatabasePlace};
use crate::database_options::DatabaseOptions;
use crate::failure::usage;
use anyhow::bail;
use postgres::PostgresStore;
use service::{Service, Store};
use sqlite::SqliteStore;
use std::sync::Arc;
use store::deliveries::Deliveries;
use store::files::Files;

/// An open store.
#[derive(Clone)]
pub(crate) enum Engine {
    /// Of a data folder.
    Folder(Arc<SqliteStore>),
    /// Of a database, and what opens it once more.
    Database(Arc<PostgresStore>, DatabasePlace),
}

impl Engine {
    /// Catalog and records.
    pub(crate) fn store(&self) -> Arc<dyn Store> {
        match self {
            Engine::Folder(store) => store.clone(),
            Engine::Database(store, _) => store.clone(),
        }
    }

    /// What is known of uploaded files.
    pub(crate) fn files(&self) -> Arc<dyn Files> {
        match self {
            Engine::Folder(store) => store.clone(),
            Engine::Database(store, _) => store.clone(),
        }
    }

    /// How far webhooks have come.
    pub(crate) fn deliveries(&self) -> Arc<dyn Deliveries> {
        match self {
            Engine::Folder(store) => store.clone(),
            Engine::Database(store, _) => store.clone(),
        }
    }

    /// What backups are made of.
    pub(crate) fn backups(&self, service: &Arc<Service>) -> backup::Store {
        match self {
            Engine::Folder(store) => backup::Store::Open(store.clone(), service.clone()),
            Engine::Database(_, place) => {
                backup::Store::InDatabase(place.clone(), Some(service.clone()))
            }
        }
    }

    /// Writes what is still to be written and closes the store.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        let is_closed = match self {
            Engine::Folder(store) => Arc::into_inner(store).map(SqliteStore::close),
            // what was acknowledged is in the database already
            Engine::Database(store, _) => Arc::into_inner(store).map(drop),
        };
        if is_closed.is_none() {
            bail!("something still holds the store, so it was not closed clean");
        }
        Ok(())
    }
}

/// Refuses a database for what is done to a data folder alone: `what`, and what to do instead.
pub(crate) fn refuse_database(
    database: &DatabaseOptions,
    what: &str,
    instead: &str,
) -> anyhow::Result<()> {
    match database.address() {
        Some(_) => Err(usage(format!(
            "{what} is for a data folder, and the store is in a database (--database or FIELDSTONE_DATABASE); {instead}"
        ))),
        None => Ok(()),
    }
}

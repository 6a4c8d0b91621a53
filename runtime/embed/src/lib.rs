//! The service inside one's own program: a store in a folder, the same typed handles as over HTTP
//! as the package `client` has, and record types whose schemas are made or checked when it starts.
//! Whoever holds the folder is its operator and may do everything. To serve it as well, put
//! `runtime::http::router(embedded.service().clone())` (feature `server`) into one's own axum app.

mod register;
mod transport;

pub use register::RegisterError;
pub use service::{SystemClock, SystemEntropy};

use client::Client;
use service::JOBS_FOLDER as JOBS;
use service::files::{FileSettings, FileStorage};
use service::manage::{Operator, TenantContent};
use service::signing::SIGNING_SECRET_FILE;
use service::{Caller, FileParts, Parts, Refusal, Service};
use sqlite::{SqliteFolder, SqliteOptions};
use std::path::Path;
use std::sync::Arc;
use store::StoreError;
use store::search::SearchIndex;
use transport::{Identity, ServiceTransport};

/// What the audit trail calls those who embed the service.
const OPERATOR: &str = "embedded";

/// A service inside this program, seen as the operator of one tenant. Cheap to clone.
///
/// One that was [opened](Self::open) sees to itself, as a server does: it keeps the search index at the heels
/// of the records, notes every few seconds when credentials were used, and removes uploads that no record
/// names. It ends with [`close`](Self::close).
#[derive(Clone, Debug)]
pub struct Embedded {
    service: Arc<Service>,
    operator: Operator,
    tenant: Arc<str>,
}

impl Embedded {
    /// Opens the store of a folder with its files and its search index, and in it the tenant of this name;
    /// makes what is not there. No other process may have the folder. Needs a tokio runtime around it.
    ///
    /// # Errors
    /// When the store can't be opened, or the name is none for a tenant.
    pub async fn open(folder: &Path, tenant: &str) -> Result<Self, RegisterError> {
        let SqliteFolder { store, index } = SqliteFolder::open(folder, SqliteOptions::default())?;
        let files = FileParts {
            files: store.clone(),
            storage: FileStorage::in_data_folder(folder)?,
            settings: FileSettings::default(),
        };
        let parts = Parts {
            files: Some(files),
            index: index.map(|index| index as Arc<dyn SearchIndex>),
            signing_secret_file: Some(folder.join(SIGNING_SECRET_FILE)),
            job_folder: Some(folder.join(JOBS)),
            ..Parts::new(store)
        };
        Self::within(Service::open(parts).await?, tenant).await
    }

    /// The tenant of this name in a service that was made otherwise, such as of one's own [`Parts`]; makes it
    /// if it is not there.
    ///
    /// # Errors
    /// When the store fails, or the name is none for a tenant.
    pub async fn within(service: Arc<Service>, tenant: &str) -> Result<Self, RegisterError> {
        let operator = Operator::of_this_machine(OPERATOR);
        let find = || {
            service
                .tenants(&operator)
                .into_iter()
                .find(|known| known.name == tenant)
        };
        let found = if let Some(found) = find() {
            found
        } else {
            let content = TenantContent {
                name: tenant.to_owned(),
            };
            match service.create_tenant(&operator, content).await {
                // another task may have made it meanwhile
                Err(refusal @ Refusal::Conflict(_)) => find().ok_or(refusal)?,
                result => result?,
            }
        };
        Ok(Embedded {
            tenant: found.id.as_str().into(),
            operator,
            service,
        })
    }

    /// The service: for its management, and for one's own axum app.
    pub fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// The operator as a caller: what management asks for. It sees the catalog as it is now, so ask for
    /// a new one after a change.
    ///
    /// # Errors
    /// When the tenant is gone.
    pub fn caller(&self) -> Result<Caller, Refusal> {
        let caller = self.service.operator(&self.operator, &self.tenant);
        caller.ok_or(Refusal::no_such("tenant"))
    }

    /// A client that may do everything in the tenant.
    pub fn client(&self) -> Client {
        let identity = Identity::Operator {
            operator: self.operator.clone(),
            tenant: self.tenant.clone(),
        };
        Client::through(Arc::new(ServiceTransport {
            service: self.service.clone(),
            identity,
        }))
    }

    /// A client that may do what a credential may: an API key or an access token.
    pub fn client_of(&self, credential: &str) -> Client {
        let identity = Identity::Credential(credential.to_owned());
        Client::through(Arc::new(ServiceTransport {
            service: self.service.clone(),
            identity,
        }))
    }

    /// Ends the service's tasks and writes what is still to be written, for every clone. The store itself is
    /// closed when the last clone of the service and its clients is dropped.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn close(self) -> Result<(), StoreError> {
        self.service.close().await
    }
}

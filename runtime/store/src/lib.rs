//! What is kept: the catalog (tenants, areas, schemas, datasets, credentials: few rows, read from
//! memory) and the records (many, read by key). Two contracts, [`Catalogs`] and [`Records`]; an engine
//! implements both. Nothing here knows who may do what, or HTTP.

pub mod catalog;
pub mod catalog_check;
pub mod daily_counts;
pub mod deliveries;
pub mod delta;
pub mod files;
pub mod folders;
pub mod issued_tables;
pub mod jobs;
pub mod leases;
pub mod memory;
pub mod own_thread;
pub mod records;
pub mod retention;
pub mod search;
pub mod shared_limits;
pub mod trail_check;
pub mod transfer;

mod copies;
mod error;

pub use catalog::{Catalog, Catalogs, Issued};
pub use copies::{Copies, Store, ThrowawayCopy};
pub use daily_counts::DailyCounts;
pub use error::{Lack, RottenRow, StoreError, TakesNoWrites, chain};
pub use jobs::Jobs;
pub use leases::Leases;
pub use records::Records;
pub use retention::Retention;
pub use shared_limits::SharedLimits;

/// What one of several things came to.
pub type StoreResult<T> = Result<T, StoreError>;

/// What a store hands out; boxed, so that engines can stand behind one trait object.
pub type StoreFuture<'a, T> =
    std::pin::Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

//! Limits that hold for all servers of one store together: how often something may be tried, and how much a tenant may have.
//! A store that nobody shares keeps none of it; who asks counts in memory then.

use crate::StoreFuture;
use wire::Timestamp;

/// So many at once, and one more whenever the time of one is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// How many at once.
    pub at_once: i64,
    /// After how many microseconds one comes back.
    pub each_micros: i64,
}

/// What is taken from an allowance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whose allowance it is, and which.
    pub holder: String,
    /// What the holder may at most.
    pub allowance: Allowance,
    /// How many are taken; no more than `at_once`.
    pub count: i64,
}

/// What became of a taking: `Err` has the microseconds after which there is as much.
pub type TakeVerdict = Result<(), i64>;

/// Room for files of jobs that a tenant asks for, in the folder that a server keeps them in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRoom {
    /// Whose files they are.
    pub tenant: String,
    /// What tells the folder from those of other servers.
    pub folder: String,
    /// Bytes that are needed.
    pub bytes: u64,
    /// Bytes that are wished for what comes next.
    pub aside: u64,
    /// What the tenant may have in all folders.
    pub bytes_max: u64,
}

/// What was found in a folder of files of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobBytes {
    /// What tells the folder from those of other servers.
    pub folder: String,
    /// Tenants that have files there, each once, and how many bytes.
    pub of_tenants: Vec<(String, u64)>,
}

/// The contract of limits that servers share; what it says by itself is right for a store that nobody shares.
pub trait SharedLimits: Send + Sync {
    /// Whether other servers may take from the same allowances, so that they are kept here.
    fn shares_limits(&self) -> bool {
        false
    }

    /// Takes from each of these, or from none, by the store's own clock. Who takes from several names them in one order, whatever
    /// server it is.
    fn take_allowances(&self, wanted: Vec<Taken>) -> StoreFuture<'_, TakeVerdict> {
        let _ = wanted;
        Box::pin(std::future::ready(Ok(Ok(()))))
    }

    /// Holders with one of these beginnings that lack something of their own, each with the microseconds until it has it back.
    fn lacking_allowances(&self, beginnings: Vec<String>) -> StoreFuture<'_, Vec<(String, i64)>> {
        let _ = beginnings;
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Gives back what was taken.
    fn give_back_allowances(&self, taken: Vec<Taken>) -> StoreFuture<'_, ()> {
        let _ = taken;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Forgets holders who have everything back.
    fn forget_whole_allowances(&self) -> StoreFuture<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Takes room for files of jobs: what is needed, and of what is wished as much as there is, which is answered; `None` where
    /// there is not what is needed. It counts until it is told what there is in the folder.
    fn take_job_room(&self, room: JobRoom, at: Timestamp) -> StoreFuture<'_, Option<u64>> {
        let _ = at;
        Box::pin(std::future::ready(Ok(Some(room.aside))))
    }

    /// Notes what there is in a folder, in place of what was taken there. Folders of which nothing was told for a day are
    /// forgotten.
    fn note_job_bytes(&self, counted: JobBytes, at: Timestamp) -> StoreFuture<'_, ()> {
        let _ = (counted, at);
        Box::pin(std::future::ready(Ok(())))
    }

    /// How much room a tenant has taken in all folders but one.
    fn job_bytes_elsewhere(&self, tenant: &str, folder: &str) -> StoreFuture<'_, u64> {
        let _ = (tenant, folder);
        Box::pin(std::future::ready(Ok(0)))
    }

    /// How many records a tenant has at most that are not deleted, if that is known without counting those of each dataset.
    fn records_at_most(&self, tenant: &str) -> StoreFuture<'_, Option<u64>> {
        let _ = tenant;
        Box::pin(std::future::ready(Ok(None)))
    }

    /// Sets how many records a tenant may have that are not deleted. A write that would be one more than that is
    /// [`StoreError::RecordsFull`](crate::StoreError::RecordsFull), whichever server is asked.
    fn limit_records(&self, of_tenant_max: u64) {
        let _ = of_tenant_max;
    }
}

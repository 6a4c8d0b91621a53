//! Room for files of jobs, within the tenant's quota: what there is in the folder is counted when nothing more is known to fit.
//! Where servers share a store, each takes room there for a while to come, so that they hold the quota together wherever
//! their folders are. docs/scale.md, "Several servers".

use super::folder::{JobFolder, Part};
use crate::quota::Quota;
use crate::{Refusal, Service, ids, quotas};
use std::collections::BTreeMap;
use store::StoreError;
use store::shared_limits::{JobBytes, JobRoom};

/// Room that a server takes at a time for what comes next, in bytes.
const ASIDE_MAX: u64 = 4 << 20;
/// What part of the quota that is at most.
const ASIDE_PARTS: u64 = 256;

impl Service {
    /// Takes room for bytes of a job's file, before they are written.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`], the store's, the disk's.
    pub(crate) async fn require_job_room(&self, tenant: &str, bytes: u64) -> Result<(), Refusal> {
        let rooms = &self.quota_rooms.job_bytes;
        if quotas::take(rooms, tenant, bytes) {
            return Ok(());
        }
        let quota = self.settings().quotas.job_bytes;
        let Some(folder) = self.job_folder.get() else {
            return Ok(());
        };
        if !self.store().shares_limits() {
            let used = self.job_bytes(folder).await?.remove(tenant);
            let used = used.unwrap_or_default();
            return quotas::take_counted(rooms, (tenant, bytes), (Quota::JobBytes, quota, used));
        }
        let Some(folder) = self.folder_of_jobs(folder)? else {
            // no file is begun there that would take any
            return Ok(());
        };
        let room = JobRoom {
            tenant: tenant.to_owned(),
            folder,
            bytes,
            aside: ASIDE_MAX.min(quota / ASIDE_PARTS),
            bytes_max: quota,
        };
        let mut aside = self.store().take_job_room(room.clone(), self.now()).await?;
        if aside.is_none() {
            // files may have gone since the folder was counted
            self.note_job_rooms().await?;
            aside = self.store().take_job_room(room, self.now()).await?;
        }
        let aside = aside.ok_or(Refusal::QuotaExceeded {
            what: Quota::JobBytes,
            quota,
        })?;
        *rooms.lock().entry(tenant.to_owned()).or_default() += aside;
        Ok(())
    }

    /// Tells the store that servers share how many bytes there are in this one's folder. One that is away counts as it did
    /// before.
    ///
    /// # Errors
    /// When the store or the disk fails.
    pub(super) async fn note_job_rooms(&self) -> Result<(), StoreError> {
        let Some(folder) = self.job_folder.get() else {
            return Ok(());
        };
        if !self.store().shares_limits() {
            return Ok(());
        }
        let Some(own) = self.folder_of_jobs(folder)? else {
            return Ok(());
        };
        // what was set aside is not among what is counted
        self.quota_rooms.job_bytes.lock().clear();
        let of_tenants = self.job_bytes(folder).await?.into_iter().collect();
        let counted = JobBytes {
            folder: own,
            of_tenants,
        };
        self.store().note_job_bytes(counted, self.now()).await
    }

    /// Bytes of the files that jobs of a tenant have in the folders of all servers, those that are being sent too.
    ///
    /// # Errors
    /// When the store or the disk fails.
    pub(crate) async fn job_bytes_of_all(&self, tenant: &str) -> Result<u64, StoreError> {
        let Some(folder) = self.job_folder.get() else {
            return Ok(0);
        };
        let own = self.job_bytes(folder).await?.remove(tenant);
        let mut all = own.unwrap_or_default();
        if self.store().shares_limits() {
            // one that is away counts as those of others do
            let here = self.folder_of_jobs(folder)?.unwrap_or_default();
            all += self.store().job_bytes_elsewhere(tenant, &here).await?;
        }
        Ok(all)
    }

    fn folder_of_jobs(&self, folder: &JobFolder) -> Result<Option<String>, StoreError> {
        let new = ids::new_id(self.now(), self.entropy());
        Ok(folder.identity(&new)?)
    }

    /// Bytes of each tenant's files in the folder. The store is asked once, however many jobs have some.
    async fn job_bytes(&self, folder: &JobFolder) -> Result<BTreeMap<String, u64>, StoreError> {
        let all = folder.found()?;
        let of_jobs = all.iter().filter(|found| found.part != Part::Upload);
        let ids: Vec<String> = of_jobs.map(|found| found.job.clone()).collect();
        let tenants = if ids.is_empty() {
            Vec::new()
        } else {
            self.store().job_tenants(ids).await?
        };
        let tenants: BTreeMap<String, String> = tenants.into_iter().collect();
        let mut bytes_of = BTreeMap::new();
        for found in &all {
            let tenant = match found.part {
                Part::Upload => found.of.as_ref(),
                Part::Input | Part::Made(_) => tenants.get(&found.job),
            };
            if let Some(tenant) = tenant {
                // one that went meanwhile has none
                let bytes = std::fs::metadata(&found.path).map_or(0, |it| it.len());
                *bytes_of.entry(tenant.clone()).or_default() += bytes;
            }
        }
        Ok(bytes_of)
    }
}

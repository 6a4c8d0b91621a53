//! Quotas: what a tenant may have at most, so that none fills the disk for others. What there is of records and
//! files is counted when nothing more is known to fit, not at each write; what is under way then is held beside that
//! (`quota_rooms.rs`). Of other servers of a store nothing is known here, so that holds records and files to theirs
//! (`store::SharedLimits`, `Files::put_file_within`). Files of jobs are counted where they are (`jobs/room.rs`). docs/interface.md, "Quotas".

use crate::catalog_quotas;
use crate::quota::Quota;
use crate::quota_rooms::{HeldRoom, HeldRooms, require};
use crate::{Caller, Refusal, Service};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use store::catalog::{Catalog, User, Webhook};
use store::files::{FileRoom, Files, StoredFile};
use store::{Store, StoreError};
use wire::Timestamp;
use wire::manage::{QuotaUse, QuotaView};

/// What of records and of bytes is known to fit, by tenant.
#[derive(Default)]
pub(crate) struct QuotaRooms {
    records: HeldRooms,
    file_bytes: HeldRooms,
    pub(crate) job_bytes: Rooms,
}

/// What is known to fit, by tenant.
pub(crate) type Rooms = Mutex<FxHashMap<String, u64>>;

/// Takes from what is known to fit; whether there was as much.
pub(crate) fn take(rooms: &Rooms, tenant: &str, wanted: u64) -> bool {
    let mut rooms = rooms.lock();
    let Some(left) = rooms.get_mut(tenant).filter(|left| **left >= wanted) else {
        return false;
    };
    *left -= wanted;
    true
}

/// The same once it was counted what there is.
pub(crate) fn take_counted(
    rooms: &Rooms,
    (tenant, wanted): (&str, u64),
    (what, quota, used): (Quota, u64, u64),
) -> Result<(), Refusal> {
    let left = quota.saturating_sub(used);
    rooms.lock().insert(tenant.to_owned(), left);
    require(what, quota, used, wanted)?;
    take(rooms, tenant, wanted);
    Ok(())
}

/// Versions of a tenant's schemas.
#[derive(Default)]
pub(crate) struct SchemaVersions {
    living: u64,
    deleted: u64,
}

impl SchemaVersions {
    /// As they are when so many of deleted schemas come back.
    pub(crate) fn restored(self, versions: u64) -> Self {
        SchemaVersions {
            living: self.living + versions,
            deleted: self.deleted.saturating_sub(versions),
        }
    }

    /// What counts: versions of schemas that are not deleted, and what those that are have beyond the quota, since nothing else
    /// bounds what is made and deleted again and again.
    pub(crate) fn used(&self, quota: u64) -> u64 {
        self.living + self.deleted.saturating_sub(quota)
    }
}

pub(crate) fn count_versions(catalog: &Catalog, tenant: &str) -> SchemaVersions {
    let own = catalog.schemas.values().filter(|it| it.tenant == tenant);
    own.fold(SchemaVersions::default(), |mut all, entry| {
        let count = if entry.deleted {
            &mut all.deleted
        } else {
            &mut all.living
        };
        *count += entry.versions.len() as u64;
        all
    })
}

/// Codes of a tenant's data domains.
pub(crate) fn domain_codes(catalog: &Catalog, tenant: &str) -> u64 {
    let own = catalog.domains.values().filter(|it| it.tenant == tenant);
    own.map(|domain| domain.codes.len() as u64).sum()
}

/// The ids of all datasets of a tenant, those that were deleted too.
fn dataset_ids(catalog: &Catalog, tenant: &str) -> Vec<String> {
    let own = catalog.datasets.values().filter(|it| it.tenant == tenant);
    own.map(|dataset| dataset.id.clone()).collect()
}

impl Service {
    /// Takes room for one more record, to be held until the record is stored.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`], the store's.
    pub(crate) async fn require_record_room(&self, tenant: &str) -> Result<HeldRoom, Refusal> {
        let rooms = &self.quota_rooms.records;
        if let Some(held) = rooms.take(tenant, 1) {
            return Ok(held);
        }
        let _counting = rooms.counting(tenant).await;
        if let Some(held) = rooms.take(tenant, 1) {
            return Ok(held);
        }
        self.count_records(tenant, 1).await?;
        let held = rooms.take(tenant, 1);
        held.ok_or_else(|| self.records_full())
    }

    /// Asks for room for so many more records, none of which is to be stored.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`], the store's.
    pub(crate) async fn require_tried_room(
        &self,
        tenant: &str,
        wanted: u64,
    ) -> Result<(), Refusal> {
        let rooms = &self.quota_rooms.records;
        if rooms.has(tenant, wanted) {
            return Ok(());
        }
        let _counting = rooms.counting(tenant).await;
        if rooms.has(tenant, wanted) {
            return Ok(());
        }
        self.count_records(tenant, wanted).await?;
        let is_there = rooms.has(tenant, wanted);
        is_there.then_some(()).ok_or_else(|| self.records_full())
    }

    /// Notes what fits beside a tenant's records and what is under way: by how many records there are at most, where that
    /// leaves as much as is wanted, else by their count.
    async fn count_records(&self, tenant: &str, wanted: u64) -> Result<(), StoreError> {
        let (rooms, quota) = (&self.quota_rooms.records, self.settings.quotas.records);
        loop {
            let held = rooms.held(tenant);
            let left = |used: u64| quota.saturating_sub(used).saturating_sub(held);
            let most = self.store.records_at_most(tenant).await?;
            let used = match most.filter(|most| left(*most) >= wanted.max(1)) {
                Some(most) => most,
                None => self.records_of(&self.store.catalog(), tenant).await?,
            };
            if rooms.note(tenant, left(used), (held, wanted)) {
                return Ok(());
            }
        }
    }

    /// Forgets what was known to fit, since others than this service took it.
    pub(crate) fn forget_record_room(&self, tenant: &str) {
        self.quota_rooms.records.forget(tenant);
    }

    fn records_full(&self) -> Refusal {
        Refusal::QuotaExceeded {
            what: Quota::Records,
            quota: self.settings.quotas.records,
        }
    }

    /// Takes room for a file, to be held until the file is kept; none of a dataset that is gone.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`], the store's.
    pub(crate) async fn require_file_room(
        &self,
        dataset: &str,
        bytes: u64,
    ) -> Result<Option<HeldRoom>, Refusal> {
        let catalog = self.store.catalog();
        let Some(dataset) = catalog.datasets.get(dataset) else {
            return Ok(None);
        };
        let (rooms, tenant) = (&self.quota_rooms.file_bytes, &dataset.tenant);
        if let Some(held) = rooms.take(tenant, bytes) {
            return Ok(Some(held));
        }
        let _counting = rooms.counting(tenant).await;
        if let Some(held) = rooms.take(tenant, bytes) {
            return Ok(Some(held));
        }
        let quota = self.settings.quotas.file_bytes;
        loop {
            let held = rooms.held(tenant);
            let used = self.file_bytes_of(&catalog, tenant).await?;
            let left = quota.saturating_sub(used).saturating_sub(held);
            if rooms.note(tenant, left, (held, bytes)) {
                break;
            }
        }
        match rooms.take(tenant, bytes) {
            Some(held) => Ok(Some(held)),
            None => Err(Refusal::QuotaExceeded {
                what: Quota::FileBytes,
                quota,
            }),
        }
    }

    /// Keeps a file for which there was room here; where servers share the store, if there is room for it by all of them.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`], the store's.
    pub(crate) async fn put_file(
        &self,
        files: &Arc<dyn Files>,
        file: &StoredFile,
    ) -> Result<(), Refusal> {
        let catalog = self.store.catalog();
        let Some(dataset) = catalog.datasets.get(&file.dataset) else {
            return Ok(files.put_file(file.clone()).await?);
        };
        let quota = self.settings.quotas.file_bytes;
        let room = FileRoom {
            tenant: dataset.tenant.clone(),
            datasets: dataset_ids(&catalog, &dataset.tenant),
            bytes_max: quota,
        };
        if files.put_file_within(file.clone(), room).await? {
            return Ok(());
        }
        Err(Refusal::QuotaExceeded {
            what: Quota::FileBytes,
            quota,
        })
    }

    /// Asks for room for one more session of a user. Where servers share the store, what is given asks once more when the
    /// session is decided on: no other one begins between that and its commit.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`].
    pub(crate) fn require_session_room(&self, user: &User) -> Result<Option<SessionRoom>, Refusal> {
        let room = SessionRoom {
            store: self.store.clone(),
            quota: self.settings.quotas.sessions,
        };
        room.require(&self.store.catalog(), user, self.now())?;
        Ok(self.store.shares_limits().then_some(room))
    }

    /// What the caller's tenant may have, and what it has.
    ///
    /// # Errors
    /// The caller is no administrator; the store's.
    pub async fn quotas(&self, by: &Caller) -> Result<QuotaView, Refusal> {
        let caller = self.newest(by)?;
        if !caller.rights().is_administrator() {
            return Err(Refusal::Forbidden(
                "only an administrator sees what the tenant has in all".into(),
            ));
        }
        let (catalog, tenant) = (caller.catalog(), caller.tenant());
        let quotas = self.settings.quotas;
        let of = |limit, used| QuotaUse { limit, used };
        Ok(QuotaView {
            records: of(quotas.records, self.records_of(catalog, tenant).await?),
            file_bytes: of(
                quotas.file_bytes,
                self.file_bytes_of(catalog, tenant).await?,
            ),
            schema_versions: of(
                quotas.schema_versions,
                count_versions(catalog, tenant).used(quotas.schema_versions),
            ),
            domain_codes: of(quotas.domain_codes, domain_codes(catalog, tenant)),
            sessions: of(
                quotas.sessions,
                sessions_of(&*self.store, catalog, tenant, self.now()),
            ),
            job_bytes: of(quotas.job_bytes, self.job_bytes_of_all(tenant).await?),
            catalog_bytes: of(
                quotas.catalog_bytes,
                catalog_quotas::bytes(catalog, tenant, quotas.catalog_bytes),
            ),
            resources: of(
                quotas.resources,
                catalog_quotas::resources(catalog, tenant, quotas.resources),
            ),
            webhooks: of(
                quotas.webhooks,
                catalog_quotas::number::<Webhook>(catalog, tenant, quotas.webhooks),
            ),
        })
    }

    async fn records_of(&self, catalog: &Catalog, tenant: &str) -> Result<u64, StoreError> {
        let own = catalog.datasets.values().filter(|it| it.tenant == tenant);
        let numbers = own.map(|dataset| dataset.number).collect();
        let counts = self.store.counts_of(numbers).await?;
        Ok(counts.iter().map(|it| it.records).sum())
    }

    async fn file_bytes_of(&self, catalog: &Catalog, tenant: &str) -> Result<u64, StoreError> {
        let Some(backend) = self.file_backend.get() else {
            return Ok(0);
        };
        let datasets = dataset_ids(catalog, tenant);
        backend.files.file_bytes(datasets).await
    }
}

/// What a tenant may have of sessions, and where they are.
pub(crate) struct SessionRoom {
    store: Arc<dyn Store>,
    quota: u64,
}

impl SessionRoom {
    /// Asks for room for one more session.
    ///
    /// # Errors
    /// [`Refusal::QuotaExceeded`].
    pub(crate) fn require(
        &self,
        catalog: &Catalog,
        user: &User,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        // those of all tenants are quickly known
        if (self.store.issued_counts().sessions as u64) < self.quota {
            return Ok(());
        }
        let used = sessions_of(&*self.store, catalog, &user.tenant, now);
        require(Quota::Sessions, self.quota, used, 1)
    }
}

/// Sessions of a tenant's users that have not run out.
fn sessions_of(store: &dyn Store, catalog: &Catalog, tenant: &str, now: Timestamp) -> u64 {
    let users = catalog.users.values().filter(|user| user.tenant == tenant);
    let sessions = users.flat_map(|user| store.sessions_of(&user.id));
    sessions.filter(|session| now < session.expires_at).count() as u64
}

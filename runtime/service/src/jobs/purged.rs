//! What a purge leaves to do in jobs. The store notes in the purge's own transaction that jobs of its dataset may keep what was
//! purged, and the note goes when none does any more: so a purge that was cut off is settled by whoever comes next, at the start
//! of a service at the latest. Jobs that have ended are emptied; one that is under way may have read the record, so it is marked
//! to be emptied at its end. Jobs that were asked for since the purge have not read it: by numbers of the log, since clocks may be
//! apart, or set back.

use crate::Service;
use store::StoreError;
use store::retention::UnsettledPurge;

impl Service {
    /// Empties jobs behind the purges of all datasets that are not settled yet. One that can't be settled keeps none of the
    /// others from it.
    ///
    /// # Errors
    /// The first failure, once all of them were tried.
    pub(crate) async fn settle_purges(&self) -> Result<(), StoreError> {
        let mut settled = Ok(());
        for purge in self.store().unsettled_purges(None).await? {
            settled = settled.and(self.settle_purge(purge).await);
        }
        settled
    }

    /// The same when a service starts: what can't be done now, the next cleaning does.
    pub(crate) async fn settle_left_purges(&self) {
        if self.store().is_read_only() {
            return;
        }
        if let Err(error) = self.settle_purges().await {
            tell_unsettled(&error);
        }
    }

    /// Empties jobs behind the purge of a dataset that was just done, and no others. The record is gone, so who asked for that
    /// is not told of what can't be done now: the next cleaning does it, or the next start.
    pub(crate) async fn settle_purge_of(&self, dataset: u32) {
        let settled = async {
            for purge in self.store().unsettled_purges(Some(dataset)).await? {
                self.settle_purge(purge).await?;
            }
            Ok::<_, StoreError>(())
        };
        if let Err(error) = settled.await {
            tell_unsettled(&error);
        }
    }

    async fn settle_purge(&self, purge: UnsettledPurge) -> Result<(), StoreError> {
        // its dataset may have been made by another server just now
        let catalog = self.store().current_catalog().await?;
        if let Some(dataset) = catalog.datasets_by_number.get(&purge.dataset) {
            self.forget_in_jobs((&dataset.tenant, &dataset.id), purge.number)
                .await?;
        }
        self.store().settle_purge(purge).await
    }

    /// Empties the jobs of a dataset, those under way at their end, that were asked for before the log had an entry.
    pub(crate) async fn forget_in_jobs(
        &self,
        (tenant, dataset): (&str, &str),
        asked_before: u64,
    ) -> Result<(), StoreError> {
        // first these: one that ends meanwhile is among those that have ended
        self.store()
            .mark_running_jobs(dataset, asked_before)
            .await?;
        self.empty_jobs((tenant, dataset), Some(asked_before)).await
    }
}

fn tell_unsettled(error: &StoreError) {
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "jobs can't be emptied yet that may keep what was purged"
    );
}

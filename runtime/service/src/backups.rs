//! What is known of backups that servers make by themselves: when the newest was begun. Where several servers share a store,
//! it remembers that for all of them, so that each tells the same, and removes nothing by its age that no backup has,
//! whoever makes them. A store that one server has to itself remembers nothing: that server looks at its backups.

use crate::Service;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use store::StoreError;
use store::catalog::{Catalog, CatalogWrite, Setting};
use store::leases::is_ahead;
use wire::Timestamp;

/// The setting by which a store remembers it.
const SETTING: &str = "backups";
/// After how long a server says once more that it makes backups, though there is no newer one.
const TOLD_AGAIN_SECONDS: i64 = 6 * 3600;
/// So long after it was said last, backups count as given up, and hold nothing any more.
const GIVEN_UP_SECONDS: i64 = 30 * 24 * 3600;

/// The backups that this server knows.
#[derive(Default)]
pub(crate) struct Backups {
    /// When the newest was begun.
    newest: Mutex<Option<Timestamp>>,
}

/// What a store remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToldBackups {
    /// When the newest was begun; `None` while there is none.
    begun_at: Option<Timestamp>,
    /// When a server that makes some said so last.
    told_at: Timestamp,
}

impl ToldBackups {
    fn of(catalog: &Catalog, now: Timestamp) -> Option<Self> {
        let setting = catalog.settings.get(SETTING)?;
        let told: ToldBackups = serde_json::from_str(&setting.value).ok()?;
        Some(ToldBackups {
            begun_at: past(told.begun_at, now),
            ..told
        })
    }

    /// Whether a server that knows this backup need not say so at this moment. What was said by a clock that was ahead is
    /// said again, so that it does not last.
    fn has(&self, begun_at: Option<Timestamp>, now: Timestamp) -> bool {
        let is_recent = now < self.told_at.plus_seconds(TOLD_AGAIN_SECONDS);
        self.begun_at >= begun_at && is_recent && !is_ahead(self.told_at, now)
    }
}

/// When a backup was begun, unless by a clock that was ahead: when that was in truth, nobody knows.
fn past(begun_at: Option<Timestamp>, now: Timestamp) -> Option<Timestamp> {
    begun_at.filter(|begun_at| !is_ahead(*begun_at, now))
}

impl Service {
    /// Notes that a backup has all that was there at a moment.
    pub fn note_backup(&self, begun_at: Timestamp) {
        let now = self.now();
        let mut newest = self.backups.newest.lock();
        *newest = past(*newest, now).max(past(Some(begun_at), now));
    }

    /// Tells the other servers of the store that this one makes backups, and of the newest that was noted. It is to be asked
    /// for once a day at least, also where there is none yet.
    ///
    /// # Errors
    /// The store's.
    pub async fn tell_backups(&self) -> Result<(), StoreError> {
        if !self.is_shared() {
            return Ok(());
        }
        let now = self.now();
        let own = past(*self.backups.newest.lock(), now);
        let told = ToldBackups::of(&self.store().catalog(), now);
        if told.is_some_and(|told| told.has(own, now)) {
            return Ok(());
        }
        self.put_told_backups(own, now).await
    }

    /// Notes of what was told by a clock that was ahead that it is told now: it would hold what is old until that clock's date,
    /// also where nobody makes backups any more.
    ///
    /// # Errors
    /// The store's.
    pub(crate) async fn correct_told_backups(&self) -> Result<(), StoreError> {
        let now = self.now();
        let told = self.told_backups();
        if told.is_none_or(|told| !is_ahead(told.told_at, now)) {
            return Ok(());
        }
        let own = past(*self.backups.newest.lock(), now);
        self.put_told_backups(own, now).await
    }

    async fn put_told_backups(
        &self,
        own: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let decided = self.store().decide(Box::new(move |catalog| {
            let known = ToldBackups::of(catalog, now).and_then(|told| told.begun_at);
            let told = ToldBackups {
                begun_at: known.max(own),
                told_at: now,
            };
            let setting = Setting {
                id: SETTING.to_owned(),
                value: serde_json::to_string(&told).map_err(|error| error.to_string())?,
            };
            Ok(CatalogWrite {
                put: vec![setting.into()],
                ..CatalogWrite::default()
            })
        }));
        let decided = decided.await?;
        decided
            .map(drop)
            .map_err(|error| StoreError::Damaged(format!("{error:?}")))
    }

    /// When the newest backup was begun that this server made or found, or another one of the store told of.
    pub fn last_backup(&self) -> Option<Timestamp> {
        let own = past(*self.backups.newest.lock(), self.now());
        own.max(self.told_backups().and_then(|told| told.begun_at))
    }

    /// Whether some server of the store makes backups, so that nothing goes by its age that none has.
    pub(crate) fn are_backups_made(&self) -> bool {
        let is_told = |told: ToldBackups| self.now() < told.told_at.plus_seconds(GIVEN_UP_SECONDS);
        self.settings().retention.only_backed_up || self.told_backups().is_some_and(is_told)
    }

    fn told_backups(&self) -> Option<ToldBackups> {
        let told = ToldBackups::of(&self.store().catalog(), self.now());
        told.filter(|_| self.is_shared())
    }

    /// Whether other servers may write to the store.
    pub(crate) fn is_shared(&self) -> bool {
        self.store().be_current().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_again_of_a_newer_one_and_after_some_hours() {
        let at = |seconds| Timestamp::default().plus_seconds(seconds);
        let told = ToldBackups {
            begun_at: Some(at(10)),
            told_at: at(20),
        };
        assert!(told.has(None, at(21)) && told.has(Some(at(10)), at(21)));
        assert!(!told.has(Some(at(11)), at(21)));
        assert!(!told.has(Some(at(10)), at(20 + TOLD_AGAIN_SECONDS)));
        // by a clock that was ahead
        assert!(told.has(None, at(20 - 300)) && !told.has(None, at(19 - 300)));
        let text = serde_json::to_string(&told).expect("JSON");
        let meant = r#"{"begunAt":"1970-01-01T00:00:10.000Z","toldAt":"1970-01-01T00:00:20.000Z"}"#;
        assert_eq!(text, meant);
        assert_eq!(serde_json::from_str::<ToldBackups>(&text).ok(), Some(told));
    }
}

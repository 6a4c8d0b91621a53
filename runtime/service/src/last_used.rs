//! When credentials were last used: noted in memory by every request, written every few seconds.

use parking_lot::RwLock;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use store::catalog::{Kind, NounKey};
use wire::Timestamp;

/// What was used since the last writing: by kind, then id. A credential that is in it already costs a
/// request a shared lock and no allocation.
#[derive(Default)]
pub(super) struct LastUsed {
    noted: RwLock<FxHashMap<Kind, FxHashMap<Box<str>, AtomicI64>>>,
}

impl LastUsed {
    /// Notes that a credential was used.
    pub(super) fn note(&self, kind: Kind, id: &str, now: Timestamp) {
        let noted = self.noted.read();
        if let Some(at) = noted.get(&kind).and_then(|of_kind| of_kind.get(id)) {
            at.fetch_max(now.millis(), Ordering::Relaxed);
            return;
        }
        drop(noted);
        let mut noted = self.noted.write();
        let at = noted.entry(kind).or_default().entry(id.into()).or_default();
        at.fetch_max(now.millis(), Ordering::Relaxed);
    }

    /// The use that was noted last, if any was since the last writing.
    pub(super) fn noted(&self, kind: Kind, id: &str) -> Option<Timestamp> {
        let noted = self.noted.read();
        let at = noted.get(&kind)?.get(id)?;
        Some(Timestamp::from_millis(at.load(Ordering::Relaxed)))
    }

    /// Takes what was noted.
    pub(super) fn take(&self) -> Vec<(NounKey, Timestamp)> {
        let mut noted = self.noted.write();
        let taken = std::mem::take(&mut *noted);
        drop(noted);
        let mut all = Vec::new();
        for (kind, of_kind) in taken {
            all.extend(of_kind.into_iter().map(|(id, at)| {
                let key = NounKey {
                    kind,
                    id: id.into(),
                };
                (key, Timestamp::from_millis(at.into_inner()))
            }));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_use_is_kept_and_taken_once() {
        let used = LastUsed::default();
        for at in [5, 9, 7] {
            used.note(Kind::ApiKey, "k", Timestamp::from_millis(at));
        }
        let key = NounKey {
            kind: Kind::ApiKey,
            id: "k".to_owned(),
        };
        assert_eq!(
            used.noted(Kind::ApiKey, "k"),
            Some(Timestamp::from_millis(9))
        );
        assert_eq!(used.take(), [(key, Timestamp::from_millis(9))]);
        assert_eq!(used.take(), []);
        assert_eq!(used.noted(Kind::ApiKey, "k"), None);
    }
}

//! When a credential was last used.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use wire::Timestamp;

/// Stands for a credential that was never used.
const NEVER: i64 = i64::MIN;

/// When a credential was last used, if it ever was. It moves on while catalogs stay as they are: a clone is
/// the same clock, so every catalog that has the credential, and every change of it, shows its newest use.
#[derive(Clone)]
pub struct LastUsedAt(Arc<AtomicI64>);

impl LastUsedAt {
    /// The moment.
    pub fn get(&self) -> Option<Timestamp> {
        let at = self.0.load(Ordering::Relaxed);
        (at != NEVER).then(|| Timestamp::from_millis(at))
    }

    /// Moves on to a use; never back.
    pub fn note(&self, at: Timestamp) {
        self.0.fetch_max(at.millis(), Ordering::Relaxed);
    }
}

impl Default for LastUsedAt {
    fn default() -> Self {
        None.into()
    }
}

impl From<Option<Timestamp>> for LastUsedAt {
    fn from(at: Option<Timestamp>) -> Self {
        LastUsedAt(Arc::new(AtomicI64::new(
            at.map_or(NEVER, Timestamp::millis),
        )))
    }
}

impl PartialEq for LastUsedAt {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl fmt::Debug for LastUsedAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Serialize for LastUsedAt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.get().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LastUsedAt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(LastUsedAt::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_seen_by_every_clone_never_goes_back_and_is_written_as_a_moment() {
        let first = LastUsedAt::default();
        assert_eq!(serde_json::to_string(&first).unwrap(), "null");
        let clone = first.clone();
        for at in [9, 7] {
            clone.note(Timestamp::from_millis(at));
        }
        assert_eq!(first.get(), Some(Timestamp::from_millis(9)));
        let text = serde_json::to_string(&first).unwrap();
        assert_eq!(text, r#""1970-01-01T00:00:00.009Z""#);
        assert_eq!(serde_json::from_str::<LastUsedAt>(&text).unwrap(), first);
        assert_eq!(
            serde_json::from_str::<LastUsedAt>("null").unwrap().get(),
            None
        );
    }
}

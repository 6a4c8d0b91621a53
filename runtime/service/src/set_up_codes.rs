//! The codes of the set-up that are good, as hashes. That of a store which one server has to itself is in memory, and goes with
//! the process. Servers that share a store made one each when they were started, since none can tell that of another; the
//! store keeps those of all, so each is good at whichever server it is shown, until it has ended. With the first tenant go
//! all of them. docs/interface.md, "Set-up".

use crate::ended::is_too_late;
use parking_lot::Mutex;
use store::catalog::{Catalog, Setting};
use wire::Timestamp;

/// The setting by which a store keeps them: a line each, the hash and when it ends.
pub(crate) const SETTING: &str = "set-up-codes";
/// Seconds for which one is good.
const CODE_SECONDS: i64 = 7 * 24 * 3600;
/// So many are kept; with one more, the oldest goes.
const CODES_MAX: usize = 64;

/// The hash of the code that is good, of a store that this server has to itself.
#[derive(Default)]
pub(crate) struct OwnSetUpCode(Mutex<Option<String>>);

impl OwnSetUpCode {
    pub(crate) fn hash(&self) -> Option<String> {
        self.0.lock().clone()
    }

    pub(crate) fn set(&self, hash: Option<String>) {
        *self.0.lock() = hash;
    }
}

/// The hashes of those that a store keeps and that are good at a moment.
pub(crate) fn hashes(catalog: &Catalog, now: Timestamp) -> Vec<String> {
    let good = good(catalog, now).into_iter();
    good.map(|(hash, _)| hash).collect()
}

/// The setting with one more, and without those that have ended.
pub(crate) fn with(catalog: &Catalog, hash: &str, now: Timestamp) -> Setting {
    let mut codes = good(catalog, now);
    codes.push((hash.to_owned(), now.plus_seconds(CODE_SECONDS)));
    let over = codes.len().saturating_sub(CODES_MAX);
    let lines = codes[over..].iter();
    let lines: Vec<String> = lines
        .map(|(hash, ends_at)| format!("{hash} {ends_at}"))
        .collect();
    Setting {
        id: SETTING.to_owned(),
        value: lines.join("\n"),
    }
}

/// Those that are good, with when they end, in the order in which they were told.
fn good(catalog: &Catalog, now: Timestamp) -> Vec<(String, Timestamp)> {
    let Some(setting) = catalog.settings.get(SETTING) else {
        return Vec::new();
    };
    let codes = setting.value.lines().filter_map(|line| {
        let (hash, ends_at) = line.split_once(' ')?;
        let ends_at: Timestamp = ends_at.parse().ok()?;
        let is_good = now < ends_at && !is_too_late(ends_at, CODE_SECONDS, now);
        is_good.then(|| (hash.to_owned(), ends_at))
    });
    codes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(1_770_000_000_000).plus_seconds(seconds)
    }

    #[test]
    fn each_code_is_good_beside_those_of_before_until_its_own_end() {
        let mut catalog = Catalog::default();
        assert!(hashes(&catalog, at(0)).is_empty());
        catalog.put(with(&catalog, "one", at(0)).into());
        catalog.put(with(&catalog, "other", at(60)).into());
        assert_eq!(hashes(&catalog, at(60)), ["one", "other"]);
        assert_eq!(hashes(&catalog, at(CODE_SECONDS)), ["other"]);
        assert!(hashes(&catalog, at(CODE_SECONDS + 60)).is_empty());
        // told by a clock that was ahead
        assert!(hashes(&catalog, at(-7200)).is_empty());
        catalog.put(with(&catalog, "third", at(CODE_SECONDS)).into());
        assert_eq!(catalog.settings[SETTING].value.lines().count(), 2);
    }

    #[test]
    fn a_server_that_is_started_again_and_again_drives_out_the_oldest_codes() {
        let mut catalog = Catalog::default();
        for number in 0..=CODES_MAX {
            catalog.put(with(&catalog, &number.to_string(), at(0)).into());
        }
        let hashes = hashes(&catalog, at(0));
        assert_eq!(hashes.len(), CODES_MAX);
        assert_eq!((&*hashes[0], &*hashes[CODES_MAX - 1]), ("1", "64"));
    }
}

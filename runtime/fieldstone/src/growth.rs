//! Says when the store of a data folder nears what one machine should hold, when it holds as much, and what comes then.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often it is looked, and after how many looks the same is said again.
const LOOK_AGAIN: Duration = Duration::from_secs(60 * 60);
const SAY_AGAIN: u32 = 24;
/// Store and search index, each with its write-ahead log.
const FILES: [&str; 4] = [
    "fieldstone.db",
    "fieldstone.db-wal",
    "search.db",
    "search.db-wal",
];
/// From which part of the size on it is near.
const NEAR_PERCENT: u128 = 80;

/// How large a store is, of what it should be at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Small,
    Near,
    Reached,
}

impl Size {
    fn of(bytes: u64, bytes_max: u64) -> Self {
        if bytes >= bytes_max {
            Size::Reached
        } else if u128::from(bytes) * 100 >= u128::from(bytes_max) * NEAR_PERCENT {
            Size::Near
        } else {
            Size::Small
        }
    }

    /// Tells the operator.
    fn say(self, bytes: u64, bytes_max: u64) {
        match self {
            Size::Small => {}
            Size::Near => tracing::warn!(
                bytes,
                bytes_max,
                "the store has four fifths of --store-warn-bytes: think of what comes then; see scale.md, \"When one machine is not enough\", for `fieldstone move` into a database"
            ),
            Size::Reached => tracing::warn!(
                bytes,
                bytes_max,
                "the store is as large as --store-warn-bytes: backups, `compact` and a new search index take as long as its size says; see scale.md, \"When one machine is not enough\", for `fieldstone move` into a database"
            ),
        }
    }
}

/// What was said, and how many looks ago.
struct LastWarning {
    size: Size,
    looks: u32,
}

impl LastWarning {
    /// Whether it is time to say this: at once when it is more than before, and now and then while it stays.
    fn is_due(&mut self, size: Size) -> bool {
        self.looks += 1;
        let is_due = size > self.size || (size > Size::Small && self.looks >= SAY_AGAIN);
        if is_due {
            self.looks = 0;
        }
        self.size = size;
        is_due
    }
}

/// Looks at the folder as long as the server runs.
pub(crate) async fn watch(folder: PathBuf, bytes_max: u64) {
    let mut said = LastWarning {
        size: Size::Small,
        looks: 0,
    };
    loop {
        let bytes = bytes_of(&folder);
        let size = Size::of(bytes, bytes_max);
        if said.is_due(size) {
            size.say(bytes, bytes_max);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Of all files; what can't be looked at is said elsewhere.
fn bytes_of(folder: &Path) -> u64 {
    let sizes = FILES.map(|name| std::fs::metadata(folder.join(name)).map_or(0, |file| file.len()));
    sizes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_near_from_four_fifths_on() {
        let sizes = [0, 79, 80, 99, 100, u64::MAX].map(|bytes| Size::of(bytes, 100));
        let expected = [
            Size::Small,
            Size::Small,
            Size::Near,
            Size::Near,
            Size::Reached,
            Size::Reached,
        ];
        assert_eq!(sizes, expected);
        assert_eq!(Size::of(1, u64::MAX), Size::Small);
    }

    #[test]
    fn what_was_said_is_said_again_a_day_later_and_more_at_once() {
        let mut said = LastWarning {
            size: Size::Small,
            looks: 0,
        };
        assert!(!said.is_due(Size::Small));
        assert!(said.is_due(Size::Near));
        for _ in 1..SAY_AGAIN {
            assert!(!said.is_due(Size::Near));
        }
        assert!(said.is_due(Size::Near));
        assert!(said.is_due(Size::Reached));
        assert!(!said.is_due(Size::Near), "less is no news");
        assert!(said.is_due(Size::Reached));
    }

    #[test]
    fn the_write_ahead_logs_count() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in FILES.into_iter().zip([1_000, 200, 30, 4]) {
            std::fs::write(folder.path().join(name), vec![0_u8; bytes]).unwrap();
        }
        std::fs::write(folder.path().join("signing.secret"), "other").unwrap();
        assert_eq!(bytes_of(folder.path()), 1_234);
    }
}

//! The index as of one moment, in a few words that each look begins with: which one it is, and whether it has all that it had. A
//! database that lost its last commits lost what the index had of them, too.

use crate::error::{Failure, malformed};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use store::search::Progress;

// when it was made anew last: a name that each such time has. Servers that have nothing to write learn of it by that. Behind it,
// how its progress begins, which says how far it has come, and what all of it is known by
pub(super) const MOMENT: &str =
    "SELECT coalesce((SELECT p.document FROM search_progress p WHERE p.id = 2), '') || ' ' ||
   coalesce((SELECT left(p.document, 40) || ' ' || sha256(convert_to(p.document, 'UTF8'))::text
     FROM search_progress p WHERE p.id = 1), '')";
/// How a progress begins.
const APPLIED: &str = r#"{"applied":"#;

/// The index as of one moment.
pub(super) struct IndexMoment {
    /// By which name it was made anew last.
    pub(super) made: String,
    /// What the text of its progress is known by.
    digest: String,
    /// The newest entry of the change log that is in it.
    pub(super) applied: u64,
}

impl IndexMoment {
    pub(super) fn read(told: &str) -> Self {
        let (made, behind) = told.split_once(' ').unwrap_or((told, ""));
        let (progress, digest) = behind.rsplit_once(' ').unwrap_or((behind, ""));
        let applied = progress.strip_prefix(APPLIED).unwrap_or_default();
        let applied = applied.split(|it: char| !it.is_ascii_digit()).next();
        IndexMoment {
            made: made.to_owned(),
            digest: digest.strip_prefix("\\x").unwrap_or(digest).to_owned(),
            applied: applied
                .and_then(|applied| applied.parse().ok())
                .unwrap_or_default(),
        }
    }

    /// Whether this is its progress, to the letter.
    pub(super) fn is_of(&self, progress: &Progress) -> Result<bool, Failure> {
        Ok(self.digest == digest(&text(progress)?))
    }
}

/// A progress as it is written.
pub(super) fn text(progress: &Progress) -> Result<String, Failure> {
    let text = serde_json::to_string(progress);
    Ok(text.map_err(malformed("the search index's progress"))?)
}

fn digest(text: &str) -> String {
    let mut digest = String::new();
    for byte in Sha256::digest(text) {
        // INVARIANT: writing to a String cannot fail
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}

/// Whether an index lacks something that it had by a progress that is known of it: who only comes on leaves the mark of an entry,
/// no version becomes a lower one, and nothing is read again but for a newer version.
pub(super) fn lacks(now: &Progress, known: &Progress) -> bool {
    if now.applied != known.applied {
        return now.applied < known.applied;
    }
    let is_lower = |(schema, known): (&String, &i64)| {
        let now = now.versions.get(schema);
        now.is_none_or(|now| now < known)
    };
    let is_read_again = |(dataset, after): (&u32, &u64)| {
        let known = known.walks.get(dataset);
        known.is_none_or(|known| known > after)
    };
    now.mark != known.mark
        || known.versions.iter().any(is_lower)
        || (now.versions == known.versions && now.walks.iter().any(is_read_again))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_an_index_has_come_is_read_off_the_beginning_of_its_progress() {
        let progress = Progress {
            applied: u64::MAX,
            mark: "a mark ".repeat(9),
            ..Progress::default()
        };
        let document = text(&progress).unwrap();
        let digest = digest(&document);
        let moment = IndexMoment::read(&format!("made {} \\x{digest}", &document[..40]));
        assert_eq!((&*moment.made, moment.applied), ("made", u64::MAX));
        assert!(moment.is_of(&progress).unwrap());
        assert!(!moment.is_of(&Progress::default()).unwrap());
        let nothing = IndexMoment::read(" ");
        assert_eq!((&*nothing.made, nothing.applied), ("", 0));
    }

    #[test]
    fn an_index_that_comes_on_lacks_nothing_and_one_that_went_back_does() {
        let progress = |mark: &str, walks: &[(u32, u64)], version| Progress {
            applied: 7,
            mark: mark.to_owned(),
            walks: walks.iter().copied().collect(),
            versions: [("s".to_owned(), version)].into(),
        };
        let steps = [
            progress("m", &[(1, 0), (2, 0)], 1),
            progress("m", &[(1, 50), (2, 0)], 1),
            progress("m", &[(2, 0)], 1),
            progress("m", &[], 1),
            progress("m", &[(1, 0), (2, 0)], 2),
            progress("m", &[], 2),
        ];
        for (place, known) in steps.iter().enumerate() {
            for now in &steps[place..] {
                assert!(!lacks(now, known), "{now:?} {known:?}");
            }
        }
        for pair in steps.windows(2) {
            assert!(lacks(&pair[0], &pair[1]), "{pair:?}");
        }
        assert!(lacks(&progress("another", &[], 2), &steps[5]));
        let further = Progress {
            applied: 8,
            ..steps[0].clone()
        };
        assert!(!lacks(&further, &steps[5]));
        assert!(lacks(&steps[5], &further));
    }
}

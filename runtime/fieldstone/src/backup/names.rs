//! The names of backups that a server makes by itself: each tells when it was begun, and whose it is. In a bucket, another
//! name beside it tells that it was compared there.

use super::ENDING;
use service::{Clock as _, SystemClock};
use std::collections::HashSet;
use store::leases::is_ahead;
use wire::Timestamp;

/// How they begin.
const BEGINNING: &str = "fieldstone-";

/// How the names of the marks end that stand in a bucket beside what was compared there.
const MARK_ENDING: &str = ".compared";

/// The backups of a place, by their names, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Backups {
    /// Those that can be relied on.
    pub(super) whole: Vec<String>,
    /// Those that nobody compared, because their server ended before.
    pub(super) broken: Vec<String>,
}

impl Backups {
    /// Those of a folder, of all names in it: none has its name before it was compared.
    pub(super) fn in_folder(names: Vec<String>) -> Self {
        Backups {
            whole: own(names),
            broken: Vec::new(),
        }
    }

    /// Those of a bucket, of all names in it.
    pub(super) fn in_bucket(names: Vec<String>) -> Self {
        let marks = names
            .iter()
            .filter_map(|name| name.strip_suffix(MARK_ENDING));
        let compared: HashSet<String> = marks.map(str::to_owned).collect();
        let (whole, broken) = own(names)
            .into_iter()
            .partition(|name| compared.contains(name));
        Backups { whole, broken }
    }
}

/// This program's own, oldest first.
fn own(names: Vec<String>) -> Vec<String> {
    let own = names.into_iter().filter(|name| begun_at(name).is_some());
    let mut own: Vec<_> = own.collect();
    own.sort();
    own
}

/// The name of the mark that a backup in a bucket was compared there.
pub(super) fn mark_of(name: &str) -> String {
    format!("{name}{MARK_ENDING}")
}

/// The name of a backup of a moment, such as `2026-11-22T04:30:00.000Z`: names stand in the order of their moments.
pub(super) fn name(moment: &str) -> String {
    let moment: String = moment.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{BEGINNING}{moment}{ENDING}")
}

/// When a backup was begun, by its name, if that is one of this program's own: it has all that was there then.
pub(super) fn begun_at(name: &str) -> Option<Timestamp> {
    let moment = name.strip_prefix(BEGINNING)?.strip_suffix(ENDING)?;
    if moment.len() != 19 || !moment.ends_with('Z') {
        return None;
    }
    let part = |range: std::ops::Range<usize>| moment.get(range);
    let (year, month, day) = (part(0..4)?, part(4..6)?, part(6..8)?);
    let (hours, minutes, seconds) = (part(9..11)?, part(11..13)?, part(13..15)?);
    let millis = part(15..18)?;
    format!("{year}-{month}-{day}T{hours}:{minutes}:{seconds}.{millis}Z")
        .parse()
        .ok()
}

/// Whether a backup was named by a clock that was ahead: when it was begun is not known.
pub(super) fn is_of_wrong_clock(name: &str) -> bool {
    begun_at(name).is_some_and(|begun| is_ahead(begun, SystemClock.now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_a_backup_was_begun_is_read_from_its_name() {
        let moment = "2026-11-22T04:30:00.123Z";
        let begun = begun_at(&name(moment)).map(|it| it.to_string());
        assert_eq!(begun.as_deref(), Some(moment));
        for other in [
            "fieldstone-mine.tar.zst",
            "fieldstone-20261322T043000123Z.tar.zst",
            "notes",
        ] {
            assert_eq!(begun_at(other), None, "{other}");
        }
    }

    #[test]
    fn what_was_not_compared_in_a_bucket_is_no_backup() {
        let moments = [
            "2020-01-02T00:00:00.000Z",
            "2020-01-03T00:00:00.000Z",
            "2020-01-04T00:00:00.000Z",
        ];
        let [first, broken, newest] = moments.map(name);
        let mut names = vec![newest.clone(), broken.clone(), "notes".into()];
        names.push(first.clone());
        let all = vec![first.clone(), broken.clone(), newest.clone()];
        assert_eq!(Backups::in_bucket(names.clone()).broken, all);
        names.extend([mark_of(&newest), mark_of(&first)]);
        let in_folder = Backups::in_folder(names.clone());
        assert_eq!((in_folder.whole, in_folder.broken.len()), (all, 0));
        let found = Backups::in_bucket(names);
        assert_eq!(found.whole, [first, newest]);
        assert_eq!(found.broken, [broken]);
    }
}

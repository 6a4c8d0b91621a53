//! The names of backups that a server makes by itself: each tells when it was begun, and whose it is.

use super::{ENDING, encryption};
use service::{Clock as _, SystemClock};
use store::leases::is_ahead;
use wire::Timestamp;

/// How they begin.
const BEGINNING: &str = "fieldstone-";

/// The name of a backup of a moment, such as `2026-11-22T04:30:00.000Z`: names stand in the order of their moments.
pub(super) fn name(moment: &str) -> String {
    let moment: String = moment.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("{BEGINNING}{moment}{ENDING}")
}

/// When a backup was begun, by its name, if that is one of this program's own: it has all that was there then.
pub(super) fn begun_at(name: &str) -> Option<Timestamp> {
    let name = name.strip_suffix(encryption::ENDING).unwrap_or(name);
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
        let encrypted = begun_at(&(name(moment) + ".age")).map(|it| it.to_string());
        assert_eq!(encrypted, begun);
        for other in [
            "fieldstone-mine.tar.zst",
            "fieldstone-20261322T043000123Z.tar.zst",
            "notes",
        ] {
            assert_eq!(begun_at(other), None, "{other}");
        }
    }
}

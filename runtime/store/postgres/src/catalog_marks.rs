//! Marks of the newest versions of the catalog and of what is issued: each decision leaves a random number for the version that
//! it makes. A database that has the mark of a version goes on from that version, whatever it may have lost before, so that who
//! knows the version has to read only what is newer. A version that a migration or a move made has none.

use crate::connection::Connection;
use crate::error::Failure;

// the one without a version is of the last decision, whatever it was about
const MARKS: &str =
    "SELECT name, value FROM counters WHERE name = 'mark' OR name = ANY ($1::text[])";

/// What has versions of its own: the name of their counter.
pub(crate) const CATALOG: &str = "catalog";
pub(crate) const ISSUED: &str = "issued";

/// So many of the newest versions have a mark; a server that knew only an older one reads all anew.
const VERSIONS_KEPT: u64 = 64;
/// The bits of a mark that are not random: the last ones of its version, by which the mark of an older one is known.
const VERSION_BITS: i64 = 0xffff;

fn version_bits(version: u64) -> i64 {
    version.cast_signed() & VERSION_BITS
}

/// Where the mark of a version stands among the counters.
pub(crate) fn name(counter: &str, version: u64) -> String {
    format!("mark:{counter}:{}", version % VERSIONS_KEPT)
}

/// The mark of a version, of a random number.
pub(crate) fn mark(random: i64, version: u64) -> i64 {
    (random & !VERSION_BITS) | version_bits(version)
}

/// The marks of the versions that a server knows, where they have one.
#[derive(Clone, Copy, Default)]
pub(crate) struct KnownMarks {
    pub(crate) catalog: Option<i64>,
    pub(crate) issued: Option<i64>,
}

/// Marks that a database has.
pub(crate) struct Marks(Vec<(String, i64)>);

impl Marks {
    /// Reads those of these versions. To be called behind the locks of their counters, or as of one moment.
    pub(crate) async fn read(
        connection: &Connection,
        versions: &[(&str, u64)],
    ) -> Result<Self, Failure> {
        let names = versions
            .iter()
            .map(|(counter, version)| name(counter, *version));
        let names: Vec<String> = names.collect();
        let rows = connection.rows(MARKS, &[&names]).await?;
        let marks = rows
            .iter()
            .map(|row| (row.get::<_, String>(0), row.get::<_, i64>(1)));
        Ok(Marks(marks.collect()))
    }

    fn named(&self, name: &str) -> Option<i64> {
        let found = self.0.iter().find(|(it, _)| it == name);
        found.map(|(_, mark)| *mark)
    }

    /// The mark of the last decision.
    pub(crate) fn last(&self) -> i64 {
        self.named("mark").unwrap_or_default()
    }

    /// The mark of a version.
    pub(crate) fn of(&self, counter: &str, version: u64) -> Option<i64> {
        let mark = self.named(&name(counter, version));
        mark.filter(|mark| mark & VERSION_BITS == version_bits(version))
    }

    /// Whether the database has the version that is known by this mark.
    pub(crate) fn has(&self, counter: &str, (version, known): (u64, Option<i64>)) -> bool {
        known.is_some() && self.of(counter, version) == known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_had_by_its_own_mark_alone() {
        let marks = |version, random| {
            let mark = mark(random, version);
            (Marks(vec![(name(CATALOG, version), mark)]), mark)
        };
        let (of_70, mark_70) = marks(70, 1 << 40);
        assert!(of_70.has(CATALOG, (70, Some(mark_70))));
        assert!(!of_70.has(ISSUED, (70, Some(mark_70))));
        assert!(!of_70.has(CATALOG, (70, None)), "nobody knows it");
        let (again, mark_again) = marks(70, 1 << 41);
        assert!(!again.has(CATALOG, (70, Some(mark_70))));
        // in its place stands one of before, or of behind
        let older = 70 - VERSIONS_KEPT;
        assert_eq!(name(CATALOG, older), name(CATALOG, 70));
        assert_eq!(again.of(CATALOG, older), None);
        assert_eq!(again.of(CATALOG, 70 + VERSIONS_KEPT), None);
        assert_eq!(again.of(CATALOG, 70), Some(mark_again));
        assert_eq!(mark(-1, 70) & VERSION_BITS, 70);
    }
}

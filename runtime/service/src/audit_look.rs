//! How much of the trail is read for a page of it: as much as the page may show and one entry more, which tells that others
//! follow; then twice as much each time, as long as what is looked for is not found. It reads nothing itself.

use crate::audit_filter::AuditFilter;

/// How often one request reads at most: entries may be so large that few come at once.
const READS_MAX: usize = 16;
/// How many entries one request looks through at most, for those that are the caller's to see.
const ENTRIES_MAX: usize = 1_000;
/// The same where few of them are looked for.
const ENTRIES_MAX_NARROW: usize = 10_000;
/// How many are read at a time at most, beside those of a page.
const PART_MAX: usize = 1_000;

/// What is still to be read for a page.
pub(crate) struct TrailLook {
    part: usize,
    entries_left: usize,
    reads_left: usize,
    /// Whether others follow, once that is known.
    pub(crate) has_more: Option<bool>,
}

impl TrailLook {
    /// For a page of so many entries that a filter holds.
    pub(crate) fn new(filter: &AuditFilter, size: usize) -> Self {
        let most = if filter.is_narrow() {
            ENTRIES_MAX_NARROW
        } else {
            ENTRIES_MAX
        };
        TrailLook {
            part: size + 1,
            entries_left: most.max(size + 1),
            reads_left: READS_MAX,
            has_more: None,
        }
    }

    /// How many entries are read next; `None` when it is enough.
    pub(crate) fn next_part(&mut self) -> Option<usize> {
        if self.entries_left == 0 || self.reads_left == 0 || self.has_more == Some(false) {
            return None;
        }
        self.reads_left -= 1;
        let part = self.part.min(self.entries_left);
        self.part = (part * 2).min(PART_MAX);
        Some(part)
    }

    /// Notes how many came: none where the trail ends.
    pub(crate) fn came(&mut self, entries: usize) {
        self.entries_left = self.entries_left.saturating_sub(entries);
        if entries == 0 {
            self.has_more = Some(false);
        }
    }

    /// Notes that the page is full, and how many that came stand behind it.
    pub(crate) fn note_full(&mut self, behind: usize) {
        self.has_more = (behind > 0).then_some(true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of a look that finds nothing to show.
    fn parts(filter: &AuditFilter, size: usize) -> Vec<usize> {
        let mut look = TrailLook::new(filter, size);
        let mut parts = Vec::new();
        while let Some(part) = look.next_part() {
            look.came(part);
            parts.push(part);
        }
        parts
    }

    #[test]
    fn what_is_read_begins_with_a_page_and_grows_to_an_end() {
        let all = AuditFilter::default();
        assert_eq!(parts(&all, 8), [9, 18, 36, 72, 144, 288, 433]);
        assert_eq!(parts(&all, 1_000), [1_001]);
        let narrow = AuditFilter {
            id: Some("a".to_owned()),
            ..AuditFilter::default()
        };
        let read = parts(&narrow, 100);
        assert_eq!(read[..5], [101, 202, 404, 808, 1_000]);
        assert_eq!(read.iter().sum::<usize>(), ENTRIES_MAX_NARROW);
        assert!(read.len() <= READS_MAX, "{read:?}");
    }

    #[test]
    fn a_trail_that_ends_is_read_no_further_and_one_more_entry_tells_that_others_follow() {
        let mut look = TrailLook::new(&AuditFilter::default(), 8);
        assert_eq!(look.next_part(), Some(9));
        look.came(0);
        assert_eq!((look.next_part(), look.has_more), (None, Some(false)));
        for (behind, has_more) in [(1, Some(true)), (0, None)] {
            let mut look = TrailLook::new(&AuditFilter::default(), 8);
            look.note_full(behind);
            assert_eq!(look.has_more, has_more, "{behind}");
        }
    }
}

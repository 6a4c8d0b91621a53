//! The kinds of page that are asked for, each with its address and with what must be on it. Nothing is sent here.

use crate::records::{WORDS, code};
use std::ops::RangeInclusive;

/// Records that are deleted before pages are asked for: those with the lowest numbers.
pub(super) const DELETED: u64 = 60;
/// Records on a page of the grid.
const FULL: usize = 50;

/// What is known of the dataset while its pages are asked for.
pub(super) struct Known<'s> {
    /// The address of its page.
    pub(super) dataset: &'s str,
    /// Records that it had before some were deleted.
    pub(super) records: u64,
    /// Some that were seen in the grid.
    pub(super) seen: &'s [String],
    /// What follows the address on the grid's page that comes next.
    pub(super) next: &'s str,
}

/// The address of one of the records that were seen.
fn record(known: &Known<'_>, mixed: u64) -> String {
    let at = usize::try_from(mixed % known.seen.len() as u64).unwrap_or(0);
    format!("{}/records/{}", known.dataset, known.seen[at])
}

fn word(mixed: u64) -> &'static str {
    WORDS[usize::try_from(mixed % WORDS.len() as u64).unwrap_or(0)]
}

/// What must be on a page.
pub(super) enum Must {
    Have(&'static str),
    /// So many records in the grid.
    Show(RangeInclusive<usize>),
}

impl Must {
    pub(super) fn holds(&self, page: &str) -> bool {
        match self {
            Must::Have(text) => page.contains(text),
            Must::Show(count) => count.contains(&rows(page)),
        }
    }
}

/// Records in the grid of a page.
pub(super) fn rows(page: &str) -> usize {
    page.matches("<tr data-record=\"").count()
}

pub(super) struct Kind {
    pub(super) what: &'static str,
    /// Its address, by a number that is another at each turn.
    pub(super) path: fn(&Known<'_>, u64) -> String,
    pub(super) must: Must,
    /// Whether what it shows is where the next page of the grid goes on.
    pub(super) is_walk: bool,
    /// Whether it is a part of a page that is already there, and no page.
    pub(super) is_part: bool,
}

impl Kind {
    const fn of(what: &'static str, must: Must, path: fn(&Known<'_>, u64) -> String) -> Self {
        Kind {
            what,
            path,
            must,
            is_walk: false,
            is_part: false,
        }
    }

    const fn part(what: &'static str, must: Must, path: fn(&Known<'_>, u64) -> String) -> Self {
        Kind {
            what,
            path,
            must,
            is_walk: false,
            is_part: true,
        }
    }
}

/// In this order: records are seen in the grid before they are asked for.
pub(super) const KINDS: [Kind; 32] = [
    Kind::of("home, 100 datasets", Must::Have(">Shelf 99</a>"), |_, _| {
        "/app/".to_owned()
    }),
    Kind {
        what: "the grid, page after page",
        path: |known, _| format!("{}{}", known.dataset, known.next),
        must: Must::Show(1..=FULL),
        is_walk: true,
        is_part: false,
    },
    Kind::of("the form of a record", Must::Have("name=\"v-"), record),
    Kind::of(
        "the history of a record",
        Must::Have("class=\"history\""),
        |known, mixed| format!("{}/history", record(known, mixed)),
    ),
    Kind::of(
        "a version of a record",
        Must::Have(": version 0</h1>"),
        |known, mixed| format!("{}/versions/0", record(known, mixed)),
    ),
    Kind::part(
        "a cell of the grid, to be changed",
        Must::Have("class=\"editor\""),
        |known, mixed| format!("{}/cells/f5?columns=f4%20f5", record(known, mixed)),
    ),
    Kind::part(
        "the figures of the dataset",
        Must::Have("id=\"figures\""),
        |known, _| format!("{}/figures", known.dataset),
    ),
    Kind::of(
        "the grid, a word of each sixteenth record",
        Must::Show(1..=FULL),
        |known, mixed| format!("{}?q={}", known.dataset, word(mixed)),
    ),
    Kind::of(
        "the grid, a value of one record",
        Must::Show(1..=1),
        |known, mixed| {
            let number = DELETED + 1 + mixed % (known.records - DELETED);
            format!("{}?q=Code:{}", known.dataset, code(number))
        },
    ),
    Kind::of(
        "the grid, sorted by a number",
        Must::Show(FULL..=FULL),
        |known, _| format!("{}?sort=-Price", known.dataset),
    ),
    Kind::of(
        "the grid, the faulty records",
        Must::Show(1..=FULL),
        |known, _| format!("{}?q=is:faulty", known.dataset),
    ),
    Kind::of(
        "all faulty records, selected",
        Must::Have("/mend?action=set"),
        |known, _| format!("{}/selected?all=true&q=is:faulty", known.dataset),
    ),
    Kind::of(
        "the form of an import",
        Must::Have("data-operation=\"importDataset\""),
        |known, _| format!("{}/import", known.dataset),
    ),
    Kind::of(
        "the form of an export",
        Must::Have("data-operation=\"exportDataset\""),
        |known, _| format!("{}/export?q=is:faulty", known.dataset),
    ),
    Kind::of(
        "the form of a repair",
        Must::Have("data-operation=\"repairRecords\""),
        |known, _| format!("{}/mend?field=Stock&q=fault:Stock", known.dataset),
    ),
    Kind::of(
        "the interface of the dataset",
        Must::Have("?pageSize=10"),
        |known, _| format!("{}/api", known.dataset),
    ),
    Kind::of(
        "the faults of the dataset",
        Must::Have("Stock"),
        |known, _| format!("{}/faults", known.dataset),
    ),
    Kind::of("the faults of all datasets", Must::Have("Stock"), |_, _| {
        "/app/faults".to_owned()
    }),
    Kind::of(
        "the deleted records",
        Must::Have("/restore\""),
        |known, _| format!("{}/deleted", known.dataset),
    ),
    Kind::of(
        "search, a word of each sixteenth record",
        Must::Have("/records/"),
        |_, mixed| format!("/app/search?q={}", word(mixed)),
    ),
    Kind::of(
        "the palette, the same",
        Must::Have("/records/"),
        |_, mixed| format!("/app/go?q={}", word(mixed)),
    ),
    Kind::part(
        "completions",
        Must::Have("data-text=\"Stock"),
        |known, _| format!("{}/completions?q=Sto", known.dataset),
    ),
    Kind::of("the areas, 100", Must::Have(">Area 99</a>"), |_, _| {
        "/app/areas".to_owned()
    }),
    Kind::of(
        "the schemas of 100 areas",
        Must::Have(">Product</a>"),
        |_, _| "/app/schemas".to_owned(),
    ),
    Kind::of("the jobs", Must::Have("<li class=\"job\">"), |_, _| {
        "/app/jobs".to_owned()
    }),
    Kind::of("the audit trail", Must::Have("<tr id=\"n"), |_, _| {
        "/app/audit".to_owned()
    }),
    Kind::of("the usage", Must::Have("class=\"faults usage\""), |_, _| {
        "/app/usage".to_owned()
    }),
    Kind::of(
        "the settings",
        Must::Have("fieldstone tenant rename"),
        |_, _| "/app/settings".to_owned(),
    ),
    Kind::of("the users", Must::Have(">steward</td>"), |_, _| {
        "/app/users".to_owned()
    }),
    Kind::of("the roles, 100", Must::Have(">Role 01</a>"), |_, _| {
        "/app/roles".to_owned()
    }),
    Kind::of("the keys, 99", Must::Have(">Key 99</a>"), |_, _| {
        "/app/keys".to_owned()
    }),
    Kind::of("the webhooks, 99", Must::Have(">Hook 99</a>"), |_, _| {
        "/app/webhooks".to_owned()
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_what_it_must_have_is_none() {
        let page = "<tr data-record=\"a\"></tr><tr data-record=\"b\"></tr>";
        assert_eq!(rows(page), 2);
        assert!(Must::Show(1..=2).holds(page) && !Must::Show(1..=1).holds(page));
        assert!(Must::Have("record").holds(page) && !Must::Have("history").holds(page));
    }

    #[test]
    fn a_value_is_asked_for_of_a_record_that_is_there() {
        let seen = ["a".to_owned()];
        let known = Known {
            dataset: "/d",
            records: DELETED + 1,
            seen: &seen,
            next: "?pageKey=k",
        };
        let paths = KINDS.iter().map(|kind| (kind.path)(&known, u64::MAX));
        let paths: Vec<_> = paths.collect();
        assert!(paths.contains(&format!("/d?q=Code:{}", code(DELETED + 1))));
        assert!(paths.contains(&"/d?pageKey=k".to_owned()));
        assert!(paths.contains(&"/d/records/a/history".to_owned()));
        assert!(paths.contains(&"/d/records/a/versions/0".to_owned()));
    }

    #[test]
    fn what_is_told_to_parts_of_pages_alone_is_asked_for_as_a_part() {
        let seen = ["a".to_owned()];
        let known = Known {
            dataset: "/d",
            records: DELETED + 1,
            seen: &seen,
            next: "",
        };
        for kind in &KINDS {
            let path = (kind.path)(&known, 0);
            let parts = ["/d/figures", "/d/completions", "/d/records/a/cells/"];
            let is_part = parts.iter().any(|part| path.starts_with(part));
            assert_eq!(kind.is_part, is_part, "{path}");
        }
    }
}

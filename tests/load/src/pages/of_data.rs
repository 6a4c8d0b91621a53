//! The pages of data that are asked for: home, a dataset and its records, what is found and what is wrong. Each route stands as the
//! application's table has it; `tests/tidy/every_page.rs` holds that none of them is left out.

use super::kind::{DELETED, FULL, Kind, Must, word};
use crate::records::code;

/// In this order: records are seen in the grid before they are asked for.
pub(super) const KINDS: &[Kind] = &[
    Kind::of("home, 100 datasets", "/", Must::Have(">Shelf 99</a>")),
    Kind::of(
        "the grid, page after page",
        "/datasets/{id}",
        Must::Show(1..=FULL),
    )
    .asking(|known, _| known.next.clone())
    .walking(),
    Kind::of(
        "the form of a record",
        "/datasets/{id}/records/{record}",
        Must::Have("name=\"v-"),
    ),
    Kind::of(
        "the form of a new record",
        "/datasets/{id}/new",
        Must::Have("/new\" data-operation=\"writeRecords\""),
    ),
    Kind::of(
        "the history of a record",
        "/datasets/{id}/records/{record}/history",
        Must::Have("class=\"history\""),
    ),
    Kind::of(
        "a version of a record",
        "/datasets/{id}/records/{record}/versions/{version}",
        Must::Have(": version 0</h1>"),
    ),
    Kind::of(
        "a cell of the grid, to be changed",
        "/datasets/{id}/records/{record}/cells/{field}",
        Must::Have("class=\"editor\""),
    )
    .asking(|_, _| "?columns=f4%20f5".to_owned())
    .part_only(),
    Kind::of(
        "the figures of the dataset",
        "/datasets/{id}/figures",
        Must::Have("id=\"figures\""),
    )
    .part_only(),
    Kind::of(
        "the grid, a word of each sixteenth record",
        "/datasets/{id}",
        Must::Show(1..=FULL),
    )
    .asking(|_, mixed| format!("?q={}", word(mixed))),
    Kind::of(
        "the grid, a value of one record",
        "/datasets/{id}",
        Must::Show(1..=1),
    )
    .asking(|known, mixed| {
        let number = DELETED + 1 + mixed % (known.records - DELETED);
        format!("?q=Code:{}", code(number))
    }),
    Kind::of(
        "the grid, sorted by a number",
        "/datasets/{id}",
        Must::Show(FULL..=FULL),
    )
    .asking(|_, _| "?sort=-Price".to_owned()),
    Kind::of(
        "the grid, the faulty records",
        "/datasets/{id}",
        Must::Show(1..=FULL),
    )
    .asking(|_, _| "?q=is:faulty".to_owned()),
    Kind::of(
        "all faulty records, selected",
        "/datasets/{id}/selected",
        Must::Have("/mend?action=set"),
    )
    .asking(|_, _| "?all=true&q=is:faulty".to_owned()),
    Kind::of(
        "the form of an import",
        "/datasets/{id}/import",
        Must::Have("data-operation=\"importDataset\""),
    ),
    Kind::of(
        "the form of an export",
        "/datasets/{id}/export",
        Must::Have("data-operation=\"exportDataset\""),
    )
    .asking(|_, _| "?q=is:faulty".to_owned()),
    Kind::of(
        "the form of a repair",
        "/datasets/{id}/mend",
        Must::Have("data-operation=\"repairRecords\""),
    )
    .asking(|_, _| "?field=Stock&q=fault:Stock".to_owned()),
    Kind::of(
        "the interface of the dataset",
        "/datasets/{id}/api",
        Must::Have("?pageSize=10"),
    ),
    Kind::of(
        "the faults of the dataset",
        "/datasets/{id}/faults",
        Must::Have("Stock"),
    ),
    Kind::of("the faults of all datasets", "/faults", Must::Have("Stock")),
    Kind::of(
        "the deleted records",
        "/datasets/{id}/deleted",
        Must::Have("/restore\""),
    ),
    Kind::of(
        "search, a word of each sixteenth record",
        "/search",
        Must::Have("/records/"),
    )
    .asking(|_, mixed| format!("?q={}", word(mixed))),
    Kind::of("the palette, the same", "/go", Must::Have("/records/"))
        .asking(|_, mixed| format!("?q={}", word(mixed))),
    Kind::of(
        "completions",
        "/datasets/{id}/completions",
        Must::Have("data-text=\"Stock"),
    )
    .asking(|_, _| "?q=Sto".to_owned())
    .part_only(),
    Kind::of(
        "completions of all datasets",
        "/search/completions",
        Must::Have("data-text=\"Stock"),
    )
    .asking(|_, _| "?q=Sto".to_owned())
    .part_only(),
];

#[cfg(test)]
mod tests {
    use super::super::kind::Known;
    use super::*;

    fn known(next: &str) -> Known {
        let datasets = ("datasets", "d".to_owned());
        Known {
            records: DELETED + 1,
            seen: vec!["a".to_owned()],
            next: next.to_owned(),
            behind: [datasets].into_iter().collect(),
        }
    }

    #[test]
    fn a_value_is_asked_for_of_a_record_that_is_there() {
        let known = known("?pageKey=k");
        let paths = KINDS.iter().map(|kind| kind.path(&known, u64::MAX));
        let paths: Vec<_> = paths.map(Result::unwrap).collect();
        let own = "/app/datasets/d";
        assert!(paths.contains(&format!("{own}?q=Code:{}", code(DELETED + 1))));
        assert!(paths.contains(&format!("{own}?pageKey=k")));
        assert!(paths.contains(&format!("{own}/records/a/history")));
        assert!(paths.contains(&format!("{own}/records/a/versions/0")));
    }

    #[test]
    fn what_is_told_to_parts_of_pages_alone_is_asked_for_as_a_part() {
        let known = known("");
        for kind in KINDS {
            let path = kind.path(&known, 0).unwrap();
            let parts = ["/figures", "/completions", "/cells/"];
            let is_part = parts.iter().any(|part| path.contains(part));
            assert_eq!(kind.is_part, is_part, "{path}");
        }
    }
}

//! What a text looks like: its format, what parts its cells, whether its first row has names. Guesses, each of which
//! can be overruled by saying what it is.

use crate::format::Format;
use csv_core::ReadFieldResult;
use std::collections::BTreeMap;

/// What parts cells, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How many rows are looked at.
const ROWS_MAX: usize = 100;

/// JSON begins with a bracket.
pub(crate) fn format_of(sample: &[u8]) -> Format {
    match sample.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => Format::Ndjson,
        Some(b'[') => Format::JsonArray,
        _ => Format::Csv,
    }
}

/// The delimiter under which most rows have as many cells as the first; of several the one that makes most cells.
pub(crate) fn delimiter_of(sample: &[u8]) -> u8 {
    let score = |delimiter: &u8| {
        let counts = cell_counts(sample, *delimiter);
        let first = counts.first().copied().unwrap_or(0);
        if first < 2 {
            return (0, 0);
        }
        let alike = counts.iter().filter(|count| **count == first).count();
        (alike * 100 / counts.len(), first)
    };
    // of equals `max_by_key` takes the last
    let best = DELIMITERS.iter().rev().max_by_key(|it| score(it));
    best.copied().unwrap_or(b',')
}

/// How many cells the first rows have; of a row that the sample cuts off nothing is said.
fn cell_counts(sample: &[u8], delimiter: u8) -> Vec<usize> {
    let mut core = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    let (mut rest, mut out) = (sample, [0; 1024]);
    let (mut counts, mut cells) = (Vec::new(), 0);
    while counts.len() < ROWS_MAX {
        let (result, read, _) = core.read_field(rest, &mut out);
        rest = &rest[read..];
        match result {
            ReadFieldResult::Field { record_end } => {
                cells += 1;
                if record_end {
                    counts.push(std::mem::take(&mut cells));
                }
            }
            ReadFieldResult::OutputFull => {}
            ReadFieldResult::InputEmpty | ReadFieldResult::End => break,
        }
    }
    if counts.is_empty() {
        counts.push(cells + 1);
    }
    counts
}

/// Whether the cells of a first row are names of columns: one of them `is_known`, or all are different texts that
/// hold a letter and no digit begins one.
pub(crate) fn is_header(names: &[String], is_known: impl Fn(&str) -> bool) -> bool {
    if names.iter().any(|name| is_known(name)) {
        return true;
    }
    doubled(names).is_empty() && look_like_names(names)
}

/// Whether each of the cells of a first row holds a letter, and no digit begins one.
pub fn look_like_names(cells: &[String]) -> bool {
    let looks = |name: &String| {
        let begins_well = name
            .chars()
            .next()
            .is_some_and(|first| !first.is_ascii_digit());
        begins_well && name.chars().any(char::is_alphabetic) && !name.contains('@')
    };
    cells.iter().all(looks)
}

/// The names that more than one column has, with the columns that have it, from 0.
pub fn doubled(names: &[String]) -> Vec<(&str, Vec<usize>)> {
    let mut columns: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (column, name) in names.iter().enumerate() {
        columns.entry(name).or_default().push(column);
    }
    let mut doubled: Vec<_> = columns.into_iter().filter(|it| it.1.len() > 1).collect();
    doubled.sort_by_key(|(_, columns)| columns[0]);
    doubled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_that_gives_each_row_the_same_cells_is_taken() {
        for (text, delimiter) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n1;2\n", b';'),
            ("a\tb\n\"x\ty\"\t2\n", b'\t'),
            ("a|b|c\n1|2,3|3\n", b'|'),
            ("Name\nSmith, John\n", b','),
            ("a;b", b';'),
            ("", b','),
        ] {
            let found = delimiter_of(text.as_bytes());
            assert_eq!(char::from(found), char::from(delimiter), "{text:?}");
        }
    }

    #[test]
    fn names_are_told_from_values() {
        let row = |cells: &[&str]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(is_header(&row(&["No", "Name"]), |_| false));
        assert!(is_header(&row(&["1", ""]), |name| name == "1"));
        let names = row(&["a", "b", "a", "c", "b", "b"]);
        assert_eq!(doubled(&names), [("a", vec![0, 2]), ("b", vec![1, 4, 5])]);
        for values in [&["C1", "7"][..], &["a", ""], &["a", "a"], &["a@b.c", "b"]] {
            assert!(!is_header(&row(values), |_| false), "{values:?}");
        }
    }
}

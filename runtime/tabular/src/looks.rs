//! What a text looks like: what parts its cells and stands around them, whether its first row has names.
//! Guesses, each of which can be overruled by saying what it is.

use csv_core::ReadFieldResult;
use memchr::{memchr, memchr2, memrchr2};
use std::collections::BTreeMap;

/// What parts cells, the likeliest first.
pub(crate) const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How many rows are looked at.
const ROWS_MAX: usize = 100;

/// What a file is that begins like this, in words, if it is text.
pub(crate) fn text_of(head: &[u8]) -> Option<&'static str> {
    const MARKS: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace())?;
    if matches!(first, b'{' | b'[') {
        return Some("JSON text");
    }
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    let is_marked = MARKS.iter().any(|mark| head.starts_with(mark));
    // an archive, and what is packed with zstd, look like it
    let is_packed = head.starts_with(b"PK") || head == b"\x28\xB5\x2F\xFD";
    (is_marked || !is_packed && head.iter().all(is_text)).then_some("CSV text")
}

/// What a line begins with that says what parts the cells of those behind it.
const SEPARATOR: &[u8] = b"sep=";

/// Whether a text may be taken for one that says what parts cells, whatever stands behind it.
pub(crate) fn begins_as_separator(text: &[u8]) -> bool {
    let word = text.get(..SEPARATOR.len());
    word.is_some_and(|word| word.eq_ignore_ascii_case(SEPARATOR))
}

/// What a first line says that parts the cells of those behind it, as spreadsheets write and read it, and how long it is
/// with its end: `sep=;`.
pub(crate) fn separator_line(sample: &[u8]) -> Option<(u8, usize)> {
    let (said, rest) = sample.get(SEPARATOR.len()..)?.split_first()?;
    let can_part = said.is_ascii() && !matches!(said, b'"' | b'\'' | b'\n' | b'\r');
    if !begins_as_separator(sample) || !can_part {
        return None;
    }
    let end = match rest {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        [] => 0,
        _ => return None,
    };
    Some((*said, SEPARATOR.len() + 1 + end))
}

/// What parts cells, and what stands around those that hold it: both as said, or as they look. An apostrophe is a quote
/// where each cell that begins with one ends with one, none begins with a quotation mark, and those of the first row all
/// stand in them, or one holds a delimiter and all rows are of one length with it and not without: else it is text.
pub(crate) fn signs_of(sample: &[u8], delimiter: Option<u8>, quote: Option<u8>) -> (u8, u8) {
    let sample = from_first_value(sample, delimiter);
    let with = |quote| {
        let delimiter = delimiter.unwrap_or_else(|| delimiter_of(sample, quote));
        (delimiter, quote)
    };
    if let Some(quote) = quote {
        return with(quote);
    }
    let (delimiter, quote) = with(b'\'');
    let plain = with(b'"');
    if delimiter != quote && is_quoted_throughout(sample, (delimiter, quote), plain) {
        return (delimiter, quote);
    }
    plain
}

/// A sample from its first row on that has a value: rows of empty cells before it have no quotes, and may have fewer cells.
fn from_first_value(sample: &[u8], delimiter: Option<u8>) -> &[u8] {
    let parts = |byte: &u8| delimiter.map_or_else(|| DELIMITERS.contains(byte), |it| it == *byte);
    let is_value = |byte: &u8| !byte.is_ascii_whitespace() && !parts(byte);
    let value = sample.iter().position(is_value);
    let line_end = value.and_then(|at| memrchr2(b'\n', b'\r', &sample[..at]));
    line_end.map_or(sample, |at| &sample[at + 1..])
}

/// Whether the cells of a sample are quoted so that nothing else can be meant; `plain` are the signs by which they are not.
fn is_quoted_throughout(sample: &[u8], (delimiter, quote): (u8, u8), plain: (u8, u8)) -> bool {
    let is_end = |byte: u8| byte == delimiter || matches!(byte, b'\n' | b'\r');
    let (mut rest, mut is_first_row) = (sample, true);
    let (mut first_row_is, mut one_holds) = (true, false);
    while let Some(byte) = rest.first().copied() {
        let cell = if byte == quote {
            let Some(length) = quoted_length(rest, quote) else {
                // nothing ends it: the sample may cut it off
                break;
            };
            if rest.get(length).is_some_and(|byte| !is_end(*byte)) {
                return false;
            }
            let cell = &rest[..length];
            // over the end of a line, it may be two that are text
            one_holds |= cell.contains(&delimiter) && memchr2(b'\n', b'\r', cell).is_none();
            length
        } else if byte == b'"' {
            return false;
        } else {
            let length = rest.iter().position(|byte| is_end(*byte));
            first_row_is &= !is_first_row;
            length.unwrap_or(rest.len())
        };
        rest = &rest[cell..];
        if let Some((end, behind)) = rest.split_first() {
            is_first_row &= *end == delimiter;
            rest = behind;
        }
    }
    let are_alike = |(delimiter, quote): (u8, u8)| {
        let (counts, _) = cells_of(sample, delimiter, quote);
        counts.windows(2).all(|two| two[0] == two[1])
    };
    let parts_alike = || are_alike((delimiter, quote)) && !are_alike(plain);
    !sample.is_empty() && (first_row_is || one_holds && parts_alike())
}

/// How long a cell in quotes is, with them; two quotes in it are one.
fn quoted_length(cell: &[u8], quote: u8) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr(quote, &cell[at..])? + 1;
        if cell.get(at) != Some(&quote) {
            return Some(at);
        }
        at += 1;
    }
}

/// Whether a cell in quotes, as it stands, ends with the one that closes it.
pub(crate) fn is_whole(cell: &[u8], quote: u8) -> bool {
    quoted_length(cell, quote) == Some(cell.len())
}

/// A cell as it stands, without what parts it from the next one or ends its row.
pub(crate) fn bare_cell(cell: &[u8], record_end: bool) -> &[u8] {
    if !record_end {
        return cell.split_last().map_or(cell, |(_, cell)| cell);
    }
    let cell = cell.strip_suffix(b"\n").unwrap_or(cell);
    cell.strip_suffix(b"\r").unwrap_or(cell)
}

/// The delimiter under which no quote stands astray in the first row, and most rows have as many cells as that; of several the one
/// that makes most cells.
fn delimiter_of(sample: &[u8], quote: u8) -> u8 {
    let score = |delimiter: &u8| {
        let (counts, is_clean) = cells_of(sample, *delimiter, quote);
        let first = counts.first().copied().unwrap_or(0);
        if first < 2 {
            return (false, 0, 0);
        }
        let alike = counts.iter().filter(|count| **count == first).count();
        (is_clean, alike * 100 / counts.len(), first)
    };
    // of equals `max_by_key` takes the last
    let best = DELIMITERS.iter().rev().max_by_key(|it| score(it));
    best.copied().unwrap_or(b',')
}

/// How many cells the first rows have; of a row that the sample cuts off nothing is said. And whether in the first one quotes stand
/// around cells alone, as programs write them.
fn cells_of(sample: &[u8], delimiter: u8, quote: u8) -> (Vec<usize>, bool) {
    let mut core = csv_core::ReaderBuilder::new();
    let mut core = core.delimiter(delimiter).quote(quote).build();
    let (mut at, mut begin, mut out) = (0, 0, [0; 1024]);
    let (mut counts, mut cells, mut is_clean) = (Vec::new(), 0, true);
    while counts.len() < ROWS_MAX {
        let (result, read, _) = core.read_field(&sample[at..], &mut out);
        at += read;
        match result {
            ReadFieldResult::Field { record_end } => {
                cells += 1;
                if counts.is_empty() {
                    let cell = bare_cell(&sample[begin..at], record_end);
                    is_clean &= match cell.first() {
                        Some(first) if *first == quote => is_whole(cell, quote),
                        _ => !cell.contains(&quote),
                    };
                }
                begin = at;
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
    (counts, is_clean)
}

/// Whether the cells of a first row are names of columns: one of them `is_known`, or all look like names.
pub(crate) fn is_header(names: &[String], is_known: impl Fn(&str) -> bool) -> bool {
    names.iter().any(|name| is_known(name)) || look_like_names(names)
}

/// Whether each of the cells of a first row looks like a name, but those that are empty at its end: a delimiter stands behind
/// the last one.
fn look_like_names(cells: &[String]) -> bool {
    let last = cells.iter().rposition(|cell| !cell.trim().is_empty());
    last.is_some_and(|last| cells[..=last].iter().all(|cell| looks_like_name(cell)))
}

/// Whether a text holds a letter, begins with no digit, and is no address.
fn looks_like_name(text: &str) -> bool {
    let begins_with_digit = text.starts_with(|first: char| first.is_ascii_digit());
    let is_address = text.split_once('@').is_some_and(|(who, host)| {
        !who.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
    });
    !begins_with_digit && !is_address && text.contains(char::is_alphabetic)
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
            ("x,\"a;b;c\"\n1,p;q;r\n", b','),
            ("\"a;b;c\",x\n1;2,3;4\n", b','),
            ("Size 12\";Name\n1;x\n", b';'),
            ("", b','),
        ] {
            let found = delimiter_of(text.as_bytes(), b'"');
            assert_eq!(char::from(found), char::from(delimiter), "{text:?}");
        }
    }

    #[test]
    fn an_apostrophe_is_a_quote_where_nothing_else_can_be_meant() {
        for (text, delimiter, quote) in [
            ("'a','b'\n'1','x, y'\n", b',', b'\''),
            ("a;b\n1;'x; y'\n", b';', b'\''),
            ("'a';'b'\n1;2\n", b';', b'\''),
            ("'a','it''s'", b',', b'\''),
            ("a,b\n's-Hertogenbosch,'t Hart\n", b',', b'"'),
            ("a,b\n'x,y'\n", b',', b'"'),
            ("a,b\n'x',1\n", b',', b'"'),
            ("a,b\n'x, y',\"z\"\n", b',', b'"'),
            ("\"a\",'b'\n", b',', b'"'),
            ("a,b\n1,'open\n", b',', b'"'),
            (
                "a,b\n1,'t Hoekje\n2,de Groot\n3,Artists'\n4,x\n",
                b',',
                b'"',
            ),
            (
                "a,b\n1,'t Hoekje\n2,de Groot, Jan\n3,Artists'\n",
                b',',
                b'"',
            ),
            ("a\n't Hoekje\nArtists'\n", b',', b'"'),
            ("", b',', b'"'),
        ] {
            let found = signs_of(text.as_bytes(), None, None);
            assert_eq!(found, (delimiter, quote), "{text:?}");
        }
        let said = signs_of(b"'a','b'\n", None, Some(b'"'));
        assert_eq!(said, (b',', b'"'), "what is said holds");
        let said = signs_of(b"'a';'b'\n", Some(b';'), None);
        assert_eq!(said, (b';', b'\''));
        let said = signs_of(b"1'2\n", Some(b'\''), None);
        assert_eq!(said, (b'\'', b'"'));
    }

    #[test]
    fn rows_of_empty_cells_before_the_first_value_say_nothing_of_the_signs() {
        for (text, delimiter, quote) in [
            ("\n\"x\",\"a;b;c\"\n", b',', b'"'),
            ("\r\n'a';'b'\r\n1;2\r\n", b';', b'\''),
            (";;\n ;\n'a';'b'\n1;2\n", b';', b'\''),
            (" \na;b\n1;2\n", b';', b'"'),
            ("\t\na;b\n1;2\n", b';', b'"'),
            ("\t\t\n\ta\tb\n", b'\t', b'"'),
            (";;\n;;\n", b';', b'"'),
        ] {
            let found = signs_of(text.as_bytes(), None, None);
            assert_eq!(found, (delimiter, quote), "{text:?}");
        }
        // what is no delimiter by what was said is a value
        let said = signs_of(b";,\n'a','b'\n", Some(b','), None);
        assert_eq!(said, (b',', b'"'));
    }

    #[test]
    fn a_line_that_says_what_parts_the_cells_is_known() {
        for (text, said) in [
            ("sep=;\nK;A\n", Some((b';', 6))),
            ("SEP=\t\r\nK\tA", Some((b'\t', 7))),
            ("sep=|", Some((b'|', 5))),
            ("sep=;;\n", None),
            ("sep=\n;\n", None),
            ("sep=\"\n", None),
            ("separator=;\n", None),
            ("", None),
        ] {
            assert_eq!(separator_line(text.as_bytes()), said, "{text:?}");
        }
    }

    #[test]
    fn text_is_told_from_what_is_packed() {
        for (head, text) in [
            (&b"K,A\n"[..], Some("CSV text")),
            (b"\xFF\xFEK\0", Some("CSV text")),
            (b" [{", Some("JSON text")),
            (b"PK\x03\x04", None),
            (b"PK12", None),
            (b"\x28\xB5\x2F\xFD", None),
            (b"\0\0\0\0", None),
            (b"", None),
        ] {
            assert_eq!(text_of(head), text, "{head:?}");
        }
    }

    #[test]
    fn names_are_told_from_values() {
        let row = |cells: &[&str]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(is_header(&row(&["No", "Name"]), |_| false));
        assert!(is_header(&row(&["1", ""]), |name| name == "1"));
        let names = row(&["a", "b", "a", "c", "b", "b"]);
        assert_eq!(doubled(&names), [("a", vec![0, 2]), ("b", vec![1, 4, 5])]);
        for odd in [
            &["a", "", " "][..],
            &["a", "a"],
            &["Mail @ work.", "b"],
            &["Mail@work", "b"],
        ] {
            assert!(is_header(&row(odd), |_| false), "{odd:?}");
        }
        for values in [
            &["C1", "7"][..],
            &["", "a"],
            &["a", "", "b"],
            &["", ""],
            &["a@b.c", "b"],
        ] {
            assert!(!is_header(&row(values), |_| false), "{values:?}");
        }
    }
}

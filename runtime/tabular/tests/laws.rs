//! Laws of the reader over any bytes, and of reading and writing over any cells.

use crate::support::{rows, rows_of};
use proptest::prelude::*;
use std::io::Cursor;
use tabular::{Content, CsvWriter, Encoding, Format, Options, Reader};

fn options() -> impl Strategy<Value = Options<'static>> {
    let format = prop::option::of(prop::sample::select(Format::ALL.to_vec()));
    let encoding = prop::option::of(prop::sample::select(Encoding::ALL.to_vec()));
    let delimiter = prop::option::of(prop::sample::select(b",;\t|x".to_vec()));
    let quote = prop::option::of(prop::sample::select(b"\"'".to_vec()));
    (format, encoding, delimiter, quote, any::<Option<bool>>()).prop_map(
        |(format, encoding, delimiter, quote, header)| Options {
            format,
            encoding,
            surveyed_encoding: None,
            delimiter,
            quote,
            header,
            sheet: None,
        },
    )
}

/// Bytes that mean something here, in any order; sometimes packed ones.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let meant = prop::sample::select(
        b",;\t|\"\"\"''\r\n\n{}[]:\\ a1\xC3\xA4\xFF\xEF\xBB\xBF\x00\x1F\x8B".to_vec(),
    );
    prop_oneof![
        prop::collection::vec(meant, 0..60),
        prop::collection::vec(any::<u8>(), 0..60),
        prop::collection::vec(any::<u8>(), 0..40)
            .prop_map(|rest| [&[0x1F, 0x8B, 8][..], &rest].concat()),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(|rest| [
            &[0x28, 0xB5, 0x2F, 0xFD][..],
            &rest
        ]
        .concat()),
    ]
}

/// Texts with everything that CSV minds.
fn cell() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        Just(None),
        "[a,;\t|\"' \r\n\u{feff}ä1=+@-]{0,6}".prop_map(Some),
        any::<String>().prop_map(Some),
    ]
}

fn table() -> impl Strategy<Value = Vec<Vec<Option<String>>>> {
    (2_usize..5).prop_flat_map(|width| {
        let row = prop::collection::vec(cell(), width);
        prop::collection::vec(row, 1..6)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_input_panics_and_chunks_of_any_size_give_the_same_rows(
        bytes in bytes(), options in options(), chunk in 1_usize..9,
    ) {
        let whole = rows(&bytes, options, usize::MAX);
        prop_assert_eq!(rows(&bytes, options, chunk), whole);
    }

    #[test]
    fn places_never_go_back(bytes in bytes(), options in options()) {
        let Ok(mut reader) = Reader::open(Cursor::new(bytes), options) else {
            return Ok(());
        };
        let mut before = None;
        while let Ok(Some(row)) = reader.next() {
            prop_assert!(Some(row.place.offset) > before || before.is_none());
            before = Some(row.place.offset);
        }
    }

    #[test]
    fn rows_that_were_written_are_read_as_they_were(
        table in table(), delimiter in prop::sample::select(b",;\t|".to_vec()), is_apostrophe in any::<bool>(),
    ) {
        let quote = if is_apostrophe { b'\'' } else { b'"' };
        let writer = CsvWriter { delimiter, quote, ..CsvWriter::default() };
        let mut text = String::new();
        for row in &table {
            writer.row(row.iter().map(Option::as_deref), &mut text);
        }
        let options = Options {
            format: Some(Format::Csv),
            encoding: Some(Encoding::UTF_8),
            surveyed_encoding: None,
            delimiter: Some(delimiter),
            // that apostrophes are none is found
            quote: is_apostrophe.then_some(quote),
            header: Some(false),
            sheet: None,
        };
        let mut reader = Reader::open(Cursor::new(text), options).unwrap();
        for expected in &table {
            let row = reader.next().unwrap().expect("as many rows as there were");
            let Ok(Content::Cells(cells)) = row.content else {
                panic!("{row:?}");
            };
            let found: Vec<_> = (0..cells.count()).map(|index| cells.get(index).map(str::to_owned)).collect();
            prop_assert_eq!(&found, expected);
        }
        prop_assert!(reader.next().unwrap().is_none());
    }
}

#[test]
fn a_row_of_one_missing_value_is_still_a_row() {
    let mut text = String::from("Name\n");
    CsvWriter::default().row([None], &mut text);
    assert_eq!(rows_of(&text), [r#"1:1 [Some("Name")]"#, "2:1 [None]"]);
}

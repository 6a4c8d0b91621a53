//! The corpus of the fuzz target `reader`.

#[path = "../fuzz/body.rs"]
mod body;
#[path = "../../schema/fuzz/replay.rs"]
mod replay;

use std::io::Cursor;
use tabular::{Options, Reader};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/reader");

#[test]
fn every_input_of_the_corpus_is_withstood() {
    replay::replay(FOLDER, body::withstand);
}

/// Harm is done to what is whole: an input that is refused at once would stand for nothing.
#[test]
fn sheets_and_packed_files_among_them_are_read_to_their_end() {
    for (name, sheet, rows) in [
        ("two_sheets", None, 3),
        ("two_sheets_other", Some("More"), 3),
        ("hidden_sheet", Some("Seen"), 3),
        ("sheet_zstd", Some("Sheet1"), 3),
        ("zstd_ndjson", None, 2),
        ("zstd_array", None, 2),
        ("zstd_two_frames", None, 3),
    ] {
        let input = std::fs::read(format!("{FOLDER}/{name}")).expect(name);
        let options = Options {
            sheet,
            ..Options::default()
        };
        let mut reader = Reader::open(Cursor::new(input[8..].to_vec()), options).expect(name);
        let mut count = 0;
        while let Some(row) = reader.next().expect(name) {
            assert!(row.content.is_ok(), "{name}: {row:?}");
            count += 1;
        }
        assert_eq!(count, rows, "{name}");
    }
}

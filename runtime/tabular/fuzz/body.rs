//! What must hold of any bytes that are read as a data file, also packed ones and sheets, whatever is said of them: reading ends,
//! each row is a record with its faults or says why it is none, and rows come in the order of their lines; a schema that is
//! proposed from them is one, under which as many rows are read as it was proposed from.
//!
//! The first eight bytes of an input say how the rest is read, a digit each: format, encoding, delimiter, quote, header, decimal
//! mark, what parts several values, sheet. `0` leaves that to be found.

use schema::{Origin, Schema};
use std::io::Cursor;
use std::sync::LazyLock;
use tabular::{
    Bounds, DecimalMark, Encoding, Format, Options, Reader, Records, Settings, infer_within,
};

/// Bytes that an input may unpack to; and bytes that are judged of it for a proposal.
const UNPACKED_BYTES_MAX: u64 = 16 << 20;
const JUDGED_BYTES_MAX: u64 = 16 << 20;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let document = include_str!("../../../fixtures/schemas/customer.json");
    Schema::read(document, Origin::Elsewhere)
        .expect("a fixture")
        .schema
});

/// Reads an input, and proposes a schema from it.
pub(crate) fn withstand(bytes: &[u8]) {
    let Some((said, file)) = bytes.split_first_chunk::<8>() else {
        return;
    };
    let [
        format,
        encoding,
        delimiter,
        quote,
        header,
        mark,
        split,
        sheet,
    ] = said.map(|byte| usize::from(byte.wrapping_sub(b'0')));
    let options = Options {
        format: choice(&Format::ALL, format),
        encoding: choice(&Encoding::ALL, encoding),
        surveyed_encoding: None,
        delimiter: choice(b",;\t|x", delimiter),
        quote: choice(b"\"'", quote),
        header: choice(&[true, false], header),
        sheet: choice(&["Sheet1", "More"], sheet),
    };
    let settings = Settings {
        split: choice(&['|', ';', ','], split),
        decimal_mark: choice(&DecimalMark::ALL, mark),
        ..Settings::default()
    };
    withstand_rows(file, options, settings);
    withstand_proposal(file, options);
}

/// Reads the records of a file.
pub(crate) fn withstand_rows(file: &[u8], options: Options<'_>, settings: Settings<'_>) {
    let _ = rows(&SCHEMA, file, options, settings);
}

/// One of several, by its number from one; none by zero.
fn choice<T: Copy>(all: &[T], number: usize) -> Option<T> {
    let index = (number % (all.len() + 1)).checked_sub(1)?;
    Some(all[index])
}

fn open(file: &[u8], options: Options<'_>) -> Option<Reader> {
    let file = Cursor::new(file.to_vec());
    Reader::open_within(file, options, UNPACKED_BYTES_MAX).ok()
}

/// How many rows a file has, those of empty cells left out where the schema has a primary key; `None` where it can't be read, or not to its end.
fn rows(schema: &Schema, file: &[u8], options: Options<'_>, settings: Settings<'_>) -> Option<u64> {
    let records = Records::new(schema, open(file, options)?, settings).ok()?;
    let has_key = schema.primary_key().is_some();
    let (mut last, mut count) = (0, 0);
    for row in records {
        let row = row.ok()?;
        count += u64::from(!(row.is_blank && has_key));
        assert!(
            row.place.line >= last,
            "line {} behind {last}",
            row.place.line
        );
        last = row.place.line;
        match &row.record {
            Some(record) => {
                schema::json::parse(record.normal_form()).expect("the normal form is JSON");
            }
            None => assert!(
                !row.findings.is_empty(),
                "line {last} is left out for no reason"
            ),
        }
    }
    Some(count)
}

/// Proposes a schema from a file, and reads its rows under it.
fn withstand_proposal(file: &[u8], options: Options<'_>) {
    let Some(mut reader) = open(file, options) else {
        return;
    };
    let bounds = Bounds {
        judged_bytes_max: JUDGED_BYTES_MAX,
        is_wanted: &|| true,
    };
    let proposal = match infer_within(&mut reader, "Sample", bounds) {
        Ok(proposal) => proposal,
        Err(none) => {
            assert!(!none.to_string().is_empty(), "no reason: {none:?}");
            return;
        }
    };
    assert!(proposal.rows > 0, "it is proposed from nothing");
    let document = proposal.schema.to_json();
    schema::json::parse(&document).expect("a schema is JSON");
    let options = Options {
        header: Some(proposal.has_header),
        ..options
    };
    let settings = Settings {
        decimal_mark: proposal.decimal_mark,
        ..Settings::default()
    };
    if let Some(count) = rows(&proposal.schema, file, options, settings) {
        let seen = proposal.rows + proposal.unread;
        assert_eq!(count, seen, "rows under {document}");
    }
}

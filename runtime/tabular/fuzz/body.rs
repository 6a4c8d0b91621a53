//! What must hold of any bytes that are read as a data file, also packed ones and sheets: reading ends, each row is a record with
//! its faults or says why it is none, and rows come in the order of their lines.

use schema::{Origin, Schema};
use std::sync::LazyLock;
use tabular::{Options, Reader, Records, Settings};

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let document = include_str!("../../../fixtures/schemas/customer.json");
    Schema::read(document, Origin::Elsewhere)
        .expect("a fixture")
        .schema
});

pub(crate) fn withstand(bytes: &[u8]) {
    let Ok(reader) = Reader::open(std::io::Cursor::new(bytes.to_vec()), Options::default()) else {
        return;
    };
    let Ok(records) = Records::new(&SCHEMA, reader, Settings::default()) else {
        return;
    };
    let mut last = 0;
    for row in records {
        let Ok(row) = row else {
            return;
        };
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
}

//! Numbers of Excel files that are shown with zeros before them.

use crate::support::book::{Fill, book, open, rows, schema};
use rust_xlsxwriter::Format as CellFormat;
use schema::DataType;
use tabular::{DecimalMark, Records, Settings};

#[test]
fn a_number_has_the_zeros_that_are_shown_before_it_where_its_field_has_texts() {
    let fields = [("Code", DataType::String), ("Count", DataType::Integer)];
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, fields.map(|(name, _)| name)).unwrap();
        let zeros = CellFormat::new().set_num_format("00000");
        let other = CellFormat::new().set_num_format("#,##0");
        for (row, number) in (1..).zip([1067.0, 99_998.0, 123_456.0, -7.0, 7.5]) {
            sheet.write_with_format(row, 0, number, &zeros).unwrap();
        }
        sheet.write_with_format(1, 1, 12, &zeros).unwrap();
        sheet.write(6, 0, 1067).unwrap();
        sheet.write_with_format(7, 0, 1067, &other).unwrap();
        sheet.write_with_format(8, 0, 1067, &zeros).unwrap();
        sheet.write_with_format(9, 0, "12", &zeros).unwrap();
    };
    let schema = schema(&fields);
    let bytes = book(&[("Data", fill)]);
    assert_eq!(
        rows(&schema, &bytes),
        [
            r#"2 {"Code":"01067","Count":12}"#,
            r#"3 {"Code":"99998","Count":null}"#,
            r#"4 {"Code":"123456","Count":null}"#,
            r#"5 {"Code":"-7","Count":null}"#,
            r#"6 {"Code":"7.5","Count":null}"#,
            r#"7 {"Code":"1067","Count":null}"#,
            r#"8 {"Code":"1067","Count":null}"#,
            r#"9 {"Code":"01067","Count":null}"#,
            r#"10 {"Code":"12","Count":null}"#,
        ]
    );
    // in a row that is to be mended they stand, too
    let settings = Settings {
        decimal_mark: Some(DecimalMark::Comma),
        ..Settings::default()
    };
    let mut records = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
    let row = records.next_body(None).unwrap().unwrap();
    assert_eq!(row.raw, b"01067,00012");
    assert_eq!(
        *row.text.as_ref().unwrap(),
        br#"{"Code":"01067","Count":12}"#
    );
}

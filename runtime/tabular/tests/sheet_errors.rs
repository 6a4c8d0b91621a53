//! Cells of Excel files without a value that can be read, in columns that are for a field and in those that go nowhere.

use crate::support::book::{Fill, book, open, rewritten, rows, schema};
use rust_xlsxwriter::Formula;
use schema::DataType;
use tabular::{Mapping, Records, Settings};

#[test]
fn a_cell_without_a_value_costs_its_row_where_its_column_is_for_anything() {
    let error = || Formula::new("=NA()").set_result("#N/A");
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 1, ["No", "Helper", "Name"]).unwrap();
        for (row, [number, name]) in
            (1..).zip([["1", "a"], ["2", "b"], ["3", "c"], ["4", "d"], ["5", "e"]])
        {
            sheet.write_row(row, 1, [number, "x", name]).unwrap();
        }
        sheet.write_formula(1, 2, error()).unwrap();
        sheet.write_formula(2, 2, Formula::new("=1+1")).unwrap();
        sheet.write_formula(3, 3, error()).unwrap();
        sheet.write_formula(4, 2, error()).unwrap();
        sheet.write_formula(4, 3, error()).unwrap();
        sheet.write_formula(5, 2, error()).unwrap();
        sheet.write(5, 4, "astray").unwrap();
    };
    let bytes = rewritten(
        book(&[("Data", fill)]),
        "sheet1.xml",
        "</f><v>0</v>",
        "</f>",
    );
    let two = [("No", DataType::Integer), ("Name", DataType::String)];
    assert_eq!(
        rows(&schema(&two), &bytes),
        [
            r#"2 {"No":1,"Name":"a"}"#,
            r#"3 {"No":2,"Name":"b"}"#,
            "4 | 4:4 cell_error",
            "5 | 5:4 cell_error",
            "6 | 6:5 cell_count",
        ]
    );
    let three = [two[0], ("Helper", DataType::String), two[1]];
    let told = rows(&schema(&three), &bytes);
    assert_eq!(told[..2], ["2 | 2:3 cell_error", "3 | 3:3 no_result"]);
    // who says that a column is left out means so
    let mappings = [Mapping::parse("Helper=").unwrap()];
    let settings = Settings {
        mappings: &mappings,
        ..Settings::default()
    };
    let schema = schema(&three);
    let mut records = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
    let row = records.next().unwrap().unwrap();
    assert!(row.findings.is_empty(), "{:?}", row.findings);
}

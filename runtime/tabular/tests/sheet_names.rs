//! Names of columns of Excel files that stand below rows of blank cells.

use crate::support::book::{Fill, book, rows, schema};
use schema::DataType;

#[test]
fn names_below_rows_of_blank_cells_are_found_wherever_these_stand() {
    let fill: Fill<'_> = &|sheet| {
        // further to the left than the names, and more of them
        sheet.write_row(0, 0, [" ", " ", " ", " "]).unwrap();
        sheet.write_row(2, 1, ["No", "Name"]).unwrap();
        sheet.write_row(3, 1, ["1", "a"]).unwrap();
        sheet.write_row(4, 1, ["x", "b"]).unwrap();
    };
    let fields = [("No", DataType::Integer), ("Name", DataType::String)];
    assert_eq!(
        rows(&schema(&fields), &book(&[("Data", fill)])),
        [
            r#"4 {"No":1,"Name":"a"}"#,
            r#"5 {"No":"x","Name":"b"} | 5:2 integer"#,
        ]
    );
}

//! Cells of Excel files that have no value, or not the one that their number says by itself.

use crate::support::book::{Fill, book, date, open, rewritten, rows, schema};
use rust_xlsxwriter::{Format as CellFormat, Formula};
use schema::{DataType, Schema};
use std::io::Cursor;
use tabular::{CellWords, DecimalMark, Options, Reader, Records, RowFault, Settings};

/// The rows of a file, of which none was read.
fn unread(schema: &Schema, bytes: &[u8]) -> Records<'static> {
    let reader = open(bytes, None).unwrap();
    Records::new(schema, reader, Settings::default()).unwrap()
}

#[test]
fn a_formula_of_which_no_result_is_stored_costs_its_row() {
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, ["No", "Name"]).unwrap();
        sheet.write(1, 0, "1").unwrap();
        sheet.write_formula(1, 1, Formula::new("=1+1")).unwrap();
        sheet.write(2, 0, "2").unwrap();
        let with_result = Formula::new("=LOWER(\"B\")").set_result("b");
        sheet.write_formula(2, 1, with_result).unwrap();
        sheet.write_row(3, 0, ["3", "c"]).unwrap();
    };
    let schema = schema(&[("No", DataType::Integer), ("Name", DataType::String)]);
    for value in ["", "<v></v>", "<v/>"] {
        let bytes = rewritten(
            book(&[("Data", fill)]),
            "sheet1.xml",
            "</f><v>0</v>",
            &format!("</f>{value}"),
        );
        assert_eq!(
            rows(&schema, &bytes),
            [
                "2 | 2:2 no_result",
                r#"3 {"No":2,"Name":"b"}"#,
                r#"4 {"No":3,"Name":"c"}"#,
            ],
            "{value:?}"
        );
        let mut records = unread(&schema, &bytes);
        let row = records.next_body(None).unwrap().unwrap();
        assert_eq!(row.raw, b"1,#FORMULA!");
    }
}

#[test]
fn what_stands_in_place_of_a_value_is_known_with_the_words_that_tell_of_it() {
    for fault in [
        RowFault::CellError,
        RowFault::NoResult,
        RowFault::LostDigits,
    ] {
        let told = fault.to_string();
        assert_eq!(RowFault::still(&told, ["1", " #N/A "]), Some(fault));
        assert_eq!(RowFault::still(&told, ["1", "2"]), None, "mended");
        assert_eq!(RowFault::still("", ["#N/A"]), None, "a text");
    }
}

#[test]
fn a_number_of_which_digits_may_be_lost_costs_its_row_where_its_field_holds_no_doubles() {
    let fields = [
        ("Text", DataType::String),
        ("Whole", DataType::Integer),
        ("Float", DataType::Float),
    ];
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, fields.map(|(name, _)| name)).unwrap();
        for row in 1..=4 {
            sheet
                .write_row(row, 0, [row * 10, row * 11, row * 12])
                .unwrap();
        }
    };
    let mut bytes = book(&[("Data", fill)]);
    for (from, to) in [
        ("<v>10</v>", "<v>12345678901234567</v>"),
        ("<v>22</v>", "<v>-9007199254740993</v>"),
        ("<v>36</v>", "<v>12345678901234567890</v>"),
        ("<v>48</v>", "<v>1e400</v>"),
    ] {
        bytes = rewritten(bytes, "sheet1.xml", from, to);
    }
    let schema = schema(&fields);
    let rows = rows(&schema, &bytes);
    assert_eq!(rows[0], "2 | 2:1 lost_digits");
    assert_eq!(rows[1], "3 | 3:2 lost_digits");
    assert!(
        rows[2].starts_with(r#"4 {"Text":"30","Whole":33,"Float":1"#),
        "{}",
        rows[2]
    );
    assert_eq!(rows[3], "5 | 5:3 lost_digits");
    let mut records = unread(&schema, &bytes);
    let row = records.next_body(None).unwrap().unwrap();
    assert_eq!(
        row.raw, b"#DIGITS!,11,12",
        "nothing that would be taken for it"
    );
    assert!(row.text.is_err());
}

#[test]
fn a_number_that_a_spreadsheet_reckoned_is_the_one_that_it_shows_where_its_field_has_fewer_decimals()
 {
    let fields = [
        ("Price", DataType::Currency),
        ("Count", DataType::Integer),
        ("Factor", DataType::Float),
        ("Text", DataType::String),
    ];
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, fields.map(|(name, _)| name)).unwrap();
        for (row, numbers) in (1..).zip([
            [
                19.990_000_000_000_002,
                2.999_999_999_999_999_6,
                0.1 + 0.2,
                0.1 + 0.2,
            ],
            [0.125, 2.5, 0.125, 2.5],
        ]) {
            for (column, number) in (0..).zip(numbers) {
                sheet.write(row, column, number).unwrap();
            }
        }
    };
    let bytes = book(&[("Data", fill)]);
    let schema = schema(&fields);
    let rows = rows(&schema, &bytes);
    assert_eq!(
        rows[0],
        r#"2 {"Price":19.99,"Count":3,"Factor":0.30000000000000004,"Text":"0.30000000000000004"}"#
    );
    assert!(
        rows[1].contains(r#""Price":0.125,"Count":2.5"#),
        "what it shows is wrong: {}",
        rows[1]
    );
    let reader = open(&bytes, None).unwrap();
    let settings = Settings {
        decimal_mark: Some(DecimalMark::Comma),
        ..Settings::default()
    };
    let mut records = Records::new(&schema, reader, settings).unwrap();
    let row = records.next_body(None).unwrap().unwrap();
    assert!(row.raw.starts_with(b"\"19,99\",3,"), "{:?}", row.raw);
}

#[test]
fn a_number_of_a_sheet_is_never_taken_for_thousands() {
    let fields = [("Count", DataType::Integer), ("Price", DataType::Currency)];
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, fields.map(|(name, _)| name)).unwrap();
        sheet.write_row(1, 0, [1.005, 1.005]).unwrap();
        sheet.write_row(2, 0, ["1.005", "1.050"]).unwrap();
    };
    let (schema, bytes) = (schema(&fields), book(&[("Data", fill)]));
    assert_eq!(
        rows(&schema, &bytes),
        [
            r#"2 {"Count":1.005,"Price":1.005} | 2:1 integer | 2:2 decimals"#,
            // a text may be either
            r#"3 {"Count":"1.005","Price":"1.050"} | 3:1 integer | 3:2 float"#,
        ]
    );
    let mut records = unread(&schema, &bytes);
    let row = records.next_body(None).unwrap().unwrap();
    let raw = String::from_utf8_lossy(row.raw).into_owned();
    let again = first_record(
        &schema,
        format!("Count,Price\n{raw}\n"),
        Settings::default(),
    );
    assert_eq!(again, r#"{"Count":1.005,"Price":1.005}"#, "{raw}");
}

#[test]
fn words_that_were_said_count_in_a_sheet_as_in_the_text_of_its_rows() {
    let fields = [
        ("Open", DataType::Boolean),
        ("Price", DataType::Float),
        ("Day", DataType::Date),
    ];
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, fields.map(|(name, _)| name)).unwrap();
        sheet.write_row(1, 0, [1.0, -99.5]).unwrap();
        date(sheet, 1, 2, "1900-03-01", "yyyy-mm-dd");
        sheet.write_row(2, 0, ["1", "-99,5", "1900-03-01"]).unwrap();
    };
    let bytes = book(&[("Data", fill)]);
    let schema = schema(&fields);
    let words = CellWords::new(Some("1"), Some("0"), Some("-99.5,1900-03-01"));
    let words = words.unwrap();
    let settings = Settings {
        words: words.as_ref(),
        ..Settings::default()
    };
    let records = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
    let mut records = records.keeping_raw();
    let form = r#"{"Open":true,"Price":null,"Day":null}"#;
    let row = records.next().unwrap().unwrap().record.unwrap();
    assert_eq!(row.normal_form(), form);
    let raw = String::from_utf8_lossy(records.raw()).into_owned();
    let again = first_record(&schema, format!("Open,Price,Day\n{raw}\n"), settings);
    assert_eq!(again, form);
    let row = records.next().unwrap().unwrap().record.unwrap();
    assert_eq!(
        row.normal_form(),
        r#"{"Open":true,"Price":"-99,5","Day":null}"#
    );
}

#[test]
fn a_row_that_has_lost_a_cell_is_told_with_one_more_than_the_file_has() {
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, ["No", "Name"]).unwrap();
        sheet.write_row(1, 0, ["1", "a"]).unwrap();
    };
    let schema = schema(&[("No", DataType::Integer), ("Name", DataType::String)]);
    for place in ["\"XFE2\"", "\"A2\""] {
        let bytes = rewritten(book(&[("Data", fill)]), "sheet1.xml", "\"B2\"", place);
        let mut records = unread(&schema, &bytes);
        let row = records.next_body(None).unwrap().unwrap();
        assert_eq!(row.raw, b"1,,", "{place}");
    }
}

#[test]
fn the_first_day_of_a_sheet_that_counts_from_1904_is_a_day_where_its_field_has_days() {
    let fields = [
        ("Day", DataType::Date),
        ("Moment", DataType::Datetime),
        ("Time", DataType::Time),
    ];
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, fields.map(|(name, _)| name)).unwrap();
        let format = CellFormat::new().set_num_format("yyyy-mm-dd hh:mm");
        for (row, numbers) in (1..).zip([[0.0, 0.0, 0.0], [1.0, 0.5, 0.5]]) {
            for (column, number) in (0..).zip(numbers) {
                sheet
                    .write_with_format(row, column, number, &format)
                    .unwrap();
            }
        }
    };
    let bytes = book(&[("Data", fill)]);
    let schema = schema(&fields);
    let (from, to) = ("<workbookPr ", "<workbookPr date1904=\"1\" ");
    assert_eq!(
        rows(&schema, &rewritten(bytes, "workbook.xml", from, to)),
        [
            r#"2 {"Day":"1904-01-01","Moment":"1904-01-01 00:00:00","Time":"00:00:00"}"#,
            r#"3 {"Day":"1904-01-02","Moment":"1904-01-01 12:00:00","Time":"12:00:00"}"#,
        ]
    );
}

#[test]
fn a_number_of_a_sheet_is_the_same_whatever_mark_is_said_for_its_texts() {
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, ["Name", "Price"]).unwrap();
        sheet.write(1, 0, "typed").unwrap();
        sheet.write(1, 1, 1.25).unwrap();
        sheet.write_row(2, 0, ["text", "1.234,5"]).unwrap();
    };
    let schema = schema(&[("Name", DataType::String), ("Price", DataType::Float)]);
    let bytes = book(&[("Data", fill)]);
    let settings = Settings {
        decimal_mark: Some(DecimalMark::Comma),
        ..Settings::default()
    };
    let records = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
    let mut records = records.keeping_raw();
    let mut read = Vec::new();
    while let Some(row) = records.next() {
        let form = row.unwrap().record.unwrap().into_normal_form();
        let raw = String::from_utf8_lossy(records.raw());
        read.push(format!("{form} {raw}"));
    }
    // as the rows of a file of text they are read as the same
    assert_eq!(
        read,
        [
            r#"{"Name":"typed","Price":1.25} typed,"1,25""#,
            r#"{"Name":"text","Price":1234.5} text,"1.234,5""#,
        ]
    );
}

/// The record of the first row of a text, as it is stored.
fn first_record(schema: &Schema, csv: String, settings: Settings<'_>) -> String {
    let reader = Reader::open(Cursor::new(csv.into_bytes()), Options::default()).unwrap();
    let mut records = Records::new(schema, reader, settings).unwrap();
    let row = records.next().unwrap().unwrap();
    row.record.unwrap().normal_form().to_owned()
}

#[test]
fn a_row_that_can_not_be_read_is_the_record_of_a_sound_one_once_its_fault_alone_is_mended() {
    let fields = [
        ("Price", DataType::Float),
        ("Midnight", DataType::Datetime),
        ("Day", DataType::Date),
        ("Moment", DataType::Datetime),
        ("Note", DataType::String),
    ];
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, fields.map(|(name, _)| name)).unwrap();
        let format = CellFormat::new().set_num_format("yyyy-mm-dd hh:mm");
        for row in 1..=4 {
            sheet.write(row, 0, 1.25).unwrap();
            for (column, days) in (1..).zip([31.0, 0.0, 0.5]) {
                sheet.write_with_format(row, column, days, &format).unwrap();
            }
            sheet.write(row, 4, "x").unwrap();
        }
        sheet.write_formula(2, 4, Formula::new("=1+1")).unwrap();
        let error = Formula::new("=NA()").set_result("#N/A");
        sheet.write_formula(3, 4, error).unwrap();
        sheet.write(4, 5, "astray").unwrap();
    };
    let bytes = rewritten(
        book(&[("Data", fill)]),
        "sheet1.xml",
        "</f><v>0</v>",
        "</f>",
    );
    let (from, to) = ("<workbookPr ", "<workbookPr date1904=\"1\" ");
    let bytes = rewritten(bytes, "workbook.xml", from, to);
    let schema = schema(&fields);
    let settings = Settings {
        decimal_mark: Some(DecimalMark::Comma),
        ..Settings::default()
    };
    let records = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
    let mut records = records.keeping_raw();
    let sound = records.next().unwrap().unwrap().record.unwrap();
    assert_eq!(
        records.raw(),
        b"\"1,25\",1904-02-01T00:00:00,1904-01-01,1904-01-01T12:00:00,x"
    );
    for (code, wrong, right) in [
        ("no_result", "#FORMULA!", "x"),
        ("cell_error", "#N/A", "x"),
        ("cell_count", ",astray", ""),
    ] {
        let row = records.next().unwrap().unwrap();
        assert_eq!(row.findings[0].code, code);
        let raw = String::from_utf8_lossy(records.raw()).into_owned();
        assert!(raw.contains(wrong), "{raw}");
        let raw = raw.replace(wrong, right);
        let csv = format!("Price,Midnight,Day,Moment,Note\n{raw}\n");
        let mended = first_record(&schema, csv, settings);
        assert_eq!(mended, sound.normal_form(), "{code}");
    }
}

#[test]
fn a_row_with_a_cell_too_many_of_a_sheet_of_fewer_columns_than_fields_keeps_its_own_width() {
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, ["1", "x"]).unwrap();
        sheet.write_row(1, 0, ["2", "y", "astray"]).unwrap();
    };
    let options = Options {
        header: Some(false),
        ..Options::default()
    };
    let reader = Reader::open(Cursor::new(book(&[("Data", fill)])), options).unwrap();
    let schema = schema(&[
        ("No", DataType::String),
        ("Name", DataType::String),
        ("Note", DataType::String),
    ]);
    let mut records = Records::new(&schema, reader, Settings::default()).unwrap();
    for raw in ["1,x", "2,y,astray"] {
        let row = records.next_body(None).unwrap().unwrap();
        assert_eq!(String::from_utf8_lossy(row.raw), raw);
    }
}

#[test]
fn digits_that_may_be_lost_are_not_told_in_a_row_that_can_not_be_read_either() {
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, ["Whole", "Note"]).unwrap();
        sheet.write(1, 0, 10).unwrap();
        sheet.write_formula(1, 1, Formula::new("=1+1")).unwrap();
        sheet.write(2, 0, 10).unwrap();
        sheet.write_row(2, 1, ["x", "astray"]).unwrap();
    };
    let bytes = rewritten(
        book(&[("Data", fill)]),
        "sheet1.xml",
        "</f><v>0</v>",
        "</f>",
    );
    let (from, to) = ("<v>10</v>", "<v>9007199254740993</v>");
    let bytes = rewritten(bytes, "sheet1.xml", from, to);
    let schema = schema(&[("Whole", DataType::Integer), ("Note", DataType::String)]);
    assert_eq!(
        rows(&schema, &bytes),
        ["2 | 2:2 no_result", "3 | 3:1 lost_digits"]
    );
    let mut records = unread(&schema, &bytes);
    for raw in ["#DIGITS!,#FORMULA!", "#DIGITS!,x,astray"] {
        let row = records.next_body(None).unwrap().unwrap();
        assert_eq!(String::from_utf8_lossy(row.raw), raw);
    }
}

#[test]
fn a_cell_that_is_a_number_or_a_day_has_one_value_whatever_parts_those_of_texts() {
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, ["Price", "Text", "Day"]).unwrap();
        sheet.write(1, 0, 1.25).unwrap();
        sheet.write(1, 1, 2.5).unwrap();
        date(sheet, 1, 2, "2020-02-29", "yyyy-mm-dd");
    };
    let bytes = book(&[("Data", fill)]);
    let mut schema = schema(&[
        ("Price", DataType::Float),
        ("Text", DataType::String),
        ("Day", DataType::Date),
    ]);
    for field in &mut schema.fields {
        field.multivalue = Some(true);
    }
    for (split, decimal_mark, raw) in [
        (',', Some(DecimalMark::Comma), r#""[1.25]",2.5,2020-02-29"#),
        ('.', None, r#""[1.25]","[""2.5""]",2020-02-29"#),
        ('-', None, r#"1.25,2.5,"[""2020-02-29""]""#),
    ] {
        let settings = Settings {
            split: Some(split),
            decimal_mark,
            ..Settings::default()
        };
        let records = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
        let mut records = records.keeping_raw();
        let row = records.next().unwrap().unwrap().record.unwrap();
        let form = r#"{"Price":[1.25],"Text":["2.5"],"Day":["2020-02-29"]}"#;
        assert_eq!(row.normal_form(), form, "{split}");
        assert_eq!(String::from_utf8_lossy(records.raw()), raw);
        let again = first_record(&schema, format!("Price,Text,Day\n{raw}\n"), settings);
        assert_eq!(again, form, "{split}");
    }
}

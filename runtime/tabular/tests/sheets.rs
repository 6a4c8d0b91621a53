//! Excel files: what their cells are for a field, where things stand, what is told of files and rows that are none,
//! and that what was written is read as it was.

use crate::support::book::{Fill, book, date, open, rewritten, rows, schema};
use crate::support::clean;
use calamine::{Data, Reader as _, Xlsx};
use proptest::prelude::*;
use rust_xlsxwriter::Formula;
use schema::DataType;
use schema::format::{DateFormat, Separator, TimeFormat};
use std::fs::File;
use std::io::{Cursor, Write as _};
use tabular::{Format, Options, Reader, Records, Settings, SheetCells, SheetWriter};

#[test]
fn cells_are_what_their_field_needs() {
    let fields = [
        ("Text", DataType::String),
        ("Whole", DataType::Integer),
        ("Money", DataType::Currency),
        ("Flag", DataType::Boolean),
        ("Day", DataType::Date),
        ("Moment", DataType::Datetime),
        ("Time", DataType::Time),
        ("Year", DataType::DateYear),
    ];
    let bytes = book(&[("Data", &|sheet| {
        for (column, (name, _)) in (0..).zip(fields) {
            sheet.write(0, column, name).unwrap();
        }
        sheet.write(1, 0, 7).unwrap();
        sheet.write(1, 1, 7.0).unwrap();
        sheet.write(1, 2, 19.99).unwrap();
        sheet.write(1, 3, true).unwrap();
        date(sheet, 1, 4, "2020-02-29", "dd.mm.yyyy");
        date(sheet, 1, 5, "2020-02-29", "yyyy-mm-dd hh:mm");
        date(sheet, 1, 6, "12:30", "hh:mm");
        sheet.write(1, 7, 2020).unwrap();
        // what was typed as text is read as it would be from CSV
        sheet.write(2, 0, "007").unwrap();
        sheet.write(2, 1, " 007 ").unwrap();
        sheet.write(2, 2, "1,5").unwrap();
        sheet.write(2, 4, 43890).unwrap();
        date(sheet, 2, 5, "2020-02-29T12:30:15", "yyyy-mm-dd");
        sheet
            .write_formula(2, 7, Formula::new("=1000+1000").set_result("2000"))
            .unwrap();
    })]);
    assert_eq!(
        rows(&schema(&fields), &bytes),
        [
            r#"2 {"Text":"7","Whole":7,"Money":19.99,"Flag":true,"Day":"2020-02-29","Moment":"2020-02-29 00:00:00","Time":"12:30:00","Year":2020}"#,
            r#"3 {"Text":"007","Whole":7,"Money":"1,5","Flag":null,"Day":"43890","Moment":"2020-02-29 12:30:15","Time":null,"Year":2000} | 3:3 float | 3:5 date"#,
        ]
    );
}

#[test]
fn a_table_stands_anywhere_and_rows_that_are_none_are_told() {
    let bytes = book(&[("Data", &|sheet| {
        sheet.write_row(2, 1, ["No", "Name"]).unwrap();
        sheet.write_row(3, 1, ["1", "a"]).unwrap();
        sheet.write_row(6, 1, ["2"]).unwrap();
        sheet.write_row(7, 2, ["b"]).unwrap();
        sheet.write_row(8, 1, ["3", "c", "d"]).unwrap();
        sheet.write_row(9, 0, ["x", "4", "e"]).unwrap();
        sheet.write(10, 1, "5").unwrap();
        sheet
            .write_formula(10, 2, Formula::new("=NA()").set_result("#N/A"))
            .unwrap();
        sheet.write_row(11, 1, ["6", "f"]).unwrap();
    })]);
    let schema = schema(&[("No", DataType::Integer), ("Name", DataType::String)]);
    assert_eq!(
        rows(&schema, &bytes),
        [
            r#"4 {"No":1,"Name":"a"}"#,
            r#"7 {"No":2,"Name":null}"#,
            r#"8 {"No":null,"Name":"b"}"#,
            "9 | 9:4 cell_count",
            "10 | 10:1 cell_count",
            "11 | 11:3 cell_error",
            r#"12 {"No":6,"Name":"f"}"#,
        ]
    );
}

#[test]
fn the_first_sheet_is_read_or_the_one_that_is_named() {
    let bytes = book(&[
        ("Empty", &|_| {}),
        ("Größen", &|sheet| {
            sheet.write_row(0, 0, ["No"]).unwrap();
            sheet.write_row(1, 0, [1]).unwrap();
        }),
    ]);
    let mut first = open(&bytes, None).unwrap();
    assert_eq!(first.sheet(), Some("Empty"));
    assert!(first.next().unwrap().is_none());
    let mut named = open(&bytes, Some("Größen")).unwrap();
    assert_eq!(named.header(|_| false).unwrap().unwrap(), ["No"]);
    assert_eq!(named.next().unwrap().unwrap().place.line, 2);
    let wrong = open(&bytes, Some("grössen")).err().unwrap().to_string();
    let expected = r#"the Excel file: it has no sheet "grössen", but ["Empty", "Größen"]"#;
    assert_eq!(wrong, expected);
}

#[test]
fn the_first_sheet_is_the_first_that_is_not_hidden() {
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, is_hidden) in [("Notes", true), ("Rows", false), ("More", false)] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        sheet.write_row(0, 0, ["No"]).unwrap();
        sheet.set_hidden(is_hidden).set_active(name == "Rows");
    }
    let bytes = book.save_to_buffer().unwrap();
    let reader = open(&bytes, None).unwrap();
    assert_eq!(
        (reader.sheet(), reader.sheet_count()),
        (Some("Rows"), Some(3))
    );
    let named = open(&bytes, Some("Notes")).unwrap();
    assert_eq!(named.sheet(), Some("Notes"));
}

#[test]
fn a_number_that_is_not_read_to_its_last_digit_is_written_as_text() {
    let schema = schema(&[("Whole", DataType::Integer)]);
    let mut writer = SheetWriter::new(&schema, &[], SheetCells::default()).unwrap();
    let records = [
        r#"{"Whole":9007199254740991}"#,
        r#"{"Whole":9007199254740992}"#,
        r#"{"Whole":-9007199254740994}"#,
    ];
    for record in records {
        writer.record(record).unwrap();
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).unwrap();
    let read = Records::new(&schema, open(&bytes, None).unwrap(), Settings::default()).unwrap();
    let read = read.map(|row| row.unwrap().record.unwrap().into_normal_form());
    assert_eq!(read.collect::<Vec<_>>(), records);
}

#[test]
fn days_times_and_small_numbers_are_cells_that_a_spreadsheet_computes_with_and_come_back() {
    let mut schema = schema(&[
        ("Day", DataType::Date),
        ("German", DataType::Date),
        ("Moment", DataType::Datetime),
        ("Time", DataType::Time),
        ("Noon", DataType::Time),
        ("Rate", DataType::Float),
    ]);
    schema.fields[1].date_format = DateFormat::named("DD$MM$YYYY");
    schema.fields[1].date_separator = Separator::named(".");
    schema.fields[4].time_format = TimeFormat::named("hh:mm a");
    let records = [
        r#"{"Day":"2024-04-03","German":"03.04.2024","Moment":"2024-04-03 00:00:00","Time":"00:00:00","Noon":"12:30 pm","Rate":1e-7}"#,
        r#"{"Day":"9999-12-31","German":"01.03.1900","Moment":"1987-06-05 23:59:59","Time":"23:59:59","Noon":"12:00 am","Rate":1000.0}"#,
        r#"{"Day":"1899-12-31","German":"28.02.1900","Moment":"0001-01-01 00:00:01","Time":null,"Noon":null,"Rate":1e+300}"#,
    ];
    let mut writer = SheetWriter::new(&schema, &[], SheetCells::default()).unwrap();
    for record in records {
        writer.record(record).unwrap();
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).unwrap();
    let read = Records::new(&schema, open(&bytes, None).unwrap(), Settings::default()).unwrap();
    let read = read.map(|row| row.unwrap().record.unwrap().into_normal_form());
    assert_eq!(read.collect::<Vec<_>>(), records);
    // as others read it: numbers of which the format says that they are days
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).unwrap();
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    let row = |row: u32| {
        (0..6)
            .filter_map(|column| sheet.get_value((row, column)).cloned())
            .collect::<Vec<_>>()
    };
    let kinds = row(1);
    assert!(
        kinds[..5].iter().all(|it| matches!(it, Data::DateTime(_))),
        "{kinds:?}"
    );
    assert_eq!(kinds[5], Data::Float(1e-7));
    let early = row(3);
    assert!(
        early[..3].iter().all(|it| matches!(it, Data::String(_))),
        "{early:?}"
    );
}

#[test]
fn each_second_of_a_day_comes_back_from_a_sheet() {
    let schema = schema(&[("Moment", DataType::Datetime)]);
    let mut writer = SheetWriter::new(&schema, &[], SheetCells::default()).unwrap();
    let seconds = (0..86_400).step_by(7);
    let record = |second: u32| {
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        format!(r#"{{"Moment":"2024-04-03 {hour:02}:{minute:02}:{second:02}"}}"#)
    };
    let records: Vec<String> = seconds.map(record).collect();
    for record in &records {
        writer.record(record).unwrap();
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).unwrap();
    let read = Records::new(&schema, open(&bytes, None).unwrap(), Settings::default()).unwrap();
    let read = read.map(|row| row.unwrap().record.unwrap().into_normal_form());
    assert!(read.eq(records));
}

#[test]
fn a_file_on_disk_and_a_stream_give_the_same_rows_and_nobody_has_to_read_to_the_end() {
    let bytes = book(&[("Data", &|sheet| {
        for row in 0..5000 {
            sheet.write_row(row, 0, [row, row]).unwrap();
        }
    })]);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&bytes).unwrap();
    let on_disk = || Reader::open_file(File::open(file.path()).unwrap(), Options::default());
    let count = |mut reader: Reader| {
        let mut count = 0;
        while reader.next().unwrap().is_some() {
            count += 1;
        }
        count
    };
    assert_eq!(count(on_disk().unwrap()), 5000);
    assert_eq!(count(open(&bytes, None).unwrap()), 5000);
    let mut early = on_disk().unwrap();
    assert!(early.next().unwrap().is_some());
    drop(early);
}

#[test]
fn a_rejected_row_is_csv_that_is_read_as_the_same_record() {
    let fields = [("Moment", DataType::Datetime), ("Text", DataType::String)];
    let bytes = book(&[("Data", &|sheet| {
        sheet.write_row(0, 0, ["Moment", "Text"]).unwrap();
        date(sheet, 1, 0, "2020-02-29", "yyyy-mm-dd");
        sheet.write(1, 1, "a, \"b\"").unwrap();
    })]);
    let schema = schema(&fields);
    let reader = open(&bytes, None).unwrap();
    let mut records = Records::new(&schema, reader, Settings::default())
        .unwrap()
        .keeping_raw();
    assert_eq!(records.reader().delimiter(), Some(b','));
    assert_eq!(records.reader().sheet(), Some("Data"));
    let row = records.next().unwrap().unwrap().record.unwrap();
    assert_eq!(records.raw(), br#"2020-02-29T00:00:00,"a, ""b""""#);
    let csv = [b"Moment,Text\n", records.raw()].concat();
    let reader = Reader::open(Cursor::new(csv), Options::default()).unwrap();
    let mut again = Records::new(&schema, reader, Settings::default()).unwrap();
    let again = again.next().unwrap().unwrap().record.unwrap();
    assert_eq!(again.normal_form(), row.normal_form());
}

#[test]
fn a_row_that_can_not_be_read_is_told_with_its_cells_below_the_names() {
    let bytes = book(&[("Data", &|sheet| {
        sheet.write_row(0, 1, ["No", "Name"]).unwrap();
        sheet.write(1, 1, 1).unwrap();
        sheet
            .write_formula(1, 2, Formula::new("=NA()").set_result("#N/A"))
            .unwrap();
        sheet.write_row(2, 2, ["a", "b"]).unwrap();
        sheet.write_row(3, 0, ["x", "2"]).unwrap();
    })]);
    let schema = schema(&[("No", DataType::Integer), ("Name", DataType::String)]);
    let reader = open(&bytes, None).unwrap();
    let mut records = Records::new(&schema, reader, Settings::default()).unwrap();
    // one that begins before the columns has a cell more than they are, so that it is not read as if it began below the first
    for raw in ["1,#N/A", ",a,b", "x,2,"] {
        let row = records.next_body(None).unwrap().unwrap();
        assert_eq!(String::from_utf8_lossy(row.raw), raw);
    }
}

#[test]
fn a_cell_where_no_sheet_has_one_takes_no_memory() {
    let fill: Fill<'_> = &|sheet| {
        sheet.write_row(0, 0, ["No", "Name"]).unwrap();
        sheet.write_row(1, 0, ["1", "a"]).unwrap();
        sheet.write_row(2, 0, ["2", "b"]).unwrap();
    };
    let schema = schema(&[("No", DataType::String), ("Name", DataType::String)]);
    // ZZZZZZ is the 321,272,406th column
    for (cell, far, expected) in [
        ("\"B2\"", "\"ZZZZZZ2\"", "2 | 2:321272406 too_many_cells"),
        ("\"B2\"", "\"XFE2\"", "2 | 2:16385 too_many_cells"),
    ] {
        let bytes = rewritten(book(&[("Data", fill)]), "sheet1.xml", cell, far);
        let found = rows(&schema, &bytes);
        assert_eq!(found[0], expected);
        assert_eq!(found[1], r#"3 {"No":"2","Name":"b"}"#);
    }
    let bytes = rewritten(
        book(&[("Data", fill)]),
        "sheet1.xml",
        "\"A1\"",
        "\"ZZZZZZ1\"",
    );
    let mut reader = open(&bytes, None).unwrap();
    assert!(reader.header(|_| false).is_err());
}

#[test]
fn a_file_that_is_no_excel_file_is_told() {
    let told = |bytes: &[u8], format| {
        let options = Options {
            format,
            ..Options::default()
        };
        let opened = Reader::open(Cursor::new(bytes.to_vec()), options);
        opened.err().map(|error| error.to_string())
    };
    let old = told(b"\xD0\xCF\x11\xE0 old", None).unwrap();
    assert!(old.contains("save it as .xlsx"), "{old}");
    for bytes in [&b"a,b\n"[..], b"PK\x03\x04 and nothing", b""] {
        let told = told(bytes, Some(Format::Xlsx)).unwrap();
        assert!(told.starts_with("the Excel file: "), "{told}");
    }
    // what another program writes, and any archive
    let mut other = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default();
    for (name, text) in [
        ("mimetype", "application/x-sheet"),
        ("content.xml", "<!-- -->"),
    ] {
        other.start_file(name, plain).unwrap();
        other.write_all(text.as_bytes()).unwrap();
    }
    let other = other.finish().unwrap().into_inner();
    for format in [None, Some(Format::Xlsx)] {
        let told = told(&other[..], format).unwrap();
        assert!(told.ends_with("save the sheet as .xlsx"), "{told}");
    }
    let whole = book(&[("Data", &|_| {})]);
    for cut in (0..whole.len()).step_by(97) {
        // what is cut off is an error, never a panic
        assert!(told(&whole[..cut], Some(Format::Xlsx)).is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn records_come_back_from_a_sheet_as_they_were(
        records in clean::records(&clean::schema()),
        split in prop::option::of(prop::sample::select(vec!['|', ';', ' ', 'ä'])),
        for_spreadsheets in any::<bool>(),
    ) {
        let schema = clean::schema();
        let cells = SheetCells { split, for_spreadsheets };
        let mut writer = SheetWriter::new(&schema, &[], cells).unwrap();
        for record in &records {
            writer.record(record).unwrap();
        }
        let mut bytes = Vec::new();
        writer.finish(&mut bytes).unwrap();
        let settings = Settings { split, for_spreadsheets, ..Settings::default() };
        let read = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
        let read: Vec<String> = read
            .map(|row| {
                let row = row.unwrap();
                assert_eq!(row.findings, []);
                row.record.unwrap().into_normal_form()
            })
            .collect();
        prop_assert_eq!(read, records);
    }
}

#[test]
fn a_guarded_sheet_is_read_as_it_was_with_the_same_settings() {
    let schema = schema(&[("=Text", DataType::String)]);
    let cells = SheetCells {
        for_spreadsheets: true,
        ..SheetCells::default()
    };
    let texts = ["=1", "'=1", "''=1", "'s", "-"];
    let records = texts.map(|text| format!(r#"{{"=Text":"{text}"}}"#));
    let mut writer = SheetWriter::new(&schema, &[], cells).unwrap();
    for record in &records {
        writer.record(record).unwrap();
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).unwrap();
    let settings = Settings {
        for_spreadsheets: true,
        ..Settings::default()
    };
    let read = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
    let read: Vec<_> = read
        .map(|row| row.unwrap().record.unwrap().into_normal_form())
        .collect();
    assert_eq!(read, records);
}

#[test]
fn empty_text_and_no_value_are_two_things_in_a_sheet_of_one_column_too() {
    let schema = schema(&[("Text", DataType::String)]);
    let mut writer = SheetWriter::new(&schema, &[], SheetCells::default()).unwrap();
    let records = [
        r#"{"Text":""}"#,
        r#"{"Text":null}"#,
        r#"{"Text":"a"}"#,
        r#"{"Text":""}"#,
    ];
    for record in records {
        writer.record(record).unwrap();
    }
    let mut bytes = Vec::new();
    writer.finish(&mut bytes).unwrap();
    let read = Records::new(&schema, open(&bytes, None).unwrap(), Settings::default()).unwrap();
    let read = read.map(|row| row.unwrap().record.unwrap().into_normal_form());
    assert_eq!(read.collect::<Vec<_>>(), records);
}

#[test]
fn what_a_sheet_has_no_room_for_is_told() {
    let schema = schema(&[("Text", DataType::String)]);
    let mut writer = SheetWriter::new(&schema, &[], SheetCells::default()).unwrap();
    let long = format!(r#"{{"Text":"{}"}}"#, "x".repeat(32_768));
    let told = writer.record(&long).unwrap_err().to_string();
    let expected = "a sheet has no room for a text of more than 32,767 characters in \"Text\"; write CSV instead";
    assert_eq!(told, expected);
}

#[test]
fn a_record_without_values_is_a_row_as_any_other() {
    for data_type in [DataType::String, DataType::Time] {
        for (multivalue, split) in [(false, None), (true, None), (true, Some('|'))] {
            let mut schema = schema(&[("One", data_type), ("Other", DataType::Date)]);
            schema.fields[0].multivalue = Some(multivalue);
            let cells = SheetCells {
                split,
                ..SheetCells::default()
            };
            let mut writer = SheetWriter::new(&schema, &[], cells).unwrap();
            let records = [
                r#"{"One":null,"Other":null}"#,
                r#"{"One":null,"Other":"2020-02-29"}"#,
                r#"{"One":null,"Other":null}"#,
            ];
            for record in records {
                writer.record(record).unwrap();
            }
            let mut bytes = Vec::new();
            writer.finish(&mut bytes).unwrap();
            let settings = Settings {
                split,
                ..Settings::default()
            };
            let read = Records::new(&schema, open(&bytes, None).unwrap(), settings).unwrap();
            let read: Vec<_> = read
                .map(|row| row.unwrap().record.unwrap().into_normal_form())
                .collect();
            assert_eq!(read, records, "{data_type:?} {multivalue} {split:?}");
        }
    }
}

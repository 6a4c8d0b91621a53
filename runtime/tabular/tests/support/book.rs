//! Excel files as others write them, and the rows that are read out of them.

use rust_xlsxwriter::{ExcelDateTime, Format as CellFormat, Workbook, Worksheet};
use schema::{DataType, Field, Schema};
use std::fmt::Write as _;
use std::io::{Cursor, Read as _, Write as _};
use tabular::{Options, Reader, Records, Settings};

/// What fills a sheet.
pub(crate) type Fill<'f> = &'f dyn Fn(&mut Worksheet);

/// A file of sheets, each with a name and what fills it.
pub(crate) fn book(sheets: &[(&str, Fill<'_>)]) -> Vec<u8> {
    let mut book = Workbook::new();
    for (name, fill) in sheets {
        let sheet = book.add_worksheet().set_name(*name).unwrap();
        fill(sheet);
    }
    book.save_to_buffer().unwrap()
}

pub(crate) fn schema(fields: &[(&str, DataType)]) -> Schema {
    let field = |(name, data_type): &(&str, DataType)| Field::new(*name, *name, *data_type);
    Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: fields.iter().map(field).collect(),
        ..Schema::default()
    }
}

pub(crate) fn open(bytes: &[u8], sheet: Option<&str>) -> std::io::Result<Reader> {
    let options = Options {
        sheet,
        ..Options::default()
    };
    Reader::open(Cursor::new(bytes.to_vec()), options)
}

/// Each row: where it is, its normal form, and what is wrong.
pub(crate) fn rows(schema: &Schema, bytes: &[u8]) -> Vec<String> {
    let reader = open(bytes, None).unwrap();
    let records = Records::new(schema, reader, Settings::default()).unwrap();
    let shown = |row: std::io::Result<tabular::Judged>| {
        let row = row.unwrap();
        let mut line = row.place.line.to_string();
        if let Some(record) = row.record {
            write!(line, " {}", record.normal_form()).unwrap();
        }
        for finding in row.findings {
            let place = finding.place;
            write!(line, " | {}:{} {}", place.line, place.column, finding.code).unwrap();
        }
        line
    };
    records.map(shown).collect()
}

pub(crate) fn date(sheet: &mut Worksheet, row: u32, column: u16, moment: &str, format: &str) {
    let moment = ExcelDateTime::parse_from_str(moment).unwrap();
    let format = CellFormat::new().set_num_format(format);
    sheet
        .write_with_format(row, column, &moment, &format)
        .unwrap();
}

/// The same file with other words in one of its parts.
pub(crate) fn rewritten(book: Vec<u8>, part_name: &str, from: &str, to: &str) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(book)).unwrap();
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let name = part.name().unwrap().to_string();
        let mut text = String::new();
        part.read_to_string(&mut text).unwrap();
        if name.ends_with(part_name) {
            assert!(text.contains(from), "{text}");
            text = text.replace(from, to);
        }
        out.start_file(name, stored).unwrap();
        out.write_all(text.as_bytes()).unwrap();
    }
    out.finish().unwrap().into_inner()
}

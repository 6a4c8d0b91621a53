//! Parquet files: each type of field in its column, lists, what is missing, what a column can't hold; read by the
//! library's reader.

use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::RowAccessor as _;
use parquet::record::reader::RowIter;
use schema::{DataType, Field, Schema};
use tabular::{ParquetError, ParquetWriter};

fn schema(fields: &[(&str, DataType, bool)]) -> Schema {
    let field = |(name, data_type, is_list): &(&str, DataType, bool)| Field {
        multivalue: Some(*is_list),
        ..Field::new(*name, *name, *data_type)
    };
    Schema {
        fields: fields.iter().map(field).collect(),
        ..Schema::default()
    }
}

fn written(schema: &Schema, columns: &[&str], records: &[&str]) -> Vec<u8> {
    let columns: Vec<String> = columns.iter().map(|it| (*it).to_owned()).collect();
    let mut file = Vec::new();
    let mut writer = ParquetWriter::new(schema, &columns, &mut file).unwrap();
    for record in records {
        writer.record(record).unwrap();
    }
    writer.finish().unwrap();
    file
}

fn reader(file: Vec<u8>) -> SerializedFileReader<bytes::Bytes> {
    SerializedFileReader::new(bytes::Bytes::from(file)).unwrap()
}

fn rows(file: Vec<u8>) -> Vec<String> {
    let reader = reader(file);
    let rows = RowIter::from_file(None, &reader).unwrap();
    rows.map(|row| row.unwrap().to_string()).collect()
}

const ALL: [(&str, DataType, bool); 10] = [
    ("Whole", DataType::Integer, false),
    ("Double", DataType::Float, false),
    ("Money", DataType::Currency, false),
    ("Flag", DataType::Boolean, false),
    ("Day", DataType::Date, false),
    ("Moment", DataType::Datetime, false),
    ("Time", DataType::Time, false),
    ("Year", DataType::DateYear, false),
    ("Text", DataType::String, false),
    ("Tags", DataType::Picklist, true),
];

#[test]
fn each_type_of_field_has_its_column() {
    let reader = reader(written(&schema(&ALL), &[], &[]));
    let columns = reader.metadata().file_metadata().schema_descr();
    let told: Vec<String> = columns
        .columns()
        .iter()
        .map(|column| {
            let logical = column.logical_type_ref().map(|it| format!(" {it:?}"));
            let kind = column.physical_type();
            format!("{} {kind}{}", column.path(), logical.unwrap_or_default())
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn values_come_back_as_they_were_and_what_is_missing_is_null() {
    let file = written(
        &schema(&ALL),
        &[],
        &[
            r#"{"Whole":9007199254740993,"Double":-0.1,"Money":-12.5,"Flag":true,"Day":"2024-02-29","Moment":"1969-12-31 23:59:59","Time":"23:59:59","Year":2024,"Text":"Zürich","Tags":["a","b"]}"#,
            r#"{"Tags":[]}"#,
            r#"{"Whole":null,"Text":""}"#,
        ],
    );
    insta::assert_snapshot!(rows(file).join("\n"));
}

#[test]
fn what_a_column_cannot_hold_stands_in_the_last_one() {
    let file = written(
        &schema(&ALL),
        &["Whole", "Day", "Tags", "Text"],
        &[
            r#"{"Whole":"seven","Day":"tomorrow","Tags":"a","Text":7}"#,
            r#"{"Whole":1.5,"Day":"2023-02-29","Tags":["a",7],"Text":["x"]}"#,
            r#"{"Whole":99999999999999999999,"Tags":["a",null,"b"]}"#,
        ],
    );
    insta::assert_snapshot!(rows(file).join("\n"));
}

#[test]
fn a_field_of_the_last_columns_name_keeps_it() {
    let schema = schema(&[("_unfit", DataType::String, false)]);
    let file = written(&schema, &[], &[r#"{"_unfit":7}"#]);
    assert_eq!(rows(file), [r#"{_unfit: null, _unfit_: "{"_unfit":7}"}"#]);
}

#[test]
fn many_records_are_in_groups_and_all_there() {
    let schema = schema(&[("Whole", DataType::Integer, false)]);
    let records: Vec<String> = (0..70_000)
        .map(|it| format!("{{\"Whole\":{it}}}"))
        .collect();
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let reader = reader(written(&schema, &[], &records));
    assert_eq!(reader.metadata().num_row_groups(), 2);
    let rows = RowIter::from_file(None, &reader).unwrap();
    let numbers = rows.map(|row| row.unwrap().get_long(0).unwrap());
    assert!(numbers.eq(0..70_000));
}

#[test]
fn a_column_that_is_none_is_refused() {
    let schema = schema(&ALL);
    let wrong = ParquetWriter::new(&schema, &["Tag".to_owned()], Vec::new());
    assert!(matches!(wrong.err(), Some(ParquetError::Column(_))));
}

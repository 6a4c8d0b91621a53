//! What was written is read as it was: clean records by way of every format, with every setting that both sides know.

use crate::support::clean::{records, schema};
use proptest::prelude::*;
use schema::json::write_string;
use schema::{DataType, Field, Schema};
use std::io::{Cursor, Write as _};
use tabular::{
    CsvWriter, Format, Options, Packer, Packing, Reader, RecordWriter, Records, Settings,
    TextFormat,
};

fn csv() -> impl Strategy<Value = CsvWriter> {
    let delimiter = prop::sample::select(b",;\t|".to_vec());
    let split = prop::option::of(prop::sample::select(vec!['|', ';', ',', '/', ' ', 'ä']));
    (delimiter, any::<bool>(), split).prop_map(|(delimiter, for_spreadsheets, split)| CsvWriter {
        delimiter,
        for_spreadsheets,
        split,
        ..CsvWriter::default()
    })
}

/// Records that were written, and read by what is known of the file.
fn there_and_back(
    schema: &Schema,
    records: &[String],
    format: TextFormat,
    packing: Packing,
) -> Vec<String> {
    let writer = RecordWriter::new(schema, format, &[]).unwrap();
    let mut text = String::new();
    writer.header(&mut text);
    for record in records {
        writer.record(record, &mut text).unwrap();
    }
    let mut packer = Packer::new(Vec::new(), packing);
    packer.write_all(text.as_bytes()).unwrap();
    let (options, settings) = match format {
        TextFormat::Csv(csv) => (
            Options {
                format: Some(Format::Csv),
                delimiter: Some(csv.delimiter),
                header: Some(true),
                ..Options::default()
            },
            Settings {
                split: csv.split,
                for_spreadsheets: csv.for_spreadsheets,
                ..Settings::default()
            },
        ),
        TextFormat::Ndjson => (Options::default(), Settings::default()),
    };
    let reader = Reader::open(Cursor::new(packer.finish().unwrap()), options).unwrap();
    let read = Records::new(schema, reader, settings).unwrap();
    assert!(read.lost_columns().is_empty());
    read.map(|row| {
        let row = row.unwrap();
        assert_eq!(row.findings, []);
        row.record.unwrap().into_normal_form()
    })
    .collect()
}

fn packing() -> impl Strategy<Value = Packing> {
    prop::sample::select(Packing::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn records_come_back_from_csv_as_they_were(
        records in records(&schema()), csv in csv(), packing in packing(),
    ) {
        let format = TextFormat::Csv(csv);
        prop_assert_eq!(there_and_back(&schema(), &records, format, packing), records);
    }

    #[test]
    fn records_come_back_from_ndjson_as_they_were(
        records in records(&schema()), packing in packing(),
    ) {
        let format = TextFormat::Ndjson;
        prop_assert_eq!(there_and_back(&schema(), &records, format, packing), records);
    }
}

#[test]
fn records_come_back_whatever_their_fields_are_called_without_a_word_on_how_they_stand() {
    for names in [
        &["a;b;c", "x"][..],
        &["x", "a|b|c", "d\te\tf"],
        &["sep=;"],
        &["sep=", "x"],
        &["a;b;c"],
        &["1st, 2nd", "3rd", "@"],
        &["{a", "[b", "'c"],
    ] {
        let fields = names
            .iter()
            .map(|name| Field::new(*name, *name, DataType::String));
        let schema = Schema {
            id: "s".to_owned(),
            name: "S".to_owned(),
            fields: fields.collect(),
            ..Schema::default()
        };
        let csv = TextFormat::Csv(CsvWriter::default());
        let writer = RecordWriter::new(&schema, csv, &[]).unwrap();
        let mut text = String::new();
        writer.header(&mut text);
        let record = |value: &str| {
            let members = names.iter().map(|name| {
                let mut member = String::new();
                write_string(&mut member, name);
                format!("{member}:\"{value}\"")
            });
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        let records = ["a;b;c;d", "e|f|g|h"].map(record);
        for record in &records {
            writer.record(record, &mut text).unwrap();
        }
        let reader = Reader::open(Cursor::new(text), Options::default()).unwrap();
        let read = Records::new(&schema, reader, Settings::default()).unwrap();
        assert!(read.lost_columns().is_empty(), "{names:?}");
        let read = read.map(|row| row.unwrap().record.unwrap().into_normal_form());
        assert_eq!(read.collect::<Vec<_>>(), records, "{names:?}");
    }
}

#[test]
fn records_of_one_column_come_back_without_a_word_on_what_parts_cells() {
    let schema = Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: vec![Field::new("Name", "Name", DataType::String)],
        ..Schema::default()
    };
    let names = ["Smith, John", "Doe, Jane", "Cher", "a;b", "c\\td", "e|f"];
    let records = names.map(|name| format!("{{\"Name\":\"{name}\"}}"));
    for delimiter in *b",;\t|^" {
        let csv = CsvWriter {
            delimiter,
            ..CsvWriter::default()
        };
        let writer = RecordWriter::new(&schema, TextFormat::Csv(csv), &[]).unwrap();
        let mut text = String::new();
        writer.header(&mut text);
        for record in &records {
            writer.record(record, &mut text).unwrap();
        }
        for said in [None, Some(delimiter)] {
            let options = Options {
                delimiter: said,
                ..Options::default()
            };
            let reader = Reader::open(Cursor::new(text.clone()), options).unwrap();
            let read = Records::new(&schema, reader, Settings::default()).unwrap();
            let read = read.map(|row| row.unwrap().record.unwrap().into_normal_form());
            assert_eq!(read.collect::<Vec<_>>(), records, "{text}");
        }
    }
}

#[test]
fn columns_that_were_chosen_are_written_in_that_order_and_no_others_can_be() {
    let schema = schema();
    let columns = ["Flag".to_owned(), "Text".to_owned(), "Flag".to_owned()];
    let record = r#"{"Text":"a","=Whole":1,"Flag":null}"#;
    for (format, expected) in [
        (TextFormat::Csv(CsvWriter::default()), "Flag,Text\n,a\n"),
        (TextFormat::Ndjson, "{\"Flag\":null,\"Text\":\"a\"}\n"),
    ] {
        let writer = RecordWriter::new(&schema, format, &columns).unwrap();
        let mut text = String::new();
        writer.header(&mut text);
        writer.record(record, &mut text).unwrap();
        assert_eq!(text, expected);
    }
    let wrong = RecordWriter::new(&schema, TextFormat::Ndjson, &["Flagg".to_owned()]);
    let wrong = wrong.unwrap_err().to_string();
    let expected = "the schema has no active field \"Flagg\"; is \"Flag\" meant?";
    assert_eq!(wrong, expected);
}

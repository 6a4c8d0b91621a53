//! What was written is read as it was: clean records by way of every format, with every setting that both sides know.

use engine::validate::Checker;
use proptest::prelude::*;
use schema::json::write_string;
use schema::{DataType, Field, Schema};
use std::io::{Cursor, Write as _};
use tabular::{
    CsvWriter, Format, Options, Packer, Packing, Reader, RecordWriter, Records, Settings,
    TextFormat,
};

/// A field of each way that cells are read, of one value and of several.
fn schema() -> Schema {
    let types = [
        ("Text", DataType::String),
        ("=Whole", DataType::Integer),
        ("'+Float", DataType::Float),
        ("Money, €", DataType::Currency),
        ("Flag", DataType::Boolean),
        ("Day\"", DataType::Date),
        ("Moment", DataType::Datetime),
        ("Mail", DataType::Email),
    ];
    let mut fields = Vec::new();
    for (name, data_type) in types {
        fields.push(Field::new(name, name, data_type));
        let several = format!("{name} *");
        let mut field = Field::new(&*several, &*several, data_type);
        field.multivalue = Some(true);
        fields.push(field);
    }
    Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields,
        ..Schema::default()
    }
}

/// A value of a type, as JSON.
fn scalar(data_type: DataType) -> BoxedStrategy<String> {
    let text = |texts: &'static [&'static str]| {
        prop::sample::select(texts).prop_map(str::to_owned).boxed()
    };
    match data_type {
        DataType::Integer => (-1000_i64..1000).prop_map(|it| it.to_string()).boxed(),
        DataType::Float => prop_oneof![
            (-1e6..1e6).prop_map(|it: f64| format!("{it:?}")),
            text(&["0.1", "1e300", "-0.0", "123456789012345.678"]),
        ]
        .boxed(),
        DataType::Currency => text(&["19.99", "-5", "0.10", "9007199254740991", "100"]),
        DataType::Boolean => text(&["true", "false"]),
        DataType::Date => text(&["\"1899-12-31\"", "\"1900-02-28\"", "\"2020-02-29\""]),
        DataType::Datetime => text(&["\"2020-02-29 00:00:00\"", "\"1987-06-05 04:03:02\""]),
        DataType::Email => text(&["\"a@b.example\"", "\"+x@y.example\"", "\"=x|y@z.example\""]),
        _ => prop_oneof!["[a,;\t|\"'\\[\\] \r\n\u{feff}ä1=+@-]{0,6}", "[^\u{0}]{0,5}"]
            .prop_map(|text: String| {
                let mut json = String::new();
                write_string(&mut json, &text);
                json
            })
            .boxed(),
    }
}

fn value(field: &Field) -> BoxedStrategy<String> {
    let one = scalar(field.data_type);
    let some = if field.is_multivalue() {
        let several = prop::collection::vec(one, 0..4);
        several
            .prop_map(|all| format!("[{}]", all.join(",")))
            .boxed()
    } else {
        one
    };
    prop_oneof![1 => Just("null".to_owned()), 4 => some].boxed()
}

/// Records in their normal form, all of them clean.
fn records(schema: &Schema) -> impl Strategy<Value = Vec<String>> + use<> {
    let values: Vec<_> = schema.fields.iter().map(value).collect();
    let names: Vec<String> = schema.fields.iter().map(|it| it.name.clone()).collect();
    let checker = Checker::new(schema).unwrap();
    let record = values.prop_filter_map("only what is clean comes back", move |values| {
        let mut body = String::from("{");
        for (name, value) in names.iter().zip(&values) {
            body.push_str(if body.len() > 1 { "," } else { "" });
            write_string(&mut body, name);
            body.push(':');
            body.push_str(value);
        }
        body.push('}');
        let checked = checker.check(body.as_bytes()).ok()?;
        checked.is_clean().then(|| checked.into_normal_form())
    });
    prop::collection::vec(record, 1..5)
}

fn csv() -> impl Strategy<Value = CsvWriter> {
    let delimiter = prop::sample::select(b",;\t|".to_vec());
    let split = prop::option::of(prop::sample::select(vec!['|', ';', ',', '/', ' ', 'ä']));
    (delimiter, any::<bool>(), split).prop_map(|(delimiter, for_spreadsheets, split)| CsvWriter {
        delimiter,
        for_spreadsheets,
        split,
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
    assert_eq!(wrong, "the schema has no active field \"Flagg\"");
}

//! Rows as judged records: the checked-in data by way of CSV, and findings at their places.

use schema::{DataType, Field, Origin, Schema};
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;
use tabular::{
    CsvWriter, DecimalMark, Finding, LostColumn, Mapping, Options, Reader, Records, Settings,
};

fn fixture(path: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    fs::read_to_string(folder.join(path)).unwrap()
}

/// The names of the shared schemas, which their data files have too.
fn fixture_names() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/schemas");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let schemas = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let names: Vec<String> = schemas
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert!(names.len() >= 10);
    names
}

fn records<'s>(schema: &Schema, text: &str, settings: Settings<'s>) -> Records<'s> {
    let reader = Reader::open(Cursor::new(text.to_owned()), Options::default()).unwrap();
    Records::new(schema, reader, settings).unwrap()
}

fn findings(records: Records<'_>) -> Vec<String> {
    let shown = |finding: Finding| {
        let Finding {
            place,
            field,
            code,
            message,
        } = finding;
        let field = field.unwrap_or_default();
        format!("{}:{} {field} {code}: {message}", place.line, place.column)
    };
    records
        .flat_map(|row| row.unwrap().findings)
        .map(shown)
        .collect()
}

#[test]
fn every_real_record_comes_back_from_csv_as_it_was() {
    for name in fixture_names() {
        let document = fixture(&format!("schemas/{name}.json"));
        let schema = Schema::read(&document, Origin::Elsewhere).unwrap().schema;
        let writer = CsvWriter {
            delimiter: b';',
            ..CsvWriter::default()
        };
        let mut csv = String::new();
        let names = schema
            .active_fields()
            .map(|field| Some(field.name.as_str()));
        writer.row(names, &mut csv);
        let mut normal_forms = Vec::new();
        for row in records(
            &schema,
            &fixture(&format!("data/{name}.ndjson")),
            Settings::default(),
        ) {
            let record = row.unwrap().record.unwrap();
            writer.record(record.normal_form(), &mut csv).unwrap();
            normal_forms.push(record.into_normal_form());
        }
        let rows = records(&schema, &csv, Settings::default());
        assert_eq!(rows.reader().delimiter(), Some(b';'), "{name}");
        let mut count = 0;
        for (row, expected) in rows.zip(&normal_forms) {
            let row = row.unwrap();
            assert_eq!(row.findings, [], "{name}");
            assert!(
                row.record.unwrap().normal_form() == expected,
                "{name}: a row differs"
            );
            count += 1;
        }
        assert_eq!(count, normal_forms.len(), "{name}");
    }
}

fn schema() -> Schema {
    let mut number = Field::new("f1", "Customer No", DataType::String);
    (number.primary_key, number.required) = (true, true);
    let mut tags = Field::new("f3", "Tags", DataType::String);
    tags.multivalue = Some(true);
    let size = Field::new("f2", "Größe", DataType::Integer);
    Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: vec![number, size, tags],
        ..Schema::default()
    }
}

#[test]
fn each_finding_of_a_cell_names_the_cell() {
    let csv = "Kundennr,\"größe\",tags\n007,1.5,a|b\n,x,\n\"8\n9\",many,\"[1,\"\"b\"\"]\"\n";
    let mappings = [Mapping::parse("Kundennr=Customer No").unwrap()];
    let settings = Settings {
        mappings: &mappings,
        split: Some('|'),
        ..Settings::default()
    };
    assert_eq!(
        findings(records(&schema(), csv, settings)),
        [
            "2:5 Größe integer: must be a whole number",
            "3:1 Customer No required: is required",
            "3:2 Größe integer: must be a whole number",
            "5:4 Größe integer: must be a whole number",
            "5:9 Tags string: value 1 must be a string",
        ]
    );
}

#[test]
fn each_finding_of_a_json_row_names_the_byte_it_is_about() {
    let text = "{\"Customer No\":\"1\"}\n{\"Customer No\": \"2\", \"Größe\": \"x\"}\n{\"Customer\":1}\n{\"Größe\":}\n";
    assert_eq!(
        findings(records(&schema(), text, Settings::default())),
        [
            "2:31 Größe integer: must be a whole number",
            "3:2 Customer unknown_key: the schema has no field of this name",
            "4:10  syntax: the body is not JSON: expected a value",
        ]
    );
}

#[test]
fn a_file_without_names_has_a_column_for_each_field_in_order() {
    let rows = records(&schema(), "1,2,\n2,3,\n", Settings::default());
    assert!(rows.header().is_none());
    let forms: Vec<String> = rows
        .map(|row| row.unwrap().record.unwrap().into_normal_form())
        .collect();
    assert_eq!(forms[1], r#"{"Customer No":"2","Größe":3,"Tags":null}"#);
}

#[test]
fn a_first_row_that_may_have_names_is_none_of_values_however_odd_they_are() {
    for text in [
        "Description,2nd code,Colour\n1,2,\n",
        "Description;Item number;;\n1;2;\n",
        "Description,Code,Code\n1,2,\n",
        "Name@work,Code,\n1,2,\n",
        "Land,2019\n1,2\n",
    ] {
        let rows = records(&schema(), text, Settings::default());
        let width = rows.header().map(<[_]>::len);
        assert_eq!(width, Some(rows.lost_columns().len()), "{text}");
    }
}

#[test]
fn names_below_rows_of_empty_cells_are_found_and_lines_are_those_of_the_file() {
    let text = ",,\n,,\nCustomer No,Größe,Tags\n1,x,\n2,3,\n";
    let rows = records(&schema(), text, Settings::default());
    assert!(rows.lost_columns().is_empty());
    let told = ["4:3 Größe integer: must be a whole number"];
    assert_eq!(findings(rows), told);
}

#[test]
fn columns_behind_the_last_field_of_a_file_without_names_are_told() {
    let options = Options {
        header: Some(false),
        ..Options::default()
    };
    let reader = Reader::open("1,2,,4,5\n".as_bytes(), options).unwrap();
    let rows = Records::new(&schema(), reader, Settings::default()).unwrap();
    assert!(rows.header().is_none());
    let lost = [3, 4].map(|column| LostColumn::Surplus { column });
    assert_eq!(rows.lost_columns(), lost);
}

#[test]
fn a_text_of_one_column_is_not_proposed_to_be_mapped_as_it_may_be_parted_by_something_else() {
    let text = "Customer No^Größe^Tags\n1^2^\n";
    let rows = records(&schema(), text, Settings::default());
    let name = "Customer No^Größe^Tags".to_owned();
    let [lost] = rows.lost_columns() else {
        panic!("one: {:?}", rows.lost_columns());
    };
    assert_eq!(*lost, LostColumn::Only { name });
    assert_eq!((lost.code(), lost.proposal()), ("unknown_column", None));
    let told = lost.to_string();
    assert!(told.contains("say what the delimiter is"), "{told}");
    let options = Options {
        delimiter: Some(b'^'),
        ..Options::default()
    };
    let reader = Reader::open(text.as_bytes(), options).expect("it can be read");
    let rows = Records::new(&schema(), reader, Settings::default()).expect("columns");
    assert!(rows.lost_columns().is_empty());
}

#[test]
fn a_mapping_of_a_file_without_names_is_told() {
    let mappings = [Mapping::parse("Nr=Customer No").unwrap()];
    let settings = Settings {
        mappings: &mappings,
        ..Settings::default()
    };
    let reader = Reader::open("1,2,\n".as_bytes(), Options::default()).unwrap();
    let wrong = Records::new(&schema(), reader, settings).err().unwrap();
    assert!(matches!(wrong, tabular::OpenError::Mapping(_)), "{wrong:?}");
}

#[test]
fn a_column_that_goes_nowhere_is_told_once_and_costs_no_row() {
    let mut rows =
        records(&schema(), "customer no,Grösse\n1,2\n", Settings::default()).keeping_raw();
    let lost = LostColumn::Unknown {
        column: 1,
        name: "Grösse".to_owned(),
        near: Some("Größe".to_owned()),
    };
    assert_eq!(rows.lost_columns(), [lost]);
    let row = rows.next().unwrap().unwrap();
    assert!(row.record.unwrap().is_clean());
    assert_eq!(rows.raw(), b"1,2");
    assert_eq!(rows.header().unwrap(), ["customer no", "Grösse"]);
}

#[test]
fn numbers_are_read_by_the_mark_that_was_said_and_else_it_is_told_how_they_are_written() {
    let fields = [
        Field::new("f1", "Count", DataType::Integer),
        Field::new("f2", "Price", DataType::Currency),
    ];
    let schema = Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: fields.into(),
        ..Schema::default()
    };
    let csv = "Count;Price\n12.000;1.500\n7;2,50\n";
    let mut plain = records(&schema, csv, Settings::default());
    while plain.next_body(None).unwrap().is_some() {}
    let told = plain.take_number_texts();
    let names: Vec<_> = plain.field_names().collect();
    let told: Vec<_> = told
        .iter()
        .map(|(field, it)| (names[*field], it.thousands, it.commas, it.others))
        .collect();
    assert_eq!(told, [("Count", 1, 0, 0), ("Price", 1, 1, 0)]);
    assert_eq!(plain.take_number_texts(), []);
    assert_eq!(
        findings(records(&schema, csv, Settings::default())),
        [
            "2:1 Count integer: must be a whole number",
            "2:8 Price float: must be a number",
            "3:3 Price float: must be a number",
        ]
    );
    let settings = Settings {
        decimal_mark: Some(DecimalMark::Comma),
        ..Settings::default()
    };
    let mut marked = records(&schema, csv, settings);
    let mut forms = Vec::new();
    for row in &mut marked {
        let record = row.unwrap().record.unwrap();
        assert!(record.is_clean());
        forms.push(record.into_normal_form());
    }
    assert_eq!(
        forms,
        [
            r#"{"Count":12000,"Price":1500}"#,
            r#"{"Count":7,"Price":2.5}"#
        ]
    );
}

//! Records without a fault, of fields of each way that cells are read.

use engine::validate::Checker;
use proptest::prelude::*;
use schema::json::write_string;
use schema::{DataType, Field, PicklistEntry, PicklistType, Schema};

/// Codes, some with white space at an end.
const CODES: [&str; 4] = [" b ", "b", "c\u{A0}", "\td"];

/// A field of each way that cells are read, of one value and of several.
pub(crate) fn schema() -> Schema {
    let types = [
        ("Text", DataType::String),
        ("=Whole", DataType::Integer),
        ("'+Float", DataType::Float),
        ("Money, €", DataType::Currency),
        ("Flag", DataType::Boolean),
        ("Day\"", DataType::Date),
        ("Moment", DataType::Datetime),
        ("Mail", DataType::Email),
        ("Code", DataType::Picklist),
    ];
    let mut fields = Vec::new();
    for (name, data_type) in types {
        let mut field = Field::new(name, name, data_type);
        if data_type == DataType::Picklist {
            field.picklist_type = Some(PicklistType::Static);
            let entry = |code: &str| PicklistEntry {
                code: code.to_owned(),
                ..PicklistEntry::default()
            };
            field.static_picklist = Some(CODES.map(entry).into());
        }
        let several = format!("{name} *");
        let mut several = Field::new(&*several, &*several, data_type);
        several.multivalue = Some(true);
        several.picklist_type = field.picklist_type;
        several.static_picklist.clone_from(&field.static_picklist);
        fields.extend([field, several]);
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
        DataType::Picklist => text(&["\" b \"", "\"b\"", "\"c\u{A0}\"", "\"\\td\""]),
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
pub(crate) fn records(schema: &Schema) -> impl Strategy<Value = Vec<String>> + use<> {
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

//! Property (a): schema → generated code → `SCHEMA` → JSON is the identity but for provenance and the
//! area's name, compared as JSON values with numbers by their tokens.

use super::canonical::canonical;
use random::{Door, CONFORMANCE, RANDOM};
use runtime::schema::json::{parse, Node, Value};

/// What stays out of generated code, wherever it has a value.
const PROVENANCE: &[&str] = &["createdBy", "updatedBy", "createdDate", "updatedDate"];

/// Takes provenance away: of the schema, and of each field.
fn without_provenance(root: &mut Node<'_>) {
    let is_told = |key: &str, value: &Value<'_>| {
        PROVENANCE.contains(&key) && matches!(value, Value::String(_))
    };
    let Value::Object(members) = &mut root.value else {
        return;
    };
    members.retain(|member| {
        member.key != "businessAreaName" && !is_told(&member.key, &member.value.value)
    });
    let fields = members.iter_mut().find(|member| member.key == "fields");
    if let Some(Value::Array(fields)) = fields.map(|member| &mut member.value.value) {
        for field in fields {
            if let Value::Object(members) = &mut field.value {
                members.retain(|member| !is_told(&member.key, &member.value.value));
            }
        }
    }
}

/// The difference between a document and what the type says of it.
fn difference(door: &Door) -> Option<String> {
    let mut root = parse(door.document).expect("the document was generated from");
    without_provenance(&mut root);
    let carried = (door.schema)().to_json();
    let carried = parse(&carried).expect("a schema is written as JSON");
    let (mut wanted, mut found) = (String::new(), String::new());
    canonical(&root, &mut wanted);
    canonical(&carried, &mut found);
    (wanted != found).then(|| format!("{}\n  document {wanted}\n  SCHEMA   {found}", door.name))
}

#[test]
fn a_schema_survives_the_way_through_generated_code() {
    let doors = || RANDOM.iter().chain(&CONFORMANCE);
    let wrong: Vec<String> = doors().filter_map(difference).collect();
    println!(
        "{} schemas, {} fields",
        doors().count(),
        doors()
            .map(|door| (door.schema)().fields.len())
            .sum::<usize>()
    );
    assert!(
        wrong.is_empty(),
        "{} schemas\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_random_schemas_have_every_data_type_and_setting() {
    let all: String = RANDOM
        .iter()
        .map(|door| (door.schema)().to_json())
        .collect();
    for facts in runtime::schema::DataType::table() {
        let count = all
            .matches(&format!("\"dataType\":\"{}\"", facts.name))
            .count();
        assert!(count > 10, "{} fields of type {}", count, facts.name);
    }
    let settings = [
        "isMultivalue",
        "isPII",
        "min",
        "max",
        "classifiers",
        "validationRules",
        "allowedBooleanValues",
        "picklistType",
        "staticPicklist",
        "dataDomainId",
        "dateFormat",
        "dateSeparator",
        "timeFormat",
        "maxWidth",
        "maxHeight",
        "maxSize",
    ];
    for setting in settings {
        for blank in ["null", "\"\""] {
            assert!(
                all.contains(&format!("\"{setting}\":{blank}")),
                "{setting} is {blank}"
            );
        }
        assert!(
            all.matches(&format!("\"{setting}\":")).count() > 30,
            "{setting}"
        );
    }
    assert!(RANDOM.iter().any(|door| (door.schema)().fields.is_empty()));
    assert!(all.matches("\"active\":false").count() > 30);
}

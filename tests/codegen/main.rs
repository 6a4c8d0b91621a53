//! What generated and hand-written records give away, looked at from outside: no public output but
//! the data itself may hold a value of a field with personal information.

mod by_hand;
mod canaries;
mod exports;
mod outputs;
mod secrets;

use canaries::{BODIES, NEEDLES, VALUES};
use outputs::Outputs;
use runtime::Record;
use secrets::{Kind, Many, One};
use serde::Deserialize;
use serde::de::value::{Error as ValueError, MapDeserializer};

/// Every body, under the names of both structs' fields, which are the same.
fn bodies() -> Vec<String> {
    let mut bodies: Vec<String> = BODIES.iter().map(|body| (*body).to_owned()).collect();
    for (name, values) in VALUES {
        for value in *values {
            bodies.push(format!(r#"{{"{name}":{value}}}"#));
            bodies.push(format!(r#"{{"{name}":[{value}]}}"#));
            bodies.push(format!(
                r#"{{"{name}":[{value},null,{value},7183,"kanarie",true]}}"#
            ));
            bodies.push(format!(r#"{{"{name}":{value},"{name}":{value}}}"#));
            bodies.push(format!(r#"{{"{name}":{{"kanarie":{value}}}}}"#));
            bodies.push(format!(r#"{{"{name}":[[{value}],{value}]}}"#));
            bodies.push(format!(r#"{{"{name}":{value}"#));
            bodies.push(format!(r#"{{"{name}":{value} {value}}}"#));
            bodies.push(format!(r#"{{"{name}":{value}}}{value}"#));
            bodies.push(format!("{{\"{name}\":\"kanarie\u{1} 7183\"}}"));
            bodies.push(format!(r#"{{"{name}":"kanarie \x 7183"}}"#));
            bodies.push(format!(r#"{{"{name}":"kanarie \ud800 7183"}}"#));
            bodies.push(format!(r#"{{"{name}":"kanarie \u0000 7183"}}"#));
            bodies.push(format!(r#"{{"{name}":7183.}}"#));
            bodies.push(format!(r#"{{"{name}":[7183,07183]}}"#));
        }
    }
    // the first value of each field is a clean one: a whole record, and its array
    for many in [false, true] {
        let members = VALUES.iter().map(|(name, values)| {
            let value = values[0];
            if many {
                format!(r#""{name}":[{value}]"#)
            } else {
                format!(r#""{name}":{value}"#)
            }
        });
        bodies.push(format!("{{{}}}", members.collect::<Vec<_>>().join(",")));
    }
    bodies
}

fn leaks(outputs: &Outputs) -> Vec<String> {
    let held = |text: &str| {
        let text = text.to_lowercase();
        NEEDLES.iter().any(|needle| text.contains(needle))
    };
    let leaks = outputs.items().iter().filter(|(_, text)| held(text));
    let mut leaks: Vec<String> = leaks
        .map(|(door, text)| format!("{door}: {text}"))
        .collect();
    leaks.sort();
    leaks.dedup();
    leaks.truncate(40);
    leaks
}

#[test]
fn no_output_holds_a_value_of_a_personal_field() {
    let mut outputs = Outputs::default();
    let bodies = bodies();
    for body in &bodies {
        outputs.of_body::<One>(body.as_bytes());
        outputs.of_body::<Many>(body.as_bytes());
    }
    println!("{} bodies, {} outputs", bodies.len(), outputs.items().len());
    let leaks = leaks(&outputs);
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
    assert!(outputs.clean >= 2 && outputs.faulty > 200 && outputs.rejected > 500);
}

#[test]
fn a_struct_built_by_hand_tells_no_value_either() {
    let mut outputs = Outputs::default();
    let one = One {
        string: Some("kanarie 7183!".to_owned()),
        float: Some(7183.5),
        integer: Some(7183),
        link: Some("kanarie".to_owned()),
        kinds: Some(Kind::A),
        dynamic: Some("kanarie".to_owned()),
        file: Some("kanarie".to_owned()),
        ..One::from_json(b"{}").unwrap()
    };
    let verdict = one.validate_with(Some(&outputs::Nothing));
    assert!(verdict.errors().len() >= 5, "{verdict}");
    outputs.of_record(&one);
    let many = Many {
        string: vec!["kanarie 7183!".to_owned(), String::new()],
        float: vec![f64::NAN, 7183.5, f64::INFINITY],
        ..Many::from_json(b"{}").unwrap()
    };
    assert!(!many.validate().is_clean());
    outputs.of_record(&many);
    let leaks = leaks(&outputs);
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[test]
fn no_error_of_a_value_type_holds_the_text() {
    let mut outputs = Outputs::default();
    let text = "kanarie 7183";
    outputs.error("Email", runtime::Email::parse(text).err());
    outputs.error("Url", runtime::Url::parse(text).err());
    outputs.error("Phone", runtime::Phone::parse(text).err());
    outputs.error("LatLng", runtime::LatLng::parse(text).err());
    outputs.error("Latitude", runtime::Latitude::new(7183.0).err());
    outputs.error("Longitude", runtime::Longitude::new(7183.0).err());
    assert_eq!(outputs.items().len(), 12);
    let leaks = leaks(&outputs);
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[test]
fn serde_errors_of_codes_and_whole_values_hold_no_value() {
    let mut outputs = Outputs::default();
    for text in [
        r#""kanarie""#,
        "7183",
        "[7183]",
        "7183.5",
        r#"{"kanarie":1}"#,
        "true",
    ] {
        outputs.error("code", serde_json::from_str::<Kind>(text).err());
    }
    for text in [
        r#""kanarie""#,
        "7183",
        "[7183]",
        "-7183",
        "7183.5",
        "kanarie",
    ] {
        outputs.error("record", serde_json::from_str::<One>(text).err());
    }
    // what formats with wider numbers than JSON's readers hand over
    for wide in [7183_u128, 7183 << 100] {
        let members = MapDeserializer::<_, ValueError>::new([("integer", wide)].into_iter());
        outputs.error("wide", One::deserialize(members).err());
    }
    let members = MapDeserializer::<_, ValueError>::new([("integer", -7183_i128)].into_iter());
    outputs.error("wide", One::deserialize(members).err());
    assert!(outputs.items().len() >= 24);
    let leaks = leaks(&outputs);
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

#[test]
fn every_data_type_is_among_the_fields() {
    for (schema, is_many) in [(&**One::SCHEMA, false), (&**Many::SCHEMA, true)] {
        for facts in runtime::schema::DataType::table() {
            let field = schema
                .fields
                .iter()
                .find(|field| field.data_type == facts.data_type);
            let field = field.unwrap_or_else(|| panic!("no field of type {}", facts.name));
            assert_eq!((field.is_pii(), field.is_multivalue()), (true, is_many));
        }
        let named = schema.fields.iter().map(|field| field.name.as_str());
        assert!(named.eq(VALUES.iter().map(|(name, _)| *name)));
    }
}

//! Answers as JSON text, for a module whose only way out is bytes. The names are those of the Node module.

use crate::{Checked, Fault, Rejected, Rejection};
use schema::json::write_string;
use std::fmt::Display;

/// `{"normalForm": …, "primaryKey": …, "errors": …, "faults": […], "isFullyJudged": …}` of a record, where `normalForm` and
/// `errors` are texts; of a body that is refused `{"rejections": […]}`. What there is not is left out.
pub fn answer(outcome: &Result<Checked, Rejected>) -> String {
    let mut out = String::new();
    match outcome {
        Ok(checked) => {
            member(&mut out, '{', "normalForm", checked.normal_form());
            if let Some(key) = checked.primary_key() {
                member(&mut out, ',', "primaryKey", key);
            }
            member(&mut out, ',', "errors", &checked.errors_json());
            out.push_str(",\"faults\":");
            list(&mut out, checked.faults(), fault);
            bare(&mut out, "isFullyJudged", &checked.is_fully_judged());
            out.push('}');
        }
        Err(rejected) => {
            out.push_str("{\"rejections\":");
            list(&mut out, rejected.items(), rejection);
            out.push('}');
        }
    }
    out
}

fn fault(fault: &Fault, out: &mut String) {
    member(out, '{', "field", fault.field());
    member(out, ',', "code", fault.rule().code());
    member(out, ',', "text", &fault.to_string());
    for (name, place) in [("position", fault.position()), ("offset", fault.offset())] {
        if let Some(place) = place {
            bare(out, name, &place);
        }
    }
    out.push('}');
}

fn rejection(rejection: &Rejection, out: &mut String) {
    member(out, '{', "code", rejection.code.name());
    if let Some(name) = &rejection.name {
        member(out, ',', "name", name);
    }
    member(out, ',', "text", &rejection.text());
    bare(out, "offset", &rejection.offset);
    out.push('}');
}

/// A member whose value is a text, behind a bracket or a comma.
fn member(out: &mut String, before: char, name: &str, text: &str) {
    out.push(before);
    write_string(out, name);
    out.push(':');
    write_string(out, text);
}

/// A member behind a comma whose value's text is its JSON.
fn bare(out: &mut String, name: &str, value: &dyn Display) {
    out.push(',');
    write_string(out, name);
    out.push(':');
    out.push_str(&value.to_string());
}

fn list<T>(out: &mut String, items: &[T], one: fn(&T, &mut String)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        one(item, out);
    }
    out.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;

    #[test]
    fn an_answer_tells_the_record_and_its_faults_or_the_reasons_of_a_refusal() {
        let engine = Engine::new(
            r#"{"schemaId": "s1", "name": "City", "businessAreaId": "a1", "businessAreaName": "Places",
            "createdDate": "2026-01-01T00:00:00.000Z", "fields": [{"fieldId": "f1", "name": "Size", "active": true,
            "dataType": "integer", "isPrimaryKey": true, "isSortKey": false, "isRequired": true}]}"#,
        )
        .unwrap();
        let told = |body: &str| answer(&engine.check(body.as_bytes(), None));
        assert_eq!(
            told(r#"{"Size": 7}"#),
            r#"{"normalForm":"{\"Size\":7}","primaryKey":"7","errors":"[]","faults":[],"isFullyJudged":true}"#
        );
        assert_eq!(
            told(r#"{"Size": 0.5}"#),
            concat!(
                r#"{"normalForm":"{\"Size\":0.5}","primaryKey":"0.5","#,
                r#""errors":"[{\"name\":\"Size\",\"errors\":\"must be a whole number\"}]","#,
                r#""faults":[{"field":"Size","code":"integer","text":"must be a whole number","offset":9}],"isFullyJudged":true}"#
            )
        );
        let refused = told(r#"{"Sise": 7}"#);
        assert!(
            refused.starts_with(r#"{"rejections":[{"code":"unknown_key","name":"Sise","text":""#)
                && refused.ends_with(r#","offset":1}]}"#),
            "{refused}"
        );
    }
}

//! Effects of drafts that bring a personal field back, after it was removed or switched off: its values were never gone, so
//! what the draft would make faulty is not told to who may not see them. Drafts of fields that are there: `personal.rs`.

use crate::browser::field;
use crate::personal_dataset::People;
use serde_json::{Value, json};

/// The schema as a draft, changed.
fn draft(document: &Value, change: impl Fn(&mut Vec<Value>)) -> Value {
    let mut document = document.clone();
    change(document["fields"].as_array_mut().expect("fields"));
    json!({"document": document, "state": "published", "active": true})
}

fn is_age(field: &Value) -> bool {
    field["fieldId"] == "f-age"
}

fn age(fields: &mut [Value]) -> &mut Value {
    fields.iter_mut().find(|it| is_age(it)).expect("Age")
}

fn town(fields: &mut [Value]) -> &mut Value {
    let mut fields = fields.iter_mut();
    fields.find(|it| it["fieldId"] == "f-town").expect("Town")
}

#[test]
fn effects_of_a_personal_field_that_comes_back_are_told_to_who_sees_its_values() {
    let people = People::start();
    let line = format!("/schemas/{}", people.schema);
    let shown = people.ask(&format!("GET {line}"), None).is(200).json();
    let document = &shown["document"];
    let bounded = draft(document, |fields| age(fields)["max"] = json!(41));
    let renamed = draft(document, |fields| {
        age(fields)["max"] = json!(41);
        age(fields)["name"] = "Years".into();
    });
    // below any bound, and as it was: how many records have one is told to nobody either
    let same = draft(document, |_| {});
    // beside a rule of a field that everybody sees
    let beside = draft(document, |fields| town(fields)["max"] = json!(2));
    let removed = draft(document, |fields| fields.retain(|it| !is_age(it)));
    let off = draft(document, |fields| age(fields)["active"] = false.into());
    for gone in [&removed, &off] {
        people
            .ask(&format!("PUT {line}"), Some(gone.clone()))
            .is(200);
        for asked in [
            format!("POST {line}/effects"),
            format!("POST /datasets/{}/effects", people.dataset),
        ] {
            for back in [&bounded, &renamed, &same, &beside] {
                let refused = people.ask(&asked, Some(back.clone())).is(403);
                assert!(refused.body.contains("`Age`"), "{}", refused.body);
                assert!(refused.body.contains("PERSONAL DATA"), "{}", refused.body);
            }
            let told = people.server.root(&asked, Some(bounded.clone()));
            assert!([200, 201].contains(&told.status), "{}", told.body);
            // what leaves it where it is, is told
            let other = draft(&gone["document"], |fields| {
                fields.push(field("f-later", "Later", "string", false));
            });
            let shorter = draft(&gone["document"], |fields| {
                town(fields)["max"] = json!(2);
            });
            for told in [other, shorter] {
                let told = people.ask(&asked, Some(told));
                assert!([200, 201].contains(&told.status), "{}", told.body);
            }
        }
        // it comes back by a change, which the trail has
        people
            .ask(&format!("PUT {line}"), Some(same.clone()))
            .is(200);
    }
}

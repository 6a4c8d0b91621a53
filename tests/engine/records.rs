//! Real records: clean ones pass and come out as they went in, faulty ones get exactly the `_errors`
//! that are checked in.

use runtime::schema::{Origin, Schema};
use runtime::validate::Checker;
use serde_json::Value;
use tests::{fixture, fixture_names};

fn checker(schema: &str) -> Checker {
    let document = Schema::read(
        &fixture(&format!("schemas/{schema}.json")),
        Origin::Elsewhere,
    )
    .unwrap_or_else(|problems| panic!("{schema}: {problems}"));
    Checker::new(&document.schema).unwrap()
}

#[test]
fn every_real_record_is_clean_and_its_normal_form_is_a_fixed_point() {
    for name in fixture_names("data", ".ndjson") {
        let checker = checker(name.trim_end_matches(".ndjson"));
        let mut count = 0;
        for line in fixture(&format!("data/{name}")).lines() {
            let checked = checker
                .check(line.as_bytes())
                .unwrap_or_else(|error| panic!("{name}: {error}\n{line}"));
            assert!(
                checked.is_clean(),
                "{name}: {}\n{line}",
                checked.errors_json()
            );
            let again = checker.check(checked.normal_form().as_bytes()).unwrap();
            assert_eq!(again.normal_form(), checked.normal_form());
            count += 1;
        }
        println!("{count} records of {name}");
    }
}

/// The members of a record in their own order and turned round, with and without white space in places: each is stored as
/// the same text, whether it was copied in long stretches or written value by value.
#[test]
fn a_record_is_stored_alike_however_its_members_are_ordered_and_spaced() {
    let sources = [
        ("data", ".ndjson", "schemas"),
        ("bench", "order.json", "bench"),
    ];
    let mut count = 0;
    for (folder, suffix, schemas) in sources {
        for name in fixture_names(folder, suffix) {
            let checker = if folder == schemas {
                let document = Schema::read(&fixture("bench/order.schema.json"), Origin::Created);
                Checker::new(&document.unwrap().schema).unwrap()
            } else {
                checker(name.trim_end_matches(suffix))
            };
            for line in fixture(&format!("{folder}/{name}")).lines().take(500) {
                let stored = checker.check(line.as_bytes()).unwrap();
                let root = runtime::schema::json::parse(line).unwrap();
                let runtime::schema::json::Value::Object(members) = &root.value else {
                    panic!("{line}");
                };
                let mut parts: Vec<(String, &str)> = members
                    .iter()
                    .map(|member| {
                        let key = serde_json::to_string(&member.key).unwrap();
                        (key, &line[member.value.start..member.value.end])
                    })
                    .collect();
                for order in ["own", "turned round"] {
                    for (colon, comma) in [(":", ","), (": ", ","), (":", ", "), (" :\t", " ,\n")] {
                        // only the third member's is another one
                        let odd = |at: usize| at == 2 || parts.len() < 9;
                        let body: Vec<String> = parts
                            .iter()
                            .enumerate()
                            .flat_map(|(at, (key, value))| {
                                let colon = if odd(at) { colon } else { ":" };
                                let comma = match at {
                                    0 => "",
                                    at if odd(at) => comma,
                                    _ => ",",
                                };
                                [comma, key, colon, value].map(str::to_owned)
                            })
                            .collect();
                        let body = format!("{{{}}}", body.concat());
                        let checked = checker.check(body.as_bytes());
                        let checked = checked.unwrap_or_else(|error| panic!("{error}: {body}"));
                        assert_eq!(
                            checked.normal_form(),
                            stored.normal_form(),
                            "{order}: {body}"
                        );
                        assert_eq!(
                            checked.primary_key(),
                            stored.primary_key(),
                            "{order}: {body}"
                        );
                        count += 1;
                    }
                    parts.reverse();
                }
            }
        }
    }
    assert!(count > 5000, "{count}");
}

#[test]
fn every_faulty_record_gets_the_errors_that_are_checked_in() {
    let mut wrong = Vec::new();
    for name in fixture_names("records", ".faulty.ndjson") {
        let checker = checker(name.trim_end_matches(".faulty.ndjson"));
        for line in fixture(&format!("records/{name}")).lines() {
            // the record is taken as text: serde_json would change its numbers
            let row = runtime::schema::json::parse(line).unwrap();
            let part = |key: &str| {
                row.get(key)
                    .map(|node| &line[node.start..node.end])
                    .unwrap()
            };
            let value = |key: &str| serde_json::from_str::<Value>(part(key)).unwrap();
            let checked = checker.check(part("record").as_bytes()).unwrap();
            let errors: Value = serde_json::from_str(&checked.errors_json()).unwrap();
            if errors != value("errors") || value("primary_key").as_str() != checked.primary_key() {
                wrong.push(format!(
                    "{name}: {line}\n  found {errors} {:?}",
                    checked.primary_key()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

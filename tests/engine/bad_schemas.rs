//! Every schema of `fixtures/schemas/bad` is refused for its one contradiction, at its path.

use runtime::schema::json::{Value, parse};
use runtime::schema::{Origin, Schema, Severity};
use tests::{fixture, fixture_names};

/// The text of a member of the file: `schema` is read as text, because one of the mistakes is a
/// property that stands twice.
fn member<'t>(text: &'t str, key: &str) -> &'t str {
    let root = parse(text).unwrap();
    let node = root
        .get(key)
        .unwrap_or_else(|| panic!("the file has `{key}`"));
    &text[node.start..node.end]
}

fn texts(item: &runtime::schema::json::Node<'_>, key: &str) -> String {
    match item.get(key).map(|node| &node.value) {
        Some(Value::String(text)) => text.to_string(),
        _ => panic!("an expectation has `{key}`"),
    }
}

#[test]
fn every_contradiction_is_told_at_its_path_with_its_message_and_help() {
    let names = fixture_names("schemas/bad", ".json");
    let mut wrong = Vec::new();
    for name in &names {
        let text = fixture(&format!("schemas/bad/{name}"));
        let root = parse(&text).unwrap();
        let Some(Value::Array(expected)) = root.get("expect").map(|node| &node.value) else {
            panic!("{name}: `expect` is an array");
        };
        let expected: Vec<[String; 3]> = expected
            .iter()
            .map(|item| ["path", "message", "help"].map(|key| texts(item, key)))
            .collect();
        assert_eq!(expected.len(), 1, "{name} has one contradiction");
        let found: Vec<[String; 3]> = match Schema::read(member(&text, "schema"), Origin::Elsewhere)
        {
            Ok(_) => Vec::new(),
            Err(problems) => problems
                .items
                .into_iter()
                .filter(|problem| problem.severity == Severity::Error)
                .map(|problem| [problem.path.to_string(), problem.message, problem.help])
                .collect(),
        };
        if found != expected {
            wrong.push(format!(
                "{name}\n  expected {expected:?}\n  found    {found:?}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}\n{}",
        wrong.len(),
        names.len(),
        wrong.join("\n")
    );
    assert!(names.len() >= 40);
}

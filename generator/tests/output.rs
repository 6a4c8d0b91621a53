//! What the generated code looks like, for the fixtures and for schemas that ask for trouble. It
//! does not compile the code; downstream tests do.

use crate::support::{field, fixtures, generated, json, members, one, picklist, schema};
use generator::{Cause, Config, Error, Input, generate};
use proptest::prelude::*;

#[test]
fn snapshots_of_every_fixture() {
    let mut schemas: Vec<_> = std::fs::read_dir(fixtures().join("schemas"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    schemas.sort();
    assert_eq!(schemas.len(), 10);
    for path in schemas {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let input = generator::read(&path).unwrap();
        insta::assert_snapshot!(name, generated(&[input], &Config::new())[0].text);
    }
}

#[test]
fn snapshot_of_settings_that_have_no_attribute() {
    let codes = r##","picklistType":"static","staticPicklist":[{"code":"A","description":"a \"#","rank":1}]"##;
    let rules =
        r#","validationRules":["alphanumeric","luhn"],"classifiers":[],"description":"- [a](b)""#;
    let tags =
        r#","classifiers":[{"tagId":"1","tagName":"x"},{"tagId":"2","tagName":"x","since":2}]"#;
    let text = schema(
        "s1",
        "Odd Settings",
        &[
            field(
                "f1",
                "Flag",
                "boolean",
                r#","min":3,"max":null,"future":{"a":[1.50,"x"]}"#,
            ),
            field("f2", "Text", "string", rules),
            field("f3", "Old", "picklist", codes).replace("\"active\":true", "\"active\":false"),
            picklist("f4", "Nothing", &[]),
            field(
                "f5",
                "Amount",
                "currency",
                r#","min":-1.50,"isMultivalue":true,"isPII":false"#,
            ),
            field("f6", "Tagged", "date-day", tags),
        ],
    );
    insta::assert_snapshot!(one(&text).text);
}

#[test]
fn three_spellings_of_one_name_are_three_fields() {
    let names = ["fooBar", "foo_bar", "Foo Bar"];
    let fields: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(n, name)| field(&format!("f{n}"), name, "string", ""))
        .collect();
    let file = one(&schema("s1", "Typify", &fields));
    let (_, found) = &members(&file)[0];
    let expected: Vec<_> = (0..3)
        .map(|n| format!("foo_bar_{}", &schema::id_of(&[&format!("f{n}")])[..4]))
        .collect();
    assert_eq!(*found, expected);
    assert_eq!(file.notes.len(), 3);
    assert!(
        file.notes.iter().all(
            |note| matches!(&note.causes[..], [Cause::Collision { others, more: 0 }] if others.len() == 2)
        )
    );
    assert_eq!(file.notes[0].path.to_string(), "$.fields[0].name");
}

#[test]
fn codes_that_differ_in_case_alone_are_two_variants() {
    let file = one(&schema(
        "s1",
        "Typify",
        &[picklist("f1", "Status", &["Active", "ACTIVE"])],
    ));
    let (name, variants) = &members(&file)[1];
    assert_eq!(name, "TypifyStatus");
    assert_eq!(variants.len(), 2);
    assert_ne!(variants[0], variants[1]);
}

#[test]
fn letters_beyond_ascii_are_not_dropped() {
    let fields = [
        field("1", "Straße", "string", ""),
        field("2", "Ціна", "string", ""),
        field("3", "名前", "string", ""),
    ];
    let file = one(&schema("s1", "Größe", &fields));
    assert_eq!(
        members(&file),
        [(
            "Groesse".to_owned(),
            vec![
                "strasse".to_owned(),
                "tsina".to_owned(),
                "ming_qian".to_owned()
            ]
        )]
    );
}

#[test]
fn hostile_texts_stay_inside_their_tokens() {
    let long = "x".repeat(10_000);
    let texts = [
        "\"",
        "\\",
        "\"#",
        "\"##\"###",
        "*/",
        "/*",
        "//",
        "}",
        "{",
        "{}{",
        ")]",
        "\n",
        "\r\n",
        "\r",
        "\u{2028}",
        "\u{202e}",
        "\u{0}1",
        "```\npanic!()\n```",
        "#![allow(x)]",
        "#[cfg(any())]",
        "r#\"",
        "'",
        "'a",
        "$crate",
        "\u{feff}",
        "\\u{41}",
        "\\x41",
        "<b>",
        "[a]: b",
        "Option<T>",
        "pub",
        "Self",
        "self",
        "_x",
        "union",
        "🦀",
        "\u{301}",
        "e\u{301}",
        &long,
    ];
    for text in texts.iter().filter(|text| !text.contains('\0')) {
        let code = if text.trim().is_empty() { "code" } else { text };
        let description = format!(
            r#","description":{0},"classifiers":[{{"tagId":{0},"tagName":{0}}}],{0}:{0}"#,
            json(text)
        );
        let name = if text.len() > 100 || text.starts_with('_') {
            "name"
        } else {
            text
        };
        let fields = [
            field("f1", name, "string", &description),
            picklist("f2", "Codes", &[code]),
            field("f3", "Off", "string", &description)
                .replace("\"active\":true", "\"active\":false"),
        ];
        let document = schema(text, text, &fields);
        let file = one(&document.replacen(
            "\"version\"",
            &format!("\"description\":{},\"version\"", json(text)),
            1,
        ));
        let found = members(&file);
        let shape: Vec<_> = found.iter().map(|(_, members)| members.len()).collect();
        assert_eq!(shape, [2, 1], "{text:?}\n{}", file.text);
        assert_eq!(
            file.text
                .lines()
                .filter(|line| line.starts_with("// "))
                .count(),
            1,
            "{text:?}"
        );
        let tokens = file
            .text
            .parse::<proc_macro2::TokenStream>()
            .unwrap()
            .to_string();
        assert!(
            !tokens.contains("panic !") && !tokens.contains("cfg ("),
            "{text:?}"
        );
    }
}

#[test]
fn the_order_of_fields_and_files_changes_no_name() {
    let a = [
        field("1", "A b", "string", ""),
        field("2", "a B", "string", ""),
        picklist("3", "P", &["x", "X"]),
    ];
    let mut b = a.clone();
    b.reverse();
    let sorted = |fields: &[String]| {
        let mut all = members(&one(&schema("s", "S", fields)));
        for (_, names) in &mut all {
            names.sort();
        }
        all
    };
    assert_eq!(sorted(&a), sorted(&b));
    let x = Input::new("x.json", schema("s1", "Same", &a));
    let y = Input::new("y.json", schema("s2", "same", &b));
    let straight = generate(&[x.clone(), y.clone()], &Config::new()).unwrap();
    assert_eq!(straight, generate(&[y, x], &Config::new()).unwrap());
    let paths: Vec<_> = straight.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths.len(), 3);
    assert!(
        paths.contains(&"mod.rs")
            && paths
                .iter()
                .filter(|path| path.starts_with("same_"))
                .count()
                == 2
    );
}

#[test]
fn provenance_never_makes_a_file_stale() {
    let text = schema(
        "s1",
        "A",
        &[field("1", "x", "string", r#","createdBy":"a@b.c""#)],
    );
    let touched = text
        .replace("2026-01-01", "2027-12-31")
        .replace("a@b.c", "z@y.x")
        .replace("\"Area\"", "\"Other\"");
    assert_eq!(one(&text).text, one(&touched).text);
}

#[test]
fn all_problems_of_all_inputs_are_told_at_once() {
    let bad = field("1", "x", "integer", r#","min":9,"max":1"#);
    let inputs = [
        Input::new(
            "a.json",
            schema("s1", "A", &[bad.clone(), field("2", "y", "strong", "")]),
        ),
        Input::new("b.json", "{"),
        Input::new("c.json", schema("s3", "C", &[])),
        Input::new("d.json", schema("s3", "D", &[])),
    ];
    let Err(Error::Schemas(reports)) = generate(&inputs, &Config::new()) else {
        panic!("no schema was refused")
    };
    let places: Vec<_> = reports
        .iter()
        .map(|r| format!("{} {}", r.input, r.problem.path))
        .collect();
    assert_eq!(
        places,
        [
            "a.json $.fields[0].min",
            "a.json $.fields[1].dataType",
            "b.json $",
            "d.json $.schemaId"
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_anywhere_gives_rust_of_the_same_shape(
        name in any::<String>(), text in any::<String>(), code in any::<String>(), tag in any::<String>(),
    ) {
        let legal = |text: &str, least: &str| {
            let text: String = text.chars().filter(|c| *c != '\0').take(90).collect();
            if text.is_empty() || text.starts_with('_') { least.to_owned() } else { text }
        };
        let (name, text, code, tag) = (legal(&name, "n"), legal(&text, ""), legal(&code, "c"), legal(&tag, ""));
        let more = format!(r#","description":{},"classifiers":[{{"tagId":"","tagName":{}}}]"#, json(&text), json(&tag));
        let other = if name == "Codes" { "Code" } else { "Codes" };
        let document = schema(&name, &name, &[field("f1", &name, "string", &more), picklist("f2", other, &[&code])]);
        let shape: Vec<_> = members(&one(&document)).into_iter().map(|(_, members)| members.len()).collect();
        prop_assert_eq!(shape, [2, 1]);
    }
}

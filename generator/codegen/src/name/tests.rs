//! The promises of the names: every text gets one, no two are equal, no order matters.

use super::cause::{Cause, LENGTH_MAX};
use super::collide::{Identifier, IdentifierRequest, ReservedNames, assign};
use super::kind::{IdentifierKind, ident, refuse};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn names(kind: IdentifierKind, texts: &[&str]) -> Vec<Identifier> {
    let ids: Vec<String> = (0..texts.len())
        .map(|n| format!("id-{n}-{}", texts[n]))
        .collect();
    let requests: Vec<_> = texts
        .iter()
        .zip(&ids)
        .map(|(text, id)| request(kind, text, id))
        .collect();
    assign(&requests, &ReservedNames::new())
}

fn request<'a>(kind: IdentifierKind, text: &'a str, id: &'a str) -> IdentifierRequest<'a> {
    IdentifierRequest {
        kind,
        owner: "",
        text,
        id,
        rename: None,
        locked: None,
    }
}

#[track_caller]
fn check(kind: IdentifierKind, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(names(kind, &[text])[0].text, *expected, "{text:?}");
    }
}

#[test]
fn a_field_is_its_words_in_snake_case() {
    check(
        IdentifierKind::Field,
        &[
            ("Customer Number", "customer_number"),
            ("ICAO", "icao"),
            ("E-mail", "e_mail"),
            ("fooBar", "foo_bar"),
            ("HTTPServer", "http_server"),
            ("All URLs", "all_urls"),
            ("Owner's Name", "owners_name"),
            ("Verfügbar ab", "verfuegbar_ab"),
            ("GRÖSSE", "groesse"),
            ("Übergröße", "uebergroesse"),
            ("Größe", "groesse"),
            ("Ålder", "aalder"),
            ("Élan", "elan"),
            ("Größe", "groesse"),
            ("Ærø", "aeroe"),
            ("北京 市", "bei_jing_shi"),
            ("Temp °C", "temp_deg_c"),
            ("🦀", "crab"),
            ("2nd Line", "field_2nd_line"),
            ("C++", "c_plus_plus"),
            ("type", "type"),
            ("self", "self_"),
            ("e\u{301}tat", "etat"),
        ],
    );
}

#[test]
fn a_variant_is_its_code_in_camel_case() {
    check(
        IdentifierKind::Variant,
        &[
            ("on_hold", "OnHold"),
            ("DE", "De"),
            ("1", "Code1"),
            ("1.2", "Code1_2"),
            ("A-", "AMinus"),
            ("-1", "Minus1"),
            ("Self", "Self_"),
            ("None", "None"),
            ("a b c", "Abc"),
        ],
    );
}

#[test]
fn a_type_hides_nothing_that_generated_code_uses() {
    check(
        IdentifierKind::Type,
        &[
            ("option", "OptionRecord"),
            ("E mail", "EMail"),
            ("email", "EmailRecord"),
            ("2023", "Schema2023"),
        ],
    );
    check(
        IdentifierKind::Module,
        &[
            ("mod", "mod_"),
            ("std", "std_"),
            ("COM1", "com1_"),
            ("Aux", "aux_"),
            ("LPT0", "lpt0_"),
            ("match", "match"),
        ],
    );
}

#[test]
fn a_name_without_letters_is_told_apart_by_its_id() {
    let names = names(IdentifierKind::Field, &["???", "---", " "]);
    let texts: BTreeSet<_> = names.iter().map(|name| name.text.as_str()).collect();
    assert_eq!(texts.len(), 3);
    assert!(
        texts
            .iter()
            .all(|text| text.starts_with("field_") && text.len() == "field_".len() + 4)
    );
    assert_eq!(names[0].causes, [Cause::Empty]);
}

#[test]
fn three_spellings_of_one_name_are_three_fields_that_say_why() {
    let names = names(IdentifierKind::Field, &["fooBar", "foo_bar", "Foo Bar"]);
    let texts: BTreeSet<_> = names.iter().map(|name| &name.text).collect();
    assert_eq!(texts.len(), 3);
    assert!(texts.iter().all(|text| text.starts_with("foo_bar_")));
    let others = vec!["Foo Bar".to_owned(), "foo_bar".to_owned()];
    assert_eq!(names[0].causes, [Cause::Collision { others, more: 0 }]);
}

#[test]
fn of_thousands_of_one_name_each_has_the_shortest_suffix_that_no_other_has_and_tells_a_few() {
    let mut texts: Vec<String> = (0..4000_u32)
        .map(|number| {
            let parts = "abcdefghijkl".chars().zip(0..);
            let parts = parts.flat_map(move |(letter, bit)| {
                let is_blank = (number >> bit) & 1 == 0;
                [letter, if is_blank { ' ' } else { '-' }]
            });
            parts.chain(['m']).collect()
        })
        .collect();
    texts.push("another".to_owned());
    let requests: Vec<_> = texts
        .iter()
        .map(|text| request(IdentifierKind::Variant, text, text))
        .collect();
    let names = assign(&requests, &ReservedNames::new());

    let hashes: Vec<String> = texts.iter().map(|text| schema::id_of(&[text])).collect();
    let digits_of = |digits: usize| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for hash in &hashes[..4000] {
            *counts.entry(&hash[..digits]).or_default() += 1;
        }
        counts
    };
    let four = digits_of(4);
    let mut first: Vec<&String> = texts[..4000].iter().collect();
    first.sort();
    let mut longer = 0;
    for (name, (text, hash)) in names.iter().zip(texts.iter().zip(&hashes)).take(4000) {
        let digits = if four[&hash[..4]] == 1 { 4 } else { 8 };
        longer += usize::from(digits == 8);
        assert_eq!(name.text, format!("AbcdefghijklmX{}", &hash[..digits]));
        let others = first.iter().filter(|other| **other != text).take(3);
        let others: Vec<String> = others.map(|other| (*other).clone()).collect();
        assert_eq!(name.causes, [Cause::Collision { others, more: 3996 }]);
    }
    assert!(longer > 0 && digits_of(8).len() == 4000, "{longer}");
    assert_eq!(names[4000].text, "Another");
    assert_eq!(names[4000].causes, []);
}

#[test]
fn what_a_suffix_collides_with_is_told_beside_what_the_name_collides_with() {
    let taken = &schema::id_of(&["1"])[..4];
    let third = format!("a_b {taken}");
    let texts = ["a b", "A B", third.as_str()];
    let ids = ["1", "2", "3"];
    let requests: Vec<_> = texts
        .iter()
        .zip(ids)
        .map(|(text, id)| request(IdentifierKind::Field, text, id))
        .collect();
    let names = assign(&requests, &ReservedNames::new());
    let others = |others: &[&str]| {
        let others = others.iter().map(|&other| other.to_owned()).collect();
        [Cause::Collision { others, more: 0 }]
    };
    assert_eq!(names[0].causes, others(&["A B", texts[2]]));
    assert_eq!(names[1].causes, others(&["a b"]));
    assert_eq!(names[2].causes, others(&["a b"]));
}

#[test]
fn codes_that_differ_in_case_alone_are_two_variants() {
    let names = names(IdentifierKind::Variant, &["Active", "ACTIVE", "Closed"]);
    assert_ne!(names[0].text, names[1].text);
    assert!(
        names[..2]
            .iter()
            .all(|name| name.text.starts_with("ActiveX"))
    );
    assert_eq!(names[2].text, "Closed");
}

#[test]
fn letters_of_other_scripts_are_not_lost() {
    let names = names(
        IdentifierKind::Field,
        &["Straße", "Улица", "通り", "شارع", "रास्ता"],
    );
    assert!(
        names
            .iter()
            .all(|name| name.causes == [Cause::Transliterated]),
        "{names:?}"
    );
}

#[test]
fn a_long_name_is_cut_at_a_word() {
    let long = format!("first {}", "word ".repeat(2000));
    let names = names(IdentifierKind::Field, &[&long, &"x".repeat(10_000)]);
    assert!(names.iter().all(|name| name.text.len() <= LENGTH_MAX));
    assert!(names[0].text.ends_with("_word"));
    assert_eq!(names[1].causes, [Cause::Shortened]);
}

#[test]
fn a_rename_wins_against_a_name_that_comes_by_itself() {
    let rename = IdentifierRequest {
        rename: Some("foo"),
        ..request(IdentifierKind::Field, "Bar", "b")
    };
    let names = assign(
        &[request(IdentifierKind::Field, "Foo", "a"), rename],
        &ReservedNames::new(),
    );
    assert_eq!(names[1].text, "foo");
    assert!(names[0].text.starts_with("foo_") && names[0].text.len() == 8);
}

#[test]
fn ids_with_one_hash_still_differ() {
    // the last stage spells the whole id, so the hash need not be perfect
    let requests = [
        request(IdentifierKind::Field, "a", "1"),
        request(IdentifierKind::Field, "a 1", "2"),
    ];
    let taken = schema::id_of(&["1"]);
    let taken: Vec<_> = [4, 8, 16]
        .iter()
        .map(|n| format!("a_{}", &taken[..*n]))
        .collect();
    let taken = std::iter::once("a")
        .chain(taken.iter().map(String::as_str))
        .collect();
    assert_eq!(assign(&requests, &taken)[0].text, "a_31");
}

#[test]
fn a_rename_must_be_a_name_that_no_lint_minds() {
    for (kind, text) in [
        (IdentifierKind::Field, ""),
        (IdentifierKind::Field, "1a"),
        (IdentifierKind::Field, "_a"),
        (IdentifierKind::Field, "fooBar"),
        (IdentifierKind::Field, "self"),
        (IdentifierKind::Field, "a b"),
        (IdentifierKind::Field, "é"),
        (IdentifierKind::Type, "Option"),
        (IdentifierKind::Type, "foo"),
        (IdentifierKind::Variant, "Foo_Bar"),
        (IdentifierKind::Variant, "FOO"),
        (IdentifierKind::Module, "mod"),
    ] {
        assert!(refuse(kind, text).is_some(), "{text}");
    }
    for (kind, text) in [
        (IdentifierKind::Field, "r#type"),
        (IdentifierKind::Variant, "V1_2"),
        (IdentifierKind::Type, "Foo"),
        (IdentifierKind::Module, "a_b"),
    ] {
        assert_eq!(refuse(kind, text), None, "{text}");
    }
}

/// Display names that are likely to collide, and any other.
fn display_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab_ .A-B]{0,4}",
        "(foo|Foo|FOO|f o o|fo-o|type|self|Self|1|1\\.|\\+|é|e|北){0,2}",
        "foo_[0-9a-f]{4}",
        any::<String>(),
    ]
}

fn kind() -> impl Strategy<Value = IdentifierKind> {
    prop_oneof![
        Just(IdentifierKind::Field),
        Just(IdentifierKind::Variant),
        Just(IdentifierKind::Type),
        Just(IdentifierKind::Module)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_scope_has_valid_names_that_differ(kind in kind(), texts in prop::collection::vec(display_name(), 1..24)) {
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        let names = names(kind, &texts);
        let mut seen = BTreeSet::new();
        for name in &names {
            prop_assert!(seen.insert(&name.text), "{} is there twice", name.text);
            prop_assert_eq!(refuse(kind, &name.text), None, "{}", name.text);
            prop_assert!(syn::parse_str::<syn::Ident>(&ident(&name.text)).is_ok());
        }
    }

    #[test]
    fn no_order_matters(
        kind in kind(),
        texts in prop::collection::vec(display_name(), 1..16),
        order in Just((0..16usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let things: Vec<_> = texts.iter().enumerate().map(|(n, text)| (text, format!("id {n}"))).collect();
        let named = |things: &[&(&String, String)]| -> BTreeMap<String, String> {
            let requests: Vec<_> = things.iter().map(|(text, id)| request(kind, text, id)).collect();
            let names = assign(&requests, &ReservedNames::new()).into_iter().map(|name| name.text);
            things.iter().map(|(_, id)| id.clone()).zip(names).collect()
        };
        let straight: Vec<_> = things.iter().collect();
        let shuffled: Vec<_> = order.iter().filter_map(|at| things.get(*at)).collect();
        prop_assert_eq!(named(&straight), named(&shuffled));
    }
}

//! The catalogue of messages in the docs, held to the code: one row for each text that can appear.

use super::*;
use schema::format::{DateFormat, Separator};
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn examples() -> Vec<Rule> {
    let slashed = DateShape::new(Some(DateFormat::DayMonthYear), Some(Separator::Slash));
    let short = DateShape::new(Some(DateFormat::ShortMonthDay), None);
    let iso = DateShape::new(None, None);
    let codes = |codes: &[&str]| Rule::Picklist(codes.iter().map(|code| (*code).into()).collect());
    let many: Vec<String> = (1..=249).map(|n| n.to_string()).collect();
    vec![
        Rule::Required,
        Rule::Single,
        Rule::ElementMissing,
        Rule::String,
        Rule::Integer,
        Rule::Float,
        Rule::Finite,
        Rule::Decimals,
        Rule::Boolean(None),
        Rule::Boolean(Some(BooleanWords::UpperYesNo)),
        Rule::Date(iso),
        Rule::Date(slashed),
        Rule::Time(TimeFormat::Seconds),
        Rule::Time(TimeFormat::Minutes),
        Rule::Time(TimeFormat::TwelveUpper),
        Rule::Datetime(MomentShape::new(slashed, Some(TimeFormat::Minutes))),
        Rule::Calendar,
        Rule::YearHeld(short),
        Rule::SecondsHeld(TimeFormat::Minutes),
        Rule::FractionHeld(TimeFormat::Seconds),
        Rule::Year,
        Rule::Month,
        Rule::Day,
        Rule::Min(Limit::Integer(-9_007_199_254_740_991)),
        Rule::Min(Limit::Float(-90.0)),
        Rule::Min(Limit::Money(Hundredths::new(150).unwrap())),
        Rule::Max(Limit::Integer(12)),
        Rule::NotBefore("31/12/1999".to_owned()),
        Rule::NotAfter("18:00".to_owned()),
        Rule::MinLength(2),
        Rule::MaxLength(1),
        Rule::Alphanumeric,
        Rule::Email,
        Rule::Url,
        Rule::Phone,
        Rule::Latlng,
        Rule::LatitudeRange,
        Rule::LongitudeRange,
        codes(&["A"]),
        codes(&["A", "B", "C"]),
        codes(&many.iter().map(String::as_str).collect::<Vec<_>>()),
        codes(&[]),
        Rule::Domain("countries".into()),
        Rule::DomainMissing("countries".into()),
        Rule::File,
        Rule::Image,
        Rule::Video,
        Rule::MaxSize(1_048_576),
        Rule::MaxWidth(1920),
        Rule::MaxHeight(1080),
        Rule::Unmeasured,
    ]
}

fn catalogue() -> String {
    let mut text = String::from(
        "Each text below is followed by nothing else; a fault of one element of a multivalue has `value 2 ` before it\n\
         (its position, from 1), and several faults of one field are joined with `; `. Bounds and codes are examples.\n\n\
         | code | text | when |\n| - | - | - |\n",
    );
    for rule in examples() {
        let code = rule.code();
        let (_, when) = Rule::CODES
            .iter()
            .find(|(known, _)| *known == code)
            .unwrap();
        writeln!(text, "| `{code}` | {rule} | {when} |").unwrap();
    }
    text
}

#[test]
fn every_rule_is_in_the_catalogue() {
    let shown: BTreeSet<_> = examples().iter().map(Rule::code).collect();
    let known: BTreeSet<_> = Rule::CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(shown, known);
    assert_eq!(known.len(), Rule::CODES.len(), "every code is one rule's");
}

#[test]
fn messages_are_lower_case_without_a_full_stop() {
    for rule in examples() {
        let text = rule.to_string();
        assert!(
            text.starts_with(|c: char| c.is_ascii_lowercase()) && !text.ends_with('.'),
            "{text}"
        );
    }
}

/// `UPDATE_CATALOGUE=1 cargo test -p runtime catalogue` writes it anew.
#[test]
fn the_catalogue_in_the_docs_is_generated_from_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/messages.md");
    if std::env::var_os("UPDATE_CATALOGUE").is_some() {
        std::fs::write(path, catalogue()).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        catalogue(),
        "run it with UPDATE_CATALOGUE=1"
    );
}

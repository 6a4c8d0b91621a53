//! The catalogue of messages in the docs, held to the code: one row for each text that can appear, of a
//! fault and of a body that is refused.

use super::fault::{Limit, Rule};
use super::reject::{Rejection, RejectionCode};
use super::remark;
use schema::Hundredths;
use schema::format::{BooleanWords, DateFormat, DateShape, MomentShape, Separator, TimeFormat};
use schema::json::SyntaxKind;
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(super) fn examples() -> Vec<Rule> {
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

/// Every reason to refuse a body, with the key or field it is about.
fn rejections() -> Vec<(RejectionCode, Option<&'static str>)> {
    use RejectionCode as C;
    vec![
        (C::Syntax(SyntaxKind::Expected("a value")), None),
        (C::Syntax(SyntaxKind::End), None),
        (C::Syntax(SyntaxKind::Escape), None),
        (C::Syntax(SyntaxKind::Surrogate), None),
        (C::Syntax(SyntaxKind::Control), None),
        (C::Syntax(SyntaxKind::Depth), None),
        (C::Utf8, None),
        (C::ByteOrderMark, None),
        (C::Nul, None),
        (C::NotAnObject, None),
        (C::Trailing, None),
        (C::TooLarge, None),
        (C::DuplicateKey, Some("Name")),
        (C::UnknownKey, Some("Nam")),
        (C::InactiveField, Some("Name")),
        (C::SystemProperty, Some("_errors")),
        (C::NestedValue, Some("Name")),
        (C::PrimaryKeyTooLong, Some("Name")),
        (C::Stored, None),
    ]
}

/// When a body is refused for a reason: a new one has to say it here.
fn refused_when(code: RejectionCode) -> &'static str {
    use RejectionCode as C;
    match code {
        C::Syntax(_) => "the text is not JSON",
        C::Utf8 => "the bytes are not UTF-8",
        C::ByteOrderMark => "the text begins with a byte-order mark",
        C::Nul => "the text has U+0000, as it is or escaped",
        C::NotAnObject => "the body is JSON, but no object",
        C::Trailing => "there is more behind the object",
        C::TooLarge => "the body is larger than any can be",
        C::DuplicateKey => "a key stands twice",
        C::UnknownKey => "the schema has no such field",
        C::InactiveField => "the field is not active",
        C::SystemProperty => "the key begins with `_` and is not the client's to send",
        C::NestedValue => "a value is an object, or an array of more than scalars",
        C::PrimaryKeyTooLong => "the primary key's text is too long",
        C::Stored => "the stored record has to be re-keyed before it can be changed",
    }
}

fn catalogue() -> String {
    let mut text = String::from(
        "# Faults: what `_errors` says\n\n\
         A fault of one element of a multivalue has `value 2 ` before it (its position, from 1), several faults of one field\n\
         are joined with `; `, and a remark may follow in parentheses (below). Bounds and codes are examples.\n\
         Of more than 100 faults of one field, the first 100 are told, then each rule that was not told yet, every value that is\n\
         no file, and how many more there are: `and 7 more`.\n\
         A data domain is told by its name; by its id, where that is all that is known.\n\n\
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
    text += "\n## Remarks\n\n\
        Behind the text of a faulty text value stands in parentheses what is easily overlooked in it, such as\n\
        `must be one of New York (the value contains U+00A0, a no-break space)`. The first one of these is told: a blank at its\n\
        begin, an invisible character, any other blank but the space or an accent that is not composed with its letter, a blank at its\n\
        end. A text `true` or `false` in a boolean is told to be a text. Personal values (`isPII`) get remarks, too: they name a\n\
        character that nobody sees and no other part of the value.\n\n\
        | remark |\n| - |\n";
    for (_, pattern) in remark::WORDINGS {
        writeln!(text, "| {} |", pattern.replace("{}", "U+…")).unwrap();
    }
    text += "\n# Rejections: what `INVALID_REQUEST_BODY` says\n\n\
        The body as a whole is refused and nothing is stored. Names and places are examples; several reasons are joined\n\
        with `; `. In `fields`, where the name stands in `name`, `errors` is the text behind it.\n\n\
        | code | text | when |\n| - | - | - |\n";
    for (code, name) in rejections() {
        let name = name.map(str::to_owned);
        let shown = Rejection {
            code,
            offset: 17,
            name,
        };
        writeln!(
            text,
            "| `{}` | {shown} | {} |",
            code.name(),
            refused_when(code)
        )
        .unwrap();
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

/// `UPDATE_CATALOGUE=1 cargo test -p fieldstone-engine catalogue` writes it anew.
#[test]
fn the_catalogue_in_the_docs_is_generated_from_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/messages.md");
    if std::env::var_os("UPDATE_CATALOGUE").is_some() {
        std::fs::write(path, catalogue()).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        catalogue(),
        "run it with UPDATE_CATALOGUE=1"
    );
}

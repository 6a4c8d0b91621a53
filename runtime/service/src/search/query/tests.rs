//! Queries: what they mean, what is refused and where, and laws that hold for any text.

use super::*;
use proptest::prelude::*;
use std::ops::Bound;
use store::search::FaultTerm;

/// The tree as text: fields with `:`, prefixes with `*`, phrases with `_`.
fn render(expression: &Expression) -> String {
    let list = |parts: &[Expression], with: &str| {
        let parts: Vec<String> = parts.iter().map(render).collect();
        format!("({})", parts.join(with))
    };
    match expression {
        Expression::All(parts) => list(parts, " & "),
        Expression::Any(parts) => list(parts, " | "),
        Expression::Not(inner) => format!("!{}", render(inner)),
        Expression::Faulty => "<faulty>".to_owned(),
        Expression::Fault(FaultTerm { field, rule: None }) => {
            format!("<fault {}>", field.words().join("_"))
        }
        Expression::Fault(FaultTerm {
            field,
            rule: Some(rule),
        }) => {
            format!("<fault {} {rule}>", field.words().join("_"))
        }
        Expression::Missing(field) => format!("<no {}>", field.words().join("_")),
        Expression::Range(fields) => {
            assert!(fields.is_empty(), "a query knows no fields");
            "<range>".to_owned()
        }
        Expression::Term(term) => {
            let field = term
                .field
                .as_ref()
                .map(|field| format!("{}:", field.words().join("_")));
            let star = if term.is_prefix { "*" } else { "" };
            format!(
                "{}{}{star}",
                field.unwrap_or_default(),
                term.words.join("_")
            )
        }
    }
}

/// A query where no field has a name with a slash but one.
fn parse(query: &str) -> Result<Query, QueryError> {
    super::parse(query, &|name| name == "Size/max")
}

#[track_caller]
fn check(query: &str, expected: &str) {
    assert_eq!(
        render(&parse(query).expect(query).expression),
        expected,
        "{query}"
    );
}

#[track_caller]
fn check_error(query: &str, position: usize) {
    let error = parse(query).expect_err(query);
    assert_eq!(error.position, position, "{query}: {}", error.what);
}

#[test]
fn words_are_anded_and_operators_bind_as_usual() {
    check("berlin", "berlin");
    check("Berlin TEGEL", "(berlin & tegel)");
    check("a AND b", "(a & b)");
    check("a b OR c d", "((a & b) | (c & d))");
    check("a (b OR c)", "(a & (b | c))");
    check("a NOT b", "(a & !b)");
    check("a AND NOT b", "(a & !b)");
    check("NOT a", "!a");
    check("NOT NOT a", "!!a");
    check("NOT (a OR b) c", "(!(a | b) & c)");
    check("((a))", "a");
    check("a and or not", "(a & and & or & not)");
}

#[test]
fn a_phone_number_is_one_text_and_looked_for_as_it_is_stored() {
    let both = "(49_40_5550123 | 49405550123)";
    check("\"+49 40 5550123\"", both);
    check("+49 40 5550123", both);
    check("+49-40-5550123", both);
    check("\" +49\u{a0}40 5550123 \"", both);
    check("\"+49 (0)40 5550123\"", "(49_0_40_5550123 | 49405550123)");
    check("+49 (0)40 5550123", "(49_0_40_5550123 | 49405550123)");
    check("+39 (0)6 5550123", "(39_0_6_5550123 | 39065550123)");
    check("(+49 40 5550123) x", &format!("({both} & x)"));
    check("NOT +49 40 5550123 x", &format!("(!{both} & x)"));
    check(
        "Phone:+49 40 5550123",
        "(phone:49_40_5550123 | phone:49405550123)",
    );
    check(
        "Phone: \"+49 40 555\"*",
        "(phone:49_40_555* | phone:4940555*)",
    );
    check("+49405550123", "49405550123");
    check("+49 40", "(49 & 40)");
    check("40 5550123", "(40 & 5550123)");
    check("+49 40 5550123a", "(49 & 40 & 5550123a)");
    check("+49 40 5550123 (a OR b)", &format!("({both} & (a | b))"));
    check_error("(+49 40 5550123) (0", 18);
}

#[test]
fn the_fields_that_are_named_are_told_with_their_places() {
    let named = |query: &str| {
        let fields = parse(query).expect(query).fields.into_iter();
        let told = |field: NamedField| (field.position, field.name.text().to_owned());
        fields.map(told).collect::<Vec<_>>()
    };
    assert_eq!(named("a \"b\" http://c 10:30"), []);
    assert_eq!(
        named("a Name:b (\"Full Name\": c OR NOT x:\"d\")"),
        [
            (3, "Name".to_owned()),
            (11, "Full Name".to_owned()),
            (33, "x".to_owned())
        ]
    );
}

#[test]
fn a_value_that_would_be_a_comparison_elsewhere_is_refused() {
    for query in [
        "Rating:=~4",
        "Rating:==4",
        "Rating:<>4",
        "Rating:~4",
        "Rating:!4",
        "Rating:^4",
        "Rating:[1",
        "Rating:{1",
    ] {
        check_error(query, 8);
        check_error(&query.replace(':', ": "), 9);
        check_error(&format!("a ({query})"), 11);
    }
    check("Rating:-4", "rating:4");
    check("Rating:+4", "rating:4");
    check("Rating:\">4\"", "rating:4");
    check("Rating:\"1..5\"", "rating:1_5");
    check("Note:wait...", "note:wait");
    check("Site:/a/b", "site:a_b");
    check(">4", "4");
    check("1..5", "1_5");
}

#[test]
fn a_whole_value_is_its_words_and_its_mark() {
    let whole = |value: &str| format!("group:{}", whole_text(value).join("_"));
    check("Group:=A", &whole("A"));
    check("Group:=\"A+ b\"", &whole("A+ b"));
    check("Group: =\"A+ b\"", &whole("A+ b"));
    check("\"Group\":=A+", &whole("A+"));
    check("Group:=\">=4\"", &whole(">=4"));
    // a long value is one text to look for
    let long = "a ".repeat(500);
    check(&format!("Group:=\"{long}\""), &whole(&long));
    check_error("Group:=", 7);
    check_error("Group:=\" \"", 7);
    check_error("Group:= A", 7);
}

#[test]
fn comparisons_ranges_and_faults_are_forms_of_their_own() {
    use Bound::{Excluded, Included, Unbounded};
    let range = |query: &str, from: Bound<&str>, to: Bound<&str>| {
        let read = parse(query).expect(query);
        assert_eq!(render(&read.expression), "<range>", "{query}");
        let [asked] = &*read.ranges else {
            panic!("{query}: {:?}", read.ranges)
        };
        assert_eq!(asked.field.words(), ["at"], "{query}");
        let texts = (asked.from.as_ref(), asked.to.as_ref());
        let texts = (texts.0.map(String::as_str), texts.1.map(String::as_str));
        assert_eq!(texts, (from, to), "{query}");
    };
    for at in ["At:", "\"at\":", "At: "] {
        range(&format!("{at}>4"), Excluded("4"), Unbounded);
        range(&format!("{at}>=-4.5"), Included("-4.5"), Unbounded);
        range(&format!("{at}<10:30"), Unbounded, Excluded("10:30"));
        range(&format!("{at}<=4"), Unbounded, Included("4"));
        range(&format!("{at}a..b"), Included("a"), Included("b"));
        range(&format!("{at}1.5..2.5"), Included("1.5"), Included("2.5"));
        range(&format!("{at}1.."), Included("1"), Unbounded);
        range(&format!("{at}..2"), Unbounded, Included("2"));
        range(&format!("{at}>\"1 2\""), Excluded("1 2"), Unbounded);
        range(
            &format!("{at}\"1 2\"..\"3 4\""),
            Included("1 2"),
            Included("3 4"),
        );
        range(&format!("{at}\"1 2\"..3"), Included("1 2"), Included("3"));
        range(&format!("{at}1..\"3 4\""), Included("1"), Included("3 4"));
    }
    check("is:faulty", "<faulty>");
    check("a NOT is:faulty", "(a & !<faulty>)");
    check("fault:Name", "<fault name>");
    check("fault:Name/max_length x", "(<fault name max_length> & x)");
    check(
        "fault:\"Full Name\"/required OR y",
        "(<fault full_name required> | y)",
    );
    check("fault:\"Full Name\" x", "(<fault full_name> & x)");
    check("fault:Size/max", "<fault size_max>");
    check("fault:Size/max/min", "<fault size_max min>");
    check("fault:\"Size\"/max", "<fault size max>");
    check("fault:size/max", "<fault size max>");
    check("Name:none", "<no name>");
    check("\"Full Name\":none", "<no full_name>");
    check("Name:\"none\"", "name:none");
    check("none", "none");
    check("*", "()");
    check("a *", "(a & ())");
    check("Note:wait...", "note:wait");
    check("(At:>4 OR a) NOT At:none", "((<range> | a) & !<no at>)");
    check_error("fault:", 1);
    check_error("a fault:Name/max_lenght", 3);
    check_error("At:>", 4);
    check_error("At:> 4", 4);
    check_error("At:1..2..3", 4);
}

#[test]
fn phrases_prefixes_and_fields() {
    check("\"New York\"", "new_york");
    check("berl*", "berl*");
    check("\"new yo\"*", "new_yo*");
    check("City:Berlin", "city:berlin");
    check("City:Berl*", "city:berl*");
    check("City:\"New York\"", "city:new_york");
    check("City: Berlin", "city:berlin");
    check("\"Credit Limit\":5", "credit_limit:5");
    check("\"Credit Limit\":\"5 000\"", "credit_limit:5_000");
    check("Größe:ÜBER", "grosse:uber");
    check("a City:b OR c", "((a & city:b) | c)");
    check("\"AND\" \"OR\"", "(and & or)");
    check("\"a\"b", "(a & b)");
}

#[test]
fn a_quote_in_quotes_stands_behind_a_backslash() {
    check(r#""a \"b\" c""#, "a_b_c");
    check(r#""a\\" b"#, "(a & b)");
    check(r#""a\b""#, "a_b");
    check(r#"City:"a \"b"*"#, "city:a_b*");
    let names = |query: &str| {
        let fields = parse(query).expect(query).fields;
        let names = fields.iter().map(|field| field.name.text().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(r#""q\"t":a"#), ["q\"t"]);
    assert_eq!(names(r#""?":a "a\\":none"#), ["?", "a\\"]);
    assert_eq!(names(r#"fault:"\"/b"/max"#), ["\"/b"]);
    let range = parse(r#"At:"1\"2".."3""#).expect("a range");
    assert_eq!(range.ranges[0].from, Bound::Included("1\"2".to_owned()));
    for text in ["", "a", "\"", "\\", "\\\"", "a\\\\b\"c"] {
        assert_eq!(unquoted(&in_quotes(text)), text);
    }
    assert_eq!(unquoted("\"a\" b\""), "\"a\" b\"");
}

#[test]
fn what_looks_like_a_field_or_an_operator_and_is_none() {
    check("10:30", "10_30");
    check("https://example.org/a", "https_example_org_a");
    check("ada@example.org", "ada_example_org");
    check("x-*", "x");
    check("a*b", "a_b");
    check("Müller & Söhne", "(muller & sohne)");
    check("- a", "a");
    check("Url:https://a.org", "url:https_a_org");
    check("a:b:c", "a:b_c");
}

#[test]
fn what_does_not_parse_is_told_with_its_position() {
    for (query, position) in [
        ("", 1),
        ("   ", 4),
        ("***", 1),
        ("a AND", 6),
        ("a OR", 5),
        ("OR a", 1),
        ("a AND OR b", 7),
        ("NOT", 4),
        ("(a", 1),
        ("a)", 2),
        ("()", 2),
        ("a (", 4),
        ("ä \"b", 3),
        ("City:", 6),
        ("City: OR", 7),
        ("City:(a)", 6),
        ("a OR -", 6),
        ("NOT -", 1),
        ("\"\":a", 1),
        ("fault:\"\"", 1),
        ("\"a\\\"", 1),
        ("\"a\\\"b\" (c", 8),
        ("City:-", 1),
        ("東京 (a", 4),
    ] {
        check_error(query, position);
    }
}

#[test]
fn what_asks_for_too_much_is_refused() {
    check_error(&"a".repeat(QUERY_LENGTH_MAX + 1), QUERY_LENGTH_MAX + 1);
    check_error(&"a ".repeat(TERMS_MAX + 1), 2 * TERMS_MAX + 1);
    check_error(&"(".repeat(DEPTH_MAX + 1), DEPTH_MAX + 1);
    check_error(&"NOT ".repeat(100), 4 * DEPTH_MAX + 5);
    let nested = format!("{}a{}", "(".repeat(DEPTH_MAX), ")".repeat(DEPTH_MAX));
    check(&nested, "a");
}

/// Names of fields, also with what ends quotes or a word.
const NAME: &str = "[a-zA-Z\"\\\\ ?-]{1,4}";

fn expression() -> impl Strategy<Value = Expression> {
    let term = (
        prop::option::of(NAME),
        prop::collection::vec("[a-z0-9]{1,5}", 1..3),
        any::<bool>(),
    )
        .prop_map(|(field, words, is_prefix)| {
            let field = field.as_deref().map(FieldName::of);
            Expression::Term(Term {
                field,
                except: Vec::new(),
                words,
                is_prefix,
            })
        });
    let fault = (NAME, prop::option::of(Just("max".to_owned())));
    let fault = fault.prop_map(|(field, rule)| {
        let field = FieldName::of(&field);
        Expression::Fault(FaultTerm { field, rule })
    });
    let missing = NAME.prop_map(|field| Expression::Missing(FieldName::of(&field)));
    let leaf = prop_oneof![6 => term, 1 => Just(Expression::Faulty), 1 => fault, 1 => missing];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::All),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::Any),
            inner.prop_map(|inner| Expression::Not(Box::new(inner))),
        ]
    })
}

/// An expression in the query language.
fn written(expression: &Expression) -> String {
    let list = |parts: &[Expression], with: &str| {
        let parts: Vec<String> = parts.iter().map(written).collect();
        format!("({})", parts.join(with))
    };
    match expression {
        Expression::All(parts) => list(parts, " AND "),
        Expression::Any(parts) => list(parts, " OR "),
        Expression::Not(inner) => format!("NOT {}", written(inner)),
        Expression::Faulty => "is:faulty".to_owned(),
        Expression::Fault(FaultTerm { field, rule }) => {
            let rule = rule.as_ref().map(|rule| format!("/{rule}"));
            format!(
                "fault:{}{}",
                in_quotes(field.text()),
                rule.unwrap_or_default()
            )
        }
        Expression::Missing(field) => format!("{}:none", in_quotes(field.text())),
        Expression::Range(_) => unreachable!("which fields a range is about, the schemas tell"),
        Expression::Term(term) => {
            let field = term
                .field
                .as_ref()
                .map(|field| format!("{}:", in_quotes(field.text())));
            let star = if term.is_prefix { "*" } else { "" };
            format!(
                "{}\"{}\"{star}",
                field.unwrap_or_default(),
                term.words.join(" ")
            )
        }
    }
}

proptest! {
    #[test]
    fn any_text_parses_or_is_refused_at_a_place_it_has(query in "\\PC{0,60}") {
        if let Err(error) = parse(&query) {
            prop_assert!((1..=query.chars().count() + 1).contains(&error.position));
        }
    }

    #[test]
    fn any_row_of_tokens_parses_or_is_refused(
        tokens in prop::collection::vec(
            prop::sample::select(vec!["a", "b*", "AND", "OR", "NOT", "(", ")", "\"x y\"", "F:", "F:v", "\"", "-"]),
            0..14,
        )
    ) {
        let query = tokens.join(" ");
        if let Err(error) = parse(&query) {
            prop_assert!((1..=query.chars().count() + 1).contains(&error.position));
        }
    }

    #[test]
    fn an_expression_written_as_a_query_comes_back(expression in expression()) {
        let query = written(&expression);
        prop_assert_eq!(parse(&query).map(|query| query.expression), Ok(expression), "{}", query);
    }
}

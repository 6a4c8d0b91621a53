//! Texts and numbers of a schema as Rust literals. Whatever they hold, each becomes one token.
//!
//! ```text
//! extra = r#"{"helpText":"say \"when\""}"#
//! ```

use schema::export::is_readable;

/// A string literal.
pub(crate) fn text(text: &str) -> String {
    let mut source = String::with_capacity(text.len() + 2);
    source.push('"');
    for c in text.chars() {
        match c {
            '"' => source.push_str("\\\""),
            '\\' => source.push_str("\\\\"),
            c if is_readable(c) => source.push(c),
            c => source.extend(c.escape_default()),
        }
    }
    source.push('"');
    source
}

/// JSON text as a literal: raw where that is safe, so that its quotes stay readable.
pub(crate) fn json(json: &str) -> String {
    if json.contains("\"#") || !json.chars().all(is_readable) {
        return text(json);
    }
    format!("r#\"{json}\"#")
}

/// A JSON number by its own token, which is a number in Rust too; `None` for anything else.
pub(crate) fn number(token: &str) -> Option<&str> {
    let is_number = |b: u8| b.is_ascii_digit() || b"+-.eE".contains(&b);
    (!token.is_empty() && token.bytes().all(is_number)).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(literal: &str) -> String {
        syn::parse_str::<syn::LitStr>(literal).unwrap().value()
    }

    #[test]
    fn marks_and_directions_are_escaped_and_letters_are_not() {
        assert_eq!(text("Größe 尺寸"), "\"Größe 尺寸\"");
        assert_eq!(text("a\u{202e}\u{301}\n"), r#""a\u{202e}\u{301}\n""#);
        assert_eq!(json(r#"{"a":1}"#), r##"r#"{"a":1}"#"##);
    }

    #[test]
    fn number_tokens_stay_as_they_are() {
        for token in ["4", "-90", "1.50", "1E+2", "-0", "1e5", "-0.5e-3"] {
            let literal: proc_macro2::Literal = number(token).unwrap().parse().unwrap();
            assert_eq!(literal.to_string(), token);
        }
    }

    proptest! {
        #[test]
        fn every_text_is_one_literal_that_means_it(any in any::<String>()) {
            prop_assert_eq!(value(&text(&any)), any.clone());
            prop_assert_eq!(value(&json(&any)), any);
        }

        #[test]
        fn every_json_number_is_one_literal(token in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?") {
            let literal: proc_macro2::Literal = number(&token).unwrap().parse().unwrap();
            prop_assert_eq!(literal.to_string(), token);
        }
    }
}

//! Texts and numbers of a schema as Rust literals. Whatever they hold, each becomes one token.
//!
//! ```text
//! extra = r#"{"helpText":"say \"when\""}"#
//! ```

/// Whether a character may stand in source as it is: no lint looks at it, and a reader sees it.
/// Other characters (controls, directions, marks that combine, forms that are not NFC) are escaped.
pub(crate) fn is_readable(c: char) -> bool {
    matches!(c,
        ' '..='~'
        | '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{24F}' // Latin
        | '\u{391}'..='\u{3CE}' | '\u{410}'..='\u{44F}' | 'Ё' | 'ё' | 'Є' | 'є' | 'І' | 'і' | 'Ї' | 'ї'
        | '\u{5D0}'..='\u{5EA}' // Hebrew
        | '\u{621}'..='\u{63A}' | '\u{641}'..='\u{64A}' // Arabic
        | '\u{E01}'..='\u{E30}' // Thai
        | '\u{1E00}'..='\u{1E99}' | '\u{1EA0}'..='\u{1EF9}' // Latin again
        | '\u{2010}' | '\u{2012}'..='\u{2015}' | '\u{2018}'..='\u{201F}' | '…' | '‰' | '€' | '№' | '™'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FC}' // kana
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' // Han, Hangul
        | '\u{1F300}'..='\u{1F3FA}' | '\u{1F910}'..='\u{1F9FF}' | '\u{1F400}'..='\u{1F64F}' | '\u{1F680}'..='\u{1F6C5}'
    )
}

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

//! Texts of a schema as doc comments. A text that Markdown, rustdoc and clippy all leave alone is
//! plain, and the derive reads it back as the description; every other text is only shown, with its
//! risky words as code. Nothing that comes out of here is a link, HTML or a doctest.
//!
//! ```text
//! /// Towns & cities, see `[the` `list](https://example.org).`
//! ```

use super::readable::is_readable;

/// The longest description that is its own doc comment.
const PLAIN_MAX: usize = 600;

/// How much of any other text is shown.
const SHOWN_MAX: usize = 300;

/// How wide a line of docs is, its indentation and slashes included.
const WIDTH: usize = 100;

/// Whether the doc comment `text` means exactly `text`.
pub fn is_plain(text: &str) -> bool {
    text.len() <= PLAIN_MAX
        && text.split(' ').all(is_plain_word)
        && text.split(' ').next().is_some_and(|word| !opens(word))
}

/// A text as one paragraph of Markdown that shows it, whatever it holds; `…` stands for the rest of
/// a long one.
pub fn paragraph(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN_MAX).collect();
    let mut out = String::with_capacity(cut.len());
    for word in cut.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        if is_plain_word(word) && !opens(word) {
            out.push_str(word);
        } else {
            let safe = word.chars().map(|c| match c {
                '`' => '\'',
                c if is_readable(c) => c,
                _ => char::REPLACEMENT_CHARACTER,
            });
            out.push('`');
            out.extend(safe);
            out.push('`');
        }
    }
    if cut.len() < text.len() {
        out.push_str(" …");
    }
    if out.is_empty() && !text.is_empty() {
        out.push_str("`white space`");
    }
    out
}

/// A text as inline code: names, codes, bounds.
pub fn code(text: &str) -> String {
    let short: String = text.chars().take(80).collect();
    let words: Vec<_> = short
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .map(|word| {
            let safe = word.chars().map(|c| match c {
                '`' => '\'',
                c if is_readable(c) => c,
                _ => char::REPLACEMENT_CHARACTER,
            });
            safe.collect::<String>()
        })
        .collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    match words.join(" ") {
        words if words.is_empty() => "white space".to_owned(),
        words => format!("`{words}{dots}`"),
    }
}

/// The paragraph in lines that fit behind `indent` spaces and the slashes. No line begins with a
/// word that would open a list or underline a heading.
pub fn wrap(paragraph: &str, indent: usize) -> Vec<String> {
    let width = WIDTH - indent - "/// ".len();
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut is_code = false;
    for word in paragraph.split(' ') {
        // blocks come before code in Markdown: a span must not be broken, whatever it holds
        let inside = is_code;
        is_code ^= word.bytes().filter(|b| *b == b'`').count() % 2 == 1;
        let length = line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && length > width && !inside && !opens(word) {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

fn is_plain_word(word: &str) -> bool {
    // most words, which need no closer look
    let is_simple = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase());
    if !word.is_empty() && is_simple(word.trim_end_matches([',', '.', ';'])) {
        return true;
    }
    if let Some(code) = code_span(word) {
        let safe = |b: u8| b.is_ascii_alphanumeric() || b"_-./:".contains(&b);
        return code.bytes().all(safe);
    }
    let allowed = |c: char| {
        is_readable(c) && (c.is_alphanumeric() || ".,;:()'\"/%&+=!?-–—‘’“”„…°€".contains(c))
    };
    let is_call_or_path = ["()", "::", ":/"].iter().any(|part| word.contains(part));
    let is_entity = word.contains('&') && word.contains(';');
    let has_mixed = word.split(|c: char| !c.is_alphanumeric()).any(is_mixed);
    let is_risky = word.is_empty() || is_call_or_path || is_entity || has_mixed;
    !is_risky && word.chars().all(allowed)
}

/// What stands between the backticks of a word like "`XK`,".
fn code_span(word: &str) -> Option<&str> {
    let inner = word
        .trim_end_matches(['.', ',', ';', ')'])
        .strip_prefix('`')?;
    inner.strip_suffix('`').filter(|code| !code.is_empty())
}

/// Whether clippy takes the word for a name in code: two capitals and a small letter, but for the
/// `s` of a plural.
fn is_mixed(word: &str) -> bool {
    let word = word.strip_suffix('s').unwrap_or(word);
    word.chars().filter(|c| c.is_uppercase()).count() > 1 && word.chars().any(char::is_lowercase)
}

/// Whether the word, at the start of a line, opens a list, underlines a heading or draws a rule.
fn opens(word: &str) -> bool {
    let all = |mark: u8| !word.is_empty() && word.bytes().all(|b| b == mark);
    let number = word.strip_suffix(['.', ')']);
    all(b'-')
        || all(b'=')
        || all(b'+')
        || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_what_people_write() {
        for text in [
            "Four-character location indicator (ICAO Doc 7910), or an internal one.",
            "Highest open balance in euro; 5% of it at most, R&D included.",
            "Größe des Gehäuses – in „mm“",
            "ISO 3166-1 alpha-2 code of the country, and `XK` for Kosovo.",
            "所在国家",
            "The IDs of all URLs",
        ] {
            assert!(is_plain(text), "{text}");
        }
    }

    #[test]
    fn text_that_a_tool_would_read_is_not_plain() {
        for text in [
            "",
            " a",
            "a ",
            "a  b",
            "a\nb",
            "- a",
            "1. a",
            "1) a",
            "+ a",
            "--- a",
            "=== a",
            "# a",
            "> a",
            "a <b>",
            "[a]",
            "a*b*",
            "a_b",
            "snake_case",
            "CamelCase",
            "McDonald Islands",
            "std::fmt",
            "call()",
            "http://a.b",
            "&amp; a",
            "a | b",
            "`open",
            "```",
            "``",
            "` `",
            "~~a~~",
            "\\a",
            "a\u{202e}b",
            "a\u{301}",
            "\u{200b}",
        ] {
            assert!(!is_plain(text), "{text:?}");
        }
    }

    #[test]
    fn other_text_is_shown_with_its_risky_words_as_code() {
        assert_eq!(
            paragraph("- see [a](b) <i>or</i>\n# c `d"),
            "`-` see `[a](b)` `<i>or</i>` `#` c `'d`"
        );
        assert_eq!(paragraph(&"a ".repeat(500)).len(), 299 + " …".len());
        assert_eq!(code(" \n"), "white space");
    }

    #[test]
    fn a_broken_line_never_begins_with_a_list() {
        let text = format!("{} - {} 1. bb", "a".repeat(93), "c".repeat(93));
        let lines = wrap(&text, 0);
        assert_eq!(lines.join(" "), text);
        let ends: Vec<_> = lines.iter().map(|line| &line[line.len() - 2..]).collect();
        assert_eq!(ends, [" -", "1.", "bb"]);
    }
}

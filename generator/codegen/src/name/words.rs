//! Display names to ASCII words, and words to the two cases. It looks at one text at a time.

use super::cause::{Cause, LENGTH_MAX};
use super::kind::{IdentifierKind, is_acronym};

/// Symbols that carry a meaning of their own, such as in `C++` or `> 5 %`.
const SYMBOLS: &[(char, &str)] = &[
    ('+', "plus"),
    ('&', "and"),
    ('%', "percent"),
    ('#', "number"),
    ('@', "at"),
    ('$', "dollar"),
    ('<', "less"),
    ('>', "greater"),
    ('=', "equal"),
    ('*', "star"),
];

/// Letters that German and the Nordic languages write as two where there is only ASCII: `Größe` is `groesse`.
const UMLAUTS: &[(char, &str)] = &[
    ('ä', "ae"),
    ('ö', "oe"),
    ('ü', "ue"),
    ('å', "aa"),
    ('ø', "oe"),
    ('Ä', "Ae"),
    ('Ö', "Oe"),
    ('Ü', "Ue"),
    ('Å', "Aa"),
    ('Ø', "Oe"),
];

/// The words of a display name in lower case, and what had to be done for them.
pub(crate) fn words(text: &str) -> (Vec<String>, Vec<Cause>) {
    let mut causes = Vec::new();
    // more of a long text can't be seen in its name; a character may become nothing at all
    let head: String = text.chars().take(LENGTH_MAX * 20).collect();
    let ascii = transliterate(&head, &mut causes);
    let mut words = split(&ascii);
    if shorten(&mut words) || head.len() < text.len() {
        causes.push(Cause::Shortened);
    }
    (words, causes)
}

fn transliterate(text: &str, causes: &mut Vec<Cause>) -> String {
    let mut ascii = String::with_capacity(text.len());
    let mut spelled = false;
    let chars: Vec<char> = text.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        let symbol = SYMBOLS.iter().find(|(symbol, _)| *symbol == c);
        if let Some((_, word)) = symbol {
            spelled = true;
            ascii.extend([" ", word, " "]);
        } else if c == '-' && is_sign(&chars, at) {
            spelled = true;
            ascii.push_str(" minus ");
        } else if c.is_ascii() {
            ascii.push(c);
        } else if matches!(c, '’' | 'ʼ') {
            ascii.push('\'');
        } else if let Some((_, letters)) = UMLAUTS.iter().find(|(umlaut, _)| *umlaut == c) {
            let next = chars.get(at + 1).copied();
            let before = at.checked_sub(1).map(|at| chars[at]);
            // among capitals it is two capitals, so that it stays one word with them
            let neighbour = next.filter(|next| next.is_alphabetic()).or(before);
            if neighbour.is_some_and(char::is_uppercase) {
                ascii.push_str(&letters.to_ascii_uppercase());
            } else {
                ascii.push_str(letters);
            }
        } else if c.is_uppercase() {
            // `Æ` before small letters is `Ae`, so that it stays one word with them
            let letters = deunicode::deunicode_char(c).unwrap_or(" ");
            let (first, rest) = letters.split_at(letters.len().min(1));
            ascii.extend([first, &rest.to_ascii_lowercase()]);
        } else if c.is_alphabetic() || is_mark(c) {
            ascii.push_str(deunicode::deunicode_char(c).unwrap_or(" "));
        } else {
            ascii.extend([" ", deunicode::deunicode_char(c).unwrap_or(" "), " "]);
        }
    }
    if text.chars().any(|c| !c.is_ascii() && c.is_alphanumeric()) {
        causes.push(Cause::Transliterated);
    }
    if spelled {
        causes.push(Cause::Spelled);
    }
    ascii
}

/// Combining marks, which must not split the word they stand in.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36F}' | '\u{200C}' | '\u{200D}' | '\u{AD}'
    )
}

/// Whether the hyphen is a sign, as in `-5` and `B-`, and not a join, as in `E-mail`.
fn is_sign(chars: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| chars.get(at));
    let after = chars.get(at + 1);
    let joins = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric());
    let number = after.is_some_and(char::is_ascii_digit);
    (number && !joins(before)) || (joins(before) && after.is_none())
}

fn split(ascii: &str) -> Vec<String> {
    let mut words = Vec::new();
    for part in ascii.split(|c: char| !c.is_ascii_alphanumeric() && c != '\'') {
        let part: Vec<u8> = part.bytes().filter(|b| *b != b'\'').collect();
        let mut start = 0;
        for at in 1..part.len() {
            if begins_word(&part, at) {
                words.push(lower(&part[start..at]));
                start = at;
            }
        }
        if start < part.len() {
            words.push(lower(&part[start..]));
        }
    }
    words
}

/// Whether a new word begins at `at`: `foo|Bar`, `HTTP|Server`, `iata2|Code`; but not in `URLs`.
fn begins_word(part: &[u8], at: usize) -> bool {
    let next_is_lower = part.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    let plural = part[at + 1..] == *b"s";
    let after_lower = part[at - 1].is_ascii_lowercase();
    part[at].is_ascii_uppercase() && (after_lower || (next_is_lower && !plural))
}

fn lower(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|b| char::from(b.to_ascii_lowercase()))
        .collect()
}

/// Keeps the words that fit; whether it had to drop something.
fn shorten(words: &mut Vec<String>) -> bool {
    let mut length = 0;
    for at in 0..words.len() {
        length += words[at].len() + 1;
        if length > LENGTH_MAX + 1 {
            // only a single word is cut: a stump behind other words says less than none
            words[at].truncate(LENGTH_MAX);
            words.truncate(at.max(1));
            return true;
        }
    }
    false
}

/// `foo_bar`, and whether a prefix was needed. `None` when there is no word.
pub(crate) fn snake(kind: IdentifierKind, words: &[String]) -> Option<(String, bool)> {
    let text = words.join("_");
    with_prefix(kind, text)
}

/// `FooBar`, and whether a prefix was needed. `None` when there is no word.
pub(crate) fn camel(kind: IdentifierKind, words: &[String]) -> Option<(String, bool)> {
    let mut text = String::new();
    for word in words {
        let digits = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
        if digits(text.as_bytes().last()) && digits(word.as_bytes().first()) {
            text.push('_');
        }
        text.push_str(&word[..1].to_ascii_uppercase());
        text.push_str(&word[1..]);
    }
    if is_acronym(&text) {
        text[1..].make_ascii_lowercase();
    }
    with_prefix(kind, text)
}

fn with_prefix(kind: IdentifierKind, text: String) -> Option<(String, bool)> {
    match text.as_bytes().first()? {
        b'0'..=b'9' => Some((format!("{}{text}", kind.prefix()), true)),
        _ => Some((text, false)),
    }
}

//! What a query is made of, before anyone asks what it means: parentheses, operators, words and what stands in quotes.

use super::QueryError;
use engine::Phone;
use std::borrow::Cow;

/// A sign, an operator or a text of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lexeme<'q> {
    Open,
    Close,
    And,
    Or,
    Not,
    /// A word up to white space, quote or parenthesis.
    Word(&'q str),
    /// What is between quotes, so many characters with them, whether `*` follows, and whether `:` does.
    Quoted {
        text: Cow<'q, str>,
        length: usize,
        star: bool,
        colon: bool,
    },
}

/// The lexemes and the number of each one's first character.
pub(super) fn lexemes(query: &str) -> Result<Vec<(usize, Lexeme<'_>)>, QueryError> {
    let mut lexemes = Vec::new();
    let mut rest = query;
    let mut position = 1;
    while let Some(first) = rest.chars().next() {
        let (lexeme, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '(' => (Some(Lexeme::Open), 1),
            ')' => (Some(Lexeme::Close), 1),
            '"' => {
                let (lexeme, length) = quoted(rest).ok_or_else(|| {
                    let what = "this quote is not closed; close it or take it out";
                    QueryError::at(position, what)
                })?;
                (Some(lexeme), length)
            }
            '+' if let Some(text) = phone_number(rest) => {
                let lexeme = Lexeme::Quoted {
                    text: text.into(),
                    length: text.len(),
                    star: false,
                    colon: false,
                };
                (Some(lexeme), text.len())
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')');
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                let word = before_phone_number(word, rest).unwrap_or(word);
                let lexeme = match word {
                    "AND" => Lexeme::And,
                    "OR" => Lexeme::Or,
                    "NOT" => Lexeme::Not,
                    _ => Lexeme::Word(word),
                };
                (Some(lexeme), word.len())
            }
        };
        lexemes.extend(lexeme.map(|lexeme| (position, lexeme)));
        position += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(lexemes)
}

/// Whether a word before a colon is a field's name.
pub(super) fn is_field(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_alphabetic)
}

/// The phone number that a text begins with, where it has blanks or parentheses, so that it is one text without quotes, too.
fn phone_number(text: &str) -> Option<&str> {
    let is_sign = |c: char| c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '.' | '(' | ')');
    let run = &text[..text.find(|c| !is_sign(c)).unwrap_or(text.len())];
    let is_end = |at: &usize| text[*at..].starts_with([' ', ')']) || *at == text.len();
    let is_number = |it: &&str| {
        let (opened, closed) = (it.matches('(').count(), it.matches(')').count());
        let is_balanced = opened == closed && it.find('(') <= it.find(')');
        is_balanced && it.contains([' ', '(']) && Phone::parse(it).is_ok()
    };
    let ends = (1..=run.len()).rev().filter(is_end);
    ends.map(|end| &run[..end]).find(is_number)
}

/// A field's name and its colon, where a phone number follows that has blanks or parentheses.
fn before_phone_number<'q>(word: &'q str, rest: &'q str) -> Option<&'q str> {
    let (name, _) = word.split_once(':').filter(|(name, _)| is_field(name))?;
    let (before, number) = rest.split_at(name.len() + 1);
    phone_number(number).map(|_| before)
}

fn quoted(rest: &str) -> Option<(Lexeme<'_>, usize)> {
    let close = closing(rest)?;
    let behind = &rest[close + 1..];
    let (star, colon) = (behind.starts_with('*'), behind.starts_with(':'));
    let lexeme = Lexeme::Quoted {
        text: unescaped(&rest[1..close]),
        length: rest[..=close].chars().count(),
        star,
        colon,
    };
    Some((lexeme, close + 1 + usize::from(star || colon)))
}

/// Whether quotes stand open in a text that is gone through sign by sign.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quotes {
    is_open: bool,
    is_escaped: bool,
}

impl Quotes {
    /// Goes past a sign: whether quotes stand open behind it.
    pub fn pass(&mut self, sign: char) -> bool {
        self.is_open ^= sign == '"' && !self.is_escaped;
        self.is_escaped = self.is_open && sign == '\\' && !self.is_escaped;
        self.is_open
    }
}

/// Where the quote stands that closes the one which a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut quotes = Quotes::default();
    text.find(|sign: char| !quotes.pass(sign))
}

/// What stands in quotes as it is meant: `\"` is a quote and `\\` a backslash, and a backslash before anything else is one.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut meant = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        let escaped = rest.next_if(|next| sign == '\\' && matches!(next, '"' | '\\'));
        meant.push(escaped.unwrap_or(sign));
    }
    meant.into()
}

/// A text that stands in quotes as it is meant; any other as it is.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let inner = inner.filter(|_| closing(text) == Some(text.len() - 1));
    inner.map_or(Cow::Borrowed(text), unescaped)
}

/// A text in quotes, as a query writes it.
pub fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

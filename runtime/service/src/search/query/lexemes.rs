//! What a query is made of, before anyone asks what it means: parentheses, operators, words and what stands in quotes.

use super::QueryError;
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
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')');
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
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

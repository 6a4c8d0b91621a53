//! What a query is made of, before anyone asks what it means: parentheses, operators, words and what stands in quotes.

use super::QueryError;

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
    /// What is between quotes, whether `*` follows, and whether `:` does.
    Quoted {
        text: &'q str,
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
    let close = rest[1..].find('"')? + 1;
    let behind = &rest[close + 1..];
    let (star, colon) = (behind.starts_with('*'), behind.starts_with(':'));
    let lexeme = Lexeme::Quoted {
        text: &rest[1..close],
        star,
        colon,
    };
    Some((lexeme, close + 1 + usize::from(star || colon)))
}

//! The query language. docs/interface.md, "Search": all words must be there; phrases in quotes, `word*`,
//! `AND`, `OR`, `NOT`, parentheses, and values behind their field's name and a colon, either in quotes or
//! not. It says what does not parse and where, and knows neither fields nor records.
//!
//! ```text
//! query  = and { "OR" and }
//! and    = not { [ "AND" ] not }
//! not    = "NOT" not | "(" query ")" | [ field ":" ] text
//! text   = word [ "*" ] | '"' words '"' [ "*" ]
//! field  = word | '"' words '"'
//! ```
//!
//! A word before a colon is a field when it begins with a letter and no `//` follows, so that times and
//! web addresses are words. A text without letters and digits asks for nothing and is left out, unless
//! nothing else is there.

use crate::Refusal;
use store::search::{Expression, Term, ends_in_word, words};

/// How long a query may be.
const CHARS_MAX: usize = 2000;
/// How many texts it may ask for.
const TERMS_MAX: usize = 64;
/// How deep it may nest.
const DEPTH_MAX: usize = 16;

/// What does not parse, and where: the character's number, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueryError {
    pub(super) position: usize,
    pub(super) what: String,
}

impl From<QueryError> for Refusal {
    fn from(error: QueryError) -> Self {
        Refusal::Parameter(format!(
            "`query` does not parse at character {}: {}",
            error.position, error.what
        ))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'q> {
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

/// Reads a query.
pub(super) fn parse(query: &str) -> Result<Expression, QueryError> {
    if query.chars().count() > CHARS_MAX {
        let what = format!("it is longer than {CHARS_MAX} characters; ask for less");
        return Err(QueryError {
            position: CHARS_MAX + 1,
            what,
        });
    }
    let tokens = tokens(query)?;
    let end = query.chars().count() + 1;
    let mut parser = Parser {
        tokens,
        at: 0,
        end,
        terms: 0,
        depth: 0,
    };
    let found = parser.any()?;
    if parser.at < parser.tokens.len() {
        return Err(parser.error("this parenthesis closes nothing; take it out or open it before"));
    }
    found.ok_or_else(|| QueryError {
        position: 1,
        what: "it has no letter or digit to look for; name a word".to_owned(),
    })
}

/// The tokens and the number of each one's first character.
fn tokens(query: &str) -> Result<Vec<(usize, Token<'_>)>, QueryError> {
    let mut tokens = Vec::new();
    let mut rest = query;
    let mut position = 1;
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '(' => (Some(Token::Open), 1),
            ')' => (Some(Token::Close), 1),
            '"' => {
                let (token, length) = quoted(rest).ok_or_else(|| QueryError {
                    position,
                    what: "this quote is not closed; close it or take it out".to_owned(),
                })?;
                (Some(token), length)
            }
            _ => {
                let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '(' | ')');
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                let token = match word {
                    "AND" => Token::And,
                    "OR" => Token::Or,
                    "NOT" => Token::Not,
                    _ => Token::Word(word),
                };
                (Some(token), word.len())
            }
        };
        tokens.extend(token.map(|token| (position, token)));
        position += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn quoted(rest: &str) -> Option<(Token<'_>, usize)> {
    let close = rest[1..].find('"')? + 1;
    let behind = &rest[close + 1..];
    let (star, colon) = (behind.starts_with('*'), behind.starts_with(':'));
    let token = Token::Quoted {
        text: &rest[1..close],
        star,
        colon,
    };
    Some((token, close + 1 + usize::from(star || colon)))
}

struct Parser<'q> {
    tokens: Vec<(usize, Token<'q>)>,
    at: usize,
    /// The position behind the query.
    end: usize,
    terms: usize,
    depth: usize,
}

/// A part of a query; `None` when it asks for nothing.
type Part = Option<Expression>;

impl<'q> Parser<'q> {
    fn peek(&self) -> Option<&Token<'q>> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn position(&self) -> usize {
        self.tokens
            .get(self.at)
            .map_or(self.end, |(position, _)| *position)
    }

    fn error(&self, what: &str) -> QueryError {
        QueryError {
            position: self.position(),
            what: what.to_owned(),
        }
    }

    fn any(&mut self) -> Result<Part, QueryError> {
        let start = self.position();
        let first = self.all()?;
        if self.peek() != Some(&Token::Or) {
            return Ok(first);
        }
        let mut parts = vec![required(first, start)?];
        while self.peek() == Some(&Token::Or) {
            self.at += 1;
            let start = self.position();
            parts.push(required(self.all()?, start)?);
        }
        Ok(Some(Expression::Any(parts)))
    }

    fn all(&mut self) -> Result<Part, QueryError> {
        let mut parts = Vec::new();
        parts.extend(self.not()?);
        loop {
            match self.peek() {
                None | Some(Token::Or | Token::Close) => break,
                Some(Token::And) => self.at += 1,
                Some(_) => {}
            }
            parts.extend(self.not()?);
        }
        Ok(match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(Expression::All(parts)),
        })
    }

    fn not(&mut self) -> Result<Part, QueryError> {
        let start = self.position();
        let Some((_, token)) = self.tokens.get(self.at).cloned() else {
            return Err(self.error("a word is missing at the end; add one"));
        };
        match token {
            Token::Not => {
                self.at += 1;
                self.deeper()?;
                let inner = required(self.not()?, start)?;
                self.depth -= 1;
                Ok(Some(Expression::Not(Box::new(inner))))
            }
            Token::Open => {
                self.deeper()?;
                self.at += 1;
                let inner = self.any()?;
                if self.peek() != Some(&Token::Close) {
                    let what = "this parenthesis is not closed; close it or take it out".to_owned();
                    return Err(QueryError {
                        position: start,
                        what,
                    });
                }
                self.at += 1;
                self.depth -= 1;
                Ok(inner)
            }
            Token::And | Token::Or => {
                Err(self
                    .error("a word is missing before this; add one, or put the operator in quotes"))
            }
            Token::Close => {
                Err(self.error("a word is missing before this parenthesis; add one or take it out"))
            }
            Token::Word(_) | Token::Quoted { .. } => self.text(),
        }
    }

    fn deeper(&mut self) -> Result<(), QueryError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let what = format!("it nests deeper than {DEPTH_MAX} levels; ask for less");
            return Err(self.error(&what));
        }
        Ok(())
    }

    /// A text, maybe with its field before it.
    fn text(&mut self) -> Result<Part, QueryError> {
        let start = self.position();
        let Some((_, token)) = self.tokens.get(self.at).cloned() else {
            return Ok(None);
        };
        self.at += 1;
        match token {
            Token::Quoted {
                text, colon: true, ..
            } => self.value(text, start),
            Token::Quoted { text, star, .. } => self.term(None, text, star, start),
            Token::Word(word) => match word.split_once(':') {
                Some((field, "")) if is_field(field) => self.value(field, start),
                Some((field, value)) if is_field(field) && !value.starts_with("//") => {
                    let found = self.word(Some(words(field)), value, start)?;
                    required(found, start).map(Some)
                }
                _ => self.word(None, word, start),
            },
            _ => Ok(None),
        }
    }

    /// What follows a field and its colon, with or without a space.
    fn value(&mut self, field: &str, start: usize) -> Result<Part, QueryError> {
        let name = words(field);
        if name.is_empty() {
            let what = "the field's name before the colon has no letter or digit; write its name"
                .to_owned();
            return Err(QueryError {
                position: start,
                what,
            });
        }
        let position = self.position();
        let found = match self.peek() {
            Some(Token::Quoted {
                text,
                star,
                colon: false,
            }) => {
                let (text, star) = (*text, *star);
                self.at += 1;
                self.term(Some(name), text, star, position)?
            }
            Some(Token::Word(word)) => {
                let word = *word;
                self.at += 1;
                self.word(Some(name), word, position)?
            }
            _ => return Err(self.error("a value is missing behind the field's colon; add one")),
        };
        required(found, position).map(Some)
    }

    fn word(
        &mut self,
        field: Option<Vec<String>>,
        word: &str,
        start: usize,
    ) -> Result<Part, QueryError> {
        match word.strip_suffix('*') {
            Some(stem) => self.term(field, stem, ends_in_word(stem), start),
            None => self.term(field, word, false, start),
        }
    }

    fn term(
        &mut self,
        field: Option<Vec<String>>,
        text: &str,
        star: bool,
        start: usize,
    ) -> Result<Part, QueryError> {
        let words = words(text);
        self.terms += words.len();
        if self.terms > TERMS_MAX {
            let what = format!("it has more than {TERMS_MAX} words; ask for less");
            return Err(QueryError {
                position: start,
                what,
            });
        }
        let is_prefix = star && ends_in_word(text);
        Ok((!words.is_empty()).then_some(Expression::Term(Term {
            field,
            words,
            is_prefix,
        })))
    }
}

fn is_field(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_alphabetic)
}

/// A part that can't be left out.
fn required(part: Part, position: usize) -> Result<Expression, QueryError> {
    part.ok_or_else(|| QueryError {
        position,
        what: "there is no letter or digit to look for; name a word".to_owned(),
    })
}

#[cfg(test)]
mod tests;

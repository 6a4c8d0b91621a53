//! The query language. docs/interface.md, "Search": all words must be there; phrases in quotes, `word*`,
//! `AND`, `OR`, `NOT`, parentheses, and values behind their field's name and a colon, either in quotes or
//! not. It says what does not parse and where, and knows neither fields nor records: whether a name is a field's, it asks.
//!
//! A word before a colon is a field when it begins with a letter and no `//` follows, so that times and
//! web addresses are words. In quotes, `\"` is a quote and `\\` a backslash. A text without letters and digits asks for nothing and is left out, unless
//! nothing else is there. `=` before a value asks for the whole of it, with case and signs. A value that begins with another sign by which languages compare is refused: its words alone
//! would find something else. A phone number is also looked for as it is stored, however it is written; with its blanks and
//! parentheses it is one text, whether or not it stands in quotes.

mod asked;
mod lexemes;
mod operators;

pub(super) use asked::{AskedRange, AskedValue, NamedField, Query};
pub use lexemes::{Quotes, in_quotes, unquoted};

use crate::Refusal;
use engine::Phone;
use lexemes::{Lexeme, is_field, lexemes};
use std::borrow::Cow;
use std::ops::Bound;
use store::search::{Expression, FieldName, Term, ends_in_word, whole_text, words};

/// Characters a query has at most.
pub const QUERY_LENGTH_MAX: usize = wire::manage::limits::QUERY_LENGTH_MAX;
/// How many texts it may ask for.
const TERMS_MAX: usize = 64;
/// How deep it may nest.
const DEPTH_MAX: usize = 16;

/// What does not parse, and where: the character's number, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QueryError {
    pub(super) position: usize,
    pub(super) what: Cow<'static, str>,
}

impl QueryError {
    pub(super) fn at(position: usize, what: impl Into<Cow<'static, str>>) -> Self {
        QueryError {
            position,
            what: what.into(),
        }
    }
}

impl From<QueryError> for Refusal {
    fn from(QueryError { position, what }: QueryError) -> Self {
        let text = format!("`query` does not parse at character {position}: {what}");
        Refusal::Parameter(text.into())
    }
}

/// Reads a query. Whether there is a field of exactly a name is asked where that name has what may stand behind one.
pub(super) fn parse(query: &str, has_field: &dyn Fn(&str) -> bool) -> Result<Query, QueryError> {
    if query.chars().count() > QUERY_LENGTH_MAX {
        let what = format!("it is longer than {QUERY_LENGTH_MAX} characters; ask for less");
        return Err(QueryError::at(QUERY_LENGTH_MAX + 1, what));
    }
    let lexemes = lexemes(query)?;
    let end = query.chars().count() + 1;
    let mut parser = Parser {
        lexemes,
        has_field,
        at: 0,
        end,
        terms: 0,
        depth: 0,
        negations: 0,
        texts: 0,
        fields: Vec::new(),
        ranges: Vec::new(),
        values: Vec::new(),
    };
    let found = parser.any()?;
    if parser.at < parser.lexemes.len() {
        return Err(parser.error("this parenthesis closes nothing; take it out or open it before"));
    }
    let nothing = "it has no letter or digit to look for; name a word";
    Ok(Query {
        expression: found.ok_or_else(|| QueryError::at(1, nothing))?,
        fields: parser.fields,
        ranges: parser.ranges,
        values: parser.values,
    })
}

struct Parser<'q> {
    lexemes: Vec<(usize, Lexeme<'q>)>,
    has_field: &'q dyn Fn(&str) -> bool,
    at: usize,
    /// The position behind the query.
    end: usize,
    terms: usize,
    depth: usize,
    /// How many `NOT`s are before what is read.
    negations: usize,
    /// Texts that the tree has so far.
    texts: usize,
    fields: Vec<NamedField>,
    ranges: Vec<AskedRange>,
    values: Vec<AskedValue>,
}

/// A part of a query; `None` when it asks for nothing.
type Part = Option<Expression>;

impl<'q> Parser<'q> {
    fn peek(&self) -> Option<&Lexeme<'q>> {
        self.lexemes.get(self.at).map(|(_, lexeme)| lexeme)
    }

    fn position(&self) -> usize {
        self.lexemes
            .get(self.at)
            .map_or(self.end, |(position, _)| *position)
    }

    fn error(&self, what: impl Into<Cow<'static, str>>) -> QueryError {
        QueryError::at(self.position(), what)
    }

    fn any(&mut self) -> Result<Part, QueryError> {
        let start = self.position();
        let first = self.all()?;
        if self.peek() != Some(&Lexeme::Or) {
            return Ok(first);
        }
        let mut parts = vec![required(first, start)?];
        while self.peek() == Some(&Lexeme::Or) {
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
                None | Some(Lexeme::Or | Lexeme::Close) => break,
                Some(Lexeme::And) => self.at += 1,
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
        let Some((_, lexeme)) = self.lexemes.get(self.at).cloned() else {
            return Err(self.error("a word is missing at the end; add one"));
        };
        match lexeme {
            Lexeme::Not => {
                self.at += 1;
                self.deeper()?;
                self.negations += 1;
                let inner = required(self.not()?, start)?;
                self.negations -= 1;
                self.depth -= 1;
                Ok(Some(Expression::Not(Box::new(inner))))
            }
            Lexeme::Open => {
                self.deeper()?;
                self.at += 1;
                let inner = self.any()?;
                if self.peek() != Some(&Lexeme::Close) {
                    let what = "this parenthesis is not closed; close it or take it out";
                    return Err(QueryError::at(start, what));
                }
                self.at += 1;
                self.depth -= 1;
                Ok(inner)
            }
            Lexeme::And | Lexeme::Or => {
                Err(self
                    .error("a word is missing before this; add one, or put the operator in quotes"))
            }
            Lexeme::Close => {
                Err(self.error("a word is missing before this parenthesis; add one or take it out"))
            }
            Lexeme::Word(_) | Lexeme::Quoted { .. } => self.text(),
        }
    }

    fn deeper(&mut self) -> Result<(), QueryError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            let what = format!("it nests deeper than {DEPTH_MAX} levels; ask for less");
            return Err(self.error(what));
        }
        Ok(())
    }

    /// A text, maybe with its field before it.
    fn text(&mut self) -> Result<Part, QueryError> {
        let start = self.position();
        let Some((_, lexeme)) = self.lexemes.get(self.at).cloned() else {
            return Ok(None);
        };
        self.at += 1;
        match lexeme {
            Lexeme::Quoted {
                text, colon: true, ..
            } => self.value(&text, start),
            Lexeme::Quoted { text, star, .. } => self.term(None, &text, star, start),
            // everything
            Lexeme::Word("*") => Ok(Some(Expression::All(Vec::new()))),
            Lexeme::Word(word) => match word.split_once(':') {
                Some(("is", "faulty")) => {
                    self.count(1, start)?;
                    Ok(Some(Expression::Faulty))
                }
                Some(("fault", rest)) => self.fault(rest, start),
                Some((field, "")) if is_field(field) => self.value(field, start),
                Some((field, value)) if is_field(field) && !value.starts_with("//") => {
                    let name = self.name(field, start);
                    let position = start + field.chars().count() + 1;
                    if let Some(found) = self.operator(&name, value, position)? {
                        return Ok(Some(found));
                    }
                    self.look_for_words();
                    let found = self.word_of(name, value, start)?;
                    required(found, start).map(Some)
                }
                _ => self.word(None, word, start),
            },
            _ => Ok(None),
        }
    }

    /// What follows a field and its colon, with or without a space.
    fn value(&mut self, field: &str, start: usize) -> Result<Part, QueryError> {
        let name = self.name(field, start);
        if field.is_empty() {
            let what = "the field's name before the colon is empty; write its name";
            return Err(QueryError::at(start, what));
        }
        let position = self.position();
        let found = match self.peek() {
            Some(Lexeme::Quoted {
                text,
                length,
                star,
                colon: false,
            }) => {
                let (text, end, star) = (text.clone(), position + length, *star);
                self.at += 1;
                if let Some(found) = self.range_of_quoted(&name, &text, (position, end))? {
                    return Ok(Some(found));
                }
                self.look_for_words();
                self.term(Some(&name.name), &text, star, position)?
            }
            Some(Lexeme::Word(word)) => {
                let word = *word;
                self.at += 1;
                if let Some(found) = self.operator(&name, word, position)? {
                    return Ok(Some(found));
                }
                self.look_for_words();
                self.word_of(name, word, position)?
            }
            _ => return Err(self.error("a value is missing behind the field's colon; add one")),
        };
        required(found, position).map(Some)
    }

    /// Notes a field that is named.
    fn name(&mut self, field: &str, position: usize) -> NamedField {
        let named = NamedField {
            position,
            name: FieldName::of(field),
            is_for_words: false,
            is_negated: self.negations > 0,
        };
        self.fields.push(named.clone());
        named
    }

    /// Notes that words are looked for in the field that was named last.
    fn look_for_words(&mut self) {
        if let Some(named) = self.fields.last_mut() {
            named.is_for_words = true;
        }
    }

    /// Counts what is asked for.
    fn count(&mut self, terms: usize, position: usize) -> Result<(), QueryError> {
        self.terms += terms;
        if self.terms > TERMS_MAX {
            let what = format!("it has more than {TERMS_MAX} words; ask for less");
            return Err(QueryError::at(position, what));
        }
        Ok(())
    }

    /// A word behind a field, which may be a value of it.
    fn word_of(&mut self, name: NamedField, word: &str, start: usize) -> Result<Part, QueryError> {
        let text = self.texts;
        let found = self.word(Some(&name.name), word, start)?;
        if found.is_some() && !word.ends_with('*') {
            self.note_value(text, name.name, word, start, false);
        }
        Ok(found)
    }

    /// Notes that a text of the tree may be a value of the field that was named last.
    fn note_value(
        &mut self,
        text: usize,
        field: FieldName,
        value: &str,
        position: usize,
        is_whole: bool,
    ) {
        let end = || Bound::Included(value.to_owned());
        self.values.push(AskedValue {
            text,
            named: self.fields.len().saturating_sub(1),
            range: AskedRange {
                position,
                field,
                from: end(),
                to: end(),
            },
            is_whole,
        });
    }

    /// A whole value of the field that was named last, as it is written.
    fn whole(
        &mut self,
        field: FieldName,
        value: &str,
        position: usize,
    ) -> Result<Part, QueryError> {
        if value.trim().is_empty() {
            let what = "a value is missing behind `=`; add one, or ask for `none` to find what has no value";
            return Err(QueryError::at(position, what));
        }
        self.count(1, position)?;
        self.look_for_words();
        self.note_value(self.texts, field.clone(), value, position, true);
        self.texts += 1;
        Ok(Some(Expression::Term(Term {
            field: Some(field),
            except: Vec::new(),
            words: whole_text(value),
            is_prefix: false,
        })))
    }

    fn word(
        &mut self,
        field: Option<&FieldName>,
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
        field: Option<&FieldName>,
        text: &str,
        star: bool,
        start: usize,
    ) -> Result<Part, QueryError> {
        let own = words(text);
        let number = phone_number(text).filter(|number| *number != own);
        self.count(own.len() + usize::from(number.is_some()), start)?;
        if own.is_empty() {
            return Ok(None);
        }
        let is_prefix = star && ends_in_word(text);
        let mut term = |words| {
            self.texts += 1;
            Expression::Term(Term {
                field: field.cloned(),
                except: Vec::new(),
                words,
                is_prefix,
            })
        };
        let own = term(own);
        Ok(Some(match number {
            Some(number) => Expression::Any(vec![own, term(number)]),
            None => own,
        }))
    }
}

/// The words of a phone number as fields of phone numbers store it, which is how they are found however they are written.
fn phone_number(text: &str) -> Option<Vec<String>> {
    let blanks_alike: Vec<&str> = text.split_whitespace().collect();
    let number = Phone::parse(&blanks_alike.join(" ")).ok()?;
    Some(words(number.as_str()))
}

/// A part that can't be left out.
fn required(part: Part, position: usize) -> Result<Expression, QueryError> {
    let what = "there is no letter or digit to look for; name a word";
    part.ok_or_else(|| QueryError::at(position, what))
}

#[cfg(test)]
mod tests;

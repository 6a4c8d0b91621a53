//! What stands behind a field's colon and is no text: comparisons, ranges, `=` and a whole value, `none`; and the words that ask for
//! faults. Their values stay texts here: what they mean depends on the field.

use super::{AskedRange, Lexeme, NamedField, Parser, Part, QueryError, in_quotes};
use engine::validate::Rule;
use std::borrow::Cow;
use std::ops::Bound;
use store::search::{Expression, FaultTerm, words};

/// From where to where a range goes.
type Ends = (Bound<String>, Bound<String>);

impl<'q> Parser<'q> {
    /// What a word behind a field asks for, if it is no text. `position` is the word's.
    pub(super) fn operator(
        &mut self,
        name: &NamedField,
        value: &str,
        position: usize,
    ) -> Result<Part, QueryError> {
        if value == "none" {
            return Ok(Some(Expression::Missing(name.name.clone())));
        }
        let signs: String = value
            .chars()
            .take_while(|c| "<>=~!^[{".contains(*c))
            .collect();
        let operand = &value[signs.len()..];
        let (from, to) = match signs.as_str() {
            "" => match self.range(value, position)? {
                Some(range) => range,
                None => return Ok(None),
            },
            "=" => {
                if operand.is_empty() && self.is_prefix_next() {
                    let what = "a whole value takes no `*`; take it out, or leave `=` out to look for words that begin so";
                    return Err(QueryError::at(position, what));
                }
                let value = self.operand(operand, position)?;
                return self.whole(name.name.clone(), &value, position);
            }
            ">" => (
                Bound::Excluded(self.operand(operand, position)?),
                Bound::Unbounded,
            ),
            ">=" => (
                Bound::Included(self.operand(operand, position)?),
                Bound::Unbounded,
            ),
            "<" => (
                Bound::Unbounded,
                Bound::Excluded(self.operand(operand, position)?),
            ),
            "<=" => (
                Bound::Unbounded,
                Bound::Included(self.operand(operand, position)?),
            ),
            _ => {
                let what = format!(
                    "there is no operator `{signs}` behind a field; to look for a whole value, write `=` and the value in quotes"
                );
                return Err(QueryError::at(position, what));
            }
        };
        self.count(1, position)?;
        self.ranges.push(AskedRange {
            position,
            field: name.name.clone(),
            from,
            to,
        });
        // the fields it is about are found by who knows them
        Ok(Some(Expression::Range(Vec::new())))
    }

    /// The value of a comparison: the rest of its word, or what stands in quotes right behind it.
    fn operand(&mut self, rest: &str, position: usize) -> Result<String, QueryError> {
        if !rest.is_empty() {
            return Ok(rest.to_owned());
        }
        self.quoted_next().map(Cow::into_owned).ok_or_else(|| {
            let what =
                "a value is missing behind the comparison; add one, without a space before it";
            QueryError::at(position, what)
        })
    }

    /// The ends of a word that is a range, with one of them at least.
    fn range(&mut self, value: &str, position: usize) -> Result<Option<Ends>, QueryError> {
        let Some((from, to)) = value.split_once("..") else {
            return Ok(None);
        };
        let quoted = if to.is_empty() {
            self.quoted_next()
        } else {
            None
        };
        let to = quoted.as_deref().unwrap_or(to);
        let has_end = [from, to].into_iter().any(|end| !words(end).is_empty());
        if to.starts_with('.') || !has_end {
            return Ok(None);
        }
        let end = |text: &str| {
            if text.is_empty() {
                Bound::Unbounded
            } else {
                Bound::Included(text.to_owned())
            }
        };
        if to.contains("..") {
            let what = "a range has two ends; write it as `from..to`, each in quotes if need be";
            return Err(QueryError::at(position, what));
        }
        Ok(Some((end(from), end(to))))
    }

    /// What is behind a quoted value that is the begin of a range; `None` where it is none. The value stands from a position
    /// up to another.
    pub(super) fn range_of_quoted(
        &mut self,
        name: &NamedField,
        from: &str,
        (position, end): (usize, usize),
    ) -> Result<Part, QueryError> {
        let Some((at, Lexeme::Word(word))) = self.lexemes.get(self.at).cloned() else {
            return Ok(None);
        };
        let Some(to) = word.strip_prefix("..").filter(|_| at == end) else {
            return Ok(None);
        };
        self.at += 1;
        let quoted = if to.is_empty() {
            self.quoted_next()
        } else {
            None
        };
        let to = quoted.as_deref().unwrap_or(to);
        self.count(1, position)?;
        self.ranges.push(AskedRange {
            position,
            field: name.name.clone(),
            from: Bound::Included(from.to_owned()),
            to: if to.is_empty() {
                Bound::Unbounded
            } else {
                Bound::Included(to.to_owned())
            },
        });
        Ok(Some(Expression::Range(Vec::new())))
    }

    /// Whether a text in quotes follows, and a `*` after it.
    fn is_prefix_next(&self) -> bool {
        matches!(self.peek(), Some(Lexeme::Quoted { star: true, .. }))
    }

    /// The text in quotes that stands right behind the last word; it is taken.
    fn quoted_next(&mut self) -> Option<Cow<'q, str>> {
        let (before, lexeme) = self.lexemes.get(self.at.checked_sub(1)?)?;
        let Lexeme::Word(word) = lexeme else {
            return None;
        };
        let end = before + word.chars().count();
        match self.lexemes.get(self.at) {
            Some((
                at,
                Lexeme::Quoted {
                    text,
                    star: false,
                    colon: false,
                    ..
                },
            )) if *at == end => {
                let text = text.clone();
                self.at += 1;
                Some(text)
            }
            _ => None,
        }
    }

    /// What follows `fault:`.
    pub(super) fn fault(&mut self, rest: &str, start: usize) -> Result<Part, QueryError> {
        let (name, rule) = if rest.is_empty() {
            let Some(name) = self.quoted_next() else {
                let what =
                    "a field is missing behind `fault:`; name one, without a space before it";
                return Err(QueryError::at(start, what));
            };
            let rule = match self.peek() {
                Some(Lexeme::Word(word)) => word.strip_prefix('/'),
                _ => None,
            };
            self.at += usize::from(rule.is_some());
            if let Some(rule) = rule {
                require_rule(rule, None, start)?;
            }
            (name, rule)
        } else {
            match rest.rsplit_once('/') {
                // a field's name may have the sign itself
                Some((name, rule)) if !(self.has_field)(rest) => {
                    require_rule(rule, Some(rest), start)?;
                    (Cow::Borrowed(name), Some(rule))
                }
                _ => (Cow::Borrowed(rest), None),
            }
        };
        let named = self.name(&name, start);
        if name.is_empty() {
            let what = "the field's name behind `fault:` is empty; write its name";
            return Err(QueryError::at(start, what));
        }
        self.count(1, start)?;
        Ok(Some(Expression::Fault(FaultTerm {
            field: named.name,
            rule: rule.map(str::to_owned),
        })))
    }
}

/// Refuses a rule that there is not, with those that are like it; `whole` may be a field's name that was meant.
fn require_rule(rule: &str, whole: Option<&str>, position: usize) -> Result<(), QueryError> {
    let codes = || Rule::CODES.iter().map(|(code, _)| *code);
    if codes().any(|code| code == rule) {
        return Ok(());
    }
    let mut near: Vec<_> = codes()
        .map(|code| (strsim::jaro_winkler(code, rule), code))
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    let near: Vec<_> = near
        .iter()
        .take(3)
        .map(|(_, code)| format!("`{code}`"))
        .collect();
    let near = near.join(", ");
    let what = match whole.map(in_quotes) {
        None => format!("there is no rule `{rule}`; near codes are {near}"),
        Some(name) => format!(
            "there is no rule `{rule}`; near codes are {near}; a field of the whole name stands in quotes: `fault:{name}`"
        ),
    };
    Err(QueryError::at(position, what))
}

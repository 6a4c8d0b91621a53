//! A search's tree as FTS5 understands it, for one dataset. Only words of letters and digits, in quotes,
//! go into the text: nothing a user types is read as syntax here.

use super::columns::{COLUMNS, Columns, code, column_of};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use store::search::{Aim, Expression, Term};

/// The text to match; `None` when no record of the dataset can.
pub(super) fn compile(expression: &Expression, aim: &Aim, columns: &Columns) -> Option<String> {
    Compiler {
        code: code(aim.dataset),
        aim,
        columns,
    }
    .expression(expression)
}

struct Compiler<'a> {
    code: String,
    aim: &'a Aim,
    columns: &'a Columns,
}

impl Compiler<'_> {
    fn expression(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Term(term) => self.term(term),
            Expression::Not(inner) => Some(self.without(self.every(), &[inner])),
            Expression::Any(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .filter_map(|part| self.expression(part))
                    .collect();
                joined(&parts, " OR ")
            }
            Expression::All(parts) => {
                let (mut with, mut not) = (Vec::new(), Vec::new());
                for part in parts {
                    match part {
                        Expression::Not(inner) => not.push(&**inner),
                        part => with.push(self.expression(part)?),
                    }
                }
                let text = joined(&with, " AND ").unwrap_or_else(|| self.every());
                Some(self.without(text, &not))
            }
        }
    }

    /// Every record of the dataset.
    fn every(&self) -> String {
        format!("marker : \"{}_\"", self.code)
    }

    /// What `text` finds and none of the others does. They are taken away at once: FTS5 reads some
    /// hundred nested parentheses, and no more.
    fn without(&self, text: String, others: &[&Expression]) -> String {
        let others = others.iter().filter_map(|other| self.expression(other));
        match joined(&others.collect::<Vec<_>>(), " OR ") {
            Some(others) => format!("({text} NOT {others})"),
            None => text,
        }
    }

    fn term(&self, term: &Term) -> Option<String> {
        let known = self.columns.of(&self.aim.fields.schema)?;
        let active = self.aim.fields.active.iter();
        let named =
            active.filter(|(name, _)| term.field.as_ref().is_none_or(|field| field == name));
        let wanted: BTreeSet<u32> = named.filter_map(|(_, id)| known.get(id).copied()).collect();
        let is_all = wanted.len() == known.len();
        let own: Vec<usize> = wanted
            .iter()
            .map(|number| column_of(*number, &self.code).0)
            .filter(|column| *column < COLUMNS)
            .collect();
        let mut parts = Vec::new();
        if let Some(first) = wanted.first().filter(|_| !own.is_empty()) {
            let mut part = String::new();
            if !is_all {
                part.push('{');
                for column in &own {
                    // INVARIANT: writing to a String cannot fail
                    let _ = write!(part, "c{column} ");
                }
                part.push_str("} : ");
            }
            part.push_str(&phrase(term, &column_of(*first, &self.code).1));
            parts.push(part);
        }
        for number in &wanted {
            let (column, head) = column_of(*number, &self.code);
            if column == COLUMNS {
                parts.push(phrase(term, &head));
            }
        }
        joined(&parts, " OR ")
    }
}

fn joined(parts: &[String], with: &str) -> Option<String> {
    match parts {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(format!("({})", many.join(with))),
    }
}

fn phrase(term: &Term, head: &str) -> String {
    let mut text = String::from("\"");
    for (index, word) in term.words.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(head);
        // INVARIANT: words have letters, digits and marks only; a quote would end the phrase
        text.extend(
            word.chars()
                .filter(|c| !c.is_ascii() || c.is_ascii_alphanumeric()),
        );
    }
    text.push('"');
    if term.is_prefix {
        text.push_str(" *");
    }
    text
}

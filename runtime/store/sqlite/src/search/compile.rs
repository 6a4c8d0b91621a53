//! A search's tree as FTS5 understands it, for one dataset. Only words of letters and digits, in quotes,
//! go into the text: nothing a user types is read as syntax here.

use super::columns::{COLUMNS, Columns, FieldNumbers, code, column_of};
use super::facts;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use store::search::{Aim, AimField, Expression, FaultTerm, Term};

/// Whether an expression asks for nothing but what the full-text index has.
pub(super) fn is_text(expression: &Expression) -> bool {
    match expression {
        Expression::All(parts) | Expression::Any(parts) => parts.iter().all(is_text),
        Expression::Not(inner) => is_text(inner),
        Expression::Range(_) => false,
        Expression::Term(_)
        | Expression::Faulty
        | Expression::Fault(_)
        | Expression::Missing(_) => true,
    }
}

/// Whether an expression asks for one word in any field that the index has of a dataset: then whatever the index has of
/// the word is found, and nothing is passed over.
pub(super) fn is_any_word(expression: &Expression, aim: &Aim, columns: &Columns) -> bool {
    let Expression::Term(term) = expression else {
        return false;
    };
    let compiler = Compiler {
        code: code(aim.dataset),
        aim,
        columns,
    };
    let is_all = |known| compiler.asked_by(known, term).len() == known.len();
    is_word(expression) && term.field.is_none() && compiler.numbers().is_none_or(is_all)
}

/// Whether an expression asks for one word, wherever it is to stand.
pub(super) fn is_word(expression: &Expression) -> bool {
    matches!(expression, Expression::Term(term) if term.words.len() == 1 && !term.is_prefix)
}

/// The text that matches the records of a dataset without a key in a field, and maybe others.
pub(super) fn unordered(aim: &Aim, field: &AimField, columns: &Columns) -> Option<String> {
    let compiler = Compiler {
        code: code(aim.dataset),
        aim,
        columns,
    };
    let mut words = compiler.without_value(field);
    let numbers = columns.of(&aim.fields.schema);
    let number = numbers.and_then(|numbers| numbers.get(&field.id));
    words.extend(number.map(|number| facts::unread(&compiler.code, *number)));
    marked(words)
}

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
            Expression::Faulty => self.faulty(),
            Expression::Fault(fault) => self.fault(fault),
            Expression::Missing(name) => {
                let fields = self.aim.fields.named(name);
                marked(fields.flat_map(|field| self.without_value(field)).collect())
            }
            // INVARIANT: asked for with `is_text` only
            Expression::Range(_) => None,
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
        format!("marker : \"{}\"", facts::every(&self.code))
    }

    fn numbers(&self) -> Option<&FieldNumbers> {
        self.columns.of(&self.aim.fields.schema)
    }

    /// The numbers of the active fields that the index knows.
    fn active(&self) -> BTreeSet<u32> {
        let active = self.aim.fields.active.iter();
        let numbers = self.numbers();
        let numbers = active.filter_map(|field| numbers?.get(&field.id).copied());
        numbers.collect()
    }

    /// The numbers of the fields whose words a term asks for.
    fn asked_by(&self, known: &FieldNumbers, term: &Term) -> BTreeSet<u32> {
        let meant = self.aim.fields.asked_by(term);
        meant
            .filter_map(|field| known.get(&field.id).copied())
            .collect()
    }

    /// Records with a fault in an active field.
    fn faulty(&self) -> Option<String> {
        let active = self.active();
        if active.len() == self.numbers()?.len() {
            return marked(vec![facts::faulty(&self.code)]);
        }
        let words = active
            .into_iter()
            .map(|field| facts::fault(&self.code, field, None));
        marked(words.collect())
    }

    fn fault(&self, fault: &FaultTerm) -> Option<String> {
        let numbers = self.numbers()?;
        let fields = self.aim.fields.named(&fault.field);
        let numbers = fields.filter_map(|field| numbers.get(&field.id));
        let words = numbers.map(|number| facts::fault(&self.code, *number, fault.rule.as_deref()));
        marked(words.collect())
    }

    /// The words of records without a value in a field.
    fn without_value(&self, field: &AimField) -> Vec<String> {
        let unknown_to = field.unknown_to.iter();
        let mut words: Vec<_> = unknown_to
            .map(|version| facts::read_by(&self.code, *version))
            .collect();
        let number = self.numbers().and_then(|numbers| numbers.get(&field.id));
        words.extend(number.map(|number| facts::missing(&self.code, *number)));
        words
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
        let known = self.numbers()?;
        let wanted = self.asked_by(known, term);
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

/// What has one of these words among its marks.
fn marked(words: Vec<String>) -> Option<String> {
    let words: Vec<_> = words
        .into_iter()
        .map(|word| format!("\"{word}\""))
        .collect();
    // braces and one column: what is joined is of the marks, too
    joined(&words, " OR ").map(|words| format!("({{marker}} : {words})"))
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

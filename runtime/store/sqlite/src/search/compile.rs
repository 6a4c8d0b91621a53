//! A search's tree as FTS5 understands it, for one dataset. Only words of letters and digits, in quotes,
//! go into the text: nothing a user types is read as syntax here.

use super::columns::{COLUMNS, Columns, FieldNumbers, code, column_of};
use super::facts;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use store::search::{Aim, AimField, Expression, FaultTerm, Term};

/// The words that begin in some way, by that beginning.
pub(super) type BegunWords = BTreeMap<String, Vec<String>>;

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
    let compiler = Compiler::of(aim, columns);
    let is_all = |known| compiler.asked_by(known, term).len() == known.len();
    is_word(expression) && term.field.is_none() && compiler.numbers().is_none_or(is_all)
}

/// Whether an expression asks for one word, wherever it is to stand.
pub(super) fn is_word(expression: &Expression) -> bool {
    matches!(expression, Expression::Term(term) if term.words.len() == 1 && !term.is_prefix)
}

/// The text that matches the records of a dataset without a key in a field, and maybe others.
pub(super) fn unordered(aim: &Aim, field: &AimField, columns: &Columns) -> Option<String> {
    let compiler = Compiler::of(aim, columns);
    let mut words = compiler.without_value(field);
    let numbers = columns.of(&aim.fields.schema);
    let number = numbers.and_then(|numbers| numbers.get(&field.id));
    words.extend(number.map(|number| facts::unread(&compiler.code, *number)));
    marked(words)
}

/// The text to match; `None` when no record of the dataset can.
pub(super) fn compile(expression: &Expression, aim: &Aim, columns: &Columns) -> Option<String> {
    Compiler::of(aim, columns).expression(expression)
}

/// The text to match with words in place of their beginnings; `None` when no record of the dataset can.
pub(super) fn compile_begun(
    expression: &Expression,
    aim: &Aim,
    columns: &Columns,
    begun: &BegunWords,
) -> Option<String> {
    let compiler = Compiler {
        begun: Some(begun),
        ..Compiler::of(aim, columns)
    };
    compiler.expression(expression)
}

/// The beginnings of words that an expression asks for, as the index has them; `None` where it takes hits away, which takes
/// all that begin so.
pub(super) fn beginnings(
    expression: &Expression,
    aim: &Aim,
    columns: &Columns,
) -> Option<BTreeSet<String>> {
    let compiler = Compiler::of(aim, columns);
    let mut found = BTreeSet::new();
    compiler
        .gather_beginnings(expression, &mut found)
        .then_some(found)
}

struct Compiler<'a> {
    code: String,
    aim: &'a Aim,
    columns: &'a Columns,
    /// The words that stand for beginnings; without them, FTS5 is asked for the beginnings.
    begun: Option<&'a BegunWords>,
}

impl<'a> Compiler<'a> {
    fn of(aim: &'a Aim, columns: &'a Columns) -> Self {
        Compiler {
            code: code(aim.dataset),
            aim,
            columns,
            begun: None,
        }
    }

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
        let first = wanted.first().filter(|_| !own.is_empty());
        let first = first.and_then(|first| self.words_of(term, &column_of(*first, &self.code).1));
        if let Some(words) = first {
            let mut part = String::new();
            if !is_all {
                part.push('{');
                for column in &own {
                    // INVARIANT: writing to a String cannot fail
                    let _ = write!(part, "c{column} ");
                }
                part.push_str("} : ");
            }
            part.push_str(&words);
            parts.push(part);
        }
        for number in &wanted {
            let (column, head) = column_of(*number, &self.code);
            if column == COLUMNS {
                parts.extend(self.words_of(term, &head));
            }
        }
        joined(&parts, " OR ")
    }

    /// The words of a term with a head before each; `None` where it is known that none begins so.
    fn words_of(&self, term: &Term, head: &str) -> Option<String> {
        let beginning = beginning(term, head);
        let begun = self.begun.zip(beginning.as_deref());
        let Some(words) = begun.and_then(|(begun, beginning)| begun.get(beginning)) else {
            return Some(phrase(term, head));
        };
        let words = words.iter().map(|word| format!("\"{word}\""));
        joined(&words.collect::<Vec<_>>(), " OR ")
    }

    /// Gathers the beginnings that an expression asks for; whether it takes nothing away.
    fn gather_beginnings(&self, expression: &Expression, found: &mut BTreeSet<String>) -> bool {
        match expression {
            Expression::All(parts) | Expression::Any(parts) => {
                let mut parts = parts.iter();
                parts.all(|part| self.gather_beginnings(part, found))
            }
            Expression::Not(_) => false,
            Expression::Term(term) => {
                let known = self.numbers().into_iter();
                let asked = known.flat_map(|known| self.asked_by(known, term));
                let heads = asked.map(|number| column_of(number, &self.code).1);
                found.extend(heads.filter_map(|head| beginning(term, &head)));
                true
            }
            Expression::Faulty
            | Expression::Fault(_)
            | Expression::Missing(_)
            | Expression::Range(_) => true,
        }
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

/// The beginning that a term of one word asks for, as the index has it.
fn beginning(term: &Term, head: &str) -> Option<String> {
    match &*term.words {
        [word] if term.is_prefix => Some(head.chars().chain(letters(word)).collect()),
        _ => None,
    }
}

// INVARIANT: words have letters, digits and marks only; a quote would end the phrase
fn letters(word: &str) -> impl Iterator<Item = char> {
    word.chars()
        .filter(|c| !c.is_ascii() || c.is_ascii_alphanumeric())
}

fn phrase(term: &Term, head: &str) -> String {
    let mut text = String::from("\"");
    for (index, word) in term.words.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(head);
        text.extend(letters(word));
    }
    text.push('"');
    if term.is_prefix {
        text.push_str(" *");
    }
    text
}

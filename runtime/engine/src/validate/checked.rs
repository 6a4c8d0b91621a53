//! What judging yields: faults, and for a body also the normal form and the primary key's text.

use super::checker::Checker;
use super::fault::{Fault, Rule};
use super::judge::Judge;
use crate::FieldError;
use std::fmt;

/// How many faults of one field are told, one after the other: a body has room for very many faulty elements.
const TOLD_MAX: usize = 100;

/// The faults of a record.
#[derive(Clone, Debug)]
pub struct Verdict {
    faults: Vec<Fault>,
    unjudged: bool,
}

impl Verdict {
    pub(super) fn new(checker: &Checker, judge: Judge<'_>) -> Self {
        let Judge {
            mut faults,
            unjudged,
            ..
        } = judge;
        if !faults.is_empty() {
            // faults come in the order of the body; elements that turned out to be missing come last
            faults.sort_by_key(|fault| (fault.index, fault.position));
            for fault in &mut faults {
                fault.field = checker.fields()[fault.index as usize].name.clone();
            }
        }
        Verdict { faults, unjudged }
    }

    /// The faults, in schema order.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Whether there are no faults.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty()
    }

    /// Whether every rule was judged: `false` when a value needed look-ups that were not there.
    pub fn is_fully_judged(&self) -> bool {
        !self.unjudged
    }

    /// The entries of `_errors`: one per faulty field, in schema order.
    pub fn errors(&self) -> Vec<FieldError> {
        self.faults
            .chunk_by(|a, b| a.index == b.index)
            .map(|faults| FieldError {
                name: faults[0].field().to_owned(),
                errors: told(faults),
            })
            .collect()
    }

    /// `_errors` as JSON text.
    pub fn errors_json(&self) -> String {
        let mut out = String::from("[");
        for (index, error) in self.errors().iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            error.write_json(&mut out);
        }
        out.push(']');
        out
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors().iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{:?} {}", error.name, error.errors)?;
        }
        Ok(())
    }
}

/// What the faults of one field say. Of very many, the first are told, then each rule that was not told yet, and how many
/// more there are; but every value that is no file is told, since it is never shown as a link.
fn told(faults: &[Fault]) -> String {
    let mut codes = Vec::new();
    let mut texts = Vec::new();
    for (at, fault) in faults.iter().enumerate() {
        let is_first = faults.len() > TOLD_MAX && !codes.contains(&fault.rule.code());
        if is_first {
            codes.push(fault.rule.code());
        }
        if at < TOLD_MAX || is_first || fault.rule == Rule::File {
            texts.push(fault.to_string());
        }
    }
    match faults.len() - texts.len() {
        0 => {}
        more => texts.push(format!("and {more} more")),
    }
    texts.join("; ")
}

/// A record as it is to be stored, with its faults. Made by a [`Checker`] only.
#[derive(Clone)]
pub struct Checked {
    normal_form: String,
    primary_key: PrimaryKeyText,
    verdict: Verdict,
}

/// Where the primary key's text is.
#[derive(Clone, Debug)]
pub(super) enum PrimaryKeyText {
    None,
    /// A part of the normal form.
    Part(std::ops::Range<usize>),
    /// A text whose JSON has escapes.
    Own(String),
}

impl Checked {
    pub(super) fn new(normal_form: String, primary_key: PrimaryKeyText, verdict: Verdict) -> Self {
        Checked {
            normal_form,
            primary_key,
            verdict,
        }
    }

    /// The record as it is stored: every active field in schema order, `null` for missing values,
    /// refused values as they were sent. Judged again, it is itself.
    pub fn normal_form(&self) -> &str {
        &self.normal_form
    }

    /// The normal form, owned.
    pub fn into_normal_form(self) -> String {
        self.normal_form
    }

    /// The text of the primary key (docs/rules.md, "Primary keys"); `None` when the schema has no
    /// primary key or its value is missing.
    pub fn primary_key(&self) -> Option<&str> {
        match &self.primary_key {
            PrimaryKeyText::None => None,
            PrimaryKeyText::Part(range) => Some(&self.normal_form[range.clone()]),
            PrimaryKeyText::Own(text) => Some(text),
        }
    }

    /// The faults.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }
}

impl std::ops::Deref for Checked {
    type Target = Verdict;
    fn deref(&self) -> &Verdict {
        &self.verdict
    }
}

/// Hides the values: some may be personally identifiable information.
impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checked")
            .field("normal_form_bytes", &self.normal_form.len())
            .field("verdict", &self.verdict)
            .finish_non_exhaustive()
    }
}

//! What a search asks of a record, as a tree. It has no text of its own syntax: an index turns it into
//! whatever it understands.

use super::key::FieldRange;
use super::name::FieldName;
use std::sync::Arc;

/// A condition on a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// Every one of them; with none, every record.
    All(Vec<Expression>),
    /// At least one of them.
    Any(Vec<Expression>),
    /// Not this.
    Not(Box<Expression>),
    /// Some words in a row.
    Term(Term),
    /// A fault in an active field.
    Faulty,
    /// A fault in a field.
    Fault(FaultTerm),
    /// No value in a field of this name, which the record's schema has.
    Missing(FieldName),
    /// A value of one of these fields within its range.
    Range(Vec<FieldRange>),
}

impl Expression {
    /// Whether a part of it is about values that are not there.
    pub fn is_about_missing(&self) -> bool {
        match self {
            Expression::All(parts) | Expression::Any(parts) => {
                parts.iter().any(Expression::is_about_missing)
            }
            Expression::Not(inner) => inner.is_about_missing(),
            Expression::Missing(_) => true,
            Expression::Term(_)
            | Expression::Faulty
            | Expression::Fault(_)
            | Expression::Range(_) => false,
        }
    }
}

/// Words that stand in a row in one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name of the field that must have them; `None` is any field.
    pub field: Option<FieldName>,
    /// Fields that are not asked, though they are of the name: each by its schema's id and its `fieldId`.
    pub except: Vec<(Arc<str>, Arc<str>)>,
    /// The words, see [`words`](super::words()). Never empty.
    pub words: Vec<String>,
    /// Whether the last one may go on.
    pub is_prefix: bool,
}

/// A fault to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultTerm {
    /// The name of the field that must have it.
    pub field: FieldName,
    /// The code of the rule that it breaks; `None` is any.
    pub rule: Option<String>,
}

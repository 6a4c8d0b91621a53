//! What a search asks of a record, as a tree. It has no text of its own syntax: an index turns it into
//! whatever it understands.

/// A condition on a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Every one of them.
    All(Vec<Expression>),
    /// At least one of them.
    Any(Vec<Expression>),
    /// Not this.
    Not(Box<Expression>),
    /// Some words in a row.
    Term(Term),
}

/// Words that stand in a row in one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The words of the name of the field that must have them; `None` is any field.
    pub field: Option<Vec<String>>,
    /// The words, see [`words`](super::words()). Never empty.
    pub words: Vec<String>,
    /// Whether the last one may go on.
    pub is_prefix: bool,
}

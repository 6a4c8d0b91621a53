//! A statement that is put together of pieces.

use std::fmt::Write as _;
use tokio_postgres::types::ToSql;

/// A value of a statement.
type Value = Box<dyn ToSql + Sync + Send>;

/// A statement that is put together.
#[derive(Default)]
pub(crate) struct Sql {
    pub(crate) text: String,
    values: Vec<Value>,
}

impl Sql {
    /// Appends text.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a value.
    pub(crate) fn value(&mut self, value: impl ToSql + Sync + Send + 'static) {
        self.values.push(Box::new(value));
        // INVARIANT: writing to a String cannot fail
        let _ = write!(self.text, "${}", self.values.len());
    }

    /// The values, as they are sent.
    pub(crate) fn given(&self) -> Vec<&(dyn ToSql + Sync)> {
        let values = self.values.iter();
        values
            .map(|value| &**value as &(dyn ToSql + Sync))
            .collect()
    }
}

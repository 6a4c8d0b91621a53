//! What a column is called before a cell of a table that is stacked in a small window: as its head is, which styles give a capital
//! letter. They reach no text of an attribute.

use super::texts::capitalized;
use super::visit::Page;

impl Page {
    #[allow(clippy::unused_self, reason = "templates ask a page")]
    pub(super) fn label(&self, column: &str) -> String {
        capitalized(column)
    }
}

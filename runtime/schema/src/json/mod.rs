//! JSON as text: the lexer every reader of the house uses, a small tree with positions, and the
//! writer of canonical text. It keeps number tokens as they were written and never turns one into
//! a double.

mod mark;
mod plain_run;
mod scan;
mod skip;
mod syntax;
mod text;
mod tree;
mod write;

pub use mark::unmarked;
pub use scan::{Scanner, Token};
pub use syntax::{SyntaxError, SyntaxKind};
pub use text::Text;
pub use tree::{DEPTH_MAX, Member, Node, Value, parse};
pub use write::{compact, write_string, write_text};

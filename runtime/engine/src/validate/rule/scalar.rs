//! What a rule reads: one value as it came.

use crate::validate::slot::Piece;

/// One value that was sent, already known to be a scalar and not missing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar<'t> {
    Bool(bool),
    /// A number's token.
    Number(&'t str),
    /// A string, decoded, and where it stands.
    Text(&'t str, Piece),
}

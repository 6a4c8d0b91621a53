//! Why a name had to be adjusted, in words for the person who reads the note.

use crate::message::quoted;
use std::fmt;

/// The longest identifier made from a display name, before a suffix.
pub(crate) const LENGTH_MAX: usize = 60;

/// How many of the names that one collides with are told.
pub(super) const RIVALS_SHOWN: usize = 3;

/// Why an identifier is not simply its display name in the usual case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Letters that identifiers should not have were written with ASCII ones.
    Transliterated,
    /// A symbol was spelled out, such as `+` as `plus`.
    Spelled,
    /// It would begin with a digit.
    Digit,
    /// No letter and no digit is left of it.
    Empty,
    /// It was too long.
    Shortened,
    /// It is a Rust keyword.
    Keyword,
    /// Something else that generated code uses has that name.
    Reserved,
    /// The lock keeps that name for a field or a code that is gone, or for the accessor of one that was moved.
    Kept,
    /// Others in the same place would have the same name.
    Collision {
        /// The display names of the first, in order.
        others: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// The configuration says so.
    Renamed,
    /// The lock keeps the name that it had.
    Locked,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Transliterated => f.write_str("letters were written with ASCII ones"),
            Cause::Spelled => f.write_str("symbols were spelled out"),
            Cause::Digit => f.write_str("an identifier can't begin with a digit"),
            Cause::Empty => f.write_str("it has no letters and no digits"),
            Cause::Shortened => write!(f, "it is longer than {LENGTH_MAX} characters"),
            Cause::Keyword => f.write_str("it is a Rust keyword"),
            Cause::Reserved => f.write_str("generated code uses the name for something else"),
            Cause::Kept => f.write_str("the lock keeps the name for what is gone or was moved"),
            Cause::Collision { others, more } => {
                let shown: Vec<_> = others.iter().map(|other| quoted(other)).collect();
                write!(f, "it collides with {}", shown.join(", "))?;
                match more {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Cause::Renamed => f.write_str("the configuration says so"),
            Cause::Locked => f.write_str("the lock keeps that name"),
        }
    }
}

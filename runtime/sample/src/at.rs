//! Where the values of a record lie between the bounds of their fields. It makes none.

/// Where the values of a record lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Anywhere within the bounds; fields that may be missing are, now and then.
    Random,
    /// Each at its lower bound: the shortest text, the first day, the first code. Every field has a value.
    Lowest,
    /// Each at its upper bound. Every field has a value.
    Highest,
}

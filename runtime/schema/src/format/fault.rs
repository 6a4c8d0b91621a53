//! What keeps a text from being a date or a time of its field, as data. Its words are the engine's.

/// Why a text is no date or time of its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatFault {
    /// It is written in another way.
    Shape,
    /// It is written well, but there is no such day.
    Calendar,
    /// The field's format writes two digits of the year and can't hold this one.
    Year,
    /// The field's format writes no seconds, and they are not zero.
    Seconds,
    /// No format writes fractions of a second, and it is not zero.
    Fraction,
}

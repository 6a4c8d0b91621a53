//! The formats of dates, times and booleans: 10 date formats × 4 separators, 6 time formats, 5
//! pairs of words. Reading and printing live side by side. docs/rules.md, "Formats".

mod boolean;
mod date;
mod date_format;
mod day;
mod digits;
mod fault;
mod moment;
mod time;

pub use boolean::BooleanWords;
pub use date::DateShape;
pub use date_format::{DateFormat, Separator};
pub use day::Day;
pub use fault::FormatFault;
pub use moment::{Moment, MomentShape};
pub use time::{TimeFormat, TimeOfDay};

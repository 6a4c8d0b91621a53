//! Bounds of dates and times: texts that the field would accept as values.

use super::fault::Reason;
use crate::format::FormatFault;
use crate::model::Bound;

/// A bound that `read` understands; `label` shows how it is written.
pub(super) fn bound<V>(
    bound: &Bound,
    label: &str,
    read: impl Fn(&str) -> Result<V, FormatFault>,
) -> Result<V, Reason> {
    let help =
        "write a string that the field would accept as a value, in its format or in ISO form";
    match bound {
        Bound::Number(token) => Err((
            format!("the bound {token} is a number, not a string like {label}"),
            help,
        )),
        Bound::Text(text) => read(text).map_err(|fault| reason(fault, text, label, help)),
    }
}

/// What is wrong with a text, in words.
fn reason(fault: FormatFault, text: &str, label: &str, help: &'static str) -> Reason {
    match fault {
        FormatFault::Shape => (
            format!("the bound {text:?} is not written as {label}"),
            help,
        ),
        FormatFault::Calendar => (
            format!("the bound {text:?} is a day that the calendar does not have"),
            "write a day that exists",
        ),
        FormatFault::Year => (
            format!("the bound {text:?} has a year that {label} can't hold"),
            "two digits mean a year from 1970 to 2069; write such a year or change the format",
        ),
        FormatFault::Seconds => (
            format!("the bound {text:?} has seconds, which {label} does not write"),
            "leave the seconds out or change the format",
        ),
        FormatFault::Fraction => (
            format!("the bound {text:?} has a fraction of a second, which no format writes"),
            "leave the fraction out",
        ),
    }
}

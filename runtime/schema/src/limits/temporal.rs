//! Bounds of dates and times: texts that the field would accept as values.

use super::fault::Reason;
use crate::check::Contradiction as C;
use crate::format::FormatFault;
use crate::model::Bound;

/// A bound that `read` understands; `label` shows how it is written.
pub(super) fn bound<V>(
    bound: &Bound,
    label: &str,
    read: impl Fn(&str) -> Result<V, FormatFault>,
) -> Result<V, Reason> {
    match bound {
        Bound::Number(token) => Err(Reason::new(C::BoundNumber, &[token, &label])),
        Bound::Text(text) => read(text).map_err(|fault| reason(fault, text, label)),
    }
}

/// What is wrong with a text.
fn reason(fault: FormatFault, text: &str, label: &str) -> Reason {
    let what = match fault {
        FormatFault::Shape => C::BoundShape,
        FormatFault::Calendar => C::BoundCalendar,
        FormatFault::Year => C::BoundYear,
        FormatFault::Seconds => C::BoundSeconds,
        FormatFault::Fraction => C::BoundFraction,
    };
    Reason::new(what, &[&format_args!("{text:?}"), &label])
}

//! Bounds of dates and times: texts that the field would accept as values.

use super::fault::Reason;
use crate::model::Bound;

/// A bound that `read` understands; `label` shows how it is written.
pub(super) fn bound<V, E>(
    bound: &Bound,
    label: &str,
    read: impl Fn(&str) -> Result<V, E>,
) -> Result<V, Reason> {
    let help =
        "write a string that the field would accept as a value, in its format or in ISO form";
    match bound {
        Bound::Number(token) => Err((
            format!("the bound {token} is a number, not a string like {label}"),
            help,
        )),
        Bound::Text(text) => read(text).map_err(|_| {
            (
                format!("the bound {text:?} is not written as {label}"),
                help,
            )
        }),
    }
}

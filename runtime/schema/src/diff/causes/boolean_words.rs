//! `allowedBooleanValues`: the words that are read beside `true` and `false`, which is what is stored.

use super::cause::{Causes, Way};
use crate::diff::reason::Reason;
use crate::model::Field;

pub(super) fn judge(from: &Field, to: &Field, way: Way, found: &mut Causes) {
    let loses_words = from.boolean_words.is_some() && from.boolean_words != to.boolean_words;
    found.add_if(
        loses_words && way == Way::Sent,
        "allowedBooleanValues",
        Reason::Boolean,
    );
}

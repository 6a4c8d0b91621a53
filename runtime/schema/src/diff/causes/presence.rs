//! Whether there is a value, whether there are several, and what tells records apart. docs/rules.md, "Missing values",
//! "Multivalue" and "Primary keys".

use super::cause::{Causes, Way};
use crate::diff::reason::Reason;
use crate::model::Field;

pub(super) fn judge(from: &Field, to: &Field, way: Way, found: &mut Causes) {
    // a primary key is never missing
    let may_be_missing = !from.required && !from.primary_key;
    found.add_if(
        to.required && may_be_missing,
        "isRequired",
        Reason::Required,
    );
    let (several, wanted) = (from.is_multivalue(), to.is_multivalue());
    if several && !wanted {
        found.add("isMultivalue", Reason::Single);
    } else if wanted && !several && way == Way::Shown {
        found.add("isMultivalue", Reason::Shape);
    }
    let is_key_met = match way {
        // what was none may be missing, taken or too long
        Way::Stored => to.primary_key && !from.primary_key,
        Way::Sent | Way::Shown => to.primary_key != from.primary_key,
    };
    found.add_if(is_key_met, "isPrimaryKey", Reason::PrimaryKey);
}

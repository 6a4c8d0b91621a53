//! The rule `alphanumeric`: ASCII letters and digits alone.

use super::cause::Causes;
use crate::data_type::DataType;
use crate::diff::reason::Reason;
use crate::model::{Field, PicklistType};

pub(super) fn judge(from: &Field, to: &Field, found: &mut Causes) {
    let is_met = to.is_alphanumeric() && !from.is_alphanumeric() && !has_plain_codes(from);
    found.add_if(is_met, "validationRules", Reason::Alphanumeric);
}

fn has_plain_codes(field: &Field) -> bool {
    let is_static = field.picklist_type == Some(PicklistType::Static);
    let mut codes = field.static_picklist.iter().flatten();
    field.data_type == DataType::Picklist
        && is_static
        && codes.all(|entry| entry.code.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

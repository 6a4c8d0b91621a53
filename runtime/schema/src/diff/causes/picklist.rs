//! `picklistType`, `staticPicklist` and `dataDomainId`: where codes come from. Which codes a domain has, no schema says.

use super::cause::Causes;
use crate::diff::codes::loses;
use crate::diff::reason::Reason;
use crate::model::{Field, PicklistType};

pub(super) fn judge(from: &Field, to: &Field, found: &mut Causes) {
    let codes = |field: &Field| field.static_picklist.clone().unwrap_or_default();
    match (from.picklist_type, to.picklist_type) {
        (Some(PicklistType::Static), Some(PicklistType::Static)) => {
            let is_met = loses(&codes(from), &codes(to));
            found.add_if(is_met, "staticPicklist", Reason::Picklist);
        }
        (Some(PicklistType::Dynamic), Some(PicklistType::Dynamic)) => {
            let is_met = from.data_domain_id != to.data_domain_id;
            found.add_if(is_met, "dataDomainId", Reason::Domain);
        }
        (None, None) => {}
        (_, Some(PicklistType::Dynamic)) => found.add("picklistType", Reason::Domain),
        (_, Some(PicklistType::Static) | None) => found.add("picklistType", Reason::Picklist),
    }
}

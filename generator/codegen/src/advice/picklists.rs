//! `codes_alike`: `DE` and `de` are two codes, and a person who types one means the other. `no_value`: a picklist without
//! codes refuses every value.

use super::found::Found;
use schema::{DataType, Field, Path, PicklistType};
use std::collections::HashMap;

pub(super) fn look(index: usize, field: &Field, found: &mut Found) {
    let is_static = field.picklist_type == Some(PicklistType::Static);
    if !field.active || field.data_type != DataType::Picklist || !is_static {
        return;
    }
    let path = Path::field(index).key("staticPicklist");
    let codes = field.static_picklist.as_deref().unwrap_or_default();
    if codes.is_empty() {
        let message = "the picklist has no codes, so that no value fits";
        found.add(
            "no_value",
            path.clone(),
            message,
            "add codes, or make the field inactive",
        );
    }
    let mut seen: HashMap<String, &str> = HashMap::new();
    for (at, entry) in codes.iter().enumerate() {
        let folded = entry.code.trim().to_lowercase();
        if let Some(first) = seen.insert(folded, &entry.code) {
            let message = format!(
                "the codes {first:?} and {:?} differ in case or blanks only",
                entry.code
            );
            let path = path.clone().index(at).key("code");
            found.add(
                "codes_alike",
                path,
                message,
                "keep one of them, or give one another code",
            );
        }
    }
}

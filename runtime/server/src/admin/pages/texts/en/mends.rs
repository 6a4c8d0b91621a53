//! What is said of the list of values of a repair, in English.

use super::super::mends::MendListTexts;

pub(super) const TEXTS: MendListTexts = MendListTexts {
    field_gone: |field| {
        format!(
            "“{field}” is no field that can be mended here, or is none any more, so this can't be done. What was filled in for it stands below: choose another field."
        )
    },
    name: "List of values",
    not_parted: |line| {
        format!("The line “{line}” has no equals sign; “{line} =” empties this value.")
    },
    reformatted: |field| {
        format!(
            "This field is written differently since that was tried: {field}. Nothing was changed. What was filled in for the trial stands below: check it, then preview it again."
        )
    },
    these: |count| match count {
        "1" => "Repair this one".to_owned(),
        count => format!("Repair these {count}"),
    },
    twice: |value| {
        format!(
            "The value “{value}” stands in the list twice, with different new values; keep one."
        )
    },
    what: "Only for replacing whole values. One per line: present value = new value. Nothing behind the sign empties the value. Text that has an equals sign itself, or spaces around it, goes in double quotes.",
};

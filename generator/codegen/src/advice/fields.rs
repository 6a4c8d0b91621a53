//! What a field says beside names, bounds and codes: two digits of a year, a key that may be missing to its type.

use super::found::Found;
use schema::{Field, Path, Setting};

pub(super) fn look(index: usize, field: &Field, found: &mut Found) {
    let path = Path::field(index);
    if !field.active {
        return;
    }
    let is_dated = field.data_type.has(Setting::DateFormat);
    if is_dated && field.date_shape().format.is_short() {
        let message = "two digits of a year mean 1970 to 2069, and no other year can be held";
        let help = "choose a format with four digits";
        found.add(
            "two_digit_year",
            path.clone().key("dateFormat"),
            message,
            help,
        );
    }
    if field.primary_key && !field.required {
        let message =
            "a record without its primary key is refused, and yet its type is an `Option`";
        let path = path.key("isRequired");
        found.add("optional_key", path, message, "set `isRequired` to true");
    }
}

//! What a field says beside names, bounds and codes: two digits of a year, a key that may be missing to its type, a
//! property that nobody knows and that is nearly one that is known.

use super::found::Found;
use schema::{Extra, FIELD_PROPERTIES, Field, Path, SCHEMA_PROPERTIES, Schema, Setting};

pub(super) fn look(index: usize, field: &Field, found: &mut Found) {
    let path = Path::field(index);
    misspelt(&field.extra, FIELD_PROPERTIES, &path, found);
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

pub(super) fn look_at_head(schema: &Schema, found: &mut Found) {
    misspelt(&schema.extra, SCHEMA_PROPERTIES, &Path::root(), found);
}

fn misspelt(extra: &Extra, known: &[&str], path: &Path, found: &mut Found) {
    let folded = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    for (name, _) in extra {
        let mut known = known.iter();
        let Some(meant) = known.find(|known| **known != name && folded(known) == folded(name))
        else {
            continue;
        };
        let message = format!("nobody knows the property `{name}`; is `{meant}` meant?");
        let help = "write it as the interface has it";
        found.add("misspelt", path.clone().key(name), message, help);
    }
}

//! One code of a static picklist: `#[code("A", …)]` on a variant, `code("A", …)` in `inactive(…)`.

use super::item::{Item, Value, no_duplicates};
use crate::check::Places;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use schema::{Extra, Path};

#[derive(Default)]
pub(crate) struct Code {
    pub(crate) text: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) extra: Extra,
    /// Places of the entry's properties.
    pub(crate) places: Places,
}

/// Reads `("A", description = "…", extra = "…")`.
pub(crate) fn read(items: &[Item], errors: &mut Errors) -> Code {
    let mut code = Code::default();
    no_duplicates(items, &[], errors);
    for item in items {
        match (item.name().as_str(), &item.value) {
            ("", Value::Text(text)) if code.text.is_none() => {
                code.text = Some(text.value());
                code.places.set(Path::root().key("code"), text);
            }
            ("", Value::Text(text)) => errors.at(text, "a second code; keep one"),
            ("", Value::Unsound(_)) => {}
            ("", value) => errors.at(value, "a code is a string; write it in quotes"),
            ("description", value) => {
                code.description = item.text(errors);
                code.places.set(Path::root().key("description"), value);
            }
            ("extra", value) => {
                code.extra = item.extra(errors).unwrap_or_default();
                extra_places(&code.extra, &value.to_token_stream(), &mut code.places);
            }
            _ => item.unknown(&["a code in quotes", "description", "extra"], errors),
        }
    }
    code
}

pub(crate) fn extra_places(extra: &Extra, tokens: &TokenStream, places: &mut Places) {
    for (key, _) in extra {
        places.set_extra(Path::root().key(key), tokens);
    }
}

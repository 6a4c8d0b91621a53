//! One code of a static picklist: `#[code("A", …)]` on a variant, `code("A", …)` in `inactive(…)`.

use super::described::Described;
use super::meta::{MetaItem, MetaValue, no_duplicates};
use crate::errors::Errors;
use crate::source_map::SourceMap;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use schema::{Extra, Path};

/// What `#[code(…)]` says.
#[derive(Default)]
pub(crate) struct CodeSettings {
    pub(crate) text: Option<String>,
    pub(crate) description: Described,
    pub(crate) extra: Extra,
    /// Where the entry's properties were written.
    pub(crate) places: SourceMap,
}

/// Reads `("A", description = "…", extra = "…")`.
pub(crate) fn read(items: &[MetaItem], errors: &mut Errors) -> CodeSettings {
    let mut code = CodeSettings::default();
    no_duplicates(items, &[], errors);
    for item in items {
        match (item.name().as_str(), &item.value) {
            ("", MetaValue::Text(text)) if code.text.is_none() => {
                code.text = Some(text.value());
                code.places.set(Path::root().key("code"), text);
            }
            ("", MetaValue::Text(text)) => errors.at(text, "a second code; keep one"),
            ("", MetaValue::Unsound(_)) => {}
            ("", value) => errors.at(value, "a code is a string; write it in quotes"),
            ("description", value) => {
                code.description = item.description(errors);
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

/// Remembers where the properties of an `extra` stand.
pub(crate) fn extra_places(extra: &Extra, tokens: &TokenStream, places: &mut SourceMap) {
    for (key, _) in extra {
        places.set_extra(Path::root().key(key), tokens);
    }
}

//! A value with the tokens that say it, for what can only be judged together with something else.

use super::meta::MetaItem;
use crate::errors::Errors;
use proc_macro2::TokenStream;

/// What a token says, and the token.
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) place: TokenStream,
}

/// A value that `item` says.
pub(super) fn spanned<T>(value: T, item: &MetaItem) -> Spanned<T> {
    Spanned {
        value,
        place: item.place(),
    }
}

/// The value of a closed list that a text names.
pub(super) fn keyword<T>(
    item: &MetaItem,
    what: &str,
    find: impl Fn(&str) -> Option<T>,
    names: impl Iterator<Item = &'static str>,
    errors: &mut Errors,
) -> Option<Spanned<T>> {
    let text = item.text(errors)?;
    let found = find(&text);
    if found.is_none() {
        let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
        let message = format!("unknown {what} {text:?}; write one of {}", names.join(", "));
        errors.at(item.place(), message);
    }
    found.map(|value| spanned(value, item))
}

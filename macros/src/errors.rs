//! All mistakes of one derive, each at its own tokens. It never stops at the first one.

use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Display;

/// The mistakes of one derive.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// Adds a mistake that was made at `tokens`.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.0.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds a mistake that has its place already.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// Whether there is no mistake so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors as `compile_error!` calls, in the order of the source; `None` when there are none.
    pub(crate) fn to_tokens(&self) -> Option<TokenStream> {
        let mut errors: Vec<&syn::Error> = self.0.iter().collect();
        errors.sort_by_key(|error| {
            let start = error.span().start();
            (start.line, start.column)
        });
        let tokens = errors.into_iter().map(syn::Error::to_compile_error);
        (!self.is_empty()).then(|| tokens.collect())
    }

    /// The messages alone.
    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }
}

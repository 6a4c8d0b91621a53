//! Where the runtime is: under the name that the Cargo.toml of the crate gives it.

use proc_macro_crate::{Error, FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The path of the runtime, or what to do where the crate does not have it.
pub(crate) fn path() -> Result<TokenStream, String> {
    match crate_name("runtime") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            Ok(quote!(::#name))
        }
        Err(Error::CrateNotFound { .. }) => Err(
            "the derive writes code that needs the crate `runtime`, which Cargo.toml does not have; add it to \
             `[dependencies]` under any name, such as `fieldstone = { package = \"runtime\", … }`, or say \
             `crate = path` where another crate re-exports it"
                .to_owned(),
        ),
        // the runtime's own examples and tests, and builds without cargo
        Ok(FoundCrate::Itself) | Err(_) => Ok(quote!(::runtime)),
    }
}

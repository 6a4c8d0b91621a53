//! The enum of a static picklist.

use super::{Docs, allows, doc, record};
use crate::plan::{Module, Picklist, Variant};
use proc_macro2::TokenStream;
use quote::quote;

/// The enum with its attributes.
pub(super) fn picklist(module: &Module<'_>, picklist: &Picklist<'_>) -> TokenStream {
    let field = doc::code(&picklist.source.name);
    let about = format!("A code of the picklist {field}.");
    let comment = doc::wrap(&about, 0)
        .into_iter()
        .map(|line| format!(" {line}"));
    let settings = module.is_runtime_renamed.then(|| {
        let path = &module.runtime;
        quote!(#[picklist(crate = #path)])
    });
    let ident = crate::name::ident(&picklist.name);
    let variants = picklist.variants.iter().map(variant);
    let allows = allows(&picklist.allows);
    let (derives, attributes) = (&picklist.derives, &picklist.attributes);
    quote! {
        #(#[doc = #comment])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Picklist #(, #derives)*)]
        #settings
        #allows
        #(#attributes)*
        pub enum #ident {
            #(#variants,)*
        }
    }
}

fn variant(variant: &Variant<'_>) -> TokenStream {
    let entry = variant.entry;
    let about = format!("The code {}.", doc::code(&entry.code));
    let facts = super::unless_described(entry.description.as_deref(), &about);
    let docs = Docs::new(entry.description.as_deref(), facts, 4);
    let code = record::code(entry, &variant.name, docs.description);
    let ident = crate::name::ident(&variant.name);
    let (comment, attributes) = (docs.comment, &variant.attributes);
    quote! {
        #comment
        #code
        #(#attributes)*
        #ident
    }
}

//! What a derive writes beside its errors: impls that promise everything and do nothing, so that
//! one mistake is not followed by an error at every use of the type. None of it ever runs.

use crate::expand;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{DeriveInput, Generics, Ident, parse_quote};

/// The implementation of a struct that has mistakes.
pub(crate) fn record(input: &DeriveInput, krate: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &input.ident;
    let mut generics = input.generics.clone();
    if !generics.params.is_empty() {
        let (_, arguments, _) = input.generics.split_for_impl();
        let bound = parse_quote!(#ident #arguments: 'static);
        generics.make_where_clause().predicates.push(bound);
    }
    let (parameters, arguments, clause) = generics.split_for_impl();
    let serde = serde(ident, &generics, &private);
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            static SCHEMA: #private::LazyLock<#krate::schema::Schema> =
                #private::LazyLock::new(|| #private::std::unreachable!());
            static CHECKER: #private::LazyLock<#krate::validate::Checker> =
                #private::LazyLock::new(|| #private::std::unreachable!());
            impl #parameters #krate::Record for #ident #arguments #clause {
                const SCHEMA: &'static #private::LazyLock<#krate::schema::Schema> = &SCHEMA;
                const CHECKER: &'static #private::LazyLock<#krate::validate::Checker> = &CHECKER;
                fn from_slots(_: &mut #private::Slots<'_>) -> #private::std::option::Option<Self> {
                    #private::std::option::Option::None
                }
                fn values(&self) -> impl #private::std::convert::AsRef<[&dyn #private::FieldValue]> {
                    let __all: [&dyn #private::FieldValue; 0] = [];
                    __all
                }
            }
            impl #parameters #private::std::fmt::Debug for #ident #arguments #clause {
                fn fmt(&self, _: &mut #private::std::fmt::Formatter<'_>) -> #private::std::fmt::Result {
                    #private::std::unreachable!()
                }
            }
            #serde
        };
    }
}

/// The implementation of an enum that has mistakes.
pub(crate) fn picklist(input: &DeriveInput, krate: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &input.ident;
    let mut generics = input.generics.clone();
    let (_, arguments, _) = input.generics.split_for_impl();
    // with a lifetime of its own the bound may fail without being an error
    let copy = parse_quote!(for<'__copy> #ident #arguments: #private::std::marker::Copy);
    generics.make_where_clause().predicates.push(copy);
    if !input.generics.params.is_empty() {
        let bound = parse_quote!(#ident #arguments: 'static);
        generics.make_where_clause().predicates.push(bound);
    }
    let (parameters, arguments, clause) = generics.split_for_impl();
    let serde = serde(ident, &generics, &private);
    let parse = input.generics.params.is_empty().then(|| {
        let (ident, clause) = (ident.to_token_stream(), clause.to_token_stream());
        let never = quote!(#private::std::unreachable!());
        expand::parse(&ident, krate, &clause, &never)
    });
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            impl #parameters #krate::Picklist for #ident #arguments #clause {
                const ENTRIES: &'static [#private::Entry] = &[];
                const ALL: &'static [Self] = &[];
                fn index(self) -> #private::std::primitive::usize {
                    #private::std::unreachable!()
                }
            }
            impl #parameters #private::std::fmt::Display for #ident #arguments #clause {
                fn fmt(&self, _: &mut #private::std::fmt::Formatter<'_>) -> #private::std::fmt::Result {
                    #private::std::unreachable!()
                }
            }
            #parse
            #serde
        };
    }
}

fn serde(ident: &Ident, generics: &Generics, private: &TokenStream) -> TokenStream {
    let mut with_lifetime = generics.clone();
    with_lifetime.params.insert(0, parse_quote!('__de));
    let (parameters, arguments, clause) = generics.split_for_impl();
    let (with_lifetime, ..) = with_lifetime.split_for_impl();
    quote! {
        impl #parameters #private::serde::Serialize for #ident #arguments #clause {
            fn serialize<__S: #private::serde::Serializer>(
                &self,
                _: __S,
            ) -> #private::std::result::Result<__S::Ok, __S::Error> {
                #private::std::unreachable!()
            }
        }
        impl #with_lifetime #private::serde::Deserialize<'__de> for #ident #arguments #clause {
            fn deserialize<__D: #private::serde::Deserializer<'__de>>(
                _: __D,
            ) -> #private::std::result::Result<Self, __D::Error> {
                #private::std::unreachable!()
            }
        }
    }
}

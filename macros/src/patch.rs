//! The patch of a struct: one field for each of its fields, and the code that makes it of two records and puts it on
//! one. Every name is absolute, as in `expand`.

use crate::input::record::{RecordStruct, StructField};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;
use syn::ext::IdentExt as _;

/// The struct and its implementations.
pub(crate) fn patch(record: &RecordStruct, krate: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private);
    let owner = &record.ident;
    let name = owner.unraw().to_string();
    // `Self_` is a name that can't be had without its mark, and `SelfPatch` can
    let patch = format_ident!("{}Patch", name.trim_end_matches('_'), span = owner.span());
    let visibility = &record.visibility;
    let version = version_of(&record.members);
    let members = record.members.iter().map(|member| {
        let StructField {
            ident,
            visibility,
            inner,
            ..
        } = member;
        let value = if member.is_many {
            quote!(#private::std::vec::Vec<#inner>)
        } else {
            quote!(#inner)
        };
        let docs = format!("What becomes of `{}`.", ident.unraw());
        quote!(#[doc = #docs] #visibility #ident: #private::Change<#value>)
    });
    let docs = format!("Changes of a [`{}`].", owner.unraw());
    let implementations = implementations(record, krate, &patch, &version);
    let version_docs = "The version of the record that the changes are based on.";
    let u64 = quote!(#private::std::primitive::u64);
    quote! {
        #[doc = #docs]
        #[allow(clippy::struct_field_names)]
        #visibility struct #patch {
            #[doc = #version_docs]
            #visibility #version: #u64,
            #(#members,)*
        }
        #implementations
    }
}

/// What the version is called: `version`, unless a field is.
fn version_of(members: &[StructField]) -> Ident {
    let is_free = |name: &Ident| members.iter().all(|member| member.ident.unraw() != *name);
    let numbered = (2..).map(|number| format_ident!("based_on_version_{number}"));
    let mut names = [format_ident!("version"), format_ident!("based_on_version")]
        .into_iter()
        .chain(numbered);
    // INVARIANT: the numbers have no end
    names
        .find(is_free)
        .unwrap_or_else(|| format_ident!("version"))
}

fn implementations(
    record: &RecordStruct,
    krate: &TokenStream,
    patch: &Ident,
    version: &Ident,
) -> TokenStream {
    let private = quote!(#krate::__private);
    let name = patch.to_string();
    let fields: Vec<_> = record.members.iter().map(|member| &member.ident).collect();
    let words = fields.iter().map(|field| field.unraw().to_string());
    let (std, result) = (quote!(#private::std), quote!(#private::std::result::Result));
    let changes = changes(record, krate, patch, version);
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            #[automatically_derived]
            impl #std::default::Default for #patch {
                fn default() -> Self {
                    #patch { #version: 0, #(#fields: #private::Change::Unchanged,)* }
                }
            }
            #[automatically_derived]
            impl #std::clone::Clone for #patch {
                fn clone(&self) -> Self {
                    #patch {
                        #version: self.#version,
                        #(#fields: #std::clone::Clone::clone(&self.#fields),)*
                    }
                }
            }
            #changes
            #[automatically_derived]
            impl #std::fmt::Debug for #patch {
                fn fmt(&self, __f: &mut #std::fmt::Formatter<'_>) -> #std::fmt::Result {
                    #private::debug_patch(self, #name, &[#(#words),*], __f)
                }
            }
            #[automatically_derived]
            impl #private::serde::Serialize for #patch {
                fn serialize<__S: #private::serde::Serializer>(&self, __s: __S) -> #result<__S::Ok, __S::Error> {
                    #private::serialize_patch(self, __s)
                }
            }
        };
    }
}

/// What a patch does: made of two records, and put on one.
fn changes(
    record: &RecordStruct,
    krate: &TokenStream,
    patch: &Ident,
    version: &Ident,
) -> TokenStream {
    let private = quote!(#krate::__private);
    let owner = &record.ident;
    let fields: Vec<_> = record.members.iter().map(|member| &member.ident).collect();
    let count = Literal::usize_unsuffixed(fields.len());
    let (std, result) = (quote!(#private::std), quote!(#private::std::result::Result));
    let (u64, bool) = (quote!(#std::primitive::u64), quote!(#std::primitive::bool));
    quote! {
        #[automatically_derived]
        impl #krate::Patch for #patch {
            type Record = #owner;
            fn version(&self) -> #u64 {
                self.#version
            }
            fn changes(&self) -> impl #std::convert::AsRef<[&dyn #private::FieldChange]> {
                let __all: [&dyn #private::FieldChange; #count] = [#(&self.#fields),*];
                __all
            }
            fn diff(__version: #u64, __before: &#owner, __after: &#owner) -> Self {
                #patch {
                    #version: __version,
                    #(#fields: #private::Changing::change(&__before.#fields, &__after.#fields),)*
                }
            }
            fn apply(self, __record: &mut #owner) -> #result<(), #std::vec::Vec<#private::FieldError>> {
                let __lost: [#bool; #count] =
                    [#(#private::is_lost(&__record.#fields, &self.#fields)),*];
                #private::refuse_lost::<#owner>(&__lost)?;
                #(#private::Changing::put(&mut __record.#fields, self.#fields);)*
                #result::Ok(())
            }
        }
    }
}

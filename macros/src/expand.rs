//! The expansion of a sound struct or enum: as little code as will do, every name by its absolute
//! path through `runtime`, so that nothing in scope can change its meaning.

use crate::input::data_type::Obligation;
use crate::input::picklist::PicklistEnum;
use crate::input::record::{RecordStruct, StructField};
use crate::input::rust_type::codes_of;
use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;
use schema::json::write_string;
use schema::{Extra, PicklistEntry};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

/// The implementation of a struct.
pub(crate) fn record(record: &RecordStruct, krate: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &record.ident;
    let json = record.schema.to_json();
    let codes = record.members.iter().filter_map(|member| {
        let (index, (ty, _)) = (
            Literal::usize_unsuffixed(member.index),
            codes_of(&member.inner),
        );
        let entries = located(quote!(<#ty as #krate::Picklist>::ENTRIES), ty.span());
        (member.obligation == Obligation::Codes).then(|| quote!((#index, #entries)))
    });
    let checker = checker(record, &private);
    let fields: Vec<_> = record.members.iter().map(|member| &member.ident).collect();
    let slots = if fields.is_empty() {
        quote!(_)
    } else {
        quote!(__slots)
    };
    let count = Literal::usize_unsuffixed(fields.len());
    // a type that is no field's is reported at the type
    let takes = record.members.iter().map(|member| {
        let take = quote!(#private::Slots::take(__slots)?);
        located(take, member.inner.span())
    });
    let values = record.members.iter().map(|member| {
        let ident = &member.ident;
        located(quote!(&self.#ident), member.inner.span())
    });
    let proofs = record.members.iter().map(|member| proof(member, krate));
    let drift = drift(record, krate);
    let traits = common_traits(record, krate);
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            static SCHEMA: #private::LazyLock<#krate::schema::Schema> =
                #private::LazyLock::new(|| #private::schema(#json, &[#(#codes),*]));
            static CHECKER: #private::LazyLock<#krate::validate::Checker> =
                #private::LazyLock::new(|| #checker);
            #[automatically_derived]
            impl #krate::Record for #ident {
                const SCHEMA: &'static #private::LazyLock<#krate::schema::Schema> = &SCHEMA;
                const CHECKER: &'static #private::LazyLock<#krate::validate::Checker> = &CHECKER;
                fn from_slots(#slots: &mut #private::Slots<'_>) -> #private::std::option::Option<Self> {
                    #private::std::option::Option::Some(#ident {
                        #(#fields: #takes,)*
                    })
                }
                fn values(&self) -> impl #private::std::convert::AsRef<[&dyn #private::FieldValue]> {
                    let __all: [&dyn #private::FieldValue; #count] = [#(#values),*];
                    __all
                }
            }
            #traits
            #(#proofs)*
            #drift
        };
    }
}

/// The checker of the schema; it keeps unknown codes where a type says so.
fn checker(record: &RecordStruct, private: &TokenStream) -> TokenStream {
    let members = record.members.iter().enumerate();
    let open = members
        .filter(|(_, member)| member.obligation == Obligation::Codes && codes_of(&member.inner).1);
    let open: Vec<_> = open.map(|(at, _)| Literal::usize_unsuffixed(at)).collect();
    if open.is_empty() {
        quote!(#private::checker(&SCHEMA))
    } else {
        quote!(#private::open_checker(&SCHEMA, &[#(#open),*]))
    }
}

/// What holds a struct to its document beyond the derive: the compiler reads the file again when it changes, and
/// compares the codes of enums.
fn drift(record: &RecordStruct, krate: &TokenStream) -> Option<TokenStream> {
    let file = record.file.as_ref()?;
    let private = quote!(#krate::__private);
    let path = &file.path;
    let codes = record.members.iter().filter_map(|member| {
        let own = record.schema.fields.get(member.index)?;
        let known = file.field(Some(&own.id), &own.name)?;
        let known = known.static_picklist.as_ref()?;
        if member.obligation != Obligation::Codes {
            return None;
        }
        let names: Vec<&str> = known.iter().map(|entry| entry.code.as_str()).collect();
        let (ty, _) = codes_of(&member.inner);
        let message = format!(
            "the codes of this enum are not those of the field {:?} in the schema: {}",
            own.name,
            names.join(", ")
        );
        let proof = quote! {
            const _: () = #private::std::assert!(
                #private::has_codes(<#ty as #krate::Picklist>::ENTRIES, &[#(#names),*]),
                #message
            );
        };
        Some(located(proof, ty.span()))
    });
    Some(quote! {
        const _: &[#private::std::primitive::u8] = #private::std::include_bytes!(#path);
        #(#codes)*
    })
}

/// `Debug`, `Serialize` and `Deserialize`, each one call.
fn common_traits(record: &RecordStruct, krate: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &record.ident;
    let name = ident.unraw().to_string();
    let names = record.members.iter().map(|m| m.ident.unraw().to_string());
    let calls = [
        quote!(#private::serialize(self, __s)),
        quote!(#private::deserialize(__d)),
    ];
    let serde = serde(ident, &private, calls);
    quote! {
        #[automatically_derived]
        impl #private::std::fmt::Debug for #ident {
            fn fmt(&self, __f: &mut #private::std::fmt::Formatter<'_>) -> #private::std::fmt::Result {
                #private::debug(self, #name, &[#(#names),*], __f)
            }
        }
        #serde
        #private::record_integrations!(#ident #name);
    }
}

/// `Serialize` and `Deserialize`, by these calls.
fn serde(
    ident: &Ident,
    private: &TokenStream,
    [serialize, deserialize]: [TokenStream; 2],
) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl #private::serde::Serialize for #ident {
            fn serialize<__S: #private::serde::Serializer>(
                &self,
                __s: __S,
            ) -> #private::std::result::Result<__S::Ok, __S::Error> {
                #serialize
            }
        }
        #[automatically_derived]
        impl<'de> #private::serde::Deserialize<'de> for #ident {
            fn deserialize<__D: #private::serde::Deserializer<'de>>(
                __d: __D,
            ) -> #private::std::result::Result<Self, __D::Error> {
                #deserialize
            }
        }
    }
}

/// A constant that is refused when the Rust type cannot hold the field's data type.
fn proof(member: &StructField, krate: &TokenStream) -> Option<TokenStream> {
    let Obligation::Holds(data_type) = member.obligation else {
        return None;
    };
    let ty = &member.inner;
    let bit = Literal::u32_unsuffixed(1 << data_type as u32);
    let message = format!(
        "this Rust type cannot hold the data type {data_type}; write `{}` or another data type",
        data_type.facts().rust
    );
    let proof = quote! {
        const _: () = #krate::__private::std::assert!(
            <#ty as #krate::__private::FieldType>::HOLDS & #bit != 0,
            #message
        );
    };
    Some(located(proof, ty.span()))
}

/// The same tokens, shown at `span` in messages; what their names mean stays as it was.
fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let one = |token| {
        let mut token = match token {
            TokenTree::Group(group) => {
                let stream = located(group.stream(), span);
                TokenTree::Group(Group::new(group.delimiter(), stream))
            }
            other => other,
        };
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.into_iter().map(one).collect()
}

/// The implementation of an enum.
pub(crate) fn picklist(picklist: &PicklistEnum, krate: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &picklist.ident;
    let variants = &picklist.variants;
    let entries = picklist.entries.iter().map(|one| entry(one, &private));
    let number = quote!(#private::std::primitive::usize);
    let name = ident.unraw().to_string();
    let index = if picklist.is_numbered_in_order && !variants.is_empty() {
        quote!(self as #number)
    } else {
        let indices = (0..variants.len()).map(Literal::usize_unsuffixed);
        quote!(match self { #(#ident::#variants => #indices,)* })
    };
    let calls = [
        quote!(#private::serialize_code(*self, __s)),
        quote!(#private::deserialize_code(__d)),
    ];
    let serde = serde(ident, &private, calls);
    let parse = parse(
        &quote!(#ident),
        krate,
        &TokenStream::new(),
        &quote!(#private::parse_code(__code)),
    );
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            #[automatically_derived]
            impl #krate::Picklist for #ident {
                const ENTRIES: &'static [#private::Entry] = &[#(#entries),*];
                const ALL: &'static [Self] = &[#(#ident::#variants),*];
                fn index(self) -> #number {
                    #index
                }
            }
            #[automatically_derived]
            impl #private::std::fmt::Display for #ident {
                fn fmt(&self, __f: &mut #private::std::fmt::Formatter<'_>) -> #private::std::fmt::Result {
                    __f.pad(#krate::Picklist::code(*self))
                }
            }
            #parse
            #serde
            #private::picklist_integrations!(#ident #name);
        };
    }
}

/// `FromStr` and `TryFrom<&str>` of an enum, by this expression of `__code`. The error stands by its path, because a
/// variant may be called `Err`.
pub(crate) fn parse(
    ident: &TokenStream,
    krate: &TokenStream,
    clause: &TokenStream,
    parsed: &TokenStream,
) -> TokenStream {
    let std = quote!(#krate::__private::std);
    let error = quote!(#krate::UnknownCode);
    let result = quote!(#std::result::Result<Self, #error>);
    quote! {
        #[automatically_derived]
        impl #std::str::FromStr for #ident #clause {
            type Err = #error;
            fn from_str(__code: &#std::primitive::str) -> #result {
                #parsed
            }
        }
        #[automatically_derived]
        impl #std::convert::TryFrom<&#std::primitive::str> for #ident #clause {
            type Error = #error;
            fn try_from(__code: &#std::primitive::str) -> #result {
                #parsed
            }
        }
    }
}

fn entry(entry: &PicklistEntry, private: &TokenStream) -> TokenStream {
    let PicklistEntry {
        code,
        description,
        extra,
    } = entry;
    let option = quote!(#private::std::option::Option);
    let description = description.as_ref().map_or_else(
        || quote!(#option::None),
        |text| quote!(#option::Some(#text)),
    );
    let extra = object(extra);
    quote!(#private::Entry { code: #code, description: #description, extra: #extra })
}

/// The properties as the text of a JSON object; empty when there are none.
fn object(extra: &Extra) -> String {
    let mut out = String::new();
    for (key, value) in extra {
        out.push(if out.is_empty() { '{' } else { ',' });
        write_string(&mut out, key);
        out.push(':');
        out.push_str(value);
    }
    if !out.is_empty() {
        out.push('}');
    }
    out
}

//! The struct of a schema.

use super::setting::{Finished, Settings, of_field};
use super::{Docs, REPEATS, allows, doc, facts, literal};
use crate::plan::{Field, Module};
use crate::rust_type::Holds;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use schema::Schema;

/// The struct with its attributes.
pub(super) fn record(module: &Module<'_>) -> TokenStream {
    let record = &module.record;
    let schema = module.schema;
    let about = format!("A record of the schema {}.", doc::code(&schema.name));
    let facts = super::unless_described(schema.description.as_deref(), &about);
    let docs = Docs::new(schema.description.as_deref(), facts, 0);
    let Finished {
        settings, repeats, ..
    } = settings(module, docs.description);
    let ident = crate::name::ident(&record.name);
    let fields = record.fields.iter().map(field);
    let allows = allows(record.allows.iter().chain(repeats.then_some(&REPEATS)));
    let (comment, derives, attributes) = (docs.comment, &record.derives, &record.attributes);
    quote! {
        #comment
        #[derive(Clone, PartialEq, Record #(, #derives)*)]
        #[record(#(#settings),*)]
        #allows
        #(#attributes)*
        pub struct #ident {
            #(#fields,)*
        }
    }
}

fn settings(module: &Module<'_>, description: Option<&str>) -> Finished {
    let schema = module.schema;
    let mut settings = Settings::default();
    if schema.name != module.record.name {
        settings.text("name", &schema.name);
    }
    settings.text("id", &schema.id);
    if let Some(description) = description {
        settings.text("description", description);
    }
    if let Some(area) = &schema.area_id {
        settings.text("area", area);
    }
    if let Some(version) = schema.version {
        settings.value("version", Literal::i64_unsuffixed(version));
    }
    if module.is_runtime_renamed {
        settings.value("crate", &module.runtime);
    }
    inactive(&mut settings, schema);
    settings.extras(&schema.extra);
    settings.finish()
}

/// The fields that records do not have, each with its place among all fields.
fn inactive(settings: &mut Settings, schema: &Schema) {
    for (at, field) in schema
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| !field.active)
    {
        let mut inner = Settings::default();
        inner.value("at", Literal::usize_unsuffixed(at));
        inner.text("name", &field.name);
        inner.text("id", &field.id);
        if let Some(description) = &field.description {
            inner.text("description", description);
        }
        of_field(&mut inner, field, false);
        settings.nested("inactive", None, inner);
    }
}

fn field(field: &Field<'_>) -> TokenStream {
    let own = field.source;
    let docs = Docs::new(own.description.as_deref(), &facts::of_field(own), 4);
    let mut settings = Settings::default();
    if own.name != field.name {
        settings.text("name", &own.name);
    }
    settings.text("id", &own.id);
    if let Some(description) = docs.description {
        settings.text("description", description);
    }
    of_field(&mut settings, own, true);
    let Finished {
        settings, repeats, ..
    } = settings.finish();
    let allows = allows(repeats.then_some(&REPEATS));
    let ident = crate::name::ident(&field.name);
    let value = crate::name::ident(&field.value);
    let holder = match field.holds {
        Holds::One => quote!(#value),
        Holds::Maybe => quote!(Option<#value>),
        Holds::Many => quote!(Vec<#value>),
    };
    let (comment, attributes) = (docs.comment, &field.attributes);
    quote! {
        #comment
        #[field(#(#settings),*)]
        #allows
        #(#attributes)*
        pub #ident: #holder
    }
}

/// The `#[code(…)]` of a picklist's variant, where it says more than the variant's name.
pub(super) fn code(
    entry: &schema::PicklistEntry,
    name: &str,
    description: Option<&str>,
) -> Option<TokenStream> {
    let mut settings = Settings::default();
    if let Some(description) = description {
        settings.text("description", description);
    }
    settings.extras(&entry.extra);
    let (code, settings) = (literal::text(&entry.code), settings.finish().settings);
    let says_more = entry.code != name || !settings.is_empty();
    says_more.then(|| quote!(#[code(#code #(, #settings)*)]))
}

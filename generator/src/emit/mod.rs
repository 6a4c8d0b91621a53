//! The plan as tokens, one file for each construct. It decides nothing about names and types, and
//! every text of a schema passes through `literal` or `doc`, so that none can be read as code.

mod doc;
mod facts;
mod literal;
mod module;
mod picklist;
mod record;
mod setting;

pub(crate) use module::{Code, index, module, opening};

use crate::plan::Allow;
use proc_macro2::TokenStream;
use quote::quote;

/// The doc comment of a construct: its description, then what else there is to say, and the
/// description once more as a setting where the comment cannot give it back.
struct Docs<'s> {
    comment: TokenStream,
    description: Option<&'s str>,
}

impl<'s> Docs<'s> {
    fn new(description: Option<&'s str>, facts: &str, indent: usize) -> Self {
        let mut lines = Vec::new();
        let is_plain = description.is_some_and(doc::is_plain);
        // a comment that begins with an empty line describes nothing
        match description {
            Some(text) if !text.is_empty() => {
                lines.extend(doc::wrap(&doc::shown_whole(text), indent));
            }
            _ => {}
        }
        if !facts.is_empty() {
            lines.push(String::new());
            lines.extend(doc::wrap(facts, indent));
        }
        let lines = lines.iter().map(|line| match line.as_str() {
            "" => String::new(),
            line => format!(" {line}"),
        });
        Docs {
            comment: quote!(#(#[doc = #lines])*),
            description: description.filter(|_| !is_plain),
        }
    }
}

/// Words for the docs of what has no description that could be shown.
fn unless_described<'w>(description: Option<&str>, words: &'w str) -> &'w str {
    match description {
        Some(text) if !text.is_empty() => "",
        _ => words,
    }
}

/// Where an attribute says the same twice, as two tags of one name do, clippy has to be told.
const REPEATS: Allow = Allow {
    lint: "duplicated_attributes",
    reason: "what is said twice is about two things",
};

fn allows<'l>(allows: impl IntoIterator<Item = &'l Allow>) -> TokenStream {
    let lints = allows.into_iter().map(|allow| {
        let lint = crate::name::ident(allow.lint);
        let reason = allow.reason;
        quote!(#[allow(clippy::#lint, reason = #reason)])
    });
    quote!(#(#lints)*)
}

//! The plan as tokens, one file for each construct. It decides nothing about names and types, and
//! every text of a schema passes through `literal` or `doc`, so that none can be read as code.

mod doc;
mod facts;
mod literal;
mod module;
mod picklist;
mod record;
mod setting;

pub(crate) use module::{Code, index, module};

use crate::plan::Allow;
use proc_macro2::TokenStream;
use quote::quote;

/// The doc comment of a construct: its description, then what else there is to say, and the
/// description once more as a setting where the comment cannot give it back.
struct Docs {
    comment: TokenStream,
    setting: Option<TokenStream>,
}

impl Docs {
    fn new(description: Option<&str>, facts: &str, indent: usize) -> Self {
        let mut lines = Vec::new();
        let is_plain = description.is_some_and(doc::is_plain);
        // a comment that begins with an empty line describes nothing
        match description {
            Some(text) if !text.is_empty() => {
                lines.extend(doc::wrap(&doc::shown_whole(text), indent))
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
        let setting = description.filter(|_| !is_plain).map(|text| {
            let text = literal::text(text);
            quote!(description = #text)
        });
        Docs {
            comment: quote!(#(#[doc = #lines])*),
            setting,
        }
    }
}

fn allows(allows: &[Allow]) -> TokenStream {
    let lints = allows.iter().map(|allow| {
        let lint = crate::name::ident(allow.lint);
        let reason = allow.reason;
        quote!(#[allow(clippy::#lint, reason = #reason)])
    });
    quote!(#(#lints)*)
}

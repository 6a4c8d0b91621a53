//! The plan as code, one file for each construct. It decides nothing about names and types, and
//! every text of a schema passes through `literal` or `doc`, so that none can be read as code.

mod code;
mod doc;
mod facts;
mod literal;
mod module;
mod picklist;
mod record;
mod setting;

pub(crate) use code::{Argument, Attribute, Call, Code, Item, Thing};
pub(crate) use module::{index, module};

use crate::plan::Allow;

/// The doc comment of a construct: its description, then what else there is to say, and the
/// description once more as a setting where the comment cannot give it back.
struct Docs<'s> {
    lines: Vec<String>,
    description: Option<&'s str>,
}

impl<'s> Docs<'s> {
    fn new(description: Option<&'s str>, facts: &str, indent: usize) -> Self {
        let mut lines = Vec::new();
        let is_plain = description.is_some_and(doc::is_plain);
        // a comment that begins with an empty line describes nothing
        match description {
            Some(text) if is_plain => lines.extend(doc::wrap(text, indent)),
            Some(text) if !text.is_empty() => lines.extend(doc::wrap(&doc::shown(text), indent)),
            _ => {}
        }
        if !facts.is_empty() {
            lines.push(String::new());
            lines.extend(doc::wrap(facts, indent));
        }
        Docs {
            lines,
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

fn allows(allows: &[Allow], repeats: bool) -> impl Iterator<Item = Attribute> {
    let all = allows.iter().chain(repeats.then_some(&REPEATS));
    all.map(|Allow { lint, reason }| {
        let words = [format!("clippy::{lint}"), format!("reason = {reason:?}")];
        Attribute::of_words("allow", words)
    })
}

/// `#[derive(…)]`, what the configuration adds at the end.
fn derive(own: &[&str], added: &[String]) -> Attribute {
    let own = own.iter().map(|&name| name.to_owned());
    Attribute::of_words("derive", own.chain(added.iter().cloned()))
}

/// The attributes that the configuration gives.
fn given(attributes: &[syn::Attribute]) -> impl Iterator<Item = Attribute> {
    let boxed = attributes.iter().cloned().map(Box::new);
    boxed.map(Attribute::Given)
}

//! Descriptions: said by an attribute, or the first paragraph of the docs. It knows no Markdown.

use super::item::{Item, Value};
use crate::errors::Errors;
use schema::Extra;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// What attributes say of a description.
#[derive(Default)]
pub(crate) enum Description {
    /// Nothing.
    #[default]
    FromDocs,
    /// `description = false`
    Absent,
    /// `description = "…"`
    Text(String),
}

impl Description {
    pub(crate) fn read(item: &Item, errors: &mut Errors) -> Self {
        match &item.value {
            Value::Bool(flag) if !flag.value() => Description::Absent,
            _ => item
                .text(errors)
                .map_or(Description::Absent, Description::Text),
        }
    }

    /// The description of what has these docs; none where `extra` holds one.
    pub(crate) fn resolve(self, attrs: &[Attribute], extra: &Extra) -> Option<String> {
        match self {
            Description::Text(text) => Some(text),
            Description::FromDocs if extra.iter().all(|(key, _)| key != "description") => {
                first_paragraph(attrs)
            }
            Description::FromDocs | Description::Absent => None,
        }
    }
}

/// The first paragraph of the docs, its lines joined by one space; `None` without docs.
fn first_paragraph(attrs: &[Attribute]) -> Option<String> {
    let mut docs = String::new();
    for attr in attrs {
        if let Meta::NameValue(pair) = &attr.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &pair.value
        {
            docs.push_str(&text.value());
            docs.push('\n');
        }
    }
    let lines: Vec<&str> = docs
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

//! The grammar of attributes, as the generator writes them.

use proc_macro2::TokenStream;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Ident, Lit, Token};

/// One setting of an attribute; without a key, its name is empty.
pub(super) struct Setting {
    pub(super) key: String,
    pub(super) value: Value,
}

pub(super) enum Value {
    Flag,
    Text(String),
    /// A number or a truth, as JSON writes it.
    Token(String),
    Items(Vec<Setting>),
    Path,
}

impl Setting {
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn token(&self) -> Option<&str> {
        match &self.value {
            Value::Token(token) => Some(token),
            _ => None,
        }
    }

    pub(super) fn flag(&self) -> Option<&str> {
        match &self.value {
            Value::Flag => Some("true"),
            Value::Token(token) => Some(token),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> Option<&[Setting]> {
        match &self.value {
            Value::Items(items) => Some(items),
            _ => None,
        }
    }
}

/// The settings of every attribute of this name; `None` where one can't be read.
pub(super) fn settings(attrs: &[Attribute], name: &str) -> Option<Vec<Setting>> {
    let mut all = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        all.extend(attr.parse_args_with(items).ok()?);
    }
    Some(all)
}

fn items(input: ParseStream<'_>) -> syn::Result<Vec<Setting>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        found.push(item(input)?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(found)
}

fn item(input: ParseStream<'_>) -> syn::Result<Setting> {
    if input.peek(Lit) {
        let value = value(input)?;
        return Ok(Setting {
            key: String::new(),
            value,
        });
    }
    let key = Ident::parse_any(input)?.to_string();
    let value = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        value(input)?
    } else if input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        let inner: TokenStream = content.parse()?;
        Value::Items(items.parse2(inner)?)
    } else {
        Value::Flag
    };
    Ok(Setting { key, value })
}

fn value(input: ParseStream<'_>) -> syn::Result<Value> {
    let minus: Option<Token![-]> = input.parse()?;
    if !input.peek(Lit) {
        input.call(syn::Path::parse_mod_style)?;
        return Ok(Value::Path);
    }
    let sign = if minus.is_some() { "-" } else { "" };
    Ok(match input.parse::<Lit>()? {
        Lit::Str(text) => Value::Text(text.value()),
        Lit::Bool(truth) => Value::Token(truth.value.to_string()),
        Lit::Int(digits) => Value::Token(format!("{sign}{}", digits.to_string().replace('_', ""))),
        Lit::Float(digits) => {
            Value::Token(format!("{sign}{}", digits.to_string().replace('_', "")))
        }
        other => return Err(syn::Error::new(other.span(), "no literal of ours")),
    })
}

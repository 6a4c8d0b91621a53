//! The grammar of every attribute: `key`, `key = value`, `key(items)` and bare values, separated by
//! commas. A part that cannot be read is reported and skipped, so that the others are read too.

use crate::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use schema::json::Scanner;
use schema::{Bound, Extra};
use std::collections::HashSet;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Lit, LitBool, LitStr, Meta, Path, Token, parenthesized, token};

/// One part of an attribute.
pub(crate) struct Item {
    /// `None` for a bare value.
    pub(crate) key: Option<Ident>,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    /// There is none.
    Flag,
    Text(LitStr),
    /// A number by its JSON token, and how it was written.
    Number(String, TokenStream),
    Bool(LitBool),
    Path(Path),
    List(Vec<Item>, TokenStream),
    /// Reported already.
    Unsound(TokenStream),
}

impl ToTokens for Value {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Value::Flag => {}
            Value::Text(text) => text.to_tokens(tokens),
            Value::Bool(flag) => flag.to_tokens(tokens),
            Value::Path(path) => path.to_tokens(tokens),
            Value::Number(_, written) | Value::List(_, written) | Value::Unsound(written) => {
                written.to_tokens(tokens);
            }
        }
    }
}

impl Item {
    /// The key as text, `r#` stripped; empty for a bare value.
    pub(crate) fn name(&self) -> String {
        self.key
            .as_ref()
            .map_or_else(String::new, |key| key.unraw().to_string())
    }

    /// Where a mistake in the value is: the value, or the key where there is none.
    pub(crate) fn place(&self) -> TokenStream {
        match (&self.value, &self.key) {
            (Value::Flag, Some(key)) => key.to_token_stream(),
            (value, _) => value.to_token_stream(),
        }
    }

    /// Where a mistake of the key is.
    pub(crate) fn key_place(&self) -> TokenStream {
        match &self.key {
            Some(key) => key.to_token_stream(),
            None => self.value.to_token_stream(),
        }
    }

    fn mismatch(&self, wanted: &str, errors: &mut Errors) {
        if !matches!(self.value, Value::Unsound(_)) {
            let message = format!("`{}` takes another kind of value; {wanted}", self.name());
            errors.at(self.place(), message);
        }
    }

    /// The value of `key = "…"`.
    pub(crate) fn text(&self, errors: &mut Errors) -> Option<String> {
        match &self.value {
            Value::Text(text) => return Some(text.value()),
            _ => self.mismatch(&format!("write `{} = \"…\"`", self.name()), errors),
        }
        None
    }

    /// The value of `key`, `key = true` or `key = false`.
    pub(crate) fn flag(&self, errors: &mut Errors) -> Option<bool> {
        match &self.value {
            Value::Flag => return Some(true),
            Value::Bool(flag) => return Some(flag.value()),
            _ => {
                let name = self.name();
                self.mismatch(&format!("write `{name}` or `{name} = false`"), errors);
            }
        }
        None
    }

    /// The value of `key = 3` or `key = "2020-01-01"`.
    pub(crate) fn bound(&self, errors: &mut Errors) -> Option<Bound> {
        match &self.value {
            Value::Number(token, _) => return Some(Bound::Number(token.clone())),
            Value::Text(text) => return Some(Bound::Text(text.value())),
            _ => {
                let name = self.name();
                let wanted = format!("write `{name} = 3` or `{name} = \"2020-01-01\"`");
                self.mismatch(&wanted, errors);
            }
        }
        None
    }

    /// The token of `key = 3`.
    pub(crate) fn number(&self, errors: &mut Errors) -> Option<String> {
        match &self.value {
            Value::Number(token, _) => return Some(token.clone()),
            _ => self.mismatch(&format!("write `{} = 3`", self.name()), errors),
        }
        None
    }

    /// The items of `key(…)`.
    pub(crate) fn list(&self, errors: &mut Errors) -> Option<&[Item]> {
        match &self.value {
            Value::List(items, _) => return Some(items),
            _ => self.mismatch(&format!("write `{}(…)`", self.name()), errors),
        }
        None
    }

    /// The properties of `extra = "{…}"`.
    pub(crate) fn extra(&self, errors: &mut Errors) -> Option<Extra> {
        use schema::json;
        let text = self.text(errors)?;
        let help = "write a JSON object such as {\"colour\": \"red\"}";
        let node = match json::parse(&text) {
            Ok(node) => node,
            Err(error) => {
                errors.at(
                    self.place(),
                    format!("the extra is not JSON: {error}; {help}"),
                );
                return None;
            }
        };
        let json::Value::Object(members) = &node.value else {
            let message = format!("the extra is {}, not an object; {help}", node.kind());
            errors.at(self.place(), message);
            return None;
        };
        let mut extra = Extra::new();
        let mut seen = HashSet::new();
        for member in members {
            if !seen.insert(&member.key) {
                let message = format!("the extra has `{}` twice; keep one", member.key);
                errors.at(self.place(), message);
            }
            let mut value = String::new();
            json::compact(&mut value, &text[member.value.start..member.value.end]);
            extra.push((member.key.clone().into_owned(), value));
        }
        Some(extra)
    }

    /// Reports a key that nobody knows here.
    pub(crate) fn unknown(&self, known: &[&str], errors: &mut Errors) {
        let known = known.join(", ");
        let message = match &self.key {
            Some(_) => format!(
                "unknown setting `{}`; the settings are {known}",
                self.name()
            ),
            None => format!("a value without a name; the settings are {known}"),
        };
        errors.at(self.key_place(), message);
    }
}

/// The items of every `#[name(…)]` among `attrs`.
pub(crate) fn items_of(attrs: &[Attribute], name: &str, errors: &mut Errors) -> Vec<Item> {
    let mut all = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        match &attr.meta {
            Meta::List(_) => {
                let read = attr.parse_args_with(|input: ParseStream| Ok(items(input, errors)));
                match read {
                    Ok(items) => all.extend(items),
                    Err(error) => errors.push(error),
                }
            }
            _ => errors.at(
                attr,
                format!("`{name}` has no settings here; write `#[{name}(…)]` or remove it"),
            ),
        }
    }
    all
}

/// Reports every key that stands twice, but for those that may.
pub(crate) fn no_duplicates(items: &[Item], repeatable: &[&str], errors: &mut Errors) {
    let mut seen = HashSet::new();
    for item in items.iter().filter(|item| item.key.is_some()) {
        let name = item.name();
        if repeatable.contains(&name.as_str()) {
            continue;
        }
        if !seen.insert(name.clone()) {
            errors.at(
                item.key_place(),
                format!("`{name}` is given twice; keep one"),
            );
        }
    }
}

/// Reports attributes of ours that stand where they mean nothing.
pub(crate) fn misplaced(attrs: &[Attribute], name: &str, belongs: &str, errors: &mut Errors) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        errors.at(
            attr,
            format!("`#[{name}(…)]` means nothing here; it belongs {belongs}"),
        );
    }
}

fn items(input: ParseStream, errors: &mut Errors) -> Vec<Item> {
    let mut items = Vec::new();
    while !input.is_empty() {
        match item(input, errors) {
            Ok(item) => items.push(item),
            Err(error) => skip(input, error, errors),
        }
        if !input.is_empty()
            && let Err(error) = input.parse::<Token![,]>()
        {
            skip(input, error, errors);
            // the comma that ended the skipped part; at the end of the list there is none
            let _ = input.parse::<Option<Token![,]>>();
        }
    }
    items
}

/// Reports what could not be read and goes on to the next comma.
fn skip(input: ParseStream, error: syn::Error, errors: &mut Errors) {
    errors.push(error);
    while !input.is_empty() && !input.peek(Token![,]) {
        if input.parse::<TokenTree>().is_err() {
            break;
        }
    }
}

fn item(input: ParseStream, errors: &mut Errors) -> syn::Result<Item> {
    if input.peek(Lit) || input.peek(Token![-]) {
        return Ok(Item {
            key: None,
            value: value(input, errors)?,
        });
    }
    let key = Ident::parse_any(input)
        .map_err(|error| syn::Error::new(error.span(), "expected the name of a setting"))?;
    let value = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        value(input, errors)?
    } else if input.peek(token::Paren) {
        let content;
        let parens = parenthesized!(content in input);
        let inner = content.fork().parse::<TokenStream>()?;
        let mut written = TokenStream::new();
        parens.surround(&mut written, |tokens| inner.to_tokens(tokens));
        Value::List(items(&content, errors), written)
    } else {
        Value::Flag
    };
    Ok(Item {
        key: Some(key),
        value,
    })
}

fn value(input: ParseStream, errors: &mut Errors) -> syn::Result<Value> {
    let minus: Option<Token![-]> = input.parse()?;
    if minus.is_none() && !input.peek(Lit) {
        if input.peek(Ident::peek_any) || input.peek(Token![::]) {
            return input.call(Path::parse_mod_style).map(Value::Path);
        }
        return Err(input.error("expected a string, a number, true, false or a path"));
    }
    let literal: Lit = input.parse()?;
    let written = quote!(#minus #literal);
    Ok(match (minus, literal) {
        (None, Lit::Str(text)) if text.suffix().is_empty() => Value::Text(text),
        (None, Lit::Bool(flag)) => Value::Bool(flag),
        (minus, Lit::Int(digits)) => number(
            minus.is_some(),
            &digits.token().to_string(),
            digits.suffix(),
            written,
            errors,
        ),
        (minus, Lit::Float(digits)) => number(
            minus.is_some(),
            &digits.token().to_string(),
            digits.suffix(),
            written,
            errors,
        ),
        _ => {
            let message = "this kind of literal means nothing here; write a string or a number";
            errors.at(&written, message);
            Value::Unsound(written)
        }
    })
}

/// A number literal as the JSON token of the same digits.
fn number(
    negative: bool,
    written: &str,
    suffix: &str,
    tokens: TokenStream,
    errors: &mut Errors,
) -> Value {
    if !suffix.is_empty() {
        let message = format!("the number has the suffix `{suffix}`; write it without");
        errors.at(&tokens, message);
        return Value::Unsound(tokens);
    }
    let digits = written.replace('_', "");
    let token = if negative {
        format!("-{digits}")
    } else {
        digits
    };
    let mut scanner = Scanner::new(&token);
    match scanner.number() {
        Ok(read) if read.len() == token.len() => Value::Number(token, tokens),
        _ => {
            let help = "write it in decimal, such as 3, -1.50 or 2e6";
            errors.at(
                &tokens,
                format!("`{token}` is not a number as JSON writes it; {help}"),
            );
            Value::Unsound(tokens)
        }
    }
}

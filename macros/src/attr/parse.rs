//! The grammar of every attribute: parts separated by commas. A part that cannot be read is reported and
//! skipped, so that the others are read too.

use super::meta::{MetaItem, MetaValue};
use crate::errors::Errors;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use schema::json::Scanner;
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, Lit, Meta, Path, Token, parenthesized, token};

/// The items of every `#[name(…)]` among `attrs`.
pub(crate) fn items_of(attrs: &[Attribute], name: &str, errors: &mut Errors) -> Vec<MetaItem> {
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

fn items(input: ParseStream, errors: &mut Errors) -> Vec<MetaItem> {
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

fn item(input: ParseStream, errors: &mut Errors) -> syn::Result<MetaItem> {
    if input.peek(Lit) || input.peek(Token![-]) {
        return Ok(MetaItem {
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
        MetaValue::List(items(&content, errors), written)
    } else {
        MetaValue::Flag
    };
    Ok(MetaItem {
        key: Some(key),
        value,
    })
}

fn value(input: ParseStream, errors: &mut Errors) -> syn::Result<MetaValue> {
    let minus: Option<Token![-]> = input.parse()?;
    if minus.is_none() && !input.peek(Lit) {
        if input.peek(Ident::peek_any) || input.peek(Token![::]) {
            return input.call(Path::parse_mod_style).map(MetaValue::Path);
        }
        return Err(input.error("expected a string, a number, true, false or a path"));
    }
    let literal: Lit = input.parse()?;
    let written = quote!(#minus #literal);
    Ok(match (minus, literal) {
        (None, Lit::Str(text)) if text.suffix().is_empty() => MetaValue::Text(text),
        (None, Lit::Bool(flag)) => MetaValue::Bool(flag),
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
            MetaValue::Unsound(written)
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
) -> MetaValue {
    if !suffix.is_empty() {
        let message = format!("the number has the suffix `{suffix}`; write it without");
        errors.at(&tokens, message);
        return MetaValue::Unsound(tokens);
    }
    let digits = written.replace('_', "");
    let token = if negative {
        format!("-{digits}")
    } else {
        digits
    };
    let mut scanner = Scanner::new(&token);
    match scanner.number() {
        Ok(read) if read.len() == token.len() => MetaValue::Number(token, tokens),
        _ => {
            let help = "write it in decimal, such as 3, -1.50 or 2e6";
            errors.at(
                &tokens,
                format!("`{token}` is not a number as JSON writes it; {help}"),
            );
            MetaValue::Unsound(tokens)
        }
    }
}

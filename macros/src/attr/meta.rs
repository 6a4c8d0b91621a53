//! One part of an attribute: `key`, `key = value`, `key(items)` or a bare value, and what a setting may ask of
//! it. A value of another kind is reported here; what it means is the caller's.

use super::described::Described;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::ToTokens;
use schema::{Bound, Extra};
use std::collections::HashSet;
use syn::ext::IdentExt as _;
use syn::{Attribute, Ident, LitBool, LitStr, Path};

/// One part of an attribute.
pub(crate) struct MetaItem {
    /// `None` for a bare value.
    pub(crate) key: Option<Ident>,
    pub(crate) value: MetaValue,
}

/// What stands behind the key.
pub(crate) enum MetaValue {
    /// There is none.
    Flag,
    Text(LitStr),
    /// A number by its JSON token, and how it was written.
    Number(String, TokenStream),
    Bool(LitBool),
    Path(Path),
    List(Vec<MetaItem>, TokenStream),
    /// Reported already.
    Unsound(TokenStream),
}

impl ToTokens for MetaValue {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            MetaValue::Flag => {}
            MetaValue::Text(text) => text.to_tokens(tokens),
            MetaValue::Bool(flag) => flag.to_tokens(tokens),
            MetaValue::Path(path) => path.to_tokens(tokens),
            MetaValue::Number(_, own) | MetaValue::List(_, own) | MetaValue::Unsound(own) => {
                own.to_tokens(tokens);
            }
        }
    }
}

impl MetaItem {
    /// The key as text, `r#` stripped; empty for a bare value.
    pub(crate) fn name(&self) -> String {
        self.key
            .as_ref()
            .map_or_else(String::new, |key| key.unraw().to_string())
    }

    /// Where a mistake in the value is: the value, or the key where there is none.
    pub(crate) fn place(&self) -> TokenStream {
        match (&self.value, &self.key) {
            (MetaValue::Flag, Some(key)) => key.to_token_stream(),
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
        if !matches!(self.value, MetaValue::Unsound(_)) {
            let message = format!("`{}` takes another kind of value; {wanted}", self.name());
            errors.at(self.place(), message);
        }
    }

    /// The value of `key = "…"`.
    pub(crate) fn text(&self, errors: &mut Errors) -> Option<String> {
        match &self.value {
            MetaValue::Text(text) => return Some(text.value()),
            _ => self.mismatch(&format!("write `{} = \"…\"`", self.name()), errors),
        }
        None
    }

    /// The value of `key = "text"`, or that there is none of `key = false`.
    pub(crate) fn description(&self, errors: &mut Errors) -> Described {
        match &self.value {
            MetaValue::Bool(flag) if !flag.value() => Described::Never,
            _ => self.text(errors).map_or(Described::ByDocs, Described::As),
        }
    }

    /// The value of `key`, `key = true` or `key = false`.
    pub(crate) fn flag(&self, errors: &mut Errors) -> Option<bool> {
        match &self.value {
            MetaValue::Flag => return Some(true),
            MetaValue::Bool(flag) => return Some(flag.value()),
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
            MetaValue::Number(token, _) => return Some(Bound::Number(token.clone())),
            MetaValue::Text(text) => return Some(Bound::Text(text.value())),
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
            MetaValue::Number(token, _) => return Some(token.clone()),
            _ => self.mismatch(&format!("write `{} = 3`", self.name()), errors),
        }
        None
    }

    /// The items of `key(…)`.
    pub(crate) fn list(&self, errors: &mut Errors) -> Option<&[MetaItem]> {
        match &self.value {
            MetaValue::List(items, _) => return Some(items),
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

/// Reports every key that stands twice, but for those that may.
pub(crate) fn no_duplicates(items: &[MetaItem], repeatable: &[&str], errors: &mut Errors) {
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

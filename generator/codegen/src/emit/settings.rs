//! The settings of an attribute as they come together. What has no setting of its own goes verbatim into
//! `extra`.
//!
//! ```text
//! name = "City Birthdays",
//! id = "f4",
//! description = false,
//! type = "date-day",
//! pii,
//! tag(id = "t1", name = "Feasts"),
//! extra = r#"{"helpText":"say \"when\""}"#
//! ```

use super::literal;
use crate::syntax::{Argument, Call};
use schema::json::write_string;
use schema::{Bound, Extra};
use std::fmt::Display;

/// The settings of an attribute as they come together.
#[derive(Default)]
pub(super) struct AttributeSettings {
    arguments: Vec<Argument>,
    /// The members of the JSON object that becomes `extra`.
    extra: String,
}

impl AttributeSettings {
    fn word(&mut self, word: String) {
        self.arguments.push(Argument::Word(word));
    }

    /// `key = "text"`.
    pub(super) fn text(&mut self, key: &str, text: &str) {
        self.value(key, literal::text(text));
    }

    /// `key = value`, the value being code.
    pub(super) fn value(&mut self, key: &str, value: impl Display) {
        self.word(format!("{key} = {value}"));
    }

    /// `key` alone.
    pub(super) fn flag(&mut self, key: &str) {
        self.word(key.to_owned());
    }

    /// `key(…)`, with `first` before all settings.
    pub(super) fn nested(
        &mut self,
        name: &'static str,
        first: Option<String>,
        inner: AttributeSettings,
    ) {
        let mut arguments: Vec<_> = first.into_iter().map(Argument::Word).collect();
        arguments.extend(inner.finish());
        self.arguments
            .push(Argument::Call(Call { name, arguments }));
    }

    /// A property of `extra`, its value as JSON.
    pub(super) fn extra(&mut self, property: &str, json: &str) {
        self.extra
            .push(if self.extra.is_empty() { '{' } else { ',' });
        write_string(&mut self.extra, property);
        self.extra.push(':');
        self.extra.push_str(json);
    }

    /// A property of `extra` that is a text, if there is one.
    pub(super) fn extra_text(&mut self, property: &str, text: Option<&str>) {
        if let Some(text) = text {
            let mut json = String::new();
            write_string(&mut json, text);
            self.extra(property, &json);
        }
    }

    /// Properties of `extra`.
    pub(super) fn extras(&mut self, extra: &Extra) {
        for (property, json) in extra {
            self.extra(property, json);
        }
    }

    /// The arguments, `extra` behind all others.
    pub(super) fn finish(mut self) -> Vec<Argument> {
        if !self.extra.is_empty() {
            self.extra.push('}');
            let json = literal::json(&self.extra);
            self.value("extra", json);
        }
        self.arguments
    }

    /// A text setting, or an extra where the type does not have it.
    pub(super) fn text_or_extra(
        &mut self,
        has: bool,
        key: &str,
        property: &str,
        text: Option<&str>,
    ) {
        match text {
            Some(text) if has => self.text(key, text),
            _ => self.extra_text(property, text),
        }
    }

    /// A bound as it was written, text or number, or an extra where the type does not have it.
    pub(super) fn bound(&mut self, has: bool, key: &str, property: &str, bound: Option<&Bound>) {
        match bound {
            None => {}
            Some(Bound::Text(text)) => self.text_or_extra(has, key, property, Some(text)),
            Some(Bound::Number(token)) => match literal::number(token).filter(|_| has) {
                Some(number) => {
                    self.value(key, number);
                }
                None => self.extra(property, token),
            },
        }
    }
}

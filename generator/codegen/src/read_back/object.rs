//! The JSON object of a part of a schema, as it is put together. It knows no property but the description.

use super::settings::{Setting, Value};
use schema::json::{Value as Json, parse, write_string};
use syn::{Attribute, Expr, Lit};

/// A JSON object being written.
#[derive(Default)]
pub(super) struct Object(String);

impl Object {
    pub(super) fn raw(&mut self, key: &str, json: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        write_string(&mut self.0, key);
        self.0.push(':');
        self.0.push_str(json);
    }

    pub(super) fn text(&mut self, key: &str, text: &str) {
        let mut json = String::new();
        write_string(&mut json, text);
        self.raw(key, &json);
    }

    pub(super) fn bound(&mut self, key: &str, setting: &Setting) {
        match &setting.value {
            Value::Token(token) => self.raw(key, token),
            Value::Text(text) => self.text(key, text),
            Value::Flag | Value::Items(_) | Value::Path => {}
        }
    }

    /// The members of another object.
    pub(super) fn splice(&mut self, object: &str) -> Option<()> {
        let node = parse(object).ok()?;
        let Json::Object(members) = &node.value else {
            return None;
        };
        for member in members {
            self.raw(&member.key, &object[member.value.start..member.value.end]);
        }
        Some(())
    }

    /// The description: of the settings, be it that there is none, else the first paragraph of the docs, unless `extra`
    /// has one.
    pub(super) fn described(&mut self, settings: &[Setting], attrs: &[Attribute]) {
        let mut said = settings.iter().filter(|it| it.key == "description");
        let is_extra = settings.iter().any(|setting| {
            let json = setting.text().filter(|_| setting.key == "extra");
            let node = json.and_then(|json| parse(json).ok());
            node.is_some_and(|node| node.get("description").is_some())
        });
        if let Some(said) = said.next() {
            if let Some(text) = said.text() {
                self.text("description", text);
            }
        } else if let Some(text) = first_paragraph(attrs).filter(|_| !is_extra) {
            self.text("description", &text);
        }
    }

    pub(super) fn end(mut self) -> String {
        self.0.push_str(if self.0.is_empty() { "{}" } else { "}" });
        self.0
    }
}

/// The first paragraph of the docs, its lines joined by one space; none where they begin with an empty line.
fn first_paragraph(attrs: &[Attribute]) -> Option<String> {
    let text = |attr: &Attribute| match &attr.meta.require_name_value().ok()?.value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) if attr.path().is_ident("doc") => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    let docs: Vec<String> = attrs.iter().filter_map(text).collect();
    let docs = docs.join("\n");
    let lines = docs.lines().map(str::trim);
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

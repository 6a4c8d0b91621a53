//! The configuration's derives and attributes, parsed once and looked up by what they go to. One
//! that goes nowhere is a mistake.

use crate::config::{AdditionTarget, Config};
use crate::error::Mistake;
use std::cell::Cell;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// What the derives of records and picklists bring, beside what generated types derive themselves.
const BROUGHT: &[&str] = &["Debug", "Deserialize", "Serialize"];

/// What the configuration adds.
pub(super) struct Additions {
    derives: Vec<Addition<String>>,
    attributes: Vec<Addition<syn::Attribute>>,
}

struct Addition<T> {
    target: AdditionTarget,
    items: Vec<T>,
    is_used: Cell<bool>,
}

impl<T: Clone> Addition<T> {
    fn new(target: &AdditionTarget, items: Vec<T>) -> Self {
        Addition {
            target: target.clone(),
            items,
            is_used: Cell::new(false),
        }
    }

    fn fits(&self, type_name: &str, member: Option<&str>) -> bool {
        let is = |pattern: &str, name: &str| pattern == "*" || pattern == name;
        let fits = is(&self.target.type_name, type_name)
            && match (&self.target.member, member) {
                (None, None) => true,
                (Some(pattern), Some(member)) => is(pattern, member),
                _ => false,
            };
        self.is_used.set(self.is_used.get() || fits);
        fits
    }
}

impl Additions {
    /// Parses all of them.
    pub(super) fn new(config: &Config, mistakes: &mut Vec<Mistake>) -> Self {
        let mut refuse = |message: String, help: &str| {
            let help = help.to_owned();
            mistakes.push(Mistake { message, help });
        };
        let paths = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        let derives = config.derives.iter().map(|(target, text)| {
            let parsed = paths.parse_str(text);
            if parsed.is_err() {
                let help = "write names such as `Eq, Hash`";
                refuse(format!("`{text}` is not a list of derives"), help);
            }
            for path in parsed.iter().flatten() {
                let name = path.segments.last().map(|last| last.ident.to_string());
                if let Some(name) = name.filter(|name| BROUGHT.contains(&name.as_str())) {
                    let message = format!("every generated type is `{name}` already");
                    refuse(message, "leave it out");
                }
            }
            let items = parsed.iter().flatten().map(path).collect();
            Addition::new(target, items)
        });
        let derives = derives.collect();
        let attributes = config.attributes.iter().map(|(target, text)| {
            let items = match syn::Attribute::parse_outer.parse_str(text) {
                Ok(attributes) if !attributes.is_empty() => attributes,
                _ => {
                    let help = "write one such as `#[must_use]`";
                    refuse(format!("`{text}` is not an attribute"), help);
                    Vec::new()
                }
            };
            Addition::new(target, items)
        });
        Additions {
            derives,
            attributes: attributes.collect(),
        }
    }

    /// The traits that a type derives besides its own.
    pub(super) fn derives(&self, type_name: &str) -> Vec<String> {
        collect(&self.derives, type_name, None)
    }

    /// The attributes of a type.
    pub(super) fn of_type(&self, type_name: &str) -> Vec<syn::Attribute> {
        collect(&self.attributes, type_name, None)
    }

    /// The attributes of a field or variant.
    pub(super) fn of_member(&self, type_name: &str, member: &str) -> Vec<syn::Attribute> {
        collect(&self.attributes, type_name, Some(member))
    }

    /// A mistake for each addition to a name that is not generated.
    pub(super) fn unused(&self) -> Vec<Mistake> {
        let derives = self.derives.iter().map(|a| (&a.target, a.is_used.get()));
        let attributes = self.attributes.iter().map(|a| (&a.target, a.is_used.get()));
        derives
            .chain(attributes)
            .filter(|(target, is_used)| !is_used && *target.type_name != *"*")
            .map(|(target, _)| {
                let member = target.member.iter().map(|member| format!(".{member}"));
                let name: String = std::iter::once(target.type_name.clone())
                    .chain(member)
                    .collect();
                Mistake {
                    message: format!("an addition goes to `{name}`, which is not generated"),
                    help: "write the names of the generated code".to_owned(),
                }
            })
            .collect()
    }
}

fn collect<T: Clone>(additions: &[Addition<T>], type_name: &str, member: Option<&str>) -> Vec<T> {
    let fitting = additions
        .iter()
        .filter(|addition| addition.fits(type_name, member));
    fitting
        .flat_map(|addition| addition.items.iter().cloned())
        .collect()
}

/// A path of the configuration as code.
pub(super) fn path(path: &syn::Path) -> String {
    let tokens = quote::quote!(#path).to_string();
    tokens.replace(' ', "")
}

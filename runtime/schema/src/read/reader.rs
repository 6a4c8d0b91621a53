//! Properties of one object as the types of the model: whatever is of another kind is reported, with
//! what to write instead. Which properties there are is told elsewhere.

use super::object::ObjectReader;
use crate::check::{Origin, Path, Problem, Severity};
use crate::json::{Member, Node, Value};
use crate::model::Bound;
use std::collections::HashSet;

/// A document while it is read.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) origin: Origin,
    pub(super) problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, origin: Origin) -> Self {
        Reader {
            text,
            origin,
            problems: Vec::new(),
        }
    }

    pub(super) fn error(
        &mut self,
        path: Path,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problems
            .push(Problem::new(Severity::Error, path, message, help));
    }

    /// Opens an object, reporting duplicate keys; `None` (and an error) when it is none.
    pub(super) fn object<'n>(
        &mut self,
        node: &'n Node<'t>,
        path: Path,
    ) -> Option<ObjectReader<'n, 't>> {
        let Value::Object(members) = &node.value else {
            let message = format!("this is {}, not an object", node.kind());
            self.error(path, message, "write a JSON object here");
            return None;
        };
        let mut seen = HashSet::new();
        for Member { key, key_start, .. } in members {
            if !seen.insert(key) {
                let message = format!("the property `{key}` stands here twice");
                self.error(path.clone().key(key), message, "keep one of the two");
                if let Some(problem) = self.problems.last_mut() {
                    problem.offset = Some(*key_start);
                }
            }
        }
        Some(ObjectReader::new(members, path))
    }

    pub(super) fn list<'n, V>(
        &mut self,
        object: &mut ObjectReader<'n, 't>,
        key: &'static str,
        mut each: impl FnMut(&mut Self, &'n Node<'t>, Path) -> Option<V>,
    ) -> Option<Vec<V>> {
        let node = object.setting(key)?;
        let path = object.path.clone().key(key);
        let Value::Array(items) = &node.value else {
            let message = format!("`{key}` is {}, not an array", node.kind());
            self.error(path, message, "write an array");
            return None;
        };
        let read = |(index, item)| each(self, item, path.clone().index(index));
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    /// Reports a property that the interface requires and the object lacks.
    pub(super) fn require(&mut self, object: &ObjectReader<'_, 't>, key: &str) {
        let message = match object.member(key) {
            None => format!("the required property `{key}` is missing"),
            Some(node) if node.value == Value::Null => {
                self.error(
                    object.path.clone().key(key),
                    format!("the required property `{key}` is null"),
                    "give it a value",
                );
                return;
            }
            Some(_) => return,
        };
        self.error(object.path.clone(), message, format!("add `{key}`"));
    }

    /// As [`require`](Self::require), of a property for which empty text is no value either.
    pub(super) fn require_filled(&mut self, object: &ObjectReader<'_, 't>, key: &str) {
        self.require(object, key);
        let is_empty =
            |node: &Node<'_>| matches!(&node.value, Value::String(text) if text.is_empty());
        if object.member(key).is_some_and(is_empty) {
            self.error(
                object.path.clone().key(key),
                format!("the required property `{key}` is empty"),
                "give it a value",
            );
        }
    }

    pub(super) fn required_text(
        &mut self,
        object: &mut ObjectReader<'_, 't>,
        key: &'static str,
    ) -> Option<String> {
        self.require(object, key);
        match &object.take(key)?.value {
            Value::String(text) => Some(text.clone().into_owned()),
            Value::Null => None,
            _ => self.not_text(object, key),
        }
    }

    /// An optional text of which the empty one is a value too.
    pub(super) fn text(
        &mut self,
        object: &mut ObjectReader<'_, 't>,
        key: &'static str,
    ) -> Option<String> {
        match &object.member(key)?.value {
            Value::Null => None,
            Value::String(text) => {
                object.take(key);
                Some(text.clone().into_owned())
            }
            _ => self.not_text(object, key),
        }
    }

    /// An optional text of which the empty one counts as absent.
    pub(super) fn setting_text(
        &mut self,
        object: &mut ObjectReader<'_, 't>,
        key: &'static str,
    ) -> Option<String> {
        match &object.setting(key)?.value {
            Value::String(text) => Some(text.clone().into_owned()),
            _ => self.not_text(object, key),
        }
    }

    fn not_text(&mut self, object: &ObjectReader<'_, 't>, key: &str) -> Option<String> {
        let kind = object.member(key).map_or("nothing", Node::kind);
        let message = format!("`{key}` is {kind}, not a string");
        self.error(object.path.clone().key(key), message, "write a string");
        None
    }

    pub(super) fn required_flag(
        &mut self,
        object: &mut ObjectReader<'_, 't>,
        key: &'static str,
        default: bool,
    ) -> bool {
        if self.origin == Origin::Elsewhere {
            self.require(object, key);
        }
        self.flag(object, key).unwrap_or(default)
    }

    pub(super) fn flag(
        &mut self,
        object: &mut ObjectReader<'_, 't>,
        key: &'static str,
    ) -> Option<bool> {
        let node = object.setting(key)?;
        if let Value::Bool(flag) = node.value {
            return Some(flag);
        }
        let message = format!("`{key}` is {}, not true or false", node.kind());
        self.error(object.path.clone().key(key), message, "write true or false");
        None
    }

    /// A value of a closed list.
    pub(super) fn named<V>(
        &mut self,
        object: &mut ObjectReader<'_, 't>,
        key: &'static str,
        find: impl Fn(&str) -> Option<V>,
        all: impl Fn() -> Vec<&'static str>,
    ) -> Option<V> {
        let node = object.setting(key)?;
        let found = match &node.value {
            Value::String(text) => find(text),
            _ => None,
        };
        if found.is_none() {
            let message = match &node.value {
                Value::String(text) => {
                    format!("`{key}` is {text:?}, which the interface does not have")
                }
                _ => format!("`{key}` is {}, not a string", node.kind()),
            };
            let names: Vec<_> = all().iter().map(|name| format!("`{name}`")).collect();
            self.error(
                object.path.clone().key(key),
                message,
                format!("write one of {}", names.join(", ")),
            );
        }
        found
    }

    /// A bound; `text_too`: also one that is written as a string.
    pub(super) fn bound(
        &mut self,
        object: &mut ObjectReader<'_, 't>,
        key: &'static str,
        text_too: bool,
    ) -> Option<Bound> {
        let node = object.setting(key)?;
        match &node.value {
            Value::Number(token) => Some(Bound::Number((*token).to_owned())),
            Value::String(text) if text_too => Some(Bound::Text(text.clone().into_owned())),
            _ => {
                let wanted = if text_too {
                    "a number or a string"
                } else {
                    "a number"
                };
                let message = format!("`{key}` is {}, not {wanted}", node.kind());
                self.error(
                    object.path.clone().key(key),
                    message,
                    format!("write {wanted}"),
                );
                None
            }
        }
    }
}

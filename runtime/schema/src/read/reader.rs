//! Properties of one object as the types of the model: whatever is of another kind is reported, with
//! what to write instead. Which properties there are is told elsewhere.

use super::object::ObjectReader;
use crate::check::{Contradiction as C, Origin, Path, Problem, Severity};
use crate::json::{Member, Node, Value};
use crate::model::Bound;
use std::collections::HashSet;
use std::fmt::Display;

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

    pub(super) fn error(&mut self, path: Path, what: C, values: &[&dyn Display]) {
        self.problems
            .push(Problem::found(Severity::Error, path, what, values));
    }

    /// Opens an object, reporting duplicate keys; `None` (and an error) when it is none.
    pub(super) fn object<'n>(
        &mut self,
        node: &'n Node<'t>,
        path: Path,
    ) -> Option<ObjectReader<'n, 't>> {
        let Value::Object(members) = &node.value else {
            self.error(path, C::NotObject, &[&node.kind()]);
            return None;
        };
        let mut seen = HashSet::new();
        for Member { key, key_start, .. } in members {
            if !seen.insert(key) {
                self.error(path.clone().key(key), C::PropertyTwice, &[key]);
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
            self.error(path, C::NotArray, &[&key, &node.kind()]);
            return None;
        };
        let read = |(index, item)| each(self, item, path.clone().index(index));
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    /// Reports a property that the interface requires and the object lacks.
    pub(super) fn require(&mut self, object: &ObjectReader<'_, 't>, key: &str) {
        let path = object.path.clone();
        match object.member(key) {
            None => self.error(path, C::PropertyMissing, &[&key]),
            Some(node) if node.value == Value::Null => {
                self.error(path.key(key), C::PropertyNull, &[&key]);
            }
            Some(_) => {}
        }
    }

    /// As [`require`](Self::require), of a property for which empty text is no value either.
    pub(super) fn require_filled(&mut self, object: &ObjectReader<'_, 't>, key: &str) {
        self.require(object, key);
        let is_empty =
            |node: &Node<'_>| matches!(&node.value, Value::String(text) if text.is_empty());
        if object.member(key).is_some_and(is_empty) {
            self.error(object.path.clone().key(key), C::PropertyEmpty, &[&key]);
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
        let path = object.path.clone().key(key);
        self.error(path, C::NotString, &[&key, &kind]);
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
        let path = object.path.clone().key(key);
        self.error(path, C::NotFlag, &[&key, &node.kind()]);
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
            let names: Vec<_> = all().iter().map(|name| format!("`{name}`")).collect();
            let (path, names) = (object.path.clone().key(key), names.join(", "));
            match &node.value {
                Value::String(text) => {
                    let text = format!("{text:?}");
                    self.error(path, C::NotNamed, &[&key, &text, &names]);
                }
                _ => self.error(path, C::NotName, &[&key, &node.kind(), &names]),
            }
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
                let what = if text_too { C::NotBound } else { C::NotNumber };
                let path = object.path.clone().key(key);
                self.error(path, what, &[&key, &node.kind()]);
                None
            }
        }
    }
}

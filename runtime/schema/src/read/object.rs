//! One object of a schema document while it is read: hands out known properties once, then the
//! rest. Which of them is an error is the reader's to say.

use super::{Extra, Node, Path, Reader, Value, compact};
use crate::json::Member;

pub(super) struct Object<'n, 't> {
    members: &'n [Member<'t>],
    taken: Vec<bool>,
    pub(super) path: Path,
}

impl<'n, 't> Object<'n, 't> {
    pub(super) fn new(members: &'n [Member<'t>], path: Path) -> Self {
        Object {
            members,
            taken: vec![false; members.len()],
            path,
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.members.iter().any(|member| member.key == key)
    }

    /// A property, whatever its value; it will not be in the rest.
    fn take(&mut self, key: &str) -> Option<&'n Node<'t>> {
        let at = self.members.iter().position(|member| member.key == key)?;
        self.taken[at] = true;
        Some(&self.members[at].value)
    }

    /// An optional setting: `null` and `""` count as absent and stay in the rest.
    pub(super) fn setting(&mut self, key: &str) -> Option<&'n Node<'t>> {
        let at = self.members.iter().position(|member| member.key == key)?;
        let node = &self.members[at].value;
        match &node.value {
            Value::Null => None,
            Value::String(text) if text.is_empty() => None,
            _ => {
                self.taken[at] = true;
                Some(node)
            }
        }
    }

    /// What no one asked for, as it was written but for white space.
    pub(super) fn rest(&self, text: &str) -> Extra {
        let untaken = self
            .members
            .iter()
            .zip(&self.taken)
            .filter(|(_, taken)| !**taken);
        untaken
            .map(|(member, _)| {
                let mut json = String::new();
                compact(&mut json, &text[member.value.start..member.value.end]);
                (member.key.clone().into_owned(), json)
            })
            .collect()
    }
}

impl<'t> Reader<'t> {
    /// Reports a property that the interface requires and the object lacks.
    pub(super) fn require(&mut self, object: &Object<'_, 't>, key: &str) {
        let message = match object.members.iter().find(|member| member.key == key) {
            None => format!("the required property `{key}` is missing"),
            Some(member) if member.value.value == Value::Null => {
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

    pub(super) fn required_text(
        &mut self,
        object: &mut Object<'_, 't>,
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
        object: &mut Object<'_, 't>,
        key: &'static str,
    ) -> Option<String> {
        match object
            .members
            .iter()
            .find(|member| member.key == key)?
            .value
            .value
        {
            Value::Null => None,
            Value::String(ref text) => {
                object.take(key);
                Some(text.clone().into_owned())
            }
            _ => self.not_text(object, key),
        }
    }

    /// An optional text of which the empty one counts as absent.
    pub(super) fn setting_text(
        &mut self,
        object: &mut Object<'_, 't>,
        key: &'static str,
    ) -> Option<String> {
        match &object.setting(key)?.value {
            Value::String(text) => Some(text.clone().into_owned()),
            _ => self.not_text(object, key),
        }
    }

    fn not_text(&mut self, object: &Object<'_, 't>, key: &str) -> Option<String> {
        let kind = object
            .members
            .iter()
            .find(|m| m.key == key)
            .map_or("nothing", |m| m.value.kind());
        let message = format!("`{key}` is {kind}, not a string");
        self.error(object.path.clone().key(key), message, "write a string");
        None
    }

    pub(super) fn required_flag(&mut self, object: &mut Object<'_, 't>, key: &'static str) -> bool {
        self.require(object, key);
        self.flag(object, key).unwrap_or(false)
    }

    pub(super) fn flag(&mut self, object: &mut Object<'_, 't>, key: &'static str) -> Option<bool> {
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
        object: &mut Object<'_, 't>,
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
}
